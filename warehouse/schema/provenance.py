"""Provenance: the origins of values with their terms of use, and which source wins where captures disagree.

Every column names an origin. By precedence `papers`, `daily_listings` and `conflicts` are computed, the dictionary and
the macro `source_rank` are rendered; docs/history.md explains it.
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args


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
REGISTRY: Final = Origin(
    "registry",
    "Crossref and OpenAlex",
    "Metadata of published works as publishers deposit them with Crossref, retractions that Retraction Watch adds, and "
    "what OpenAlex joins of both and of others: facts that both give away.",
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
GITHUB: Final = Origin(
    "github",
    "GitHub",
    "How many stars a repository gained, as GitHub's API counts them for anybody: numbers, of no person. GitHub grants "
    "no open licence for them: its terms of service say what may be done.",
    "LicenseRef-GitHub-Terms-of-Service",
    "https://docs.github.com/en/site-policy/github-terms/github-terms-of-service",
)
PAPERLAKE: Final = Origin(
    "paperlake",
    "paperlake",
    "What paperlake computes, counts or notes down (identities, digests, fetch times, states, checks).",
    "Apache-2.0",
    "https://www.apache.org/licenses/LICENSE-2.0",
)
ORIGINS: Final = (ARXIV, REGISTRY, HUB, GITHUB, PAPERLAKE)


Source = Literal["copy", "text", "html", "api"]

# Least trusted first. A copy (by a mirror site, another archive) may have been rewritten; saved text has lost its LaTeX
# and the years of its dates; an HTML page may lack the abstract (docs/source.md §8).
SOURCES: Final[tuple[Source, ...]] = get_args(Source)
COPY: Final[Source] = "copy"

CRITERIA: Final = {
    "stated": "a day that was stated before one whose year was inferred, and that before one that the arXiv id "
    "contradicts",
    "source": f"a more trusted source before a less trusted one ({' before '.join(reversed(SOURCES))})",
    "inner": "the value in `paper` before the one around it in the same answer",
    "own_list": "the day's own list before another answer that names the day",
    "latest": "what was seen last, then the more trusted source; a page of unknown fetch time counts as the earliest",
}


class Precedence(NamedTuple):
    """Fields that are taken together from one sighting, and the criteria, of which the first that decides counts."""

    fields: tuple[str, ...]
    criteria: tuple[str, ...]


BEST: Final = ("source", "inner", "latest")
NEWEST: Final = ("latest",)
OF_ITS_LIST: Final = ("own_list", "inner", "latest")

# Columns of sightings that keep the outer object's value, where it differs from the inner one's (docs/source.md §2)
OUTER: Final = {
    "title": "outer_title",
    "abstract": "outer_abstract",
    "organization_login": "outer_organization_login",
    "submitter_login": "outer_submitter_login",
}
