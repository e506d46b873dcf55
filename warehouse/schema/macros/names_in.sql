$names_said
$names_known
-- A table in which the text has nothing to look for is not read, as nothing is joined to an empty side
named AS MATERIALIZED (
$kinds
),
-- Only what would be named by the words of a text is compared with titles
names_in AS (
    SELECT field, value, paper_id
    FROM (SELECT *, min(kind) OVER () AS first_kind FROM named),
        (
            SELECT count(*) AS title_count
            FROM core.papers JOIN (SELECT DISTINCT folded FROM named WHERE kind > 2) ON $title_folded = folded
        )
    WHERE kind = first_kind AND (kind < 3 OR title_count = 0)
)
