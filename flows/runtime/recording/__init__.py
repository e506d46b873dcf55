"""How a run records itself in Prefect's database: it answers Prefect's client, and writes the rows of its server."""
