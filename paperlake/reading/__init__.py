"""The Python interface: a lake, its releases, and what they answer. Nothing here writes a lake."""
