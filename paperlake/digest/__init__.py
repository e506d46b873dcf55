"""The digest: subscribers, what is new to each of them, letters, the relay, and the pages on which they choose.

Addresses are in one file of this machine, in PAPERLAKE_STATE, and in the letters. They are in no lake, no log, no
parameter of Prefect's and no error: a subscriber is named by number. Prefect is known to `digest_flow` alone.
"""
