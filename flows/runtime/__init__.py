"""What every flow stands on: settings, the lake, progress, retries, Prefect's server and home."""
