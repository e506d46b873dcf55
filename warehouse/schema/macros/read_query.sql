-- What names no field is words. A text of very many words is pasted: words alone, whatever signs it has.
WITH typed AS (
    SELECT
        unnest(CASE WHEN is_pasted THEN [asked] ELSE items END) AS item,
        generate_subscripts(CASE WHEN is_pasted THEN [asked] ELSE items END, 1) AS place,
        is_pasted
    FROM (
        SELECT asked, regexp_extract_all(asked, $typed) AS items, len(items) > $most_corrected AS is_pasted
        FROM (SELECT query::VARCHAR AS asked)
    )
),
parted AS (
    SELECT
        place,
        item,
        CASE WHEN NOT is_pasted THEN regexp_extract(item, $item, ['no', 'field', 'quoted', 'word']) END AS part
    FROM typed
),
named AS (
    SELECT
        place,
        coalesce(part.no = '-', false) AS is_not,
        CASE
            WHEN list_contains($fields, part.field) AND (part.quoted <> '' OR part.word <> '') THEN part.field
            WHEN part.field = '' AND part.quoted <> '' THEN 'phrase'
        END AS field,
        CASE
            WHEN part IS NULL THEN item
            WHEN field IS NULL THEN regexp_replace(item, '^-', '')
            WHEN part.quoted <> '' THEN part.quoted[2:-2]
            ELSE part.word
        END AS value
    FROM parted
),
checked AS (
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
    SELECT
        place,
        field,
        value,
        is_not,
        unnest(CASE WHEN len(tokens) > 0 THEN tokens ELSE [''] END) AS token,
        generate_subscripts(CASE WHEN len(tokens) > 0 THEN tokens ELSE [''] END, 1) AS token_place
    FROM (SELECT *, regexp_extract_all($folded, $word) AS tokens FROM checked)
),
parts AS (
    SELECT
        place,
        field,
        value,
        is_not,
        token_place,
        unnest(parts) AS word,
        generate_subscripts(parts, 1) AS part
    FROM (
        SELECT
            *,
            regexp_replace(token, $possessive, '') AS stem,
            regexp_replace(stem, $joiner, '', 'g') AS joined,
            CASE
                WHEN regexp_matches(stem, $run)
                THEN [substring(stem, nth, 2) for nth in range(1, greatest(length(stem), 2))]
                ELSE regexp_split_to_array(stem, $joiner) || [joined, regexp_replace(joined, $to, '\1to\2')]
            END AS parts
        FROM tokens
    )
),
words AS (
    SELECT
        place,
        word,
        any_value(field) AS field,
        any_value(value) AS value,
        any_value(is_not) AS is_not,
        min(token_place) AS token_place,
        min(part) AS part
    FROM parts
    GROUP BY place, word
)
SELECT
    place,
    any_value(field) AS field,
    any_value(value) AS value,
    any_value(is_not) AS is_not,
    coalesce(list(word ORDER BY token_place, part) FILTER (length(word) BETWEEN 1 AND $longest_word), []) AS words
FROM words
GROUP BY place
ORDER BY place
