-- The upvotes of one paper as last seen by a moment (UTC). Null where no page fetched by then showed any, never 0.
-- Columns are renamed inside, so that the caller's own `paper_id` or `observed_at` may stand for the parameters.
SELECT arg_max(seen_upvotes, seen_at)
FROM (
    SELECT
        observations.paper_id AS seen_paper,
        observations.observed_at AS seen_at,
        observations.upvote_count AS seen_upvotes
    FROM core.paper_observations AS observations
)
WHERE seen_paper = paper_id AND seen_at <= CAST(ts AS TIMESTAMP)
