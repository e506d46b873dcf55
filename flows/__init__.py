"""What runs, and when: at its top only what Prefect runs, whose steps stand in `steps`.

The only room that knows Prefect, HTTP, the clock and the environment.
"""
