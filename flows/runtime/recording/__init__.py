"""One run records itself in Prefect's database, as Prefect's server would: what its client asks, and the rows."""
