-- What papers are published as, as known at a moment (UTC).
SELECT
    $columns
FROM mart.paper_publications
WHERE known_from <= CAST(moment AS TIMESTAMP) AND coalesce(known_until > CAST(moment AS TIMESTAMP), TRUE)
ORDER BY paper_id, rank
