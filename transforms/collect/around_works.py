"""What registries of DOIs say of works, as tables: `published_works`, `work_relations`."""

from __future__ import annotations

import html
import re
from datetime import datetime
from itertools import count
from typing import Any, Final

import polars as pl

from transforms.readers.reading import Reading, Work
from warehouse.schema.core.works import PUBLISHED_WORKS, WORK_RELATIONS
from warehouse.schema.table import Table
from warehouse.tex import tex

OF_WORK: Final = ("work_type", "title", "venue", "publisher", "published", "volume", "issue", "pages")
OF_RELATION: Final = ("relation", "other_doi", "arxiv_id", "update_type", "asserted_by", "stated_on")
# The entry of BibTeX for a kind of work, and what it calls the venue
ENTRIES: Final = {
    "journal-article": ("article", "journal"),
    "proceedings-article": ("inproceedings", "booktitle"),
    "book-chapter": ("incollection", "booktitle"),
}
MARKUP: Final = re.compile(r"</?[A-Za-z][A-Za-z:]{0,10}>")  # `<i>`, `<jats:sub>`
# A DOI stays as it is, as links need it, but for what would end its field, or run
HARMLESS: Final = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})


class AroundWorks:
    """The two tables in the making, page by page."""

    def __init__(self) -> None:
        self._rows: dict[Table, list[tuple[Any, ...]]] = {PUBLISHED_WORKS: [], WORK_RELATIONS: []}

    def add(self, reading: Reading, fetched_at: datetime | None, capture_id: str) -> None:
        place = count(1)
        for work in reading.works:
            said = (getattr(work, name) for name in OF_WORK)
            answer = "known" if work.is_known else "unknown"
            head = (work.registry, work.doi, fetched_at)
            self._rows[PUBLISHED_WORKS].append((capture_id, *head, answer, *said, bibtex_fields(work)))
            self._rows[WORK_RELATIONS] += [
                (capture_id, next(place), *head, *(getattr(one, name) for name in OF_RELATION))
                for one in work.relations
            ]

    def frames(self) -> tuple[pl.DataFrame, ...]:
        return tuple(
            table.conform(pl.DataFrame(rows, schema=table.schema, orient="row")) for table, rows in self._rows.items()
        )


def bibtex_fields(work: Work) -> str | None:
    r"""What an entry says of a work: its kind, then its fields in TeX; None of a kind without an entry of its own.

    >>> bibtex_fields(Work(registry="crossref", doi="10.5555/a_b", work_type="journal-article", venue="J. of Looms"))
    'article\n  journal = {J. of Looms},\n  doi = {10.5555/a_b}'
    """
    kind, venue = ENTRIES.get(work.work_type or "", ("", ""))
    if not kind or not work.venue:
        return None
    fields = {
        venue: work.venue,
        "volume": work.volume,
        "number": work.issue,
        "pages": work.pages,
        "publisher": work.publisher,
        "year": (work.published or "")[:4],
    }
    plain = {name: html.unescape(MARKUP.sub("", value or "")) for name, value in fields.items()}
    lines = [f"{name} = {{{tex(value)}}}" for name, value in plain.items() if value]
    return f"{kind}\n  " + ",\n  ".join([*lines, f"doi = {{{work.doi.translate(HARMLESS)}}}"])
