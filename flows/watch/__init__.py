"""What whoever watches a lake is told: metrics, the endpoints of `serve`, alerts, a check-up. No Prefect."""
