"""The sources: `Hub`, and those beside it, are polite HTTP clients that return pages byte for byte. No Prefect here."""
