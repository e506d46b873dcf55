"""Finding names in a text: the system that a paper names as its own main work, and the benchmarks."""
