-- One row per year of first list days, metric, unit and direction. The share is of the year's papers whose abstract was
-- read. Seconds and hours, kilobytes and gigabytes are one unit each, so that their values are not compared.
WITH listed AS (
    SELECT paper_id, date_trunc('year', first_listed_on)::DATE AS year_on
    FROM core.papers
    JOIN core.paper_texts USING (paper_id)
    WHERE first_listed_on IS NOT NULL
),
years AS (
    SELECT year_on, count(*) AS abstract_paper_count
    FROM listed
    GROUP BY year_on
),
claims AS (
    SELECT
        year_on,
        paper_id,
        metric,
        unit,
        direction,
        CASE WHEN unit NOT IN ('s', 'B', 'FLOP/s', 'other') THEN value END AS value,
        polarity = 'more' AS is_more_better,
        unit IN ('x', '%', 'points') AND direction <> 'level' AND bound IS DISTINCT FROM 'about' AS is_comparable
    FROM core.paper_claims
    JOIN listed USING (paper_id)
    WHERE metric IS NOT NULL AND direction IS NOT NULL AND is_own
),
ranked AS (
    SELECT
        *,
        CASE
            WHEN is_more_better IS NULL OR NOT is_comparable THEN NULL
            WHEN (direction = 'up') = is_more_better THEN value
        END AS merit
    FROM claims
)
SELECT
    year_on,
    metric,
    unit,
    direction,
    any_value(abstract_paper_count) AS abstract_paper_count,
    count(DISTINCT paper_id) AS paper_count,
    count(DISTINCT paper_id) / any_value(abstract_paper_count) AS share,
    count(*) AS claim_count,
    median(value) AS median_value,
    abs(max(merit)) AS best_value,
    first(paper_id ORDER BY merit DESC, paper_id) FILTER (WHERE merit IS NOT NULL) AS best_paper_id
FROM ranked
JOIN years USING (year_on)
GROUP BY year_on, metric, unit, direction
ORDER BY year_on, paper_count DESC, metric, unit, direction
