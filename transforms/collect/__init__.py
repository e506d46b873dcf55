"""From readings to frames: rows, cleaning, accounting, the paths of the source's fields."""
