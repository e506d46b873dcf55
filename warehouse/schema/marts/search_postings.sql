-- Papers go by number in `search_terms`: a number takes two bytes where an id takes twelve.
SELECT postings.term, papers.paper_id, $weight::INTEGER AS weight
FROM (
    SELECT term, unnest(paper_numbers) AS paper_number, unnest(counts)::BIGINT AS count
    FROM core.search_terms
) AS postings
JOIN core.search_vectors AS papers USING (paper_number)
