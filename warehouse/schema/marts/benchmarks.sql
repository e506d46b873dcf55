-- One row per benchmark as it is declared (boards.py), with what papers claim on it today.
SELECT
    declared.benchmark,
    declared.spellings,
    declared.splits,
    declared.metric,
    declared.metric_kind,
    count(DISTINCT claims.paper_id) AS paper_count,
    count(claims.paper_id) AS claim_count,
    min(versions.first_seen_at) AS first_seen_at
FROM (
    SELECT unnested.*  -- of a text: a thousand rows of VALUES take longer to plan than all else to run
    FROM (
        SELECT unnest(from_json(
            $rows,
            '[{
                "benchmark": "VARCHAR", "spellings": ["VARCHAR"], "splits": ["VARCHAR"], "metric": "VARCHAR",
                "metric_kind": "VARCHAR"
            }]'
        )) AS unnested
    )
) AS declared
LEFT JOIN core.paper_claims AS claims ON claims.benchmark_name = declared.benchmark
LEFT JOIN (
    SELECT paper_id, min(first_seen_at) AS first_seen_at
    FROM core.paper_versions
    WHERE field = 'abstract'
    GROUP BY paper_id
) AS versions USING (paper_id)
GROUP BY ALL
ORDER BY declared.benchmark
