"""What a release holds: the lists of all tables, marts and macros, and the tables that tell of the release itself."""
