-- What trended at the end of each list day, 24:00 UTC. Observations are found by time (ASOF joins) and counted
-- cumulatively, not by comparing every day with every one: the cost grows with the lists, not with their square.
WITH $scored
SELECT
    (at_moment - INTERVAL 1 DAY)::DATE AS trending_on,
    $columns
FROM ranked
JOIN (SELECT paper_id, title FROM core.papers) USING (paper_id)
WHERE rank <= $most
ORDER BY trending_on, rank
