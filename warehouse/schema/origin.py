"""Origins of values, with the terms under which they may be used: every column names one of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Origin:
    """Who made the values. `licence` is an SPDX id, or `LicenseRef-…` for terms that SPDX does not list."""

    name: str
    title: str
    meaning: str
    licence: str
    licence_url: str


ARXIV: Final = Origin(
    "arxiv",
    "arXiv",
    "Metadata of the paper as arXiv gives it away (titles, abstracts, author names, ids, dates), passed on by the Hub.",
    "CC0-1.0",
    "https://creativecommons.org/publicdomain/zero/1.0/",
)
HUB: Final = Origin(
    "hub",
    "Hugging Face Hub",
    "What the Hub and its users add (votes, lists, people's logins, organizations, links, generated summaries and "
    "keywords). The Hub grants no open licence for it: its terms of service say what may be done.",
    "LicenseRef-Hugging-Face-Terms-of-Service",
    "https://huggingface.co/terms-of-service",
)
PAPERLAKE: Final = Origin(
    "paperlake",
    "paperlake",
    "What paperlake computes, counts or notes down (identities, digests, fetch times, states, checks).",
    "Apache-2.0",
    "https://www.apache.org/licenses/LICENSE-2.0",
)
ORIGINS: Final = (ARXIV, HUB, PAPERLAKE)
