-- One row per field and month of list days. A paper counts as known where a page that could show the field was captured:
-- an API answer or an HTML page, fetched since the source has it. What saved texts and copies show is not asked here. A field is a
-- column of the sightings that is not null, but for the two that are written out.
WITH shown AS (
    SELECT
        paper_id,
        coalesce(observed_at::DATE, listed_on) AS asked_on,
        coalesce(organization_name, organization_login) IS NOT NULL AS organization_name,
        $shown
    FROM core.sightings
    WHERE source NOT IN ('text', 'copy')
),
of_papers AS (
    SELECT paper_id, max(asked_on) AS asked_on, bool_or(COLUMNS(* EXCLUDE (paper_id, asked_on)))
    FROM shown
    GROUP BY paper_id
),
listed AS (
    SELECT DISTINCT date_trunc('month', listed_on)::DATE AS month_on, paper_id
    FROM core.daily_listings
),
asked AS (
    SELECT
        listed.month_on,
        of_papers.* EXCLUDE (paper_id),
        of_papers.paper_id IS NOT NULL AS is_asked,
        of_papers.paper_id IN (SELECT paper_id FROM core.paper_authors WHERE login IS NOT NULL) AS author_login
    FROM listed
    LEFT JOIN of_papers USING (paper_id)
),
of_days AS (  -- the day on which a page was last asked tells for all fields whether it could show them
    SELECT month_on, asked_on, count(*) AS paper_count, count_if(COLUMNS(* EXCLUDE (month_on, asked_on)))
    FROM asked
    GROUP BY month_on, asked_on
),
of_fields AS (
    FROM of_days UNPIVOT (shown_count FOR field IN (COLUMNS(* EXCLUDE (month_on, asked_on, paper_count, is_asked))))
),
counted AS (
    SELECT
        month_on,
        field,
        since_on,
        sum(paper_count)::BIGINT AS paper_count,
        sum(
            CASE WHEN since_on IS NULL OR asked_on >= since_on THEN is_asked ELSE shown_count END
        )::BIGINT AS known_paper_count,
        sum(shown_count)::BIGINT AS shown_paper_count
    FROM of_fields
    JOIN mart.source_fields USING (field)
    GROUP BY ALL
)
SELECT
    *,
    shown_paper_count / nullif(known_paper_count, 0) AS share,
    CASE WHEN known_paper_count = 0 THEN 'none' WHEN known_paper_count < paper_count THEN 'part' ELSE 'whole' END AS state
FROM counted
ORDER BY month_on, field
