"""An invented registry of DOIs: its answers, and a stand-in that gives them."""
