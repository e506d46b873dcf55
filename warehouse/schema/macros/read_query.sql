-- What names no field is words. A text of very many words is pasted: words alone, whatever signs it has.
WITH typed AS (
    SELECT unnest(items) AS item, generate_subscripts(items, 1) AS place, len(items) > $most_corrected AS is_pasted
    FROM (SELECT regexp_extract_all(query::VARCHAR, $typed) AS items)
),
parted AS (
    SELECT
        place,
        item,
        regexp_extract(item, $item, ['no', 'field', 'quoted', 'word']) AS part
    FROM typed WHERE NOT is_pasted
),
named AS (
    SELECT
        place,
        part.no = '-' AS is_not,
        part.quoted <> '' AS is_quoted,
        CASE
            WHEN list_contains($fields, part.field) AND (part.quoted <> '' OR part.word <> '') THEN part.field
            WHEN part.field = '' AND part.quoted <> '' THEN 'phrase'
        END AS field,
        CASE
            WHEN field IS NULL THEN regexp_replace(item, '^-', '')
            WHEN part.quoted <> '' THEN part.quoted[2:-2]
            ELSE part.word
        END AS value
    FROM parted
    UNION ALL
    SELECT 1, false, false, NULL, query::VARCHAR FROM typed WHERE is_pasted AND place = 1
),
checked AS MATERIALIZED (
    SELECT
        place,
        field,
        CASE
            WHEN field IS NULL OR field = 'phrase' THEN value
            WHEN value = '' THEN error(field || ': has no value; write for example ' || field || ':"…"')
            WHEN list_contains(['since', 'until', 'list'], field)
                AND (NOT regexp_matches(value, $a_day) OR try_cast(value AS DATE) IS NULL)
            THEN error(field || ':' || left(value, 60) || ' is not a day; write for example ' || field || ':2026-11-20')
            WHEN field = 'year' AND NOT regexp_matches(value, $a_year)
            THEN error('year:' || left(value, 60) || ' is not a year; write for example year:2026')
            WHEN field = 'sort' AND (is_not OR NOT list_contains($sorts, value))
            THEN error('sort:' || left(value, 60) || ' is not known; there are ' || $known_sorts)
            WHEN field = 'has' AND NOT list_contains($has, value)
            THEN error('has:' || left(value, 60) || ' is not known; there are ' || $known_has)
            ELSE value
        END AS value,
        is_not
    FROM named
),
tokens AS (
    SELECT place, regexp_replace(token, $possessive, '') AS token, token_place
    FROM (
        SELECT place, unnest(tokens) AS token, generate_subscripts(tokens, 1) AS token_place
        FROM (SELECT place, regexp_extract_all($folded, $word) AS tokens FROM checked)
    )
),
words AS (
    SELECT place, list(word ORDER BY token_place, part) AS words
    FROM (
        SELECT place, word, min(token_place) AS token_place, min(part) AS part
        FROM (
            SELECT place, token_place, unnest(parts) AS word, generate_subscripts(parts, 1) AS part
            FROM (
                SELECT
                    place,
                    token_place,
                    list_append(regexp_split_to_array(token, $joiner), regexp_replace(token, $joiner, '', 'g')) AS parts
                FROM tokens
            )
        )
        WHERE length(word) <= $longest_word
        GROUP BY place, word
    )
    GROUP BY place
)
SELECT place, field, value, is_not, coalesce(words, []) AS words
FROM checked LEFT JOIN words USING (place)
ORDER BY place
