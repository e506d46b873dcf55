-- What `papers` would have said at a moment (UTC): only pages fetched by then count, so a page whose fetch time is
-- unknown never does. Papers go by the id they have today. The rules are those of `papers` (docs/history.md); counts are
-- those of `paper_observations`, which may be corrected.
SELECT
    $columns
FROM (
    SELECT
        paper_id,
        min(submitted_at) AS submitted_at,
        min(listed_on) AS first_listed_on,
        max(listed_on) AS last_listed_on,
        min(observed_at) AS first_seen_at,
        max(observed_at) AS last_seen_at,
        count(*)::INTEGER AS sighting_count,
        last(capture_id ORDER BY observed_at, capture_id, position) AS capture_id,
        $fields
    FROM core.sightings
    WHERE observed_at <= CAST(ts AS TIMESTAMP)
    GROUP BY paper_id
)
LEFT JOIN (
    SELECT
        paper_id,
        $counts
    FROM core.paper_observations
    WHERE observed_at <= CAST(ts AS TIMESTAMP)
    GROUP BY paper_id
) USING (paper_id)
ORDER BY paper_id
