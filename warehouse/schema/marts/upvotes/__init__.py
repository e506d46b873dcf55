"""Marts of upvotes: how they grew, and which of them surprise."""
