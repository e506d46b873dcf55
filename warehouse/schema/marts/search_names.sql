-- Which words names have: what a search reads first, so that it reads names only where one can be meant. As hashes: names
-- stand where those who bear them can be erased, and whoever looks for one finds it there alone.
SELECT DISTINCT $hash AS word_hash, field
FROM (
    SELECT unnest(regexp_extract_all($author_folded, '$letter_run')) AS word, 'author' AS field
    FROM (SELECT DISTINCT name FROM core.paper_authors)
    UNION ALL
    SELECT unnest([lower(organization_login), $organization_letters]), 'org'
    FROM (SELECT DISTINCT organization_login, organization_name FROM core.papers)
)
WHERE word <> ''
