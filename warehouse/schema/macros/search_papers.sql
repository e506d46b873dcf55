-- As `find_papers`, without what only a ranking asks for.
SELECT rank, paper_id, title, score, array_to_string(terms, ' ') AS terms
FROM mart.find_papers(query, NULL) JOIN core.papers USING (paper_id)
WHERE rank <= $most_hits
ORDER BY rank
