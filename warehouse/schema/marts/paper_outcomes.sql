-- The first of the outcomes, in their order, that the newest look at arXiv and at the registries has of each paper.
WITH said AS (
    SELECT paper_id, status
    FROM mart.paper_status
    WHERE is_newest
    UNION ALL
    SELECT paper_id, status
    FROM mart.paper_publications
    WHERE known_until IS NULL AND rank = 1
)
SELECT paper_id, $order[min(list_position($order, status))] AS status
FROM said
WHERE list_contains($order, status)
GROUP BY paper_id
