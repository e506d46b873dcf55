"""Finding the system that a paper names as its own main work."""
