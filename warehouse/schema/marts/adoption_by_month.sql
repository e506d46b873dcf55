-- The most built upon papers at the end of each month: of each paper the last look until then that gives a score.
WITH scored AS (
    SELECT *, model_count + dataset_count + space_count AS built_count
    FROM mart.adoption
    WHERE score IS NOT NULL
),
months AS (
    SELECT unnest(generate_series(
        date_trunc('month', min(observed_at)), date_trunc('month', max(observed_at)), INTERVAL 1 MONTH
    ))::DATE AS month_on
    FROM scored
),
ends AS (
    SELECT months.month_on, scored.*
    FROM months
    JOIN scored ON scored.observed_at < months.month_on + INTERVAL 1 MONTH
    QUALIFY row_number() OVER (PARTITION BY months.month_on, scored.paper_id ORDER BY scored.observed_at DESC) = 1
)
SELECT
    ends.month_on,
    row_number() OVER (PARTITION BY ends.month_on ORDER BY ends.score DESC, ends.paper_id) AS rank,
    ends.paper_id,
    ends.model_count,
    ends.dataset_count,
    ends.space_count,
    ends.score,
    ends.is_whole,
    ends.built_count - before.built_count AS gained_count,
    ends.observed_at
FROM ends
LEFT JOIN ends AS before ON before.paper_id = ends.paper_id AND before.month_on + INTERVAL 1 MONTH = ends.month_on
QUALIFY rank <= $most
ORDER BY ends.month_on, rank
