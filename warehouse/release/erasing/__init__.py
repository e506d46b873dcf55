"""Erasing a person from releases: masking tables, databases and documents, and the record that `verify` reads."""
