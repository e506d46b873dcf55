-- One row per organization and month of list days. The organization of a paper is the one last stated for it, so that a
-- paper listed before the source gave organizations counts where a later page gave it: compare shares, not counts.
-- Papers are counted on the same pages as in the denominator: one whose organization only a saved text or a copy shows
-- counts in neither.
WITH listed AS (
    SELECT DISTINCT date_trunc('month', listed_on)::DATE AS month_on, paper_id
    FROM core.daily_listings
),
of_papers AS (
    SELECT paper_id, upvote_count, coalesce(organization_login, 'name:' || lower(organization_name)) AS organization_id
    FROM core.papers
    WHERE paper_id IN (
        SELECT paper_id
        FROM core.sightings
        WHERE source NOT IN ('text', 'copy') AND coalesce(organization_name, organization_login) IS NOT NULL
    )
)
SELECT
    month_on,
    organization_id,
    any_value(organizations.organization_name) AS organization_name,
    any_value(organizations.group_name) AS group_name,
    count(*) AS paper_count,
    any_value(availability.known_paper_count) AS known_paper_count,
    count(*) / any_value(availability.known_paper_count) AS share,
    sum(of_papers.upvote_count)::BIGINT AS upvote_count,
    median(of_papers.upvote_count) AS median_upvote_count,
    median(curves.last_observed_hours) AS median_observed_hours
FROM listed
JOIN of_papers USING (paper_id)
JOIN core.organizations USING (organization_id)
JOIN mart.field_availability AS availability USING (month_on)
LEFT JOIN mart.upvote_curves AS curves USING (paper_id)
WHERE availability.field = 'organization_name' AND availability.state <> 'none'
GROUP BY month_on, organization_id
ORDER BY month_on, paper_count DESC, organization_id
