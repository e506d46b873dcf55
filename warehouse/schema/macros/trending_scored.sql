days AS (
    $days
),
looks AS (
    SELECT
        listings.listed_on,
        listings.paper_id,
        looked.observed_at AS looked_at,
        looked.upvote_count AS votes,
        epoch(looked.observed_at - listings.listed_on) / 3600 AS look_hours,
        greatest(looked.observed_at, listings.first_seen_at) AS known_at
    FROM core.daily_listings AS listings
    JOIN core.paper_observations AS looked USING (paper_id)
    WHERE looked.upvote_count IS NOT NULL
        AND listings.first_seen_at IS NOT NULL
        AND looked.observed_at >= listings.listed_on
),
paired AS (
    SELECT
        looks.*,
        $stage AS stage,
        earlier.looked_at AS earlier_at,
        earlier.votes AS earlier_votes
    FROM looks
    ASOF LEFT JOIN looks AS earlier
        ON earlier.paper_id = looks.paper_id
        AND earlier.listed_on = looks.listed_on
        AND earlier.looked_at <= looks.looked_at - INTERVAL $apart HOURS
),
firsts AS (
    SELECT
        paper_id,
        listed_on,
        stage,
        known_at,
        votes,
        CASE WHEN earlier_at IS NOT NULL THEN greatest(votes - earlier_votes, 0) END AS gained,
        CASE WHEN earlier_at IS NOT NULL THEN epoch(looked_at - earlier_at) / 3600 END AS hours
    FROM paired
    QUALIFY row_number() OVER (PARTITION BY paper_id, listed_on, stage ORDER BY looked_at) = 1
),
of_stage AS (
    SELECT
        stage,
        known_at,
        sum(count(*)) OVER so_far AS papers,
        sum(sum(votes)) OVER so_far AS votes
    FROM firsts
    GROUP BY stage, known_at
    WINDOW so_far AS (PARTITION BY stage ORDER BY known_at)
),
of_all AS (
    SELECT
        TRUE AS is_all,
        known_at,
        sum(count(*)) OVER so_far AS papers,
        sum(sum(votes)) OVER so_far AS votes,
        sum(count(hours)) OVER so_far AS pairs,
        sum(coalesce(sum(gained), 0)) OVER so_far AS gained,
        sum(coalesce(sum(hours), 0)) OVER so_far AS hours
    FROM firsts
    GROUP BY known_at
    WINDOW so_far AS (ORDER BY known_at)
),
seen AS (
    SELECT days.at_moment, days.at_moment - INTERVAL 1 DAY AS past_until, TRUE AS is_all, listed_on, paper_id
    FROM days
    JOIN core.daily_listings USING (listed_on)
    WHERE first_seen_at <= days.at_moment
    QUALIFY row_number() OVER (PARTITION BY days.at_moment, paper_id ORDER BY listed_on DESC) = 1
),
known AS (
    SELECT seen.*, looked_at, votes, look_hours, stage, earlier_at, earlier_votes
    FROM seen
    ASOF JOIN paired
        ON paired.paper_id = seen.paper_id
        AND paired.listed_on = seen.listed_on
        AND paired.looked_at <= seen.at_moment
),
compared AS (
    SELECT
        known.*,
        -- a paper is compared with others: its own first look of that age is none of them
        coalesce(of_stage.papers, 0) - (own.votes IS NOT NULL)::INTEGER AS past_papers,
        coalesce(of_stage.votes, 0) - coalesce(own.votes, 0) AS past_votes,
        coalesce(of_all.votes / of_all.papers, 1) AS mean_votes,
        of_all.gained / nullif(of_all.pairs, 0) AS usual_gain,
        of_all.hours / nullif(of_all.pairs, 0) AS usual_hours
    FROM known
    ASOF LEFT JOIN of_stage ON of_stage.stage = known.stage AND of_stage.known_at <= known.past_until
    ASOF LEFT JOIN of_all ON of_all.is_all = known.is_all AND of_all.known_at <= known.past_until
    LEFT JOIN firsts AS own
        ON own.paper_id = known.paper_id
        AND own.listed_on = known.listed_on
        AND own.stage = known.stage
        AND own.known_at <= known.past_until
),
terms AS (
    SELECT
        *,
        (past_votes + $prior * mean_votes) / (past_papers + $prior) AS expected,
        nullif(usual_gain, 0) / usual_hours AS usual_speed,
        CASE WHEN earlier_at IS NOT NULL AND usual_gain > 0 THEN
            (greatest(votes - earlier_votes, 0) + usual_gain) / (epoch(looked_at - earlier_at) / 3600 + usual_hours)
        END AS speed,
        $age AS age
    FROM compared
),
ranked AS (
    SELECT
        at_moment,
        row_number() OVER (PARTITION BY at_moment ORDER BY score DESC, upvote_count DESC, paper_id)::INTEGER AS rank,
        * EXCLUDE (at_moment)
    FROM (
        SELECT
            at_moment,
            paper_id,
            listed_on,
            votes AS upvote_count,
            looked_at AS observed_at,
            -- to decimals by a whole number: versions of DuckDB round 7.895 to either side
            round(100 * look_hours) / 100 AS observed_hours,
            round(1000 * expected) / 1000 AS expected_count,
            past_papers::INTEGER AS past_count,
            round(1000 * mean_votes) / 1000 AS mean_count,
            round(10000 * ((votes + $caution * mean_votes) / (expected + $caution * mean_votes))) / 10000 AS surprise,
            earlier_votes AS previous_upvote_count,
            earlier_at AS previous_observed_at,
            round(10000 * speed) / 10000 AS velocity,
            round(10000 * usual_speed) / 10000 AS mean_velocity,
            round(100 * age) / 100 AS age_hours,
            round(10000 * (
                ln((votes + $caution * mean_votes) / (expected + $caution * mean_votes))
                    + $weight * coalesce(ln(speed / usual_speed), 0) - age / $fading
            )) / 10000 AS score,
            CASE WHEN speed IS NULL THEN 'one look' ELSE 'two looks' END AS basis,
            $formula::INTEGER AS formula
        FROM terms
    )
)
