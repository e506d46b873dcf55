-- A weight is computed from counts and lengths, of integers, so that it need not be kept.
WITH asked AS (
    SELECT term, rarity::BIGINT AS rarity, paper_count, sum(rarity) OVER ()::BIGINT AS whole
    FROM core.search_terms JOIN core.search_rarities USING (paper_count)
    WHERE term IN (SELECT unnest(terms::VARCHAR[]))
),
counted AS (
    SELECT term, rarity, whole, cohort, unnest(places) AS place, unnest(counts)::BIGINT AS count
    FROM core.search_lists JOIN asked USING (term)
)
SELECT term, paper_id, rarity, whole, rarity * $weight AS points
FROM counted JOIN core.search_vectors USING (cohort, place)
