"""What is kept, and where: declarations, the object store, the archive, the database, releases."""
