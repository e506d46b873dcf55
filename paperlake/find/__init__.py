"""Finding papers in a release: the query language, ranking by the tables of the index, and reasons for each hit.

`paperlake search` and `similar` use it. No Prefect, no network; a query is a value, and is never made into SQL.
"""
