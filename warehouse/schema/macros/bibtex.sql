-- The entry of one paper for BibTeX, in ASCII. Its texts are cut into pieces, and each piece is put into TeX by itself.
-- Columns are renamed inside, so that the caller's own `paper_id` may stand for the parameter.
SELECT entry
FROM (
    WITH authors AS (
        SELECT listed.paper_id AS cited, listed.position AS place, listed.name AS said
        FROM core.paper_authors AS listed
    ),
    texts AS (
        SELECT DISTINCT said
        FROM (SELECT papers.title AS said FROM core.papers AS papers UNION ALL SELECT said FROM authors)
        WHERE NOT regexp_full_match(said, $plain)
    ),
    pieces AS (
        SELECT said, unnest(cut) AS piece, generate_subscripts(cut, 1) AS place
        FROM (
            SELECT
                said,
                CASE
                    WHEN list_has_all(string_split($names, ' '), regexp_extract_all(regexp_replace(said, $font, '', 'g'), $command, 1))
                    THEN regexp_extract_all(spaced, $piece_or_math)
                    ELSE regexp_extract_all(spaced, $piece)
                END AS cut
            FROM (SELECT said, ' ' || regexp_replace($clean, $unseen, '', 'g') AS spaced FROM texts)
        )
    ),
    letters AS (
        SELECT left(pair, 1) AS letter, substr(pair, 2) AS letter_tex
        FROM (SELECT unnest(string_split($letters, ' ')) AS pair)
    ),
    put AS (
        SELECT
            said,
            trim(string_agg(
                CASE
                    WHEN letter_tex IS NOT NULL THEN letter_tex
                    WHEN piece = '\ ' THEN ' '
                    WHEN length(piece) > 1 AND right(piece, 1) = '"' THEN left(piece, 1) || '``'
                    WHEN length(piece) > 1 AND left(piece, 1) IN ('^', '_') THEN '\ensuremath{' || piece || '}'
                    WHEN unicode(piece) < 128 OR length(piece) > 1 THEN piece
                    ELSE format('[U+{:04X}]', unicode(piece))
                END,
                '' ORDER BY place
            )) AS tex
        FROM pieces
        LEFT JOIN letters ON letter = piece
        GROUP BY said
    ),
    named AS (
        SELECT authors.cited, authors.place, coalesce(put.tex, authors.said) AS name_tex
        FROM authors
        LEFT JOIN put ON put.said = authors.said
    ),
    credits AS (
        SELECT
            cited,
            string_agg(
                CASE WHEN regexp_matches(name_tex, $one_name) THEN '{' || name_tex || '}' ELSE name_tex END,
                ' and ' ORDER BY place
            ) AS names,
            arg_min(name_tex, place) AS first_name,
            count(*) AS name_count
        FROM named
        WHERE name_tex <> ''
        GROUP BY cited
    ),
    dated AS (
        SELECT
            papers.paper_id AS cited,
            papers.arxiv_id AS eprint,
            coalesce(put.tex, papers.title) AS title,
            credits.names || CASE WHEN name_count < papers.author_count THEN ' and others' ELSE '' END AS names,
            regexp_extract(
                regexp_replace(regexp_replace(first_name, $no_letters, '', 'g'), '[^A-Za-z ]', '', 'g'),
                '([A-Za-z]+)(?: +(?:Jr|Sr|II|III|IV))* *$$', 1
            ) AS surname,
            coalesce(papers.published_on, TRY_CAST(
                CASE WHEN yymm >= '91' THEN '19' ELSE '20' END || left(yymm, 2) || '-' || right(yymm, 2) || '-01' AS DATE
            )) AS day
        FROM (SELECT *, regexp_extract(arxiv_id, '[0-9]{4}') AS yymm FROM core.papers) AS papers
        LEFT JOIN put ON put.said = papers.title
        LEFT JOIN credits ON credits.cited = papers.paper_id
    )
    SELECT
        cited,
        concat_ws(
            e',\n  ',
            '@misc{' || coalesce(nullif(lower(surname), ''), 'anon') || coalesce(year(day)::VARCHAR, '') || ':' || cited,
            'author = {' || names || '}',
            'title = {{' || title || '}}',
            'year = {' || year(day)::VARCHAR || '}',
            'month = ' || lower(strftime(day, '%b')),
            'eprint = {' || eprint || '}',
            CASE WHEN eprint IS NOT NULL THEN 'archivePrefix = {arXiv}' END,
            'doi = {10.48550/arXiv.' || eprint || '}',
            'url = {https://arxiv.org/abs/' || eprint || '}'
        ) || e'\n}' AS entry
    FROM dated
)
WHERE cited = paper_id
