-- The daily list as a reader sees it: one row a list day and paper, counts as last seen, links as last seen.
-- A paper that was listed on two days has two rows; its counts are the same in both.
WITH authors AS (
    SELECT paper_id, list(name ORDER BY position) AS names
    FROM core.paper_authors
    GROUP BY paper_id
),
links AS (
    SELECT
        paper_id,
        last(url ORDER BY last_seen_at NULLS FIRST, url) FILTER (WHERE kind = 'github') AS github_url,
        last(url ORDER BY last_seen_at NULLS FIRST, url) FILTER (WHERE kind = 'project') AS project_url
    FROM core.paper_links
    GROUP BY paper_id
)
SELECT
    listings.listed_on,
    listings.rank,
    papers.title,
    papers.upvote_count,
    papers.comment_count,
    listings.paper_id,
    authors.names AS authors,
    papers.author_count,
    papers.organization_name,
    papers.organization_login,
    listings.submitter_login,
    CASE WHEN papers.published_basis <> 'contradicted' THEN papers.published_on END AS published_on,
    curves.last_observed_hours,
    papers.github_star_count,
    links.github_url,
    links.project_url,
    papers.arxiv_id,
    lists.state AS list_state,
    outcomes.status,
    papers.last_seen_at
FROM core.daily_listings AS listings
JOIN core.papers AS papers USING (paper_id)
LEFT JOIN authors USING (paper_id)
LEFT JOIN links USING (paper_id)
LEFT JOIN mart.upvote_curves AS curves USING (paper_id)
LEFT JOIN core.coverage AS lists ON lists.listed_on = listings.listed_on AND lists.source = 'api'
LEFT JOIN mart.paper_outcomes AS outcomes USING (paper_id)
ORDER BY listings.listed_on, listings.rank NULLS LAST, listings.paper_id
