-- The entry of one paper for BibTeX, with a note where arXiv says that the paper is withdrawn. Columns are renamed
-- inside, so that the caller's own `paper_id` may stand for the parameter.
SELECT CASE
    WHEN gone IS NULL THEN entry
    ELSE left(entry, length(entry) - 2) || E',\n  note = {' || gone || E'}\n}'
END
FROM (
    SELECT
        citations.paper_id AS cited,
        citations.bibtex AS entry,
        CASE looks.status
            WHEN 'withdrawn' THEN 'Withdrawn at arXiv, as seen on '
            WHEN 'suspected' THEN 'Perhaps withdrawn at arXiv, as seen on '
            WHEN 'deleted' THEN 'Deleted at arXiv, as seen on '
        END || strftime(looks.observed_at, '%Y-%m-%d') AS gone
    FROM core.paper_citations AS citations
    LEFT JOIN mart.paper_status AS looks ON looks.paper_id = citations.paper_id AND looks.is_newest
)
WHERE cited = paper_id
