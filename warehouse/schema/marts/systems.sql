-- One row per named system. The headline claim is the first that names what it is compared with, else the first that
-- reports a change and not a level, else the first; never a number of other work, nor the one before a change.
WITH headlines AS (
    SELECT
        *,
        count(*) OVER (PARTITION BY paper_id) AS claim_count
    FROM core.paper_claims
    WHERE is_own
    QUALIFY row_number() OVER (
        PARTITION BY paper_id
        ORDER BY comparator IS NULL, coalesce(direction, 'level') = 'level', position
    ) = 1
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
    systems.name,
    systems.kind,
    systems.paper_id,
    papers.title,
    papers.organization_name,
    papers.organization_login,
    papers.first_listed_on,
    CASE WHEN papers.published_basis <> 'contradicted' THEN papers.published_on END AS published_on,
    papers.upvote_count,
    curves.last_observed_hours,
    coalesce(headlines.claim_count, 0) AS claim_count,
    headlines.text AS claim,
    headlines.value AS claim_value,
    headlines.unit AS claim_unit,
    headlines.metric AS claim_metric,
    headlines.direction AS claim_direction,
    headlines.bound AS claim_bound,
    headlines.comparator AS claim_comparator,
    substr(texts.abstract, headlines.sentence_start + 1, headlines.sentence_end - headlines.sentence_start)
        AS claim_sentence,
    links.github_url,
    links.project_url,
    papers.arxiv_id
FROM core.paper_systems AS systems
JOIN core.papers AS papers USING (paper_id)
LEFT JOIN core.paper_texts AS texts USING (paper_id)
LEFT JOIN headlines USING (paper_id)
LEFT JOIN links USING (paper_id)
LEFT JOIN mart.upvote_curves AS curves USING (paper_id)
ORDER BY papers.first_listed_on NULLS LAST, systems.paper_id
