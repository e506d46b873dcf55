-- The sum of the liked papers' vectors, less half that of the unliked ones', in integers: twice the one less the other.
WITH spaces AS NOT MATERIALIZED (
    SELECT 'terms' AS space, paper_id, square, vector FROM core.search_vectors
    UNION ALL
    SELECT 'model' AS space, paper_id, square, vector FROM core.search_embeddings
),
asked AS (
    SELECT unnest(liked::VARCHAR[]) AS paper_id, 2 AS times
    UNION ALL
    SELECT unnest(unlike::VARCHAR[]) AS paper_id, -1 AS times
),
sums AS (
    SELECT
        space,
        place,
        sum(times * value)::BIGINT AS value,
        greatest(max(abs(sum(times * value)::BIGINT)) OVER (PARTITION BY space), 1) AS most
    FROM (
        SELECT space, times, unnest(vector)::BIGINT AS value, generate_subscripts(vector, 1) AS place
        FROM spaces JOIN asked USING (paper_id)
    )
    GROUP BY space, place
),
meant AS (
    SELECT
        space,
        list(sign(value) * ((2 * abs(value) * $query_most + most) // (2 * most)) ORDER BY place)::FLOAT[] AS meaning
    FROM sums
    GROUP BY space
),
near AS (
    SELECT
        space,
        paper_id,
        greatest(list_dot_product(vector::FLOAT[], meaning), 0)::DOUBLE
            / sqrt(greatest(square, 1)::DOUBLE) AS nearness
    FROM spaces JOIN meant USING (space)
),
shares AS (
    SELECT paper_id, coalesce(nearness / nullif(max(nearness) OVER (PARTITION BY space), 0), 0) AS share
    FROM near
),
summed AS (
    SELECT paper_id, sum(share) AS share FROM shares GROUP BY paper_id
)
SELECT paper_id, coalesce(share / nullif(max(share) OVER (), 0), 0) AS likeness
FROM summed
