-- Who builds on a paper, at each moment at which somebody looked. A list is asked for page by page: at each page it has
-- what was listed until then, each repository once, as the cursor can shift; it is whole at its last page. A row joins
-- what was seen until its moment (ASOF), and nothing later.
WITH placed AS (
    SELECT
        *,
        max(observed_at) FILTER (is_first_page) OVER walk AS began_at,
        row_number() OVER walk AS place
    FROM core.adoption_looks
    WHERE observed_at IS NOT NULL
    WINDOW walk AS (
        PARTITION BY paper_id, kind, asked
        ORDER BY observed_at, NOT is_first_page, coalesce(is_last_page, FALSE), capture_id
        ROWS UNBOUNDED PRECEDING
    )
),
listed AS (
    SELECT placed.capture_id, placed.kind, repositories.* EXCLUDE (capture_id, paper_id, kind, observed_at)
    FROM placed
    JOIN core.paper_repositories AS repositories USING (capture_id, kind)
    WHERE placed.began_at IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY placed.paper_id, kind, placed.asked,
            CASE WHEN placed.asked = 'list' THEN placed.began_at ELSE placed.observed_at END, repository
        ORDER BY placed.place
    ) = 1
),
of_pages AS (
    SELECT
        capture_id,
        kind,
        count(*) AS listed_count,
        sum(download_count) AS download_count,
        count(*) FILTER (download_count IS NULL AND kind <> 'space') AS uncounted_count,
        sum(like_count) AS like_count
    FROM listed
    GROUP BY ALL
),
so_far AS (
    SELECT
        placed.paper_id,
        kind,
        placed.asked,
        placed.observed_at,
        placed.place,
        placed.total_count,
        coalesce(placed.is_last_page, FALSE) AS is_whole,
        sum(coalesce(of_pages.listed_count, 0)) OVER walk AS listed_count,
        sum(of_pages.download_count) OVER walk AS download_count,
        sum(coalesce(of_pages.uncounted_count, 0)) OVER walk AS uncounted_count,
        sum(of_pages.like_count) OVER walk AS like_count
    FROM placed
    LEFT JOIN of_pages USING (capture_id, kind)
    WHERE placed.began_at IS NOT NULL
    WINDOW walk AS (
        PARTITION BY placed.paper_id, kind, placed.asked,
            CASE WHEN placed.asked = 'list' THEN placed.began_at ELSE placed.observed_at END
        ORDER BY placed.place
        ROWS UNBOUNDED PRECEDING
    )
),
looks AS (
    SELECT
        *,
        CASE
            WHEN asked = 'paper' THEN greatest(coalesce(total_count, listed_count), listed_count)
            WHEN is_whole THEN listed_count
        END AS known_count
    FROM so_far
),
-- What is known of one moment: by a list, before a paper's own page
known AS (
    SELECT *
    FROM looks
    WHERE known_count IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY paper_id, kind, observed_at ORDER BY asked, place DESC) = 1
),
whole AS (
    SELECT *
    FROM looks
    WHERE is_whole
    QUALIFY row_number() OVER (PARTITION BY paper_id, kind, observed_at ORDER BY asked, place DESC) = 1
),
part AS (
    SELECT *
    FROM looks
    WHERE NOT is_whole
    QUALIFY row_number() OVER (PARTITION BY paper_id, kind, observed_at ORDER BY asked, place DESC) = 1
),
moments AS (
    SELECT DISTINCT looks.paper_id, looks.observed_at, kinds.kind
    FROM looks
    CROSS JOIN (VALUES $kinds) AS kinds (kind)
),
joined AS (
    SELECT
        moments.paper_id,
        moments.observed_at,
        moments.kind,
        known.known_count,
        whole.observed_at IS NOT NULL AS is_whole,
        CASE WHEN whole.observed_at IS NOT NULL THEN whole.listed_count ELSE part.listed_count END AS listed_count,
        CASE WHEN whole.observed_at IS NOT NULL THEN whole.download_count ELSE part.download_count END AS download_count,
        CASE WHEN whole.observed_at IS NOT NULL THEN whole.uncounted_count ELSE part.uncounted_count END
            AS uncounted_count,
        CASE WHEN whole.observed_at IS NOT NULL THEN whole.like_count ELSE part.like_count END AS like_count
    FROM moments
    ASOF LEFT JOIN known
        ON known.paper_id = moments.paper_id AND known.kind = moments.kind AND moments.observed_at >= known.observed_at
    ASOF LEFT JOIN whole
        ON whole.paper_id = moments.paper_id AND whole.kind = moments.kind AND moments.observed_at >= whole.observed_at
    ASOF LEFT JOIN part
        ON part.paper_id = moments.paper_id AND part.kind = moments.kind AND moments.observed_at >= part.observed_at
),
told AS (
    SELECT
        paper_id,
        observed_at,
        $counts,
        sum(coalesce(listed_count, 0)) AS listed_count,
        bool_and(is_whole) AS is_whole,
        sum(download_count) AS download_count,
        sum(coalesce(uncounted_count, 0)) AS uncounted_count,
        sum(like_count) AS like_count
    FROM joined
    GROUP BY ALL
),
starred AS (
    SELECT told.*, stars.github_star_count
    FROM told
    ASOF LEFT JOIN (SELECT * FROM core.paper_observations WHERE github_star_count IS NOT NULL) AS stars
        ON stars.paper_id = told.paper_id AND told.observed_at >= stars.observed_at
)
SELECT
    *,
    -- to decimals by a whole number: versions of DuckDB round what lies between to either side
    round(1000000 * (
        $score
    )) / 1000000 AS score
FROM starred
ORDER BY paper_id, observed_at
