-- An unknown word is read as the nearest known one; of equally near ones the one in most papers, then the first.
WITH asked AS (
    SELECT word, min(place) AS place, count(*) OVER () AS asked_count
    FROM (
        SELECT unnest(given) AS word, generate_subscripts(given, 1) AS place FROM (SELECT words::VARCHAR[] AS given)
    )
    GROUP BY word
),
read AS (
    SELECT
        asked.word,
        place,
        known.word AS known,
        term,
        CASE WHEN length(asked.word) >= $long_word THEN 2 ELSE 1 END AS most,
        CASE
            WHEN known.word IS NULL AND asked_count <= $most_corrected AND length(asked.word) >= $fewest_letters
                AND regexp_matches(asked.word, $plain_word)
            THEN left(asked.word, 1)
        END AS first_of_unknown
    FROM asked LEFT JOIN core.search_words AS known USING (word)
)
SELECT read.word, coalesce(read.known, meant.word) AS known, coalesce(read.term, meant.term) AS term
FROM read LEFT JOIN core.search_words AS meant
    ON left(meant.word, 1) = first_of_unknown
    AND length(meant.word) BETWEEN length(read.word) - most AND length(read.word) + most
    -- of the row asked for, so that not every word of the index is looked at where none is unknown
    AND CASE WHEN first_of_unknown IS NOT NULL THEN regexp_matches(meant.word, $plain_word) END
    AND damerau_levenshtein(read.word, meant.word) <= most
QUALIFY row_number() OVER (
    PARTITION BY read.word
    ORDER BY damerau_levenshtein(read.word, meant.word), meant.paper_count DESC, meant.word
) = 1
ORDER BY place
