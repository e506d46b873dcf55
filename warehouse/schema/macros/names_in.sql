$names_said
$names_known
-- A table in which the text has nothing to look for is not read, as nothing is joined to an empty side
named AS MATERIALIZED (
$kinds
),
-- Only what would be named by the words of a text is compared with titles. The whole text comes before its parts, of
-- which each must name something: then it is the papers of all of them, or else of most
names_in AS (
    SELECT field, value, paper_id
    FROM (
        SELECT
            * EXCLUDE (title_count),
            min(part) OVER () AS first_part,
            count(DISTINCT part) OVER () AS named_count,
            count(DISTINCT part) OVER (PARTITION BY paper_id) AS shared
        FROM (SELECT *, min(kind) OVER (PARTITION BY part) AS first_kind FROM named),
            (
                SELECT count(*) AS title_count
                FROM core.papers
                    JOIN (SELECT DISTINCT folded FROM named WHERE kind > 2) ON $title_folded = folded
            )
        WHERE kind = first_kind AND (kind < 3 OR title_count = 0)
    )
    QUALIFY part = 0 OR (first_part > 0 AND named_count = part_count AND shared = max(shared) OVER ())
)
