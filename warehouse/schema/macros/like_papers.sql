-- The sum of the liked papers' vectors, less half that of the unliked ones', in integers: twice the one less the other.
-- A paper has a vector by its terms, and one by a model where the lake asks for it.
WITH asked AS (
    SELECT unnest(liked::VARCHAR[]) AS paper_id, 2 AS times
    UNION ALL
    SELECT unnest(unlike::VARCHAR[]) AS paper_id, -1 AS times
),
sums AS (
    SELECT
        place,
        sum(times * by_terms)::BIGINT AS by_terms,
        sum(times * by_model)::BIGINT AS by_model,
        greatest(max(abs(sum(times * by_terms)::BIGINT)) OVER (), 1) AS most_by_terms,
        greatest(max(abs(sum(times * by_model)::BIGINT)) OVER (), 1) AS most_by_model
    FROM (
        SELECT
            times,
            unnest(vectors.vector)::BIGINT AS by_terms,
            unnest(embedded.vector)::BIGINT AS by_model,
            unnest(range(greatest(len(vectors.vector), len(embedded.vector)))) AS place
        FROM asked
            JOIN core.search_vectors AS vectors USING (paper_id)
            LEFT JOIN core.search_embeddings AS embedded USING (paper_id)
    )
    GROUP BY place
),
meant AS (
    SELECT
        list(sign(by_terms) * ((2 * abs(by_terms) * $query_most + most_by_terms) // (2 * most_by_terms)) ORDER BY place)
            FILTER (by_terms IS NOT NULL)::FLOAT[] AS by_terms,
        list(sign(by_model) * ((2 * abs(by_model) * $query_most + most_by_model) // (2 * most_by_model)) ORDER BY place)
            FILTER (by_model IS NOT NULL)::FLOAT[] AS by_model
    FROM sums
    HAVING count(*) > 0
),
near AS (
    SELECT
        paper_id,
        greatest(list_dot_product(vectors.vector::FLOAT[], by_terms), 0)::DOUBLE
            / sqrt(greatest(vectors.square, 1)::DOUBLE) AS by_terms,
        greatest(list_dot_product(embedded.vector::FLOAT[], by_model), 0)::DOUBLE
            / sqrt(greatest(embedded.square, 1)::DOUBLE) AS by_model
    FROM core.search_vectors AS vectors
        LEFT JOIN core.search_embeddings AS embedded USING (paper_id),
        meant
),
summed AS (
    SELECT
        paper_id,
        coalesce(by_terms / nullif(max(by_terms) OVER (), 0), 0)
            + coalesce(by_model / nullif(max(by_model) OVER (), 0), 0) AS share
    FROM near
)
SELECT paper_id, coalesce(share / nullif(max(share) OVER (), 0), 0) AS likeness
FROM summed
