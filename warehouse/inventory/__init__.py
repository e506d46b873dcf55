"""The keys of a lake: whose each is, what runs that were stopped left, which releases are dropped."""
