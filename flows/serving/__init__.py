"""The base of the small HTTP servers, which only answer requests: the limits and headers that all of them have."""
