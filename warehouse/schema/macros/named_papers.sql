-- A title is no name. Of the kinds, the first that names something is what is meant: an id that stands in the text
-- before what the text is as a whole.
WITH given AS (
    SELECT text::VARCHAR AS given
),
said AS MATERIALIZED (
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
        [token for token in tokens if length(token) = list_max([length(token) for token in tokens])][1] AS longest
    FROM given
    WHERE length(given) <= $longest_named
),
ids AS (
    SELECT unnest(regexp_extract_all(folded, '$arxiv_id', 1)) AS id, regexp_matches(folded, '$address') AS is_address
    FROM said
    UNION ALL
    SELECT regexp_extract(folded, '$cut_id', 1) || repeat('0', unnest([1, 2, 3, 4])), false FROM said
),
by_id AS (
    SELECT 1 AS kind, coalesce(paper_id, id) AS name, paper_id
    FROM ids LEFT JOIN (SELECT lower(alias) AS id, paper_id FROM core.paper_aliases) USING (id)
    WHERE paper_id IS NOT NULL OR is_address
),
by_day AS (
    SELECT 2 AS kind, name, paper_id
    FROM core.daily_listings JOIN said
        ON listed_on = try_cast(CASE WHEN regexp_matches(name, '$a_day') THEN name END AS DATE)
    UNION ALL
    SELECT 3, name, paper_id
    FROM core.papers JOIN said
        ON year($day) = try_cast(CASE WHEN regexp_matches(name, '$a_year') THEN name END AS INTEGER)
),
organizations AS (
    SELECT organization_login, organization_name
    FROM (SELECT DISTINCT organization_login, organization_name FROM core.papers) JOIN said
        ON lower(organization_login) = name OR $organization_letters = letters
    WHERE length(letters) > 1
),
by_organization AS (
    SELECT 4 AS kind, coalesce(found.organization_name, found.organization_login) AS name, paper_id
    FROM organizations AS found JOIN core.papers USING (organization_login)
),
alike AS (
    SELECT
        authors.name AS author,
        paper_id,
        regexp_extract_all(folded_name, '$letter_run') AS theirs,
        tokens,
        shortened,
        long_tokens,
        has_initials
    FROM (
        SELECT name, paper_id, $author_folded AS folded_name FROM core.paper_authors
        WHERE contains(folded_name, (SELECT longest FROM said))
    ) AS authors, said
    WHERE len(tokens) > 1 OR is_told
),
by_author AS (
    SELECT
        CASE
            WHEN theirs = tokens THEN 5
            WHEN list_sort(theirs) = list_sort(tokens) THEN 6
            WHEN has_initials AND regexp_full_match(array_to_string(theirs, ' '), array_to_string(shortened, ' ')) THEN 7
            WHEN has_initials AND list_sort([left(token, 1) for token in theirs])
                = list_sort([left(token, 1) for token in tokens]) THEN 8
            WHEN len(long_tokens) > 1 AND list_has_all(tokens, [theirs[1], theirs[-1]])
                AND list_has_all(theirs, tokens) THEN 9
        END AS kind,
        author AS name,
        paper_id
    FROM alike
    WHERE len(long_tokens) > 0 AND list_has_all(theirs, long_tokens)
),
named AS MATERIALIZED (
    FROM by_id
    UNION ALL
    FROM by_day
    UNION ALL
    FROM by_organization
    UNION ALL
    FROM by_author
),
meant AS (
    SELECT min(kind) AS kind FROM named
    WHERE kind = 1 OR NOT EXISTS (FROM core.papers WHERE $title_folded = (SELECT folded FROM said))
)
SELECT DISTINCT
    CASE kind WHEN 1 THEN 'id' WHEN 2 THEN 'list' WHEN 3 THEN 'year' WHEN 4 THEN 'org' ELSE 'author' END AS field,
    name AS value,
    paper_id
FROM named JOIN meant USING (kind)
