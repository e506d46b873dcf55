"""Answers of registries of DOIs: `crossref_work`, the record of one work; `openalex_works`, a list of some works."""
