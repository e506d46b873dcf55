"""One function for each core table; `derive` is the order in which they are made."""
