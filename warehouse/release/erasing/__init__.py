"""Erasure in releases: what of their tables is masked, the database without it, the record that `verify` follows."""
