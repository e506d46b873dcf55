-- One row per listing: days and hours from arXiv to submission, list and repository, each from values of the source
-- with that precision. A repository is dated by the first page that showed it, so its lag is a maximum;
-- `at_first_look` says that no earlier page could have shown it.
WITH repositories AS (
    SELECT paper_id, min(first_seen_at) AS repository_seen_at
    FROM core.paper_links
    WHERE kind = 'github'
    GROUP BY paper_id
),
first_looks AS (
    SELECT paper_id, min(observed_at) AS first_look_at
    FROM core.sightings
    JOIN mart.source_fields ON field = 'github_url' AND observed_at >= since_on
    WHERE source NOT IN ('text', 'copy')
    GROUP BY paper_id
)
SELECT
    listings.listed_on,
    paper_id,
    papers.published_on,
    papers.published_basis,
    listings.submitted_at,
    listings.submitted_basis,
    CASE WHEN papers.published_basis <> 'contradicted' THEN listings.listed_on - papers.published_on END
        AS published_to_listed_days,
    CASE WHEN papers.published_basis <> 'contradicted' THEN epoch(listings.submitted_at - papers.published_at) / 3600 END
        AS published_to_submitted_hours,
    repository_seen_at,
    CASE
        WHEN repository_seen_at > first_look_at THEN 'appeared'
        WHEN repository_seen_at IS NOT NULL THEN 'at_first_look'
    END AS repository_basis,
    repository_seen_at::DATE - listings.listed_on AS listed_to_repository_days
FROM core.daily_listings AS listings
JOIN core.papers AS papers USING (paper_id)
LEFT JOIN repositories USING (paper_id)
LEFT JOIN first_looks USING (paper_id)
ORDER BY listings.listed_on, paper_id
