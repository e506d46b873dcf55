"""Exports releases for other engines: the tables of a lake as Iceberg or Delta tables, a snapshot a release."""
