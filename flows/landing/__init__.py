"""What is to be landed, as captures: files, folders, folders with a captures.csv, WARC files."""
