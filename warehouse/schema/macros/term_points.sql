-- A weight is computed from counts and lengths, of integers, so that it need not be kept. A paper without a term may
-- have what stands for it: all terms of that, as often as the one that it has least.
WITH asked AS (
    SELECT term, rarity::BIGINT AS rarity, paper_count, sum(rarity) OVER ()::BIGINT AS whole
    FROM core.search_terms JOIN core.search_rarities USING (paper_count)
    WHERE term IN (SELECT unnest(terms::VARCHAR[]))
),
forms AS (
    SELECT term, [term] AS found_by, true AS is_own FROM asked
    UNION ALL
    SELECT term, found_by, false AS is_own FROM mart.term_forms(terms)
),
parts AS (
    SELECT *, unnest(found_by) AS part FROM forms
),
listed AS (
    SELECT term AS part, cohort, unnest(places) AS place, unnest(counts)::BIGINT AS count
    FROM core.search_lists WHERE term IN (SELECT part FROM parts)
),
held AS (
    SELECT term, is_own, cohort, place, min(count) AS count
    FROM listed JOIN parts USING (part)
    GROUP BY term, found_by, is_own, cohort, place
    HAVING count(*) = len(found_by)
),
counted AS (
    SELECT term, cohort, place, coalesce(max(count) FILTER (is_own), max(count)) AS count
    FROM held
    GROUP BY term, cohort, place
)
SELECT term, paper_id, rarity, whole, rarity * $weight AS points
FROM counted JOIN asked USING (term) JOIN core.search_vectors USING (cohort, place)
