"""What is to be landed: files, folders, captures.csv, WARC files, and what is due at the Hub."""
