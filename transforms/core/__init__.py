"""One function a core table; `derive` is the order they are made in."""
