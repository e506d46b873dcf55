"""What all flows share: settings, opening the lake, progress, retries, Prefect's server and its folder."""
