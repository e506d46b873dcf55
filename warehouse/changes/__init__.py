"""Differences between two releases, cell by cell, and the cause of each."""
