    SELECT
        'id' AS field,
        coalesce(paper_id, sought) AS value,
        paper_id,
        CASE WHEN paper_id IS NOT NULL THEN 1 WHEN is_address AND list_contains(ids, sought) THEN 2 END AS kind,
        NULL AS folded,
        0 AS part,
        0 AS part_count
    FROM (
            SELECT
                ids,
                is_address,
                unnest(ids || [cut_id || repeat('0', zeros) for zeros in [1, 2, 3, 4] if cut_id <> '']) AS sought
            FROM (
                SELECT
                    regexp_matches(folded, '$address') AS is_address,
                    regexp_extract_all(folded, '$arxiv_id', 1) AS ids,
                    regexp_extract(folded, '$cut_id', 1) AS cut_id
                FROM $said
            )
        )
        LEFT JOIN core.paper_aliases ON lower(alias) = sought
