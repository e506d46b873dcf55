"""The numbers of a text: found with their units, in words, and in series that one phrase lists."""
