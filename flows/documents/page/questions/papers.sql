SELECT month_on, paper_count AS value, paper_count, day_count, expected_day_count, is_over
FROM papers_by_month
ORDER BY month_on
