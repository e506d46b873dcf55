"""Erasing a person: how logins and names are masked in texts and captured pages, and the ledger of erased people."""
