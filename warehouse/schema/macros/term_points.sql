-- A weight is computed from counts and lengths, of integers, so that it need not be kept.
WITH counted AS (
    SELECT term, rarity::BIGINT AS rarity, cohort, unnest(places) AS place, unnest(counts)::BIGINT AS count
    FROM core.search_lists
    JOIN (FROM core.search_terms WHERE term IN (SELECT unnest(terms::VARCHAR[]))) USING (term)
    JOIN core.search_rarities USING (paper_count)
)
SELECT term, paper_id, rarity, rarity * $weight AS points
FROM counted JOIN core.search_vectors USING (cohort, place)
