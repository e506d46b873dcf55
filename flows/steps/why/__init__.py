"""Why a release differs from an older one: what it would be, had less changed (docs/changes.md)."""
