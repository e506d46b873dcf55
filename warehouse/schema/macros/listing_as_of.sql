-- The list of one day as the last capture up to a moment (UTC) showed it. A list of several pages is one answer: of each
-- page (`p=`) the last capture counts, and no page below one that is not full any more. The same list at another
-- address (another `limit=`, the HTML page) is another answer; the one fetched last counts.
WITH captured AS (
    SELECT
        captures.capture_id,
        captures.fetched_at,
        captures.item_count,
        coalesce(regexp_replace(captures.url, '[?&]p=[0-9]+', ''), captures.capture_id) AS answer,
        coalesce(TRY_CAST(regexp_extract(captures.url, '[?&]p=([0-9]+)', 1) AS INTEGER), 0) AS page,
        coalesce(TRY_CAST(regexp_extract(captures.url, '[?&]limit=([0-9]+)', 1) AS INTEGER), 50) AS full_count
    FROM core.captures AS captures
    WHERE captures.list_kind = 'daily'
        AND captures.listed_on = CAST(day AS DATE)
        AND captures.fetched_at <= CAST(ts AS TIMESTAMP)
        AND captures.state IN ('read', 'partial', 'empty')
),
pages AS (
    SELECT *
    FROM captured
    WHERE answer = (SELECT last(answer ORDER BY fetched_at, capture_id) FROM captured)
    QUALIFY row_number() OVER (PARTITION BY page ORDER BY fetched_at DESC, capture_id DESC) = 1
),
placed AS (
    SELECT
        capture_id,
        page,
        coalesce(sum(item_count) OVER above, 0) AS above_count,
        coalesce(bool_and(item_count >= full_count) OVER above, TRUE) AS is_reached
    FROM pages
    WINDOW above AS (ORDER BY page ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT
    (placed.above_count + sightings.position)::INTEGER AS rank,
    sightings.paper_id,
    sightings.title,
    sightings.upvote_count,
    sightings.comment_count,
    sightings.submitter_login,
    sightings.observed_at,
    sightings.capture_id
FROM placed
JOIN core.sightings AS sightings USING (capture_id)
WHERE placed.is_reached
QUALIFY row_number() OVER (PARTITION BY sightings.paper_id ORDER BY placed.page, sightings.position) = 1
ORDER BY rank
