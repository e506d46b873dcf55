-- Papers go by their places in a cohort in `search_lists`: a place takes one or two bytes where an id takes twelve.
SELECT postings.term, papers.paper_id, $weight::INTEGER AS weight
FROM (
    SELECT term, cohort, unnest(places) AS place, unnest(counts)::BIGINT AS count
    FROM core.search_lists
) AS postings
JOIN core.search_vectors AS papers USING (cohort, place)
