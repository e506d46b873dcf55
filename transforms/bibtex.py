"""`paper_citations`: each paper as an entry for BibTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

import polars as pl

from warehouse.schema.core.papers import PAPER_CITATIONS
from warehouse.tex import is_one_name, surname, tex

MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
YEAR_AND_MONTH: Final = re.compile(r"(?<!\d)(\d{2})(0[1-9]|1[0-2])")  # at the beginning of the number in an id
NINETIES: Final = 91  # arXiv began in 1991, and names its papers by two digits of the year


class Citable(NamedTuple):
    """What an entry says of a paper: columns of `papers`, and the names of its authors in order."""

    paper_id: str
    arxiv_id: str | None
    title: str | None
    published_on: date | None
    author_count: int | None
    name: Sequence[str] | None


def paper_citations(papers: pl.DataFrame, authors: pl.DataFrame) -> pl.DataFrame:
    """One row per paper, from `papers` and `paper_authors`."""
    names = authors.sort("position").group_by("paper_id", maintain_order=True).agg("name")
    joined = papers.join(names, on="paper_id", how="left").select(Citable._fields)
    entries = [entry(Citable(*row)) for row in joined.iter_rows()]
    return PAPER_CITATIONS.conform(joined.select("paper_id", bibtex=pl.Series(entries, dtype=pl.String)))


def entry(paper: Citable) -> str:
    """The entry of one paper."""
    names = [name for name in map(tex, paper.name or ()) if name]
    year, month = year_and_month(paper.published_on, paper.arxiv_id)
    key = (surname(names[0]) if names else "") or "anon"
    fields = [f"@misc{{{key}{year or ''}:{paper.paper_id}"]
    if names:
        others = " and others" if len(names) < (paper.author_count or 0) else ""
        credited = " and ".join(f"{{{name}}}" if is_one_name(name) else name for name in names)
        fields.append(f"author = {{{credited}{others}}}")
    if paper.title is not None:
        fields.append(f"title = {{{{{tex(paper.title)}}}}}")
    if year and month:
        fields += [f"year = {{{year}}}", f"month = {MONTHS[month - 1]}"]
    if paper.arxiv_id is not None:
        fields += [
            f"eprint = {{{paper.arxiv_id}}}",
            "archivePrefix = {arXiv}",
            f"doi = {{10.48550/arXiv.{paper.arxiv_id}}}",
            f"url = {{https://arxiv.org/abs/{paper.arxiv_id}}}",
        ]
    return ",\n  ".join(fields) + "\n}"


def year_and_month(published_on: date | None, arxiv_id: str | None) -> tuple[int | None, int | None]:
    """When a paper was first submitted; by its arXiv id where no page said, or a later month than the id; or neither.

    >>> year_and_month(None, "hep-th/9901001"), year_and_month(None, None)
    ((1999, 1), (None, None))
    >>> year_and_month(date(2026, 4, 16), "2502.07408"), year_and_month(date(2024, 12, 31), "2501.00001")
    ((2025, 2), (2024, 12))
    """
    said = (published_on.year, published_on.month) if published_on else None
    digits = YEAR_AND_MONTH.search(arxiv_id or "")
    if digits is None:
        return said or (None, None)
    year, month = map(int, digits.groups())
    named = year + (1900 if year >= NINETIES else 2000), month
    return min(said, named) if said else named
