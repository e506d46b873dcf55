"""What Prefect's server would write of one run: the part of its API that a run asks for, and the rows."""
