-- Plain words only: the query language is that of `paperlake search`, which asks the same macros.
WITH said AS (
    SELECT $folded AS folded
),
tokens AS (
    SELECT DISTINCT regexp_replace(token, $possessive, '') AS token
    FROM (SELECT unnest(regexp_extract_all(folded, $word)) AS token FROM said)
),
words AS (
    SELECT DISTINCT word
    FROM (
        SELECT unnest(list_append(regexp_split_to_array(token, $joiner), regexp_replace(token, $joiner, '', 'g'))) AS word
        FROM tokens
    )
    WHERE length(word) <= $longest_word
),
asked AS MATERIALIZED (
    SELECT
        coalesce(list(DISTINCT term) FILTER (term IS NOT NULL), []) AS terms,
        coalesce(bool_or(known IS NOT NULL AND term IS NULL), false) AS is_sentence
    FROM mart.read_words((SELECT list(word) FROM words))
),
best AS (
    SELECT row_number() OVER (ORDER BY score DESC, paper_id) AS rank, *
    FROM mart.rank_papers(
        (SELECT terms FROM asked), (SELECT is_sentence FROM asked), (SELECT $query_letters FROM said), NULL, NULL
    )
    ORDER BY rank
    LIMIT $most_hits
)
SELECT rank::INTEGER AS rank, paper_id, title, score, array_to_string(terms, ' ') AS terms
FROM best JOIN core.papers USING (paper_id)
ORDER BY rank
