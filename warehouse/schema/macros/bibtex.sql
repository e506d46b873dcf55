-- The entry of one paper for BibTeX. Columns are renamed inside, so that the caller's own `paper_id` may stand for the
-- parameter.
SELECT entry
FROM (SELECT citations.paper_id AS cited, citations.bibtex AS entry FROM core.paper_citations AS citations)
WHERE cited = paper_id
