"""Erasing a person: who is meant, where their data is, in which order it is erased, the receipt; no Prefect."""
