"""What must be true before a release. The only room that knows Great Expectations."""
