"""The numbers of a text: found with their units, in words, in series that one phrase lists; and which are of others."""
