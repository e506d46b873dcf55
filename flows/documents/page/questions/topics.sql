-- The last three months that have keywords, against as many as twelve before them
WITH months AS (
    SELECT
        month_on,
        any_value(keyword_paper_count) AS known_paper_count,
        row_number() OVER (ORDER BY month_on DESC) <= 3 AS is_recent
    FROM keywords_by_month
    GROUP BY month_on
    ORDER BY month_on DESC
    LIMIT 15
),
known AS (
    SELECT
        sum(known_paper_count) FILTER (is_recent) AS recent,
        sum(known_paper_count) FILTER (NOT is_recent) AS earlier
    FROM months
),
topics AS (
    SELECT
        month_on,
        normal_keyword,
        any_value(normal_paper_count) AS paper_count,
        any_value(normal_share) AS month_share,
        max_by(keyword, paper_count) AS keyword
    FROM keywords_by_month
    WHERE normal_keyword IN (  -- five papers in three months are two in one of them
        SELECT normal_keyword
        FROM keywords_by_month
        JOIN months USING (month_on)
        WHERE is_recent AND normal_paper_count >= 2
    )
    GROUP BY month_on, normal_keyword
)
SELECT
    max_by(keyword, (paper_count, month_on)) AS name,
    sum(paper_count) FILTER (is_recent)::BIGINT AS paper_count,
    any_value(known.recent)::BIGINT AS known_paper_count,
    sum(paper_count) FILTER (is_recent) / any_value(known.recent) AS share,
    coalesce(sum(paper_count) FILTER (NOT is_recent), 0) / any_value(known.earlier) AS earlier_share,
    map(list(month_on ORDER BY month_on), list(month_share ORDER BY month_on)) AS shares,
    (SELECT list(month_on ORDER BY month_on) FROM months) AS months,
    (SELECT min(month_on) FROM months WHERE NOT is_recent) AS earlier_on,
    (SELECT min(month_on) FROM months WHERE is_recent) AS first_on,
    (SELECT max(month_on) FROM months) AS last_on
FROM topics
JOIN months USING (month_on)
CROSS JOIN known
WHERE known.earlier > 0
GROUP BY normal_keyword
HAVING sum(paper_count) FILTER (is_recent) >= 5 AND share > earlier_share
ORDER BY share - earlier_share DESC, normal_keyword
LIMIT 10
