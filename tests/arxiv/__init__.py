"""The stand-in arXiv: invented papers in the shapes of its OAI-PMH interface, and how it misbehaves."""
