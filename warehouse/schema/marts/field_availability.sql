-- One row per field and month of list days. A paper counts as known where a page that could show the field was captured:
-- an API answer or an HTML page, fetched since the source has it. What saved texts and copies show is not asked here. A field is a
-- column of the sightings that is not null, but for the two that are written out.
WITH shown AS (
    SELECT
        paper_id,
        coalesce(observed_at::DATE, listed_on) AS asked_on,
        paper_id IN (SELECT paper_id FROM core.paper_authors WHERE login IS NOT NULL) AS author_login,
        coalesce(organization_name, organization_login) IS NOT NULL AS organization_name,
        $shown
    FROM core.sightings
    WHERE source NOT IN ('text', 'copy')
),
of_pages AS (
    FROM shown UNPIVOT (is_shown FOR field IN (COLUMNS(* EXCLUDE (paper_id, asked_on))))
),
of_papers AS (
    SELECT
        paper_id,
        field,
        bool_or(is_shown OR since_on IS NULL OR asked_on >= since_on) AS is_known,
        bool_or(is_shown) AS is_shown
    FROM of_pages
    JOIN mart.source_fields USING (field)
    GROUP BY ALL
),
listed AS (
    SELECT DISTINCT date_trunc('month', listed_on)::DATE AS month_on, paper_id
    FROM core.daily_listings
),
counted AS (
    SELECT
        month_on,
        field,
        since_on,
        count(*) AS paper_count,
        count(*) FILTER (is_known) AS known_paper_count,
        count(*) FILTER (is_shown) AS shown_paper_count
    FROM listed
    CROSS JOIN mart.source_fields
    LEFT JOIN of_papers USING (paper_id, field)
    GROUP BY ALL
)
SELECT
    *,
    shown_paper_count / nullif(known_paper_count, 0) AS share,
    CASE WHEN known_paper_count = 0 THEN 'none' WHEN known_paper_count < paper_count THEN 'part' ELSE 'whole' END AS state
FROM counted
ORDER BY month_on, field
