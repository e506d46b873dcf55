"""Long drills with a seed: 100,000 fuzzed inputs, 200 kills, 50 kills of runs that send letters.

`python -m tests.drills` runs them whole, the suite small.

What item number n of a seed is depends on both alone, so that one that failed can be made again.
"""
