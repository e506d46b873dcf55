"""Indexing titles and abstracts for search: their words, the terms of these, and a vector of small integers.

Text in, integers out; a weight and a vector depend on one text alone, so that an index can grow by new texts.
"""
