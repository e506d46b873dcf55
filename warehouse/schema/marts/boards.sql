-- Each number that an abstract claims on a declared benchmark, once for a paper: in the first version that has it.
-- Whether it was the best then is told from what was first seen by then alone, so that rows up to a moment are the
-- board as it stood at that moment.
WITH versions AS (
    SELECT
        paper_id,
        version_number,
        text,
        first_seen_at,
        version_number = max(version_number) OVER (PARTITION BY paper_id) AS is_newest
    FROM core.paper_versions
    WHERE field = 'abstract'
),
dated AS (
    $dated
),
corrected AS (  -- an abstract that was corrected is the newest version, as it is right
    SELECT DISTINCT paper_id
    FROM core.corrections
    WHERE table_name = 'paper_texts' AND column_name = 'abstract'
),
claims AS (
    SELECT of_versions.*
    FROM core.version_claims AS of_versions
    JOIN versions USING (paper_id, version_number)
    WHERE NOT (versions.is_newest AND paper_id IN (FROM corrected))
    UNION ALL BY NAME
    SELECT of_papers.*, versions.version_number
    FROM core.paper_claims AS of_papers
    JOIN versions ON versions.paper_id = of_papers.paper_id AND versions.is_newest
    WHERE of_papers.paper_id NOT IN (SELECT paper_id FROM core.version_claims)
        OR of_papers.paper_id IN (FROM corrected)
),
told AS (
    SELECT
        claims.*,
        versions.first_seen_at,
        CASE WHEN versions.is_newest AND claims.paper_id IN (FROM corrected) THEN texts.abstract
            ELSE coalesce(versions.text, texts.abstract)
        END AS abstract,
        -- A score without a name is that which the benchmark is measured by; a count of wins, or of other words, is not
        coalesce(
            nullif(claims.metric_name, 'score'),
            CASE WHEN
                claims.metric = usual.metric_kind AND claims.scale <> 'count'
                AND (claims.metric_text IS NULL OR lower(claims.metric_text) IN ($unnamed))
                THEN usual.metric
            END,
            claims.metric_name
        ) AS board_metric,
        bool_or(versions.is_newest) OVER same AS is_current
    FROM claims
    JOIN mart.benchmarks AS usual ON usual.benchmark = claims.benchmark_name
    JOIN versions USING (paper_id, version_number)
    LEFT JOIN core.paper_texts AS texts USING (paper_id)
    WINDOW same AS (
        PARTITION BY
            claims.paper_id, claims.benchmark_name, claims.split_name, claims.metric_name, claims.scale, claims.role,
            claims.is_own, claims.direction, claims.bound, claims.value, claims.value_high
    )
    QUALIFY row_number() OVER (same ORDER BY claims.version_number, claims.position) = 1
),
apart AS (
    SELECT
        * REPLACE (board_metric AS metric),
        CASE
            $apart
        END AS apart_because
    FROM told
),
ranked AS (
    SELECT
        *,
        CASE WHEN apart_because IS NULL THEN CASE WHEN polarity = 'less' THEN -value ELSE value END END AS merit
    FROM apart
),
placed AS (
    SELECT
        *,
        max(merit) OVER (board RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS best_now,
        max(merit) OVER (board RANGE BETWEEN UNBOUNDED PRECEDING AND INTERVAL 1 MICROSECOND PRECEDING) AS best_then
    FROM ranked
    WINDOW board AS (PARTITION BY benchmark_name, split_name, metric, scale ORDER BY first_seen_at)
)
SELECT
    placed.benchmark_name AS benchmark,
    placed.split_name AS split,
    placed.metric,
    coalesce(placed.metric_name = placed.metric, FALSE) AS is_metric_said,
    placed.scale,
    placed.polarity,
    placed.value,
    placed.value_high,
    placed.bound,
    placed.role,
    placed.is_own,
    placed.apart_because,
    CASE WHEN placed.merit IS NOT NULL THEN
        placed.merit = placed.best_now AND placed.merit > coalesce(placed.best_then, '-infinity'::DOUBLE)
    END AS is_best,
    CASE WHEN placed.merit IS NOT NULL THEN
        CASE WHEN placed.polarity = 'less' THEN -placed.best_then ELSE placed.best_then END
    END AS best_before,
    placed.paper_id,
    papers.title,
    CASE WHEN systems.kind IS DISTINCT FROM 'benchmark' AND lower(systems.name) <> lower(placed.benchmark_name)
        THEN systems.name
    END AS system,
    placed.comparator,
    substr(placed.abstract, placed.sentence_start + 1, placed.sentence_end - placed.sentence_start) AS sentence,
    placed.text,
    placed.version_number,
    placed.position,
    placed.first_seen_at,
    dated.arxiv_version_on,
    placed.is_current,
    papers.first_listed_on,
    placed.capture_id
FROM placed
JOIN core.papers AS papers USING (paper_id)
LEFT JOIN core.paper_systems AS systems USING (paper_id)
LEFT JOIN dated ON dated.paper_id = placed.paper_id AND dated.version_number = placed.version_number
    AND dated.field = 'abstract'
ORDER BY benchmark, split NULLS FIRST, placed.metric NULLS LAST, placed.scale, placed.first_seen_at NULLS LAST,
    paper_id, version_number, position
