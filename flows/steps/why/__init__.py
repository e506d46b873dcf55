"""Finds why a release differs from an older one, by what it would be, had less changed (docs/changes.md)."""
