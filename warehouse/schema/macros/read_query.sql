-- What names no field is words. A text of very many words is pasted: words alone, whatever signs it has. A query is
-- taken apart in lists, one row an item: a join for each step would take longer to plan than it takes to read.
WITH typed AS (
    SELECT unnest(items) AS item, generate_subscripts(items, 1) AS place, is_pasted
    FROM (
        SELECT CASE WHEN len(found) > $most_corrected THEN [asked] ELSE found END AS items,
            len(found) > $most_corrected AS is_pasted
        FROM (SELECT asked, regexp_extract_all(asked, '$typed') AS found FROM (SELECT query::VARCHAR AS asked))
    )
),
named AS (
    SELECT
        place,
        coalesce(part.no = '-' AND regexp_matches(item, '$negated'), false) AS is_not,
        CASE
            WHEN contains($fields, ' ' || part.field || ' ') AND (part.quoted <> '' OR part.word <> '') THEN part.field
            WHEN part.field = '' AND regexp_matches(lower(part.quoted[2:-2]), '$address') THEN 'id'
            WHEN part.field = '' AND part.quoted <> '' THEN 'phrase'
        END AS field,
        CASE
            WHEN part IS NULL THEN item
            WHEN field IS NULL THEN regexp_replace(item, '^-', '')
            WHEN part.quoted <> '' THEN part.quoted[2:-2]
            ELSE part.word
        END AS value
    FROM (
        SELECT
            place,
            item,
            CASE WHEN NOT is_pasted THEN regexp_extract(item, '$item', ['no', 'field', 'quoted', 'word']) END AS part
        FROM typed
    )
),
checked AS (
    SELECT
        place,
        field,
        CASE
            WHEN field IS NULL OR field = 'phrase' THEN value
            WHEN value = '' THEN error(field || ': has no value; write for example ' || field || ':"…"')
            WHEN field IN ('since', 'until', 'list')
                AND NOT regexp_matches(value, '$a_year') AND NOT regexp_matches(value, '$a_month')
                AND (NOT regexp_matches(value, '$a_day') OR try_cast(value AS DATE) IS NULL)
            THEN error(
                field || ':' || left(value, 60) || ' is not a day, a month or a year; write for example '
                || field || ':2026-11-20'
            )
            WHEN field = 'year' AND NOT regexp_matches(value, '$a_year')
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
stems AS (
    SELECT
        *,
        $stems AS stems
    FROM checked
),
parts AS (
    SELECT
        * EXCLUDE (said),
        -- the index has ideograms by two: a phrase of one is found as its letters are, without any word
        CASE
            WHEN field = 'phrase' THEN [word for word in said if length(word) > 1 OR NOT regexp_matches(word, '$run')]
            ELSE said
        END AS said
    FROM (SELECT *, $said AS said FROM stems)
)
SELECT
    place,
    field,
    value,
    is_not,
    -- each word once; of a very long text as often as it is there, as each would be compared with all
    CASE
        WHEN len(said) > 200 THEN said
        ELSE [said[nth] for nth in range(1, len(said) + 1) if list_position(said, said[nth]) = nth]
    END AS words
FROM parts
ORDER BY place
