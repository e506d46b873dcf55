    SELECT 'list' AS field, on_day AS value, paper_id, 3 AS kind, folded, part, part_count
    FROM core.daily_listings JOIN (FROM said WHERE on_day IS NOT NULL) ON listed_on::VARCHAR = on_day
    UNION ALL
    SELECT CASE WHEN nth_month IS NULL THEN 'year' ELSE 'month' END, called, paper_id, 4, folded, part, part_count
    FROM core.papers
        JOIN (FROM said WHERE nth_month IS NOT NULL OR regexp_matches(called, '$a_year')) ON
            year($day)::VARCHAR = called OR 12 * year($day) + month($day) = nth_month
    UNION ALL
    SELECT
        CASE WHEN nth_month IS NULL THEN 'list' ELSE 'month' END,
        coalesce(on_day, called),
        NULL,
        5,
        folded,
        part,
        part_count
    FROM said
    WHERE nth_month IS NOT NULL OR try_cast(on_day AS DATE) IS NOT NULL
