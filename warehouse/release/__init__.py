"""Drafts and releases: manifests, Parquet, the database, which release is the latest, what differs between two."""
