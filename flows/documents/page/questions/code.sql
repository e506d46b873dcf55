SELECT
    month_on,
    repository_share AS value,
    repository_paper_count AS shown_paper_count,
    known_paper_count,
    day_count,
    expected_day_count,
    is_over
FROM papers_by_month
JOIN field_availability USING (month_on)
WHERE field = 'github_url' AND repository_share IS NOT NULL
ORDER BY month_on
