-- Of the kinds, the first that names something is what is meant: an id that stands in the text before what the text is
-- as a whole. A title is no name. Each step is a query of its own: DuckDB works out an alias for each mention of it.
said AS MATERIALIZED (
    SELECT
        *,
        regexp_replace(group_called, '$sign', '', 'g') AS group_letters,
        [token for token in tokens if length(token) > 1] AS long_tokens,
        [token for token in tokens if length(token) = list_max([length(token) for token in tokens])][1] AS longest
    FROM (
        SELECT
            *,
            whole <> folded AS is_told,
            regexp_replace(called, '$sign', '', 'g') AS letters,
            regexp_replace(called, '$of_group', '', 'g') AS group_called,
            -- of the month that is meant, which number it is of all months
            CASE
                WHEN regexp_matches(called, '$a_month') THEN 12 * left(called, 4)::INTEGER + right(called, 2)::INTEGER
                WHEN regexp_matches(called, '$month_in_words')
                THEN 12 * right(called, 4)::INTEGER + list_position($months, left(called, 3))
            END AS nth_month,
            CASE
                WHEN regexp_matches(called, '$a_day') THEN called
                WHEN regexp_matches(called, '$day_in_words')
                THEN concat_ws(
                    '-',
                    right(called, 4),
                    lpad(list_position($months, regexp_extract(called, '[a-z]{3}'))::VARCHAR, 2, '0'),
                    lpad(regexp_extract(called, '[0-9]+'), 2, '0')
                )
            END AS on_day,
            -- "He, Kaiming" is Kaiming He
            regexp_extract_all(regexp_replace(called, '^([^,]+),([^,]+)$$', '\2 \1'), '$letter_run') AS tokens
        FROM (
            SELECT
                *,
                unnest([whole] || parts) AS called,
                unnest(range(len(parts) + 1)) AS part,
                len(parts) AS part_count
            FROM (
                SELECT
                    *,
                    CASE WHEN regexp_matches(whole, '$and') THEN regexp_split_to_array(whole, '$and') ELSE [] END AS parts
                FROM (
                    SELECT *, regexp_replace(regexp_replace(folded, '$leading', ''), '$trailing', '') AS whole
                    FROM (SELECT $folded AS folded FROM $given WHERE length(given) <= $longest_named)
                )
            )
        )
    )
),
