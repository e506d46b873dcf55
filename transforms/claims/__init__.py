"""What a paper built and what it says it reached, each as a span of the text it stands in."""

from transforms.claims.extract import claims_of
from transforms.claims.systems import system_of

__all__ = ["EXTRACTOR_VERSION", "claims_of", "system_of"]

EXTRACTOR_VERSION = 1  # goes up with every change that could read a text differently
