-- A text that is nothing but an id or an address: no word of it is looked up, and few tables are read.
WITH named AS (
$names_ids
)
$found_named
