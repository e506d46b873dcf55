-- One row per paper and fetch time at which its upvotes were seen, with the difference to the look before.
WITH observed AS (
    SELECT
        paper_id,
        observed_at,
        row_number() OVER looks AS observation_number,
        count(*) OVER (PARTITION BY paper_id) AS observation_count,
        upvote_count,
        upvote_count - lag(upvote_count) OVER looks AS gained_upvote_count,
        epoch(observed_at - lag(observed_at) OVER looks) / 3600 AS since_last_hours
    FROM core.paper_observations
    WHERE upvote_count IS NOT NULL
    WINDOW looks AS (PARTITION BY paper_id ORDER BY observed_at)
)
SELECT
    paper_id,
    observed_at,
    papers.first_listed_on,
    observation_number,
    observation_count,
    epoch(observed_at - papers.first_listed_on) / 3600 AS observed_hours,
    observed.upvote_count,
    gained_upvote_count::BIGINT AS gained_upvote_count,
    since_last_hours,
    24 * gained_upvote_count / since_last_hours AS gained_per_day
FROM observed
JOIN core.papers AS papers USING (paper_id)
ORDER BY paper_id, observed_at
