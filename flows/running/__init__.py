"""How a run is run: plainly or as Prefect's flow run, Prefect's own server, how each run ended, alerts, lineage."""
