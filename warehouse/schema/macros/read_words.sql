-- An unknown word is read as the nearest known one; of equally near ones the one in most papers, then the first.
WITH asked AS (
    SELECT word, min(place) AS place
    FROM (SELECT unnest(words::VARCHAR[]) AS word, generate_subscripts(words::VARCHAR[], 1) AS place)
    GROUP BY word
),
read AS (
    SELECT asked.word, place, known.word AS known, term
    FROM asked LEFT JOIN core.search_words AS known USING (word)
),
unknown AS (
    SELECT word, CASE WHEN length(word) >= $long_word THEN 2 ELSE 1 END AS most
    FROM read
    WHERE known IS NULL AND length(word) >= $fewest_letters AND regexp_matches(word, $plain_word)
        AND (SELECT count(*) FROM asked) <= $most_corrected
),
meant AS (
    SELECT unknown.word, known.word AS known, known.term
    FROM unknown JOIN core.search_words AS known
        ON left(known.word, 1) = left(unknown.word, 1)
        AND length(known.word) BETWEEN length(unknown.word) - most AND length(unknown.word) + most
    WHERE regexp_matches(known.word, $plain_word) AND damerau_levenshtein(unknown.word, known.word) <= most
    QUALIFY row_number() OVER (
        PARTITION BY unknown.word
        ORDER BY damerau_levenshtein(unknown.word, known.word), known.paper_count DESC, known.word
    ) = 1
)
SELECT word, coalesce(read.known, meant.known) AS known, coalesce(read.term, meant.term) AS term
FROM read LEFT JOIN meant USING (word)
ORDER BY place
