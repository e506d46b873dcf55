-- A query is planned for what its text asks for, which takes half of the time: `query` plans the macro that it is given.
FROM query(
    'FROM mart.'
        || CASE
            WHEN embedding IS NOT NULL OR regexp_matches($asked, '$has_fields') THEN 'find_any('
            WHEN $is_id THEN 'find_id('
            ELSE 'find_words('
        END
        || '''' || replace($asked, '''', '''''') || ''''
        || CASE
            WHEN embedding IS NOT NULL THEN ', ' || embedding::VARCHAR || ')'
            WHEN regexp_matches($asked, '$has_fields') THEN ', NULL)'
            ELSE ')'
        END
)
