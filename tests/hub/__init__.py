"""A stand-in for the Hub: invented papers at the source's addresses, over real HTTP, with faults on demand."""
