"""The gate: what must be true of the tables before a release. The only room that knows Great Expectations."""
