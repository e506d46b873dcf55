"""The mapped tasks of a build: read a chunk, describe and derive cohorts, write files. `spread` is where they run."""
