-- The entry of one paper for BibTeX, as of the work that it is published as, where a registry says so; with a note where
-- arXiv says that the paper is withdrawn, or a registry that it was retracted. Columns are renamed inside, so that the
-- caller's own `paper_id` may stand for the parameter.
SELECT CASE
    WHEN gone = '' THEN whole
    ELSE left(whole, length(whole) - 2) || E',\n  note = {' || gone || E'}\n}'
END
FROM (
    SELECT
        citations.paper_id AS cited,
        CASE
            WHEN works.bibtex_fields IS NULL THEN citations.bibtex
            ELSE '@' || split_part(works.bibtex_fields, E'\n', 1) || replace(
                regexp_replace(
                    substr(citations.bibtex, length('@misc') + 1),
                    CASE WHEN works.published IS NULL THEN E'\n  doi = [^\n]*' ELSE E'\n  (?:doi|year|month) = [^\n]*' END,
                    '',
                    'g'
                ),
                E'\n  eprint = {',
                substr(works.bibtex_fields, strpos(works.bibtex_fields, E'\n')) || E',\n  eprint = {'
            )
        END AS whole,
        concat_ws(
            '. ',
            CASE looks.status
                WHEN 'withdrawn' THEN 'Withdrawn at arXiv, as seen on '
                WHEN 'suspected' THEN 'Perhaps withdrawn at arXiv, as seen on '
                WHEN 'deleted' THEN 'Deleted at arXiv, as seen on '
            END || strftime(looks.observed_at, '%Y-%m-%d'),
            CASE works.status WHEN 'retracted' THEN 'Retracted' WHEN 'concern' THEN 'Doubted, or partly retracted' END
            || coalesce(' on ' || strftime(works.retracted_on, '%Y-%m-%d'), '')
            || ', by ' || CASE works.registry WHEN 'openalex' THEN 'OpenAlex' ELSE 'Crossref' END || ', as seen on ' || strftime(works.known_from, '%Y-%m-%d')
        ) AS gone
    FROM core.paper_citations AS citations
    LEFT JOIN mart.paper_status AS looks ON looks.paper_id = citations.paper_id AND looks.is_newest
    LEFT JOIN mart.paper_publications AS works
        ON works.paper_id = citations.paper_id
        AND works.known_until IS NULL
        AND works.rank = 1
        AND works.status IN ('published', 'retracted', 'concern')
)
WHERE cited = paper_id
