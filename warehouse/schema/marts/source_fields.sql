-- One row per field of the list items: where the source has it and since when, as the dictionary declares it.
-- The rows are rendered from the declarations (source_fields.py); other marts join them instead of naming days.
SELECT field, source_path, since_on
FROM (VALUES
    $rows
) AS fields (field, source_path, since_on)
