"""`paperlake sql` and `tables`: a process that queries the database within limits, and the formats of its answers."""
