"""The catalog: the lists of all tables, marts and macros, and the tables about the release itself."""
