"""Small HTTP servers that only answer questions: limits, and headers, that all of them have."""
