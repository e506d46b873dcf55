-- Every title, abstract and AI summary with its text. One that never changed is only once in the lake: a title in
-- `papers`, an abstract in `paper_texts`, a summary in the sightings.
WITH summaries AS (
    SELECT paper_id, capture_id, max(ai_summary) AS ai_summary
    FROM core.sightings
    WHERE ai_summary IS NOT NULL
    GROUP BY paper_id, capture_id
),
dated AS (
    $dated
)
SELECT
    versions.paper_id,
    versions.field,
    versions.version_number,
    coalesce(
        versions.text,
        CASE versions.field
            WHEN 'title' THEN papers.title
            WHEN 'abstract' THEN texts.abstract
            ELSE summaries.ai_summary
        END
    ) AS text,
    versions.text IS NOT NULL AS has_changed,
    versions.first_seen_at,
    versions.last_seen_at,
    versions.sighting_count,
    versions.capture_id,
    dated.arxiv_version_on
FROM core.paper_versions AS versions
JOIN core.papers AS papers USING (paper_id)
LEFT JOIN core.paper_texts AS texts USING (paper_id)
LEFT JOIN summaries ON summaries.paper_id = versions.paper_id AND summaries.capture_id = versions.capture_id
LEFT JOIN dated ON dated.paper_id = versions.paper_id AND dated.field = versions.field
    AND dated.version_number = versions.version_number
ORDER BY versions.paper_id, versions.field, versions.version_number
