-- What papers claimed on a benchmark, from texts that were first seen by a moment (UTC); without one, all. Whether a
-- number was the best then was told when it was first seen, so that nothing here looks ahead.
SELECT
    $columns
FROM mart.boards
WHERE benchmark = name AND (ts IS NULL OR first_seen_at <= CAST(ts AS TIMESTAMP))
ORDER BY
    split NULLS FIRST,
    metric NULLS LAST,
    scale,
    apart_because NULLS FIRST,
    CASE WHEN polarity = 'less' THEN -value ELSE value END DESC,
    first_seen_at,
    paper_id,
    version_number,
    position
