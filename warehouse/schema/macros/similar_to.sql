-- The papers most similar to one, with what they share; of keywords only those that few papers have. Reasons explain,
-- they do not rank.
WITH alike AS (
    SELECT rank, other_paper_id, score FROM core.similar_papers AS pairs WHERE pairs.paper_id = of_paper
),
keywords AS (
    SELECT other_paper_id, string_agg(keyword, ', ' ORDER BY paper_count, keyword) AS shared
    FROM alike
    JOIN core.paper_keywords AS theirs ON theirs.paper_id = other_paper_id
    JOIN (SELECT keyword AS ours FROM core.paper_keywords AS keywords WHERE keywords.paper_id = of_paper)
        ON keyword = ours
    JOIN (SELECT keyword, count(*) AS paper_count FROM core.paper_keywords GROUP BY keyword) USING (keyword)
    WHERE paper_count <= $rare
    GROUP BY other_paper_id
),
authors AS (
    SELECT other_paper_id, string_agg(DISTINCT name, ', ' ORDER BY name) AS shared
    FROM alike
    JOIN core.paper_authors AS theirs ON theirs.paper_id = other_paper_id
    WHERE name IN (SELECT name FROM core.paper_authors AS authors WHERE authors.paper_id = of_paper)
    GROUP BY other_paper_id
),
repositories AS (
    SELECT other_paper_id, string_agg(DISTINCT repository, ', ' ORDER BY repository) AS shared
    FROM alike
    JOIN core.paper_links AS theirs ON theirs.paper_id = other_paper_id
    WHERE repository IN (SELECT repository FROM core.paper_links AS links WHERE links.paper_id = of_paper)
    GROUP BY other_paper_id
)
SELECT
    rank,
    papers.paper_id,
    papers.title,
    score,
    nullif(
        concat_ws(
            '; ',
            'keywords: ' || keywords.shared,
            'authors: ' || authors.shared,
            'organization: ' || asked.organization_name,
            'repository: ' || repositories.shared
        ),
        ''
    ) AS reasons
FROM alike
JOIN core.papers AS papers ON papers.paper_id = other_paper_id
LEFT JOIN core.papers AS asked
    ON asked.paper_id = of_paper AND asked.organization_login = papers.organization_login
LEFT JOIN keywords USING (other_paper_id)
LEFT JOIN authors USING (other_paper_id)
LEFT JOIN repositories USING (other_paper_id)
ORDER BY rank
