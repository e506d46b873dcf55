-- What became of which paper at arXiv, as known at a moment (UTC): of each paper the last look until then. Columns that
-- say what later looks found are left out.
SELECT
    $columns
FROM mart.paper_status
WHERE observed_at <= CAST(moment AS TIMESTAMP)
QUALIFY row_number() OVER (PARTITION BY paper_id ORDER BY observed_at DESC) = 1
ORDER BY paper_id
