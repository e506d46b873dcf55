"""What a title and an abstract are found by: their words, the terms of these, and a vector of small integers.

Text in, integers out; a weight and a vector follow from one text alone, so that an index can grow by what is new.
"""
