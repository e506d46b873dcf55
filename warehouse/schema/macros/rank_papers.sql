-- Sums of integers are exact, the floats that vectors are multiplied in hold them exactly, and roots and quotients are
-- IEEE's: no engine can round differently.
WITH whole AS (
    SELECT sum(rarity)::BIGINT AS rarity
    FROM core.search_terms JOIN core.search_rarities USING (paper_count)
    WHERE term IN (SELECT unnest(terms::VARCHAR[]))
),
by_paper AS (
    SELECT
        paper_id,
        sum(points)::BIGINT AS points,
        sum(rarity)::BIGINT AS rarity,
        list(term ORDER BY points DESC, term) AS found,
        list(points ORDER BY points DESC, term) AS found_points
    FROM mart.term_points(terms)
    GROUP BY paper_id
),
weighed AS (
    SELECT
        paper_id,
        points * CASE WHEN is_sentence THEN 1 ELSE whole.rarity + by_paper.rarity END AS points,
        found,
        found_points
    FROM by_paper, whole
),
matched AS (
    SELECT paper_id, points, max(points) OVER () AS most, found, found_points FROM weighed
),
chosen AS MATERIALIZED (
    SELECT paper_id, points, points / most AS matching, found, found_points
    FROM (
        FROM matched
        UNION ALL
        SELECT paper_id, 0, 1, [], [] FROM core.search_vectors WHERE terms IS NULL
    )
    WHERE among IS NULL OR paper_id IN (SELECT unnest(among::VARCHAR[]))
),
candidates AS MATERIALIZED (
    SELECT paper_id FROM chosen ORDER BY points DESC, paper_id LIMIT $candidates
),
sums AS (
    SELECT place, sum(scale * value)::BIGINT AS value
    FROM (
        SELECT scale::BIGINT AS scale, unnest(vector) AS value, generate_subscripts(vector, 1) AS place
        FROM core.search_basis WHERE term IN (SELECT unnest(terms::VARCHAR[]))
    )
    GROUP BY place
),
meaning AS (
    SELECT list(sign(value) * ((2 * abs(value) * $query_most + most) // (2 * most)) ORDER BY place)::FLOAT[] AS vector
    FROM sums, (SELECT greatest(max(abs(value)), 1) AS most FROM sums)
),
by_terms AS (
    SELECT
        paper_id,
        greatest(coalesce(list_dot_product(papers.vector::FLOAT[], meaning.vector), 0), 0)::DOUBLE
            / sqrt(greatest(square, 1)::DOUBLE) AS nearness
    FROM core.search_vectors AS papers SEMI JOIN candidates USING (paper_id), meaning
),
by_model AS (
    SELECT
        paper_id,
        greatest(list_dot_product(vector::FLOAT[], embedding::FLOAT[]), 0)::DOUBLE
            / sqrt(greatest(square, 1)::DOUBLE) AS nearness
    FROM core.search_embeddings SEMI JOIN candidates USING (paper_id)
    WHERE embedding IS NOT NULL
),
shares AS (
    SELECT
        paper_id,
        coalesce(by_terms.nearness / nullif(max(by_terms.nearness) OVER (), 0), 0) AS by_terms,
        coalesce(by_model.nearness / nullif(max(by_model.nearness) OVER (), 0), 0) AS by_model
    FROM by_terms LEFT JOIN by_model USING (paper_id)
),
parts AS (
    SELECT
        paper_id,
        matching,
        found,
        found_points,
        CASE
            WHEN embedding IS NULL THEN CASE WHEN is_sentence THEN $sentence::DOUBLE ELSE $meaning::DOUBLE END * by_terms
            ELSE $beside::DOUBLE * by_terms + $embedded::DOUBLE * by_model
        END AS meaning,
        -- in a CASE, so that no engine reads the letters of all titles
        CASE
            WHEN matching >= $named::DOUBLE
            THEN CASE
                WHEN $title_letters = letters::VARCHAR THEN $same_title::DOUBLE
                WHEN length(letters::VARCHAR) >= $in_title_letters AND contains($title_letters, letters::VARCHAR)
                THEN $in_title::DOUBLE
                ELSE 0::DOUBLE
            END
            ELSE 0::DOUBLE
        END AS naming
    FROM shares JOIN chosen USING (paper_id) JOIN core.papers USING (paper_id)
    UNION ALL
    SELECT paper_id, matching, found, found_points, 0, 0 FROM chosen ANTI JOIN candidates USING (paper_id)
)
SELECT paper_id, matching + meaning + naming AS score, matching, meaning, found AS terms, found_points AS points
FROM parts
