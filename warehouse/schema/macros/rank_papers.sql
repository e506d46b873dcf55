-- Sums of integers are exact, the floats that vectors are multiplied in hold them exactly, and roots and quotients are
-- IEEE's: no engine can round differently. Before 1.4 DuckDB works out a named query anew for each mention of it.
WITH by_paper AS (
    SELECT
        paper_id,
        sum(points)::BIGINT AS points,
        sum(rarity)::BIGINT AS rarity,
        any_value(whole) AS whole,
        list(term ORDER BY points DESC, term) AS found,
        list(points ORDER BY points DESC, term) AS found_points
    FROM mart.term_points(terms)
    GROUP BY paper_id
),
weighed AS (
    SELECT
        paper_id,
        found,
        found_points,
        points * CASE WHEN is_sentence THEN 1 ELSE whole + rarity END AS points,
        max(points * CASE WHEN is_sentence THEN 1 ELSE whole + rarity END) OVER () AS most
    FROM by_paper
),
sums AS (
    SELECT
        place,
        sum(scale * value)::BIGINT AS value,
        greatest(max(abs(sum(scale * value)::BIGINT)) OVER (), 1) AS most
    FROM (
        SELECT scale::BIGINT AS scale, unnest(vector) AS value, generate_subscripts(vector, 1) AS place
        FROM core.search_basis WHERE term IN (SELECT unnest(terms::VARCHAR[]))
    )
    GROUP BY place
),
asked AS (
    SELECT
        by_terms,
        embedding::FLOAT[] AS by_model,
        is_sentence AS of_sentence,
        letters::VARCHAR AS asked_letters
    FROM (
        SELECT
            list(
                sign(value) * ((2 * abs(value) * $query_most + most) // (2 * most)) ORDER BY place
            )::FLOAT[] AS by_terms
        FROM sums
    )
),
chosen AS (
    SELECT
        paper_id,
        coalesce(points / most, 0) AS matching,
        coalesce(found, []) AS found,
        coalesce(found_points, []) AS found_points,
        row_number() OVER (ORDER BY points DESC NULLS LAST, paper_id) AS candidate
    FROM (SELECT unnest(coalesce(among::VARCHAR[], (SELECT list(paper_id) FROM core.search_vectors))) AS paper_id)
        LEFT JOIN weighed USING (paper_id)
    WHERE points IS NOT NULL OR terms IS NULL
),
-- No window has the vectors that were asked for: it would copy them for each paper
near AS (
    SELECT
        chosen.*,
        of_sentence,
        asked_letters,
        by_model IS NOT NULL AS is_embedded,
        greatest(coalesce(list_dot_product(by_term.vector::FLOAT[], by_terms), 0), 0)::DOUBLE
            / sqrt(greatest(by_term.square, 1)::DOUBLE) AS term_nearness,
        greatest(list_dot_product(embedded.vector::FLOAT[], by_model), 0)::DOUBLE
            / sqrt(greatest(embedded.square, 1)::DOUBLE) AS model_nearness
    FROM chosen
        LEFT JOIN core.search_vectors AS by_term ON by_term.paper_id = chosen.paper_id AND candidate <= $candidates
        LEFT JOIN core.search_embeddings AS embedded ON embedded.paper_id = chosen.paper_id AND candidate <= $candidates,
        asked
),
shares AS (
    SELECT
        near.*,
        coalesce(term_nearness / nullif(max(term_nearness) OVER (), 0), 0) AS term_share,
        coalesce(model_nearness / nullif(max(model_nearness) OVER (), 0), 0) AS model_share
    FROM near
),
parts AS (
    SELECT
        paper_id,
        matching,
        found,
        found_points,
        CASE
            WHEN is_embedded THEN $beside::DOUBLE * term_share + $embedded::DOUBLE * model_share
            WHEN of_sentence THEN $sentence::DOUBLE * term_share
            ELSE $meaning::DOUBLE * term_share
        END AS meaning,
        -- in a CASE, so that no engine reads the letters of all titles
        CASE
            WHEN candidate <= $candidates AND matching >= $named::DOUBLE
            THEN CASE
                WHEN $title_letters = asked_letters THEN $same_title::DOUBLE
                WHEN length(asked_letters) >= $in_title_letters AND contains($title_letters, asked_letters)
                THEN $in_title::DOUBLE
                ELSE 0::DOUBLE
            END
            ELSE 0::DOUBLE
        END AS naming
    FROM shares JOIN core.papers USING (paper_id)
)
SELECT paper_id, matching + meaning + naming AS score, matching, meaning, found AS terms, found_points AS points
FROM parts
