-- Of the kinds, the first that names something is what is meant: an id that stands in the text before what the text is
-- as a whole. A title is no name. Each step is a query of its own: DuckDB works out an alias for each mention of it.
WITH said AS MATERIALIZED (
    SELECT
        *,
        [token for token in tokens if length(token) > 1] AS long_tokens,
        [token for token in tokens if length(token) = list_max([length(token) for token in tokens])][1] AS longest
    FROM (
        SELECT
            *,
            called <> folded AS is_told,
            regexp_replace(called, '$sign', '', 'g') AS letters,
            -- of the month that is meant, which number it is of all months
            CASE
                WHEN regexp_matches(called, '$a_month') THEN 12 * left(called, 4)::INTEGER + right(called, 2)::INTEGER
                WHEN regexp_matches(called, '$month_in_words')
                THEN 12 * right(called, 4)::INTEGER + list_position($months, left(called, 3))
            END AS nth_month,
            -- "He, Kaiming" is Kaiming He
            regexp_extract_all(regexp_replace(called, '^([^,]+),([^,]+)$$', '\2 \1'), '$letter_run') AS tokens
        FROM (
            SELECT
                *,
                regexp_replace(regexp_replace(folded, '$leading', ''), '$trailing', '') AS called,
                regexp_extract_all(folded, '$arxiv_id', 1) AS ids,
                regexp_extract(folded, '$cut_id', 1) AS cut_id
            FROM (SELECT $folded AS folded FROM (SELECT text::VARCHAR AS given) WHERE length(given) <= $longest_named)
        )
    )
),
-- A table in which the text has nothing to look for is not read, as nothing is joined to an empty side. Few branches:
-- for each DuckDB 1.2 plans anew what the text is read from
ordered AS (
    SELECT
        'id' AS field,
        coalesce(paper_id, sought) AS value,
        paper_id,
        CASE WHEN paper_id IS NOT NULL THEN 1 WHEN is_address AND list_contains(ids, sought) THEN 2 END AS kind
    FROM (
            SELECT
                ids,
                regexp_matches(folded, '$address') AS is_address,
                unnest(ids || [cut_id || repeat('0', zeros) for zeros in [1, 2, 3, 4] if cut_id <> '']) AS sought
            FROM said
        )
        LEFT JOIN core.paper_aliases ON lower(alias) = sought
    UNION ALL
    SELECT CASE WHEN kind = 3 THEN 'title' WHEN nth_month IS NULL THEN 'year' ELSE 'month' END, called, paper_id, kind
    FROM (
        SELECT
            called,
            nth_month,
            paper_id,
            CASE
                WHEN $title_folded = folded THEN 3
                WHEN year($day)::VARCHAR = called OR 12 * year($day) + month($day) = nth_month THEN 5
            END AS kind
        FROM core.papers, said
    )
    WHERE kind IS NOT NULL
    UNION ALL
    SELECT 'list', called, paper_id, 4
    FROM core.daily_listings JOIN (FROM said WHERE regexp_matches(called, '$a_day')) ON listed_on::VARCHAR = called
    UNION ALL
    SELECT 'org', value, paper_id, 6
    FROM core.papers JOIN (
        SELECT DISTINCT organization_login, coalesce(organization_name, organization_login) AS value
        FROM core.papers JOIN (FROM said WHERE length(letters) > 1)
            ON lower(organization_login) IN (called, letters) OR $organization_letters = letters
    ) USING (organization_login)
    UNION ALL
    SELECT
        'author',
        name,
        paper_id,
        CASE
            WHEN NOT list_has_all(theirs, long_tokens) THEN NULL
            WHEN theirs = tokens THEN 7
            WHEN list_sort(theirs) = list_sort(tokens) THEN 8
            WHEN has_initials AND regexp_full_match(array_to_string(theirs, ' '), array_to_string(shortened, ' '))
            THEN 9
            WHEN has_initials AND list_sort([left(token, 1) for token in theirs])
                = list_sort([left(token, 1) for token in tokens]) THEN 10
            WHEN len(long_tokens) > 1 AND list_has_all(tokens, [theirs[1], theirs[-1]])
                AND list_has_all(theirs, tokens) THEN 11
        END
    FROM (
        SELECT
            *,
            regexp_extract_all($author_folded, '$letter_run') AS theirs,
            [CASE WHEN length(token) = 1 THEN token || '[^ ]*' ELSE token END for token in tokens] AS shortened,
            is_told OR regexp_matches(called, '$initial') AS has_initials
        FROM core.paper_authors
            JOIN (
                FROM said
                WHERE (len(tokens) BETWEEN 2 AND $most_name_words OR (len(tokens) = 1 AND is_told))
                    AND length(longest) > 1 AND regexp_matches(longest, '[^0-9]')
            ) ON contains($author_folded, longest)
    )
),
meant AS (
    SELECT *, min(kind) OVER () AS first_kind FROM ordered
)
SELECT DISTINCT field, value, paper_id
FROM meant
WHERE kind = first_kind AND field <> 'title'
