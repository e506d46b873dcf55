-- The cosine of a paper with the sum of the liked papers' vectors, less half that of the unliked ones': in integers, twice
-- the one less the other, and in doubles, which hold such products exactly. The words likewise: the mean over the papers
-- that are liked. So one paper alone has the scores of `similar_papers`.
WITH asked AS MATERIALIZED (
    SELECT
        unnest(liked::VARCHAR[] || unlike::VARCHAR[]) AS paper_id,
        unnest([2 for one in liked::VARCHAR[]] || [-1 for one in unlike::VARCHAR[]]) AS times,
        len(liked::VARCHAR[]) AS liked_count
),
spaces AS (
    SELECT 1 AS space, paper_id, square, vector FROM core.search_vectors
    UNION ALL
    SELECT 2 AS space, paper_id, square, vector FROM core.search_embeddings
),
meant AS (
    SELECT space, list(value ORDER BY place)::DOUBLE[] AS sums, sum(value * value)::BIGINT AS squares
    FROM (
        SELECT space, place, sum(times * value)::BIGINT AS value
        FROM (
            SELECT space, times, unnest(vector)::BIGINT AS value, generate_subscripts(vector, 1) AS place
            FROM asked JOIN spaces USING (paper_id)
        )
        GROUP BY space, place
    )
    GROUP BY space
),
cosines AS (
    SELECT paper_id, sum(cosine)::BIGINT // count(*) AS cosine
    FROM (
        SELECT
            paper_id,
            floor(
                list_dot_product(vector::DOUBLE[], sums) * $score_unit
                    / sqrt(greatest(square::BIGINT * squares, 1)::DOUBLE)
            )::BIGINT AS cosine
        FROM spaces JOIN meant USING (space)
    )
    GROUP BY paper_id
),
rare AS (
    SELECT paper_id, sum(times)::BIGINT AS times, any_value(liked_count) AS liked_count, term
    FROM asked
        JOIN core.search_vectors AS vectors USING (paper_id)
        JOIN core.search_lists AS lists ON lists.cohort = vectors.cohort AND list_contains(places, place)
    WHERE term NOT IN (SELECT term FROM core.search_basis WHERE is_common)
    GROUP BY paper_id, term
),
by_words AS (
    SELECT
        cohort,
        place,
        sum(times * ($score_unit * shared // (shared + $shared_half)))::BIGINT // (2 * any_value(liked_count)) AS worded
    FROM (
        SELECT
            paper_id,
            any_value(times) AS times,
            any_value(liked_count) AS liked_count,
            cohort,
            place,
            count(*) AS shared
        FROM (
            SELECT rare.paper_id, times, liked_count, cohort, unnest(places) AS place
            FROM rare JOIN core.search_lists USING (term)
        )
        GROUP BY paper_id, cohort, place
    )
    GROUP BY cohort, place
),
scored AS (
    SELECT
        paper_id,
        ($meaning_tenths * cosine + $shared_tenths * greatest(coalesce(worded, 0), 0)) // 10 AS score
    FROM cosines JOIN core.search_vectors USING (paper_id) LEFT JOIN by_words USING (cohort, place)
)
SELECT
    paper_id,
    CASE WHEN score >= $similar_least THEN score ELSE 0 END::INTEGER AS score,
    CASE WHEN score >= $similar_least THEN score / max(score) OVER () ELSE 0 END AS likeness
FROM scored
