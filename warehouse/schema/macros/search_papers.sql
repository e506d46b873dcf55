-- Plain words only: the query language is that of `paperlake search`, which gives the same papers in the same order.
-- Sums of integers are exact, the floats that vectors are multiplied in hold them exactly, and roots and quotients are
-- IEEE's: no engine can round differently.
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
read AS (
    SELECT words.word, known.term, known.word IS NOT NULL AS is_known
    FROM words LEFT JOIN core.search_words AS known USING (word)
),
unknown AS (
    SELECT word, CASE WHEN length(word) >= $long_word THEN 2 ELSE 1 END AS most
    FROM read
    WHERE NOT is_known AND length(word) >= $fewest_letters AND regexp_matches(word, $plain_word)
        AND (SELECT count(*) FROM words) <= $most_corrected
),
meant AS (
    SELECT known.term
    FROM unknown JOIN core.search_words AS known
        ON left(known.word, 1) = left(unknown.word, 1)
        AND length(known.word) BETWEEN length(unknown.word) - most AND length(unknown.word) + most
    WHERE regexp_matches(known.word, $plain_word) AND damerau_levenshtein(unknown.word, known.word) <= most
    QUALIFY row_number() OVER (
        PARTITION BY unknown.word
        ORDER BY damerau_levenshtein(unknown.word, known.word), known.paper_count DESC, known.word
    ) = 1
),
terms AS MATERIALIZED (
    SELECT DISTINCT term
    FROM (SELECT term FROM read UNION ALL SELECT term FROM meant)
    WHERE term IS NOT NULL
),
counted AS (
    SELECT term, rarity::BIGINT AS rarity, cohort, unnest(places) AS place, unnest(counts)::BIGINT AS count
    FROM core.search_lists
    JOIN (FROM core.search_terms SEMI JOIN terms USING (term)) USING (term)
    JOIN core.search_rarities USING (paper_count)
),
postings AS MATERIALIZED (
    SELECT term, paper_id, rarity * $weight AS points
    FROM counted JOIN core.search_vectors USING (cohort, place)
),
matched AS (
    SELECT paper_id, sum(points)::BIGINT AS points
    FROM postings
    GROUP BY paper_id
    ORDER BY points DESC, paper_id
    LIMIT $candidates
),
sums AS (
    SELECT place, sum(scale * value)::BIGINT AS value
    FROM (
        SELECT scale::BIGINT AS scale, unnest(vector) AS value, generate_subscripts(vector, 1) AS place
        FROM core.search_basis SEMI JOIN terms USING (term)
    )
    GROUP BY place
),
meaning AS (
    SELECT list(sign(value) * ((2 * abs(value) * $query_most + most) // (2 * most)) ORDER BY place)::FLOAT[] AS vector
    FROM sums, (SELECT greatest(max(abs(value)), 1) AS most FROM sums)
),
near AS (
    SELECT
        paper_id,
        points::DOUBLE AS points,
        greatest(coalesce(list_dot_product(papers.vector::FLOAT[], meaning.vector), 0), 0)::DOUBLE
            / sqrt(greatest(square, 1)::DOUBLE) AS nearness
    FROM matched JOIN core.search_vectors AS papers USING (paper_id), meaning
),
shares AS (
    SELECT
        paper_id,
        points / (max(points) OVER ()) AS matching,
        coalesce(nearness / nullif(max(nearness) OVER (), 0), 0) AS nearness
    FROM near
),
scored AS (
    SELECT
        paper_id,
        title,
        matching + $meaning::DOUBLE * nearness + CASE
            WHEN matching >= $named::DOUBLE
            THEN CASE WHEN $title_letters = $query_letters THEN $same_title::DOUBLE ELSE 0::DOUBLE END
            ELSE 0::DOUBLE
        END AS score
    FROM shares JOIN core.papers USING (paper_id), said
),
best AS (
    SELECT row_number() OVER (ORDER BY score DESC, paper_id) AS rank, *
    FROM scored
    ORDER BY rank
    LIMIT $most_hits
),
found AS (
    SELECT paper_id, string_agg(term, ' ' ORDER BY points DESC, term) AS terms
    FROM postings SEMI JOIN best USING (paper_id)
    GROUP BY paper_id
)
SELECT rank::INTEGER AS rank, paper_id, title, score, terms
FROM best JOIN found USING (paper_id)
ORDER BY rank
