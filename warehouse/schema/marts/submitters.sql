-- One row per person who submitted papers. A paper that they submitted on two days counts once.
WITH of_papers AS (
    SELECT DISTINCT submitter_login, paper_id
    FROM core.daily_listings
    WHERE submitter_login IS NOT NULL
),
fared AS (
    SELECT
        submitter_login,
        count(*) AS paper_count,
        sum(papers.upvote_count)::BIGINT AS upvote_count,
        median(papers.upvote_count) AS median_upvote_count,
        median(last_observed_hours) AS median_observed_hours
    FROM of_papers
    JOIN core.papers AS papers USING (paper_id)
    LEFT JOIN mart.upvote_curves USING (paper_id)
    GROUP BY submitter_login
),
listed AS (
    SELECT
        submitter_login,
        arg_max(submitter_name, (listed_on, paper_id)) AS submitter_name,
        count(DISTINCT listed_on) AS day_count,
        min(listed_on) AS first_listed_on,
        max(listed_on) AS last_listed_on
    FROM core.daily_listings
    WHERE submitter_login IS NOT NULL
    GROUP BY submitter_login
)
SELECT
    submitter_login,
    listed.submitter_name,
    fared.paper_count,
    listed.day_count,
    listed.first_listed_on,
    listed.last_listed_on,
    fared.upvote_count,
    fared.median_upvote_count,
    fared.median_observed_hours
FROM listed
JOIN fared USING (submitter_login)
ORDER BY fared.paper_count DESC, submitter_login
