"""Erasing a person: who is meant, where something of theirs is, the order in which it goes, the receipt; no Prefect."""
