-- What trended at a moment (UTC): only pages fetched by then count, and expected counts come from pages that are
-- another day older, so that later captures change nothing. A page of unknown fetch time never counts.
WITH $scored,
titles AS (
    SELECT paper_id, $title
    FROM core.sightings
    SEMI JOIN ranked USING (paper_id)
    WHERE observed_at <= CAST(moment AS TIMESTAMP)
    GROUP BY paper_id
)
SELECT
    $columns
FROM ranked
LEFT JOIN titles USING (paper_id)
ORDER BY rank
