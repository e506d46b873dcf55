-- One row per month of list days. A paper listed on two days of a month counts once; medians and sums are over papers.
-- Where the source had no repositories or organizations yet, their counts are null and not zero; where only some of
-- the month's papers could show them, the share is over those that could. Upvotes are as last seen: papers that were
-- fetched once, on their day, have fewer than they got (median_observed_hours). A month with
-- fewer complete days than expected ones lacks papers; one without any listing has no row.
WITH listed AS (
    SELECT DISTINCT date_trunc('month', listed_on)::DATE AS month_on, paper_id
    FROM core.daily_listings
),
days AS (
    SELECT date_trunc('month', listed_on)::DATE AS month_on, count(DISTINCT listed_on) AS day_count
    FROM core.daily_listings
    GROUP BY 1
),
expected AS (
    SELECT
        date_trunc('month', listed_on)::DATE AS month_on,
        count(*) AS expected_day_count,
        count(*) FILTER (WHERE state = 'complete') AS complete_day_count
    FROM core.coverage
    WHERE source = 'api' AND is_expected
    GROUP BY 1
),
open_list AS (SELECT max(listed_on) AS open_on FROM core.coverage),
repositories AS (FROM mart.field_availability WHERE field = 'github_url' AND state <> 'none'),
organizations AS (FROM mart.field_availability WHERE field = 'organization_name' AND state <> 'none'),
months AS (
    SELECT
        month_on,
        count(*) AS paper_count,
        sum(upvote_count)::BIGINT AS upvote_count,
        median(upvote_count) AS median_upvote_count,
        median(last_observed_hours) AS median_observed_hours,
        median(author_count) AS median_author_count
    FROM listed
    JOIN core.papers USING (paper_id)
    LEFT JOIN mart.upvote_curves USING (paper_id)
    GROUP BY month_on
)
SELECT
    month_on,
    days.day_count,
    expected.expected_day_count,
    expected.complete_day_count,
    -- the last weekday of the month: a month can end on a weekend
    last_day(month_on) - greatest(isodow(last_day(month_on)) - 5, 0)::INTEGER < open_list.open_on AS is_over,
    months.paper_count,
    months.upvote_count,
    months.median_upvote_count,
    months.median_observed_hours,
    months.median_author_count,
    repositories.shown_paper_count AS repository_paper_count,
    repositories.share AS repository_share,
    organizations.shown_paper_count AS organization_paper_count,
    organizations.share AS organization_share
FROM months
JOIN days USING (month_on)
CROSS JOIN open_list
LEFT JOIN expected USING (month_on)
LEFT JOIN repositories USING (month_on)
LEFT JOIN organizations USING (month_on)
ORDER BY month_on
