-- What words name is kept as a condition is; what ranks is only what is neither. Before 1.4 DuckDB works out a named
-- query anew for each mention of it: what stands here several times is cheap, and a ranking is mentioned once.
WITH items AS (
    SELECT
        *,
        field IS NULL OR list_contains(['phrase', 'words'], field) AS is_words,
        list_contains($conditions, field) AS is_condition
    FROM mart.read_query(query)
),
-- Words, if nothing tells that they are words
by_name AS (
    FROM mart.named_papers((
        SELECT CASE
            WHEN bool_and(field IS NOT NULL OR NOT is_not)
                AND NOT bool_or(coalesce(list_contains(['phrase', 'words', 'like'], field), false))
            THEN trim(string_agg(value, ' ' ORDER BY place) FILTER (field IS NULL))
        END
        FROM items
    ))
),
wanted AS (
    SELECT
        CASE WHEN any_value(are_named) OR count(word) = 0 THEN NULL
        ELSE coalesce(list(DISTINCT term) FILTER (term IS NOT NULL), []) END AS terms,
        coalesce(bool_or(known IS NOT NULL AND term IS NULL), false) AS is_sentence
    FROM (SELECT count(*) > 0 AS are_named FROM by_name)
        LEFT JOIN mart.read_words((SELECT list(DISTINCT word) FROM (
            SELECT unnest(words) AS word FROM items WHERE NOT is_not AND is_words
        ))) ON true
),
conditions AS (
    SELECT place, field, value, lower(value) AS lower_value, is_not, $spoken_value AS spoken
    FROM items
    WHERE is_condition
),
phrases AS (
    SELECT place, is_not, spoken, max_by(word, length(word)) AS word
    FROM (
        SELECT place, is_not, spoken, unnest(regexp_extract_all(spoken, '[^ ]+')) AS word
        FROM conditions WHERE field = 'phrase'
    )
    GROUP BY ALL
),
held AS (
    SELECT place, is_not, paper_id FROM core.papers JOIN conditions ON CASE field
        WHEN 'title' THEN contains($spoken_title, spoken)
        WHEN 'phrase' THEN contains($spoken_title, spoken)
        WHEN 'org' THEN lower(organization_login) = lower_value OR contains($spoken_organization, spoken)
        WHEN 'year' THEN year($day) = try_cast(value AS INTEGER)
    END
    UNION
    SELECT place, is_not, paper_id FROM core.paper_texts JOIN phrases
        ON CASE WHEN contains($folded_abstract, word) THEN contains($spoken_abstract, spoken) END
    UNION
    SELECT place, is_not, paper_id FROM core.paper_authors AS authors JOIN conditions
        ON contains($spoken_name, spoken) OR lower(login) = lower_value
    WHERE field = 'author'
    UNION
    SELECT place, is_not, paper_id FROM core.paper_keywords JOIN conditions ON contains($spoken_keyword, spoken)
    WHERE field = 'keyword'
    UNION
    SELECT place, is_not, paper_id FROM core.paper_links JOIN conditions
        ON kind = CASE value WHEN 'code' THEN 'github' ELSE value END
    WHERE field = 'has'
    UNION
    SELECT place, is_not, paper_id FROM core.paper_observations JOIN conditions ON value = 'models' AND model_count > 0
    WHERE field = 'has'
    UNION
    SELECT place, is_not, paper_id FROM core.paper_aliases JOIN conditions
        ON alias = value OR alias = regexp_extract(lower_value, '$arxiv_id', 1)
    WHERE field = 'id'
    UNION
    SELECT place, is_not, paper_id FROM core.daily_listings JOIN conditions
        ON CASE field
            WHEN 'since' THEN listed_on >= try_cast(value AS DATE)
            WHEN 'until' THEN listed_on <= try_cast(value AS DATE)
            WHEN 'list' THEN listed_on = try_cast(value AS DATE)
        END
    UNION
    SELECT 0, true, paper_id FROM (
        SELECT cohort, unnest(places) AS place FROM core.search_lists WHERE term IN (
            SELECT term
            FROM (SELECT unnest(words) AS word FROM items WHERE field IS NULL AND is_not) JOIN core.search_words USING (word)
        )
    ) JOIN core.search_vectors USING (cohort, place)
    UNION
    SELECT DISTINCT -1, false, paper_id FROM by_name
),
-- A list, that of all papers too: what is NULL would be asked for twice
kept AS (
    SELECT coalesce(list(paper_id), []) AS paper_ids
    FROM core.search_vectors
        LEFT JOIN (
            SELECT paper_id, count(*) FILTER (NOT is_not) AS held, bool_or(is_not) AS is_excluded
            FROM held GROUP BY paper_id
        ) USING (paper_id),
        (SELECT count(*) FILTER (NOT is_not) AS asked FROM conditions),
        (SELECT count(*) > 0 AS are_named FROM by_name)
    WHERE coalesce(held, 0) = asked + are_named::INTEGER AND NOT coalesce(is_excluded, false)
),
asking AS (
    SELECT
        coalesce(max_by(value, place) FILTER (field = 'sort'), 'relevance') AS sorted_by,
        bool_or(coalesce(field <> 'sort', len(words) > 0)) AS is_asked,
        coalesce(bool_or(NOT is_not AND is_words AND len(words) > 0), false) AS has_words,
        coalesce(list(named_id) FILTER (NOT is_not AND named_id <> ''), []) AS liked,
        coalesce(list(named_id) FILTER (is_not AND named_id <> ''), []) AS unlike,
        min(named_id) FILTER (named_id <> '' AND paper_id IS NULL) AS unknown,
        CASE
            WHEN unknown IS NOT NULL THEN error('no paper of the latest release has the id ' || unknown)
            WHEN len(liked) = 0 AND len(unlike) > 0 AND NOT has_words
            THEN error('-like: only leaves papers out; give words or like: too')
            ELSE len(liked) + len(unlike) > 0
        END AS are_liked
    FROM (
            SELECT *, unnest(CASE WHEN field = 'like' THEN string_split(value, ',') ELSE [NULL] END) AS named_id
            FROM items
        )
        LEFT JOIN (SELECT paper_id FROM core.search_vectors) ON paper_id = named_id
),
weighed AS (
    SELECT
        paper_id,
        matching,
        CASE
            WHEN are_liked THEN meaning + CASE WHEN len(liked) > 0 THEN 1 ELSE $unlike END * likeness
            ELSE meaning
        END AS meant,
        CASE WHEN are_liked THEN matching + meant ELSE score END AS score,
        terms,
        points,
        sorted_by
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
        LEFT JOIN mart.like_papers(
            (SELECT CASE WHEN len(liked) > 0 THEN liked ELSE unlike END FROM asking),
            (SELECT CASE WHEN len(liked) > 0 THEN unlike ELSE [] END FROM asking)
        ) USING (paper_id),
        asking
    WHERE is_asked
        AND (
            NOT are_liked
            OR (NOT list_contains(liked || unlike, paper_id) AND (likeness > 0 OR len(liked) = 0 OR has_words))
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
    meant AS meaning,
    placed.terms,
    points
FROM placed, wanted
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
