-- Who builds on which paper, as known at a moment (UTC): of each paper the last look until then, which itself stands on
-- nothing later.
WITH last_looks AS (
    SELECT *
    FROM mart.adoption
    WHERE observed_at <= CAST(moment AS TIMESTAMP)
    QUALIFY row_number() OVER (PARTITION BY paper_id ORDER BY observed_at DESC) = 1
)
SELECT
    $columns
FROM last_looks
ORDER BY score DESC NULLS LAST, paper_id
