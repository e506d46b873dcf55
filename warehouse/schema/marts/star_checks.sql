-- The Hub's counts of stars against GitHub's gains, by what was seen until GitHub was asked and nothing later.
WITH answers AS (
    SELECT capture_id, repository, observed_at, min(starts_at) AS starts_at
    FROM core.star_weeks
    WHERE observed_at IS NOT NULL
    GROUP BY ALL
),
linked AS (
    SELECT paper_id, repository, min(first_seen_at) AS first_seen_at
    FROM core.paper_links
    WHERE repository IS NOT NULL
    GROUP BY ALL
),
-- The repositories that a paper had shown by then; a count of the Hub's does not say of which it is
of_papers AS (
    SELECT linked.paper_id, answers.*
    FROM answers
    JOIN linked ON linked.repository = answers.repository AND linked.first_seen_at <= answers.observed_at
    ANTI JOIN linked AS others
        ON others.paper_id = linked.paper_id
        AND others.repository <> answers.repository
        AND others.first_seen_at <= answers.observed_at
),
shown AS (
    SELECT
        of_papers.*,
        min(seen.observed_at) AS from_at,
        max(seen.observed_at) AS until_at,
        arg_min(seen.github_star_count, seen.observed_at) AS from_count,
        arg_max(seen.github_star_count, seen.observed_at) AS until_count
    FROM of_papers
    JOIN core.paper_observations AS seen
        ON seen.paper_id = of_papers.paper_id
        AND seen.github_star_count IS NOT NULL
        AND seen.observed_at BETWEEN of_papers.starts_at AND of_papers.observed_at
    GROUP BY ALL
    HAVING from_at < until_at
),
gained AS (
    SELECT
        shown.*,
        until_count - from_count AS shown_gain,
        coalesce(
            sum(weeks.gained_count) FILTER (weeks.starts_at >= from_at AND weeks.starts_at + $days <= until_at), 0
        ) AS least_gain,
        sum(weeks.gained_count) AS most_gain
    FROM shown
    JOIN core.star_weeks AS weeks
        ON weeks.capture_id = shown.capture_id
        AND weeks.starts_at < until_at
        AND weeks.starts_at + $days > from_at
    GROUP BY ALL
)
SELECT
    paper_id,
    repository,
    observed_at,
    from_at,
    until_at,
    from_count,
    until_count,
    shown_gain,
    least_gain,
    most_gain,
    shown_gain - least(greatest(shown_gain, least_gain), most_gain) AS difference,
    abs(difference) > greatest($tolerated, $share * until_count) AS is_disputed,
    capture_id
FROM gained
ORDER BY paper_id, observed_at, capture_id
