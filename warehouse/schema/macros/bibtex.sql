-- The entry of one paper for BibTeX, with a note where arXiv says that the paper is withdrawn. Columns are renamed
-- inside, so that the caller's own `paper_id` may stand for the parameter.
SELECT CASE
    WHEN gone IS NULL THEN entry
    ELSE left(entry, length(entry) - 2) || E',\n  note = {' || gone || E'}\n}'
END
FROM (
    SELECT citations.paper_id AS cited, citations.bibtex AS entry, looks.note AS gone
    FROM core.paper_citations AS citations
    LEFT JOIN (
        SELECT
            records.paper_id AS of_paper,
            CASE records.status
                WHEN 'withdrawn' THEN 'Withdrawn at arXiv, as seen on '
                WHEN 'suspected' THEN 'Perhaps withdrawn at arXiv, as seen on '
                WHEN 'deleted' THEN 'Deleted at arXiv, as seen on '
            END || strftime(records.observed_at, '%Y-%m-%d') AS note
        FROM core.arxiv_records AS records
        WHERE records.observed_at IS NOT NULL
        QUALIFY row_number() OVER (
            PARTITION BY records.paper_id ORDER BY records.observed_at DESC, records.capture_id DESC
        ) = 1
    ) AS looks ON looks.of_paper = citations.paper_id
)
WHERE cited = paper_id
