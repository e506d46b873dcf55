-- Of the papers in `kept` those that have a term in `points`, or all where nothing is wanted for by words, with what
-- their score is made of. Each has what was asked for, but no list: windows and joins would copy it each time.
by_paper AS (
    SELECT
        paper_id,
        sum(points)::BIGINT AS points,
        sum(rarity)::BIGINT AS rarity,
        any_value(whole) AS whole,
        count(*) AS term_count
    FROM points
    GROUP BY paper_id
),
weighed AS (
    SELECT paper_id, term_count, points, points * (whole + rarity) AS of_words, max(points) OVER () AS most,
        max(points * (whole + rarity)) OVER () AS most_of_words
    FROM by_paper
),
chosen AS MATERIALIZED (
    SELECT
        $kept,
        term_count,
        coalesce(CASE WHEN is_sentence THEN points / most ELSE of_words / most_of_words END, 0) AS matching,
        row_number() OVER (
            ORDER BY CASE WHEN is_sentence THEN points ELSE of_words END DESC NULLS LAST, paper_id
        ) AS candidate
    FROM $among
),
meant AS (
    SELECT list(sign(value) * ((2 * abs(value) * $query_most + most) // (2 * most)) ORDER BY place)::FLOAT[] AS by_terms
    FROM (
        SELECT
            place,
            sum(scale * value)::BIGINT AS value,
            greatest(max(abs(sum(scale * value)::BIGINT)) OVER (), 1) AS most
        FROM (
            SELECT scale::BIGINT AS scale, unnest(vector) AS value, generate_subscripts(vector, 1) AS place
            FROM core.search_basis JOIN (SELECT unnest(terms) AS term FROM wanted) USING (term)
        )
        GROUP BY place
    )
),
-- No window has the vectors that were wanted for: it would copy them for each paper
near AS (
    SELECT
        paper_id,
        $model_share
        term_nearness / nullif(max(term_nearness) OVER (), 0) AS term_share
    FROM (
        SELECT
            paper_id,
            $model_nearness
            greatest(coalesce(list_dot_product(vectors.vector::FLOAT[], by_terms), 0), 0)::DOUBLE
                / sqrt(greatest(vectors.square, 1)::DOUBLE) AS term_nearness
        FROM (
                SELECT paper_id FROM chosen
                WHERE candidate <= $candidates AND (term_count IS NOT NULL OR $is_embedded)
            )
            JOIN core.search_vectors AS vectors USING (paper_id)
            $embedded,
            meant
    )
),
scored AS (
    SELECT
        chosen.*,
        matching >= $named::DOUBLE AND candidate <= $candidates AS may_be_named,
        CASE
            WHEN $is_embedded
            THEN $beside::DOUBLE * coalesce(term_share, 0) + $by_model::DOUBLE * coalesce($of_model, 0)
            WHEN is_sentence THEN $sentence::DOUBLE * coalesce(term_share, 0)
            ELSE $meaning::DOUBLE * coalesce(term_share, 0)
        END AS meaning
    FROM chosen LEFT JOIN near USING (paper_id)
),
titled AS (
    SELECT
        scored.*,
        -- in a CASE, so that no engine reads the letters of all titles
        CASE
            WHEN may_be_named
            THEN [
                CASE
                    WHEN title_letters = letters THEN $same_title::DOUBLE
                    WHEN length(letters) >= $in_title_letters AND contains(title_letters, letters)
                    THEN $in_title::DOUBLE
                    ELSE 0::DOUBLE
                END
                for title_letters in [$title_letters]
            ][1]
            ELSE 0::DOUBLE
        END AS naming,
        $day AS day,
        upvote_count
    FROM scored JOIN core.papers USING (paper_id)
)