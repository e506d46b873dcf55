"""What all flows share: settings, opening the lake, progress, how steps are run, Prefect's server."""
