-- Which words names have: what a search reads first, so that it reads names only where one can be meant.
SELECT DISTINCT unnest(regexp_extract_all($author_folded, '$letter_run')) AS word, 'author' AS field
FROM (SELECT DISTINCT name FROM core.paper_authors)
UNION ALL
SELECT DISTINCT word, 'org' AS field
FROM (
    SELECT unnest([lower(organization_login), $organization_letters]) AS word
    FROM (SELECT DISTINCT organization_login, organization_name FROM core.papers)
)
WHERE word <> ''
