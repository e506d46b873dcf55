-- One row per paper that was seen by the cutoff (UTC): features from pages fetched by then, labels from pages fetched after
-- it and within the horizon. What is captured later changes neither (docs/history.md). Papers go by the id of today.
WITH looked AS (
    SELECT
        paper_id,
        count(upvote_count)::INTEGER AS look_count,
        max(observed_at) FILTER (WHERE upvote_count IS NOT NULL) AS upvotes_observed_at,
        $linked
    FROM core.paper_observations
    WHERE observed_at <= CAST(cutoff AS TIMESTAMP)
    GROUP BY paper_id
),
shown AS (
    SELECT
        paper_id,
        $shown
    FROM core.sightings
    WHERE observed_at <= CAST(cutoff AS TIMESTAMP)
    GROUP BY paper_id
),
placed AS (
    SELECT
        paper_id,
        sightings.list_kind,
        sightings.observed_at,
        sightings.observed_at <= CAST(cutoff AS TIMESTAMP) AS is_by_cutoff,
        (position
            + coalesce(TRY_CAST(regexp_extract(url, '[?&]p=([0-9]+)', 1) AS INTEGER), 0)
            * coalesce(TRY_CAST(regexp_extract(url, '[?&]limit=([0-9]+)', 1) AS INTEGER), 50))::INTEGER AS place
    FROM core.sightings AS sightings
    JOIN core.captures AS captures USING (capture_id)
    WHERE sightings.list_kind IN ('daily', 'weekly', 'monthly', 'trending')
        AND sightings.observed_at <= CAST(cutoff AS TIMESTAMP) + CAST(horizon AS INTERVAL)
),
places AS (
    SELECT
        paper_id,
        last(place ORDER BY observed_at, place DESC) FILTER (WHERE list_kind = 'daily' AND is_by_cutoff) AS daily_place,
        $places,
        min(place) FILTER (WHERE list_kind = 'trending' AND NOT is_by_cutoff) AS label_trending_place
    FROM placed
    GROUP BY paper_id
),
labels AS (
    SELECT
        paper_id,
        max(observed_at) FILTER (WHERE upvote_count IS NOT NULL) AS label_observed_at,
        $labels
    FROM core.paper_observations
    WHERE observed_at > CAST(cutoff AS TIMESTAMP)
        AND observed_at <= CAST(cutoff AS TIMESTAMP) + CAST(horizon AS INTERVAL)
    GROUP BY paper_id
)
SELECT
    $columns
FROM (SELECT *, label_upvote_count - upvote_count AS label_gained_upvote_count
    FROM mart.paper_as_of(cutoff)
    JOIN shown USING (paper_id)
    LEFT JOIN looked USING (paper_id)
    LEFT JOIN places USING (paper_id)
    LEFT JOIN labels USING (paper_id))
ORDER BY paper_id
