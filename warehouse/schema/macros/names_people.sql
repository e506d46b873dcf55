    SELECT 'org' AS field, value, paper_id, kind, folded, part, part_count
    FROM core.papers JOIN (
        SELECT DISTINCT
            organization_login,
            coalesce(organization_name, organization_login) AS value,
            CASE
                WHEN lower(organization_login) IN (called, letters) OR $organization_letters = letters THEN 6
                ELSE 12
            END AS kind,
            folded,
            part,
            part_count
        FROM core.papers JOIN (SELECT said.* FROM said JOIN known USING (part) WHERE is_org)
            ON lower(organization_login) IN (called, letters)
                OR $organization_letters = letters
                OR (
                    length(group_letters) > 1
                    AND (
                        lower(organization_login) IN (group_called, group_letters)
                        OR $organization_letters = group_letters
                    )
                )
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
        END,
        folded,
        part,
        part_count
    FROM (
        SELECT
            *,
            regexp_extract_all($author_folded, '$letter_run') AS theirs,
            [CASE WHEN length(token) = 1 THEN token || '[^ ]*' ELSE token END for token in tokens] AS shortened,
            is_told OR regexp_matches(called, '$initial') AS has_initials
        FROM core.paper_authors
            JOIN (
                SELECT said.* FROM said JOIN known USING (part)
                WHERE author_words = len(list_distinct(long_tokens))
                    AND (len(tokens) BETWEEN 2 AND $most_name_words OR (len(tokens) = 1 AND is_told))
                    AND length(longest) > 1 AND regexp_matches(longest, '[^0-9]')
            ) ON contains($author_folded, longest)
    )
