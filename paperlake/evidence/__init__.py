"""Evidence that one can hand over: a fact with the captured pages behind it, a certificate, and what checks both.

`check_evidence` imports nothing of paperlake: whoever doubts reads that one file, and runs it alone.
"""
