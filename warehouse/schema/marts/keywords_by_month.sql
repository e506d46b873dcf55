-- One row per keyword and month of list days, upper and lower case together, with the number of papers that have any
-- keyword of its normal form. The share is of papers that have any keyword, because in some weeks the Hub made none.
WITH listed AS (
    SELECT DISTINCT date_trunc('month', listed_on)::DATE AS month_on, paper_id
    FROM core.daily_listings
),
of_papers AS (
    SELECT month_on, paper_id, lower(keyword) AS keyword, min(normal_keyword) AS normal_keyword
    FROM listed
    JOIN core.paper_keywords USING (paper_id)
    GROUP BY ALL
),
of_forms AS (
    SELECT month_on, normal_keyword, count(DISTINCT paper_id) AS normal_paper_count
    FROM of_papers
    GROUP BY ALL
),
any_keyword AS (
    SELECT month_on, count(*) AS keyword_paper_count
    FROM listed
    SEMI JOIN core.paper_keywords USING (paper_id)
    GROUP BY month_on
),
of_keywords AS (
    SELECT month_on, keyword, count(*) AS paper_count, min(normal_keyword) AS normal_keyword
    FROM of_papers
    GROUP BY ALL
)
SELECT
    month_on,
    keyword,
    paper_count,
    keyword_paper_count,
    paper_count / keyword_paper_count AS share,
    normal_keyword,
    normal_paper_count,
    normal_paper_count / keyword_paper_count AS normal_share
FROM of_keywords
JOIN any_keyword USING (month_on)
JOIN of_forms USING (month_on, normal_keyword)
ORDER BY month_on, paper_count DESC, keyword
