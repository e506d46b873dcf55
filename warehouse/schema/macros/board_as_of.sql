-- What papers claimed on a benchmark, from texts that were first seen by a moment (UTC); without one, all. Whether a
-- number was the best then was told when it was first seen, and a title is that of then, so that nothing here looks
-- ahead. The system that a paper names is read in the texts of today: at a moment it is not told.
SELECT
    $columns
FROM mart.boards AS boards
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
