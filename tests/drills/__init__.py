"""Long drills with a seed: 100,000 fuzzed inputs, kills at each write of each command.

`python -m tests.drills` runs them whole, the suite small.

What item number n of a seed is depends on both alone, so that one that failed can be made again.
"""
