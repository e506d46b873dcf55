SELECT
    row_number() OVER (ORDER BY $day DESC NULLS LAST, paper_id)::INTEGER AS rank,
    paper_id,
    0::DOUBLE AS score,
    0::DOUBLE AS matching,
    0::DOUBLE AS meaning,
    []::VARCHAR[] AS terms,
    []::BIGINT[] AS points
FROM core.papers SEMI JOIN core.search_vectors USING (paper_id) SEMI JOIN $by_name USING (paper_id)
