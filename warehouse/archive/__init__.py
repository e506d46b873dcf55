"""The raw zone: captures in WARC files, their index and their journal. Byte for byte; nothing is read into tables."""
