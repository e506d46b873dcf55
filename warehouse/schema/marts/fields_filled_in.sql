-- Field time is not paper time: of the papers of a list month, those of which a page lacked a field before another page
-- showed it, or which were listed before the source had it. What is filled in is dated by the page that first shows it.
WITH shown AS (
    SELECT
        paper_id,
        min(observed_at) AS observed_at,
        coalesce(organization_name, organization_login) IS NOT NULL AS organization_name,
        $shown
    FROM core.sightings
    WHERE source NOT IN ('text', 'copy') AND observed_at IS NOT NULL
    GROUP BY ALL -- most pages show a paper with the same fields
),
of_pages AS (
    FROM shown UNPIVOT (is_shown FOR field IN (COLUMNS(* EXCLUDE (paper_id, observed_at))))
),
of_papers AS (
    SELECT
        paper_id,
        field,
        min(observed_at) FILTER (is_shown) AS shown_at,
        min(observed_at) FILTER (NOT is_shown) AS lacked_at
    FROM of_pages
    GROUP BY ALL
),
listed AS (
    SELECT paper_id, min(listed_on) AS listed_on
    FROM core.daily_listings
    GROUP BY paper_id
),
filled AS (
    SELECT
        date_trunc('month', listed.listed_on)::DATE AS month_on,
        field,
        fields.since_on,
        of_papers.shown_at,
        epoch(of_papers.shown_at - listed.listed_on) / 86400 AS days
    FROM of_papers
    JOIN listed USING (paper_id)
    JOIN mart.source_fields AS fields USING (field)
    WHERE of_papers.lacked_at < of_papers.shown_at
        OR (of_papers.shown_at IS NOT NULL AND listed.listed_on < fields.since_on)
)
SELECT
    month_on,
    field,
    since_on,
    count(*) AS paper_count,
    min(shown_at)::DATE AS first_filled_on,
    max(shown_at)::DATE AS last_filled_on,
    median(days) AS median_days
FROM filled
GROUP BY ALL
ORDER BY month_on, field
