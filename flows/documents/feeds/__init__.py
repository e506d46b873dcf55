"""Feeds: papers as Atom 1.0 and JSON Feed 1.1. Rows in, bytes out: the same rows are the same bytes.

An entry is named by its paper and list day, never by a release, and dated by the data, never by a clock: a feed reader
shows each paper of a list once.
"""
