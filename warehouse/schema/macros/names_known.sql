-- Whether every word of the text is one of some author's name, and whether all of it is an organization's: the names
-- themselves are read only then
known AS MATERIALIZED (
    SELECT
        part,
        count(*) FILTER (field = 'author') AS author_words,
        count(*) FILTER (field = 'org') > 0 AS is_org
    FROM mart.search_names
        JOIN (
            SELECT part, unnest(
                [{'field': 'author', 'word': one} for one in list_distinct(long_tokens)]
                || [
                    {'field': 'org', 'word': one}
                    for one in list_distinct([called, letters, group_called, group_letters]) if length(letters) > 1
                ]
            ) AS asked
            FROM said
        ) ON word_hash = $asked_hash AND search_names.field = asked.field
    GROUP BY part
),
