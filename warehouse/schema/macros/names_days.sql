    SELECT 'list' AS field, called AS value, paper_id, 4 AS kind, folded
    FROM core.daily_listings JOIN (FROM said WHERE regexp_matches(called, '$a_day')) ON listed_on::VARCHAR = called
    UNION ALL
    SELECT CASE WHEN nth_month IS NULL THEN 'year' ELSE 'month' END, called, paper_id, 5, folded
    FROM core.papers
        JOIN (FROM said WHERE nth_month IS NOT NULL OR regexp_matches(called, '$a_year')) ON
            year($day)::VARCHAR = called OR 12 * year($day) + month($day) = nth_month
