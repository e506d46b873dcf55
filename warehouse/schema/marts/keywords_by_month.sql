-- One row a keyword and month of list days, upper and lower case together. The share is of the papers that have any
-- keyword, because in some weeks the Hub made none.
WITH listed AS (
    SELECT DISTINCT date_trunc('month', listed_on)::DATE AS month_on, paper_id
    FROM core.daily_listings
),
of_papers AS (
    SELECT DISTINCT paper_id, lower(keyword) AS keyword
    FROM core.paper_keywords
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
    count(*) / any_value(keyword_paper_count) AS share
FROM listed
JOIN of_papers USING (paper_id)
JOIN any_keyword USING (month_on)
GROUP BY month_on, keyword
ORDER BY month_on, paper_count DESC, keyword
