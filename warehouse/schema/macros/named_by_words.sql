-- `named_papers` without what it needs digits for: a query of words alone is planned in less time.
WITH $names_in
SELECT DISTINCT field, value, paper_id FROM names_in
