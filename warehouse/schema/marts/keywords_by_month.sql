-- One row per keyword and month of list days, upper and lower case together, with the number of papers that have any
-- keyword of its normal form. The share is of papers that have any keyword, because in some weeks the Hub made none.
WITH listed AS (
    SELECT DISTINCT date_trunc('month', listed_on)::DATE AS month_on, paper_id
    FROM core.daily_listings
),
of_papers AS (
    SELECT paper_id, lower(keyword) AS keyword, min(normal_keyword) AS normal_keyword
    FROM core.paper_keywords
    GROUP BY ALL
),
of_forms AS (
    SELECT month_on, normal_keyword, count(DISTINCT paper_id) AS normal_paper_count
    FROM listed
    JOIN of_papers USING (paper_id)
    GROUP BY ALL
),
any_keyword AS (
    SELECT month_on, count(DISTINCT paper_id) AS keyword_paper_count
    FROM listed
    JOIN of_papers USING (paper_id)
    GROUP BY month_on
)
SELECT
    month_on,
    keyword,
    count(*) AS paper_count,
    any_value(keyword_paper_count) AS keyword_paper_count,
    count(*) / any_value(keyword_paper_count) AS share,
    min(normal_keyword) AS normal_keyword,
    any_value(normal_paper_count) AS normal_paper_count,
    any_value(normal_paper_count) / any_value(keyword_paper_count) AS normal_share
FROM listed
JOIN of_papers USING (paper_id)
JOIN any_keyword USING (month_on)
JOIN of_forms USING (month_on, normal_keyword)
GROUP BY month_on, keyword
ORDER BY month_on, paper_count DESC, keyword
