"""Finding papers in a release: the query language, ranking by the tables of the index, and reasons for each hit.

The command line and `--batch` stand on it. No Prefect, no network; a query is a value, and is never made into SQL.
"""
