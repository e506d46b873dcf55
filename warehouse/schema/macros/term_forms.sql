-- Each acronym stands for its long form, and the other way round where the query has all terms of that; its plural is
-- often another term, as the stem of `llms` is `llms`.
WITH known AS (
    SELECT
        asked,
        long_form,
        acronym,
        string_split(form_terms, ' ') AS parts,
        CASE WHEN plural IS NULL THEN [term] ELSE [term, plural] END AS owns
    FROM mart.acronyms, (SELECT terms::VARCHAR[] AS asked)
),
sides AS (
    SELECT
        asked,
        unnest(
            [{'given': [own], 'term': own, 'found_by': parts, 'says': long_form} for own in owns]
            || flatten([
                [{'given': [own], 'term': own, 'found_by': [other], 'says': NULL} for other in owns if other <> own]
                for own in owns
            ])
            || flatten([
                [{'given': parts, 'term': part, 'found_by': [own], 'says': acronym} for part in parts] for own in owns
            ])
        ) AS side
    FROM known
    WHERE list_has_any(asked, owns || parts)
)
SELECT DISTINCT side.term AS term, side.found_by AS found_by, side.says AS says
FROM sides
WHERE list_has_all(asked, side.given)
UNION ALL
-- What others write in one word: `qwen 3` is qwen3
SELECT unnest([name, number]), [name || number], NULL
FROM (
    SELECT name, unnest([one for one in asked if regexp_full_match(one, '[0-9]+')]) AS number
    FROM (
        SELECT asked, unnest([one for one in asked if regexp_full_match(one, '[a-z]+')]) AS name
        FROM (SELECT terms::VARCHAR[] AS asked)
        WHERE len(asked) <= $most_corrected
    )
)
