-- The last twelve months that have organizations; the logins of one name count together
WITH months AS (
    SELECT month_on, any_value(known_paper_count) AS known_paper_count
    FROM organizations_by_month
    GROUP BY month_on
    ORDER BY month_on DESC
    LIMIT 12
)
SELECT
    group_name AS name,
    sum(paper_count)::BIGINT AS paper_count,
    (SELECT sum(known_paper_count) FROM months)::BIGINT AS known_paper_count,
    sum(paper_count) / (SELECT sum(known_paper_count) FROM months) AS share,
    (SELECT min(month_on) FROM months) AS first_on,
    (SELECT max(month_on) FROM months) AS last_on
FROM organizations_by_month
WHERE month_on IN (SELECT month_on FROM months)
GROUP BY group_name
ORDER BY paper_count DESC, name
LIMIT 10
