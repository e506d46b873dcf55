"""What a release gives back to people: what trends, citations, feeds of a query. It asks a database, and no clock."""
