"""Answers from the database of a release: trending papers, citations, cited queries, feeds. No clock is read here."""
