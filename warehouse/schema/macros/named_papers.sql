-- Of the kinds, the first that names something is what is meant: an id that stands in the text before what the text is
-- as a whole. A title is no name.
WITH said AS (
    SELECT
        $folded AS folded,
        regexp_replace(regexp_replace(folded, '$leading', ''), '$trailing', '') AS name,
        name <> folded AS is_told,
        name <> folded OR regexp_matches(name, '$initial') AS has_initials,
        regexp_replace(name, '$sign', '', 'g') AS letters,
        -- "He, Kaiming" is Kaiming He
        regexp_extract_all(regexp_replace(name, '^([^,]+),([^,]+)$$', '\2 \1'), '$letter_run') AS tokens,
        [CASE WHEN length(token) = 1 THEN token || '[^ ]*' ELSE token END for token in tokens] AS shortened,
        [token for token in tokens if length(token) > 1] AS long_tokens,
        [token for token in tokens if length(token) = list_max([length(token) for token in tokens])][1] AS longest,
        (len(tokens) > 1 OR is_told) AND len(long_tokens) > 0 AS may_be_author,
        regexp_extract_all(folded, '$arxiv_id', 1) AS ids,
        regexp_matches(folded, '$address') AS is_address,
        regexp_extract(folded, '$cut_id', 1) AS cut_id,
        list_concat(ids, [cut_id || repeat('0', zeros) for zeros in [1, 2, 3, 4]]) AS all_ids
    FROM (SELECT text::VARCHAR AS given)
    WHERE length(given) <= $longest_named
),
names AS (
    SELECT 'id' AS field, lower(alias) AS key, paper_id AS name, paper_id FROM core.paper_aliases
    UNION ALL
    SELECT 'address', '', NULL, NULL
    UNION ALL
    SELECT 'title', $title_folded, NULL, NULL FROM core.papers
    UNION ALL
    SELECT 'list', listed_on::VARCHAR, listed_on::VARCHAR, paper_id FROM core.daily_listings
    UNION ALL
    SELECT 'year', year($day)::VARCHAR, year($day)::VARCHAR, paper_id FROM core.papers
    UNION ALL
    SELECT 'org', unnest(keys), coalesce(organization_name, organization_login), paper_id
    FROM (
        SELECT *, [lower(organization_login), $organization_letters] AS keys
        FROM (SELECT DISTINCT organization_login, organization_name FROM core.papers)
    ) JOIN (SELECT organization_login, paper_id FROM core.papers) USING (organization_login)
    UNION ALL
    SELECT 'author', $author_folded, name, paper_id FROM core.paper_authors
),
alike AS (
    SELECT
        names.*,
        said.* EXCLUDE (name),
        CASE WHEN field = 'author' THEN regexp_extract_all(key, '$letter_run') END AS theirs
    FROM said, names
    WHERE CASE field
        WHEN 'id' THEN list_contains(all_ids, key)
        WHEN 'address' THEN is_address
        WHEN 'title' THEN key = folded
        WHEN 'org' THEN (key = said.name OR key = letters) AND length(letters) > 1
        WHEN 'author' THEN may_be_author AND contains(key, longest)
        ELSE key = said.name
    END
),
ordered AS (
    SELECT
        field,
        name,
        paper_id,
        ids,
        CASE
            WHEN field = 'id' THEN 1
            WHEN field = 'address' THEN 2
            WHEN field = 'title' THEN 3
            WHEN field = 'list' THEN 4
            WHEN field = 'year' THEN 5
            WHEN field = 'org' THEN 6
            WHEN NOT list_has_all(theirs, long_tokens) THEN NULL
            WHEN theirs = tokens THEN 7
            WHEN list_sort(theirs) = list_sort(tokens) THEN 8
            WHEN has_initials AND regexp_full_match(array_to_string(theirs, ' '), array_to_string(shortened, ' '))
            THEN 9
            WHEN has_initials AND list_sort([left(token, 1) for token in theirs])
                = list_sort([left(token, 1) for token in tokens]) THEN 10
            WHEN len(long_tokens) > 1 AND list_has_all(tokens, [theirs[1], theirs[-1]])
                AND list_has_all(theirs, tokens) THEN 11
        END AS kind
    FROM alike
),
meant AS (
    SELECT
        CASE field WHEN 'address' THEN 'id' ELSE field END AS field,
        unnest(CASE field WHEN 'address' THEN ids ELSE [name] END) AS value,
        paper_id,
        kind,
        min(kind) OVER () AS first_kind
    FROM ordered
)
SELECT DISTINCT field, value, paper_id
FROM meant
WHERE kind = first_kind AND field <> 'title'
