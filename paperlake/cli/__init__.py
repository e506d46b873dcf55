"""The command line `paperlake …`: thin commands. Those that only read import neither Prefect nor Great Expectations."""
