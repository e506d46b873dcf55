"""Storage: declarations, the object store, the archive, releases and their database; it imports no other room."""
