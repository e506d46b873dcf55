"""Monitoring of a lake: metrics, the endpoints of `serve`, alerts, the check-up, lineage. No Prefect."""
