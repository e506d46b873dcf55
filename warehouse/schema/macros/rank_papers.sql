-- Sums of integers are exact, the floats that vectors are multiplied in hold them exactly, and roots and quotients are
-- IEEE's: no engine can round differently.
WITH wanted AS (
    SELECT terms::VARCHAR[] AS terms
),
points AS MATERIALIZED (
    FROM mart.term_points(terms) -- no column of this name: DuckDB 1.4 takes the two for one
),
kept AS (
    SELECT
        unnest(coalesce(among::VARCHAR[], (SELECT list(paper_id) FROM core.search_vectors))) AS paper_id,
        is_sentence AS is_sentence,
        letters::VARCHAR AS letters,
        len(terms::VARCHAR[]) AS term_total
),
$scored
SELECT
    paper_id,
    matching + meaning + naming AS score,
    matching,
    meaning,
    coalesce(found.terms, []) AS terms,
    coalesce(found.points, []) AS points
FROM titled LEFT JOIN (
    SELECT paper_id, list(term ORDER BY points DESC, term) AS terms, list(points ORDER BY points DESC, term) AS points
    FROM points GROUP BY paper_id
) AS found USING (paper_id)
