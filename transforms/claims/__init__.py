"""Extracting the system that a paper names and the results that it claims, each as a span of title or abstract.

Plain rules over declared words: text in, values out, no model, no network. The rules of `main_system` and `results` are
listed at the top of these modules, by the names that the column `rule` has. A null beats a guess.
"""

from transforms.claims.extract import EXTRACTOR_VERSION, claims_in, systems_in
from transforms.claims.one_abstract import claims_of
from transforms.systems.main_system import system_of

__all__ = ["EXTRACTOR_VERSION", "claims_in", "claims_of", "system_of", "systems_in"]
