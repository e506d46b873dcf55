"""What it costs, measured; RESULTS.md says what was found."""

import flows  # noqa: F401 - before numpy, which it tells how many threads to start
