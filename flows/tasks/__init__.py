"""The one builder: changed cohorts in, files out. Its mapped tasks, and `spread`, where they run."""
