"""The causes of differences between two releases, and the table of a release that records them."""
