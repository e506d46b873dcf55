-- What `papers` would have said at a moment (UTC): only pages fetched by then count, so a page whose fetch time is
-- unknown never does. Papers go by the id they have today. The rules are those of `papers` (docs/history.md).
SELECT
    paper_id,
    last(arxiv_id ORDER BY mart.source_rank(source), observed_at, capture_id, position)
        FILTER (WHERE arxiv_id IS NOT NULL) AS arxiv_id,
    last(title ORDER BY mart.source_rank(source), observed_at, capture_id, position) AS title,
    last(published_on ORDER BY published_basis = 'stated', mart.source_rank(source), observed_at, capture_id, position)
        FILTER (WHERE published_on IS NOT NULL) AS published_on,
    last(published_basis ORDER BY published_basis = 'stated', mart.source_rank(source), observed_at, capture_id, position)
        FILTER (WHERE published_on IS NOT NULL) AS published_basis,
    last(published_at ORDER BY mart.source_rank(source), observed_at, capture_id, position)
        FILTER (WHERE published_at IS NOT NULL) AS published_at,
    min(submitted_at) AS submitted_at,
    min(listed_on) AS first_listed_on,
    max(listed_on) AS last_listed_on,
    last(author_count ORDER BY mart.source_rank(source), observed_at, capture_id, position)
        FILTER (WHERE author_count IS NOT NULL) AS author_count,
    last(organization_login ORDER BY mart.source_rank(source), observed_at, capture_id, position)
        FILTER (WHERE coalesce(organization_login, organization_name) IS NOT NULL) AS organization_login,
    last(organization_name ORDER BY mart.source_rank(source), observed_at, capture_id, position)
        FILTER (WHERE coalesce(organization_login, organization_name) IS NOT NULL) AS organization_name,
    last(upvote_count ORDER BY observed_at, capture_id, position) FILTER (WHERE upvote_count IS NOT NULL) AS upvote_count,
    last(comment_count ORDER BY observed_at, capture_id, position)
        FILTER (WHERE comment_count IS NOT NULL) AS comment_count,
    last(github_star_count ORDER BY observed_at, capture_id, position)
        FILTER (WHERE github_star_count IS NOT NULL) AS github_star_count,
    min(observed_at) AS first_seen_at,
    max(observed_at) AS last_seen_at,
    count(*)::INTEGER AS sighting_count,
    last(capture_id ORDER BY observed_at, capture_id, position) AS capture_id,
    last(abstract ORDER BY mart.source_rank(source), observed_at, capture_id, position)
        FILTER (WHERE abstract IS NOT NULL) AS abstract
FROM core.sightings
WHERE observed_at <= CAST(ts AS TIMESTAMP)
GROUP BY paper_id
ORDER BY paper_id
