"""What the data becomes. Pure: bytes or frames in, frames out; no I/O, no clock, no environment."""
