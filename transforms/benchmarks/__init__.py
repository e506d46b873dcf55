"""Finding the benchmarks that a text names."""
