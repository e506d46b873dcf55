"""`paperlake sql` and `tables`: a process that asks the database within its limits, and how its answers look."""
