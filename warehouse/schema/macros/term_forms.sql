-- Each acronym stands for its long form, and the other way round where the query has all terms of that; its plural is
-- often another term, as the stem of `llms` is `llms`.
WITH known AS (
    SELECT acronym, long_form, term, plural, string_split(form_terms, ' ') AS parts FROM mart.acronyms
),
sides AS (
    SELECT [term] AS asked, term, parts AS found_by, long_form AS says FROM known
    UNION ALL
    SELECT [plural], plural, parts, long_form FROM known WHERE plural IS NOT NULL
    UNION ALL
    SELECT [term], term, [plural], NULL FROM known WHERE plural IS NOT NULL
    UNION ALL
    SELECT [plural], plural, [term], NULL FROM known WHERE plural IS NOT NULL
    UNION ALL
    SELECT parts, unnest(parts), [term], acronym FROM known
    UNION ALL
    SELECT parts, unnest(parts), [plural], acronym FROM known WHERE plural IS NOT NULL
)
SELECT DISTINCT term, found_by, says FROM sides WHERE list_has_all(terms::VARCHAR[], asked)
