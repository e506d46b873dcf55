"""Transformations of the data. Pure: bytes or frames in, frames out; no I/O, no clock, no environment."""
