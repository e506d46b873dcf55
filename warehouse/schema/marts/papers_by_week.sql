-- One row per ISO week of list days and paper, in the order of upvotes as last seen. A paper on two days of a week is in
-- it once. What the lake lacks of the week, and whether it is over, stands in each row.
WITH listed AS (
    SELECT date_trunc('week', listed_on)::DATE AS week_on, paper_id, min(listed_on) AS listed_on
    FROM core.daily_listings
    GROUP BY ALL
),
expected AS (
    SELECT
        date_trunc('week', listed_on)::DATE AS week_on,
        count(*) AS expected_day_count,
        count(*) FILTER (WHERE state = 'complete') AS complete_day_count
    FROM core.coverage
    WHERE source = 'api' AND is_expected
    GROUP BY 1
),
open_list AS (SELECT max(listed_on) AS open_on FROM core.coverage)
SELECT
    week_on,
    strftime(week_on, '%G-W%V') AS week,
    CASE
        WHEN papers.upvote_count IS NOT NULL
            THEN rank() OVER (PARTITION BY week_on ORDER BY papers.upvote_count DESC NULLS LAST)
    END AS rank,
    paper_id,
    papers.title,
    papers.organization_name,
    papers.upvote_count,
    curves.last_observed_hours,
    coalesce(curves.observation_count, 0) AS observation_count,
    listed.listed_on,
    count(*) OVER (PARTITION BY week_on) AS paper_count,
    expected.expected_day_count,
    expected.complete_day_count,
    week_on + 4 < open_list.open_on AS is_over
FROM listed
JOIN core.papers AS papers USING (paper_id)
CROSS JOIN open_list
LEFT JOIN mart.upvote_curves AS curves USING (paper_id)
LEFT JOIN expected USING (week_on)
ORDER BY week_on, rank NULLS LAST, paper_id
