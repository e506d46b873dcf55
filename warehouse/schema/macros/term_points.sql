-- A weight is computed from counts and lengths, of integers, so that it need not be kept. A paper without a term may
-- have what stands for it: all terms of that, as often as the one that it has least.
WITH given AS (
    SELECT unnest(list_distinct(terms::VARCHAR[])) AS term
),
asked AS (
    SELECT term, rarity::BIGINT AS rarity, sum(rarity) OVER ()::BIGINT AS whole
    FROM given JOIN core.search_terms USING (term) JOIN core.search_rarities USING (paper_count)
),
forms AS (
    SELECT term, found_by, is_own, row_number() OVER () AS form
    FROM (
        SELECT term, [term] AS found_by, true AS is_own FROM given
        UNION ALL
        SELECT term, found_by, false AS is_own FROM mart.term_forms(terms)
    )
),
parts AS (
    SELECT form, term, is_own, len(found_by) AS part_count, unnest(found_by) AS part FROM forms
),
held AS (
    SELECT any_value(term) AS term, any_value(is_own) AS is_own, cohort, place, min(count) AS count
    FROM (
        SELECT form, parts.term, is_own, part_count, cohort, unnest(places) AS place, unnest(counts)::BIGINT AS count
        FROM core.search_lists AS lists JOIN parts ON lists.term = part
    )
    GROUP BY form, cohort, place
    HAVING count(*) = any_value(part_count)
),
counted AS (
    SELECT term, cohort, place, coalesce(max(count) FILTER (is_own), max(count)) AS count
    FROM held
    GROUP BY term, cohort, place
)
SELECT term, paper_id, rarity, whole, rarity * $weight AS points
FROM counted JOIN asked USING (term) JOIN core.search_vectors USING (cohort, place)
