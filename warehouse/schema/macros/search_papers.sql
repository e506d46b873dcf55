-- As `find_papers`, without what only a ranking asks for, and with what became of the paper.
SELECT rank, paper_id, title, score, array_to_string(terms, ' ') AS terms, status
FROM mart.find_papers(query, NULL)
JOIN core.papers USING (paper_id)
LEFT JOIN mart.paper_outcomes USING (paper_id)
WHERE rank <= $most_hits
ORDER BY rank
