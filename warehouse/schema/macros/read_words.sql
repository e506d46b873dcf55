-- An unknown word is read as the nearest known one; of equally near ones the one in most papers, then the first.
WITH read AS MATERIALIZED (
    SELECT
        asked.word,
        place,
        known.word AS known,
        term,
        CASE WHEN length(asked.word) >= $long_word THEN 2 ELSE 1 END AS most,
        CASE
            WHEN known.word IS NULL AND asked_count <= $most_corrected AND length(asked.word) >= $fewest_letters
                AND regexp_matches(asked.word, '$plain_word')
            THEN left(asked.word, 1)
        END AS first_of_unknown
    FROM (
            SELECT word, min(place) AS place, any_value(asked_count) AS asked_count
            FROM (
                SELECT
                    unnest(given) AS word,
                    generate_subscripts(given, 1) AS place,
                    list_unique(given) AS asked_count
                FROM (SELECT words::VARCHAR[] AS given)
            )
            GROUP BY word
        ) AS asked
        LEFT JOIN core.search_words AS known USING (word)
),
-- A join of its own, which has no row where all are known: then not every word of the index is looked at
nearest AS (
    SELECT word, min({'slips': slips, 'papers': -paper_count, 'known': known, 'term': term}) AS meant
    FROM (
        SELECT
            read.word,
            most,
            damerau_levenshtein(read.word, meant.word) AS slips,
            meant.paper_count,
            meant.word AS known,
            meant.term
        FROM (FROM read WHERE first_of_unknown IS NOT NULL) AS read
            JOIN core.search_words AS meant
            ON left(meant.word, 1) = first_of_unknown
                AND length(meant.word) BETWEEN length(read.word) - most AND length(read.word) + most
                AND regexp_matches(meant.word, '$plain_word')
    )
    WHERE slips <= most
    GROUP BY word
)
SELECT word, coalesce(known, meant.known) AS known, coalesce(term, meant.term) AS term
FROM read LEFT JOIN nearest USING (word)
ORDER BY place
