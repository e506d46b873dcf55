-- A text that is nothing but words: the papers that it names as a whole, or else those that have them. It is `find_any`
-- without what only fields, quotes, signs and a language model ask for.
WITH typed AS MATERIALIZED (
    SELECT name, letters, $said AS words
    FROM (SELECT $given AS name, $letters AS letters, $stems AS stems FROM (SELECT unnest([query::VARCHAR]) AS asked))
),
by_name AS MATERIALIZED (
    SELECT DISTINCT paper_id
    FROM query(
        'FROM mart.' || CASE WHEN $has_digit THEN 'named_papers' ELSE 'named_by_words' END
            || '(''' || replace($given_text, '''', '''''') || ''')'
    )
),
wanted AS MATERIALIZED (
    SELECT
        CASE WHEN are_named THEN [] ELSE coalesce(terms, []) END AS terms,
        is_sentence,
        letters
    FROM typed,
        (SELECT count(*) > 0 AS are_named FROM by_name),
        (
            SELECT
                list(DISTINCT term) FILTER (term IS NOT NULL) AS terms,
                coalesce(bool_or(known IS NOT NULL AND term IS NULL), false) AS is_sentence
            FROM mart.read_words((SELECT words FROM typed))
        )
),
points AS MATERIALIZED (
    FROM mart.term_points((SELECT terms FROM wanted))
),
$scored,
weighed_up AS (
    SELECT paper_id, matching, meaning, matching + meaning + naming AS score, day, max(score) OVER () AS best FROM titled
),
hits AS (
    SELECT *, row_number() OVER (ORDER BY score DESC, day DESC NULLS LAST, paper_id)::INTEGER AS rank
    FROM weighed_up
    WHERE score >= $floor::DOUBLE * best
)
SELECT
    rank,
    any_value(paper_id) AS paper_id,
    any_value(score) AS score,
    any_value(matching) AS matching,
    any_value(meaning) AS meaning,
    list(term ORDER BY points DESC, term) AS terms,
    list(points ORDER BY points DESC, term) AS points
FROM hits JOIN points USING (paper_id)
GROUP BY rank
UNION ALL
$found_named
