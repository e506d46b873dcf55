"""Inputs to be landed, read as captures: files, folders, folders with a captures.csv, WARC files."""
