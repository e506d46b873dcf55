-- What became of each paper of the lake at arXiv, at each look. A row reads records up to its own look alone; of two
-- answers of one moment the later `capture_id` counts.
WITH looks AS (
    SELECT records.*
    FROM core.arxiv_records AS records
    JOIN core.papers AS papers USING (paper_id)
    WHERE records.observed_at IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY paper_id, records.observed_at ORDER BY records.capture_id DESC) = 1
),
versions AS (
    SELECT
        capture_id,
        paper_id,
        min(version_at) FILTER (version_number = 1)::DATE AS published_on,
        arg_max(version_at, version_number)::DATE AS last_version_on,
        bool_or(size_kb = 0 AND coalesce(source_type = 'I', FALSE)) AS has_emptied
    FROM core.arxiv_versions
    GROUP BY ALL
),
told AS (
    SELECT
        looks.*,
        versions.published_on,
        versions.last_version_on,
        coalesce(versions.has_emptied, FALSE) AS has_emptied,
        coalesce(
            bool_or(looks.status IN ('withdrawn', 'suspected')) OVER (
                PARTITION BY looks.paper_id ORDER BY looks.observed_at
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ),
            FALSE
        ) AS was_withdrawn,
        lead(looks.observed_at) OVER (PARTITION BY looks.paper_id ORDER BY looks.observed_at) IS NULL AS is_newest
    FROM looks
    LEFT JOIN versions USING (capture_id, paper_id)
)
SELECT
    told.paper_id,
    told.observed_at,
    told.is_newest,
    told.status,
    told.status = 'present' AND (told.was_withdrawn OR told.has_emptied) AS is_undone,
    CASE WHEN told.status = 'withdrawn' THEN told.last_version_on END AS withdrawn_on,
    told.superseded_by,
    CASE WHEN told.superseded_by IS NOT NULL THEN others.paper_id IS NOT NULL END AS is_superseding_known,
    told.comments,
    told.version_count,
    told.published_on,
    told.last_version_on,
    papers.published_on AS hub_published_on,
    papers.published_on <> told.published_on AS is_date_disputed,
    told.categories,
    told.journal_ref,
    told.doi,
    told.license_url,
    told.changed_on,
    told.capture_id
FROM told
JOIN core.papers AS papers ON papers.paper_id = told.paper_id
LEFT JOIN core.papers AS others ON others.paper_id = told.superseded_by
ORDER BY told.paper_id, told.observed_at
