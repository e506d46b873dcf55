"""What a run does, step by step, as plain functions: one module a step. No Prefect here: the flows add it."""
