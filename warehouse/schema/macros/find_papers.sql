-- What words name is kept as a condition is; what ranks is only what is neither.
WITH items AS MATERIALIZED (
    FROM mart.read_query(query)
),
sorted AS (
    SELECT coalesce(max_by(value, place), 'relevance') AS sorted_by FROM items WHERE field = 'sort'
),
-- Words, if nothing tells that they are words
by_name AS MATERIALIZED (
    FROM mart.named_papers((
        SELECT CASE
            WHEN bool_and(field IS NOT NULL OR NOT is_not)
                AND NOT bool_or(coalesce(list_contains(['phrase', 'words', 'like'], field), false))
            THEN trim(string_agg(value, ' ' ORDER BY place) FILTER (field IS NULL))
        END
        FROM items
    ))
),
named_words AS MATERIALIZED (
    SELECT count(*) > 0 AS are_named FROM by_name
),
wanted_words AS (
    SELECT DISTINCT unnest(words) AS word FROM items
    WHERE NOT is_not AND (field IS NULL OR list_contains(['phrase', 'words'], field))
),
wanted AS MATERIALIZED (
    SELECT
        CASE WHEN any_value(are_named) OR count(word) = 0 THEN NULL
        ELSE coalesce(list(DISTINCT term) FILTER (term IS NOT NULL), []) END AS terms,
        coalesce(bool_or(known IS NOT NULL AND term IS NULL), false) AS is_sentence
    FROM named_words LEFT JOIN mart.read_words((SELECT list(word) FROM wanted_words)) ON true
),
conditions AS MATERIALIZED (
    SELECT place, field, value, lower(value) AS lower_value, is_not, $spoken_value AS spoken
    FROM items
    WHERE list_contains($conditions, field)
),
phrases AS (
    SELECT place, spoken, max_by(word, length(word)) AS word
    FROM (SELECT place, spoken, unnest(regexp_extract_all(spoken, '[^ ]+')) AS word FROM conditions WHERE field = 'phrase')
    GROUP BY place, spoken
),
held AS MATERIALIZED (
    SELECT place, paper_id FROM core.papers JOIN conditions ON contains($spoken_title, spoken)
    WHERE field = 'title' OR field = 'phrase'
    UNION
    SELECT place, paper_id FROM core.paper_texts JOIN phrases
        ON contains($folded_abstract, word) AND contains($spoken_abstract, spoken)
    UNION
    SELECT place, paper_id FROM core.paper_authors AS authors JOIN conditions
        ON contains($spoken_name, spoken) OR lower(login) = lower_value
    WHERE field = 'author'
    UNION
    SELECT place, paper_id FROM core.papers JOIN conditions
        ON lower(organization_login) = lower_value OR contains($spoken_organization, spoken)
    WHERE field = 'org'
    UNION
    SELECT place, paper_id FROM core.paper_keywords JOIN conditions ON contains($spoken_keyword, spoken)
    WHERE field = 'keyword'
    UNION
    SELECT place, paper_id FROM core.paper_links JOIN conditions
        ON kind = CASE value WHEN 'code' THEN 'github' ELSE value END
    WHERE field = 'has'
    UNION
    SELECT place, paper_id FROM core.paper_observations JOIN conditions ON value = 'models' AND model_count > 0
    WHERE field = 'has'
    UNION
    SELECT place, paper_id FROM core.paper_aliases JOIN conditions
        ON alias = value OR alias = regexp_extract(lower_value, '$arxiv_id', 1)
    WHERE field = 'id'
    UNION
    SELECT place, paper_id FROM core.daily_listings JOIN conditions
        ON CASE field
            WHEN 'since' THEN listed_on >= try_cast(value AS DATE)
            WHEN 'until' THEN listed_on <= try_cast(value AS DATE)
            WHEN 'list' THEN listed_on = try_cast(value AS DATE)
        END
    UNION
    SELECT place, paper_id FROM core.papers JOIN conditions ON year($day) = try_cast(value AS INTEGER)
    WHERE field = 'year'
),
excluded AS (
    SELECT paper_id FROM mart.term_points((
        SELECT list(DISTINCT term)
        FROM (SELECT unnest(words) AS word FROM items WHERE field IS NULL AND is_not) JOIN core.search_words USING (word)
    ))
    UNION
    SELECT paper_id FROM held JOIN conditions USING (place) WHERE is_not
),
kept AS (
    SELECT CASE WHEN count(*) > 0 THEN (
        SELECT coalesce(list(paper_id), [])
        FROM core.search_vectors LEFT JOIN (
            SELECT paper_id, count(*) AS held FROM held JOIN conditions USING (place) WHERE NOT is_not GROUP BY paper_id
        ) USING (paper_id)
        WHERE (NOT (SELECT are_named FROM named_words) OR paper_id IN (SELECT paper_id FROM by_name))
            AND coalesce(held, 0) = (SELECT count(*) FROM conditions WHERE NOT is_not)
            AND paper_id NOT IN (FROM excluded)
    ) END AS paper_ids
    FROM items
    WHERE list_contains($conditions, field) OR is_not OR (SELECT are_named FROM named_words)
),
liking AS MATERIALIZED (
    SELECT
        coalesce(list(paper_id) FILTER (NOT is_not), []) AS liked,
        coalesce(list(paper_id) FILTER (is_not), []) AS unlike,
        CASE
            WHEN bool_or(NOT is_known) THEN error('no paper of the latest release has the id ' || min(paper_id) FILTER (NOT is_known))
            WHEN len(liked) = 0 AND len(unlike) > 0 AND (SELECT terms IS NULL FROM wanted)
            THEN error('-like: only leaves papers out; give words or like: too')
            ELSE len(liked) + len(unlike) > 0
        END AS are_liked
    FROM (
        SELECT paper_id, is_not, paper_id IN (SELECT paper_id FROM core.search_vectors) AS is_known
        FROM (SELECT unnest(string_split(value, ',')) AS paper_id, is_not FROM items WHERE field = 'like')
        WHERE paper_id <> ''
    )
),
ranked AS MATERIALIZED (
    FROM mart.rank_papers(
        (SELECT terms FROM wanted),
        (SELECT is_sentence FROM wanted),
        (
            SELECT CASE WHEN bool_and(NOT is_not AND NOT coalesce(list_contains($unnamed, field), false))
            THEN string_agg($value_letters, '' ORDER BY place) FILTER (field IS DISTINCT FROM 'sort') END
            FROM items
        ),
        (FROM kept),
        embedding
    )
    WHERE (SELECT count(*) FROM items WHERE coalesce(field <> 'sort', len(words) > 0)) > 0
),
weighed AS (
    SELECT paper_id, score, matching, meaning, terms, points FROM ranked, liking WHERE NOT are_liked
    UNION ALL
    SELECT paper_id, matching + meant AS score, matching, meant AS meaning, terms, points
    FROM (
        SELECT ranked.*, meaning + CASE WHEN len(liked) > 0 THEN 1 ELSE $unlike END * likeness AS meant
        FROM ranked JOIN liking ON are_liked JOIN mart.like_papers(
            (SELECT CASE WHEN len(liked) > 0 THEN liked ELSE unlike END FROM liking),
            (SELECT CASE WHEN len(liked) > 0 THEN unlike ELSE [] END FROM liking),
            (SELECT list(paper_id) FROM ranked)
        ) USING (paper_id)
        WHERE paper_id NOT IN (SELECT unnest(liked || unlike) FROM liking)
            AND (likeness > 0 OR len(liked) = 0 OR (SELECT terms IS NOT NULL FROM wanted))
    )
),
placed AS (
    SELECT
        weighed.*,
        $day AS day,
        upvote_count,
        max(score) OVER () AS most,
        row_number() OVER (ORDER BY score DESC, day DESC NULLS LAST, paper_id) AS place
    FROM weighed JOIN core.papers USING (paper_id)
)
SELECT
    row_number() OVER (
        ORDER BY
            CASE sorted_by WHEN 'date' THEN day END DESC NULLS LAST,
            CASE sorted_by WHEN 'upvotes' THEN upvote_count END DESC NULLS LAST,
            place
    )::INTEGER AS rank,
    paper_id,
    score,
    matching,
    meaning,
    placed.terms,
    points
FROM placed, wanted, sorted
WHERE wanted.terms IS NULL
    OR (
        score >= $floor::DOUBLE * most
        AND (
            sorted_by = 'relevance'
            OR place <= $fewest_sorted
            OR (is_sentence AND score >= $close_sentence::DOUBLE * most)
            OR (NOT is_sentence AND score >= $close::DOUBLE * most AND len(placed.terms) = len(wanted.terms))
        )
    )
