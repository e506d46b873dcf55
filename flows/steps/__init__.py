"""The steps of a run as plain functions, one module a step. No Prefect here: the flows add it."""
