-- The versions of each paper of the lake, as the newest look that found any says.
WITH newest AS (
    SELECT versions.*
    FROM core.arxiv_versions AS versions
    JOIN core.papers AS papers USING (paper_id)
    WHERE versions.observed_at IS NOT NULL
    QUALIFY rank() OVER (PARTITION BY paper_id ORDER BY versions.observed_at DESC, versions.capture_id DESC) = 1
)
SELECT
    paper_id,
    version_number,
    version_at,
    size_kb,
    size_kb = 0 AND coalesce(source_type = 'I', FALSE) AS is_emptied,
    observed_at,
    capture_id
FROM newest
ORDER BY paper_id, version_number
