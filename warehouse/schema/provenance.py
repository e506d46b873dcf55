"""Source precedence: which value wins when captures, or places in one answer, disagree.

`papers`, `daily_listings` and `conflicts` are computed from it, the dictionary and the macro `source_rank` are
rendered from it, docs/history.md explains it.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

Source = Literal["copy", "text", "html", "api"]

# Least trusted first. A copy (by a mirror site, another archive) may have been rewritten; saved text has lost its LaTeX
# and the years of its dates; an HTML page may lack the abstract (docs/source.md §8).
SOURCES: Final[tuple[Source, ...]] = get_args(Source)
COPY: Final[Source] = "copy"

CRITERIA: Final = {
    "stated": "a day that was stated before one whose year was inferred",
    "source": f"a more trusted source before a less trusted one ({' before '.join(reversed(SOURCES))})",
    "inner": "the value in `paper` before the one around it in the same answer",
    "own_list": "the day's own list before another answer that names the day",
    "latest": "what was seen last; a page of unknown fetch time counts as the earliest",
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
