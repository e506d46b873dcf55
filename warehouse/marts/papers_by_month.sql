-- One row a month of list days. A paper listed on two days of a month counts once; medians and sums are over papers.
-- Repositories exist in the source since 2025-03-04 and organizations since 2025-09-29: before, null and not zero.
WITH listed AS (
    SELECT DISTINCT date_trunc('month', listed_on)::DATE AS month_on, paper_id
    FROM core.daily_listings
),
days AS (
    SELECT date_trunc('month', listed_on)::DATE AS month_on, count(DISTINCT listed_on) AS day_count
    FROM core.daily_listings
    GROUP BY 1
),
repositories AS (
    SELECT DISTINCT paper_id FROM core.paper_links WHERE kind = 'github'
)
SELECT
    listed.month_on,
    any_value(days.day_count) AS day_count,
    count(*) AS paper_count,
    sum(papers.upvote_count)::BIGINT AS upvote_count,
    median(papers.upvote_count) AS median_upvote_count,
    median(papers.author_count) AS median_author_count,
    CASE WHEN listed.month_on >= DATE '2025-03-01' THEN count(repositories.paper_id) END AS repository_paper_count,
    CASE
        WHEN listed.month_on >= DATE '2025-09-01' THEN count(coalesce(papers.organization_login, papers.organization_name))
    END AS organization_paper_count
FROM listed
JOIN days USING (month_on)
JOIN core.papers AS papers USING (paper_id)
LEFT JOIN repositories USING (paper_id)
GROUP BY listed.month_on
ORDER BY listed.month_on
