"""An invented GitHub."""
