-- What words name is kept as a condition is; what ranks is only what is neither. Before 1.4 DuckDB works out a named
-- query anew for each mention of it, if it is not told otherwise. Half the time of a query goes by in planning it: each
-- join and union here is one that cannot be spared.
WITH items AS MATERIALIZED (
    SELECT
        *,
        field IS NULL OR field = 'phrase' OR field = 'words' AS is_words,
        contains($conditions, ' ' || field || ' ') AS is_condition,
        CASE WHEN field = 'like' THEN [
            coalesce(nullif(regexp_extract(one, '(?i)$arxiv_id', 1), ''), one)
            for one in string_split(value, ',') if one <> ''
        ] END AS ids
    FROM mart.read_query(query)
),
-- One row, also where nothing is asked for
typed AS MATERIALIZED (
    SELECT
        coalesce(max_by(value, place) FILTER (field = 'sort'), 'relevance') AS sorted_by,
        bool_or(coalesce(nullif(field, 'words') <> 'sort', len(words) > 0))
            OR bool_and(coalesce(field = 'sort', false)) AS is_asked,
        coalesce(bool_or(NOT is_not AND is_words AND len(words) > 0), false) AS has_words,
        flatten(list(words) FILTER (NOT is_not AND is_words)) AS all_words,
        flatten(list(words) FILTER (is_not AND field IS NULL)) AS other_words,
        count(*) FILTER (is_condition AND NOT is_not) AS condition_count,
        coalesce(flatten(list(ids) FILTER (NOT is_not)), []) AS liked,
        coalesce(flatten(list(ids) FILTER (is_not)), []) AS unlike,
        -- Words, if nothing tells that they are words
        CASE
            WHEN bool_and(field IS NOT NULL OR NOT is_not)
                AND NOT bool_or(coalesce(field = 'phrase' OR field = 'words' OR field = 'like', false))
            THEN trim(string_agg(value, ' ' ORDER BY place) FILTER (field IS NULL))
        END AS name,
        CASE
            WHEN bool_and(NOT is_not AND NOT coalesce(field <> 'phrase' AND (is_condition OR field = 'like'), false))
            THEN string_agg($value_letters, '' ORDER BY place) FILTER (field IS DISTINCT FROM 'sort')
        END AS letters
    FROM items
),
$names_in,
by_name AS MATERIALIZED (
    SELECT DISTINCT paper_id FROM names_in
),
wanted AS MATERIALIZED (
    SELECT
        * EXCLUDE (terms),
        CASE WHEN NOT are_named AND word_count > 0 THEN coalesce(terms, []) END AS terms,
        CASE
            WHEN unknown IS NOT NULL THEN error('no paper of the latest release has the id ' || unknown)
            WHEN len(liked) = 0 AND len(unlike) > 0 AND NOT has_words
            THEN error('-like: only leaves papers out; give words or like: too')
            ELSE len(liked) + len(unlike) > 0
        END AS are_liked
    FROM typed,
        (SELECT count(*) > 0 AS are_named FROM by_name),
        (
            SELECT
                count(*) AS word_count,
                list(DISTINCT term) FILTER (term IS NOT NULL) AS terms,
                coalesce(bool_or(known IS NOT NULL AND term IS NULL), false) AS is_sentence
            FROM mart.read_words((SELECT all_words FROM typed))
            WHERE NOT ($is_id)
        ),
        (
            SELECT min(named_id) AS unknown
            FROM (SELECT unnest(liked || unlike) AS named_id FROM typed)
                LEFT JOIN (SELECT paper_id FROM core.search_vectors) ON paper_id = named_id
            WHERE paper_id IS NULL AND contains(query::VARCHAR, 'like:')
        )
),
conditions AS MATERIALIZED (
    SELECT
        *,
        lower(value) AS lower_value,
        [word for word in words_in if length(word) = list_max([length(one) for one in words_in])][1] AS longest
    FROM (
        SELECT place, field, value, is_not, spoken, regexp_extract_all(spoken, '[^ ]+') AS words_in
        FROM (SELECT *, $sought_value AS spoken FROM items WHERE is_condition)
    )
),
phrases AS (
    SELECT place, is_not, spoken, longest FROM conditions WHERE field = 'phrase'
),
-- A part that the text of a query rules out is none for DuckDB, which knows that text when it plans
held AS (
    SELECT place, is_not, paper_id FROM core.papers JOIN conditions ON CASE field
        WHEN 'title' THEN contains($spoken_title, spoken)
        WHEN 'phrase' THEN contains($spoken_title, spoken)
        WHEN 'org' THEN lower(organization_login) = lower_value OR contains($spoken_organization, spoken)
        WHEN 'year' THEN year($day) = try_cast(value AS INTEGER)
    END
    WHERE regexp_matches(query::VARCHAR, '"|title:|org:|year:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_texts JOIN phrases
        ON CASE WHEN contains($folded_abstract, longest) THEN contains($spoken_abstract, spoken) END
    WHERE contains(query::VARCHAR, '"')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_authors AS authors JOIN conditions
        ON contains($spoken_name, spoken) OR lower(login) = lower_value
    WHERE field = 'author' AND contains(query::VARCHAR, 'author:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_keywords JOIN conditions ON contains($spoken_keyword, spoken)
    WHERE field = 'keyword' AND contains(query::VARCHAR, 'keyword:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_links JOIN conditions
        ON kind = CASE value WHEN 'code' THEN 'github' ELSE value END
    WHERE field = 'has' AND contains(query::VARCHAR, 'has:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_observations JOIN conditions ON value = 'models' AND model_count > 0
    WHERE field = 'has' AND contains(query::VARCHAR, 'has:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_aliases JOIN conditions
        ON alias IN (
            value, regexp_extract(value, '(?i)$arxiv_id', 1), regexp_extract(lower_value, '$arxiv_id', 1)
        )
    WHERE field = 'id' AND regexp_matches(query::VARCHAR, '"|id:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.daily_listings JOIN conditions
        ON CASE field
            WHEN 'since' THEN left(listed_on::VARCHAR, length(value)) >= value
            WHEN 'until' THEN left(listed_on::VARCHAR, length(value)) <= value
            WHEN 'list' THEN left(listed_on::VARCHAR, length(value)) = value
        END
    WHERE regexp_matches(query::VARCHAR, 'since:|until:|list:')
    UNION ALL
    SELECT 0, true, paper_id
    FROM (
            SELECT cohort, unnest(places) AS place
            FROM (SELECT unnest(other_words) AS word FROM typed)
                JOIN core.search_words USING (word)
                JOIN core.search_lists USING (term)
        )
        JOIN core.search_vectors USING (cohort, place)
    WHERE contains(query::VARCHAR, '-')
    UNION ALL
    SELECT -1, false, paper_id FROM by_name
),
kept AS (
    SELECT paper_id, is_sentence, letters, len(terms) AS term_total, sorted_by, is_asked, has_words, are_liked
    FROM core.search_vectors
        LEFT JOIN (
            SELECT
                paper_id,
                count(DISTINCT place) FILTER (NOT is_not) AS held_count,
                bool_or(is_not) AS is_excluded
            FROM held GROUP BY paper_id
        ) USING (paper_id),
        wanted
    WHERE coalesce(held_count, 0) = condition_count + are_named::INTEGER AND NOT coalesce(is_excluded, false)
),
points AS MATERIALIZED (
    FROM mart.term_points((SELECT terms FROM wanted)) WHERE NOT ($is_id)
),
$scored,
weighed_up AS (
    SELECT *, max(score) OVER () AS best
    FROM (
        SELECT
            titled.* EXCLUDE (letters),
            CASE
                WHEN are_liked THEN meaning + CASE WHEN len(liked) > 0 THEN 1 ELSE $unlike END * likeness
                ELSE meaning
            END AS meant,
            CASE WHEN are_liked THEN matching + meant ELSE matching + meaning + naming END AS score
        FROM titled
            LEFT JOIN (
                FROM mart.like_papers(
                    (SELECT CASE WHEN len(liked) > 0 THEN liked ELSE unlike END FROM typed),
                    (SELECT CASE WHEN len(liked) > 0 THEN unlike ELSE [] END FROM typed)
                )
                WHERE contains(query::VARCHAR, 'like:')
            ) USING (paper_id),
            (SELECT liked, unlike FROM typed)
        WHERE is_asked
            AND (
                NOT are_liked
                OR (NOT list_contains(liked || unlike, paper_id) AND (likeness > 0 OR len(liked) = 0 OR has_words))
            )
    )
),
placed AS (
    SELECT *, row_number() OVER (ORDER BY score DESC, day DESC NULLS LAST, paper_id) AS place
    FROM weighed_up
    WHERE term_total IS NULL OR score >= $floor::DOUBLE * best
),
hits AS (
    SELECT
        *,
        row_number() OVER (
            ORDER BY
                CASE sorted_by WHEN 'date' THEN day END DESC NULLS LAST,
                CASE sorted_by WHEN 'upvotes' THEN upvote_count END DESC NULLS LAST,
                place
        )::INTEGER AS rank
    FROM placed
    WHERE term_total IS NULL
        OR sorted_by = 'relevance'
        OR place <= $fewest_sorted
        OR (is_sentence AND score >= $close_sentence::DOUBLE * best)
        OR (NOT is_sentence AND score >= $close::DOUBLE * best AND term_count = term_total)
)
SELECT
    rank,
    any_value(paper_id) AS paper_id,
    any_value(score) AS score,
    any_value(matching) AS matching,
    any_value(meant) AS meaning,
    coalesce(list(term ORDER BY points DESC, term) FILTER (term IS NOT NULL), []) AS terms,
    coalesce(list(points ORDER BY points DESC, term) FILTER (term IS NOT NULL), []) AS points
FROM hits LEFT JOIN points USING (paper_id)
GROUP BY rank
