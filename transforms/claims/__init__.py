"""Extracting the system that a paper names and the results that it claims, each as a span of title or abstract.

Plain rules over declared words: text in, values out, no model, no network. The rules of `main_system` and `results` are
listed at the top of these modules, by the names that the column `rule` has. A null beats a guess.
"""
