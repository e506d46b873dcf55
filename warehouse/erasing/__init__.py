"""Erasure of a person: what is masked, in pages and in tables, and the two ledgers that say that it was done."""
