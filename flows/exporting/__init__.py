"""Releases for the engines of others: the tables of a lake as Iceberg or Delta tables, a snapshot a release."""
