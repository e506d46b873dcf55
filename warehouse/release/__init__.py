"""Drafts and releases: manifests, Parquet, the database, which one is the latest, what differs between two."""
