"""What runs, and when. The only room that knows Prefect, HTTP, the clock and the environment."""
