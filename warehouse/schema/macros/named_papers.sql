-- What a text names, as `find_papers` reads it.
WITH $names_in
SELECT DISTINCT field, value, paper_id FROM names_in
