-- What trended at a moment (UTC): only pages fetched by then count, and what is expected follows from looks that are a
-- day older still, so that what is captured later changes nothing. A page of unknown fetch time is known at no moment.
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
