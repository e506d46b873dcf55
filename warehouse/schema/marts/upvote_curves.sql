-- One row per paper whose upvotes were seen. A curve is known only at its observations: a time is given by the last
-- one before it and the first one after it. Papers with one observation have none.
WITH observed AS (
    SELECT paper_id, observed_at, upvote_count
    FROM core.paper_observations
    WHERE upvote_count IS NOT NULL
),
ends AS (
    SELECT
        paper_id,
        count(*) AS observation_count,
        arg_min(upvote_count, observed_at) AS first_upvote_count,
        arg_max(upvote_count, observed_at) AS last_upvote_count,
        min(observed_at) AS first_observed_at,
        max(observed_at) AS last_observed_at
    FROM observed
    GROUP BY paper_id
),
reached AS (
    SELECT
        paper_id,
        min(observed_at) FILTER (upvote_count >= 0.5 * last_upvote_count) AS half_by_at,
        min(observed_at) FILTER (upvote_count >= 0.9 * last_upvote_count) AS most_by_at
    FROM observed
    JOIN ends USING (paper_id)
    WHERE observation_count > 1 AND last_upvote_count > 0
    GROUP BY paper_id
),
before AS (
    SELECT
        paper_id,
        max(observed_at) FILTER (observed_at < half_by_at) AS half_after_at,
        max(observed_at) FILTER (observed_at < most_by_at) AS most_after_at
    FROM observed
    JOIN reached USING (paper_id)
    GROUP BY paper_id
)
SELECT
    paper_id,
    papers.first_listed_on,
    ends.observation_count,
    ends.first_upvote_count,
    ends.last_upvote_count,
    epoch(ends.first_observed_at - papers.first_listed_on) / 3600 AS first_observed_hours,
    epoch(ends.last_observed_at - papers.first_listed_on) / 3600 AS last_observed_hours,
    epoch(before.half_after_at - papers.first_listed_on) / 3600 AS half_after_hours,
    epoch(reached.half_by_at - papers.first_listed_on) / 3600 AS half_by_hours,
    epoch(before.most_after_at - papers.first_listed_on) / 3600 AS most_after_hours,
    epoch(reached.most_by_at - papers.first_listed_on) / 3600 AS most_by_hours
FROM ends
JOIN core.papers AS papers USING (paper_id)
LEFT JOIN reached USING (paper_id)
LEFT JOIN before USING (paper_id)
ORDER BY paper_id
