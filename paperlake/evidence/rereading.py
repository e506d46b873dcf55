"""Where a captured page says a value: the rule by which anybody can read it there again, found by reading it.

A rule is only ever given after the checker's own code has read the value by it, in the bytes that go into the evidence.
What no rule finds is said to be computed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from paperlake.evidence.check_evidence import LAYOUTS, OF_ONE_PAGE, SOURCES, CheckedPage, agrees
from paperlake.evidence.facts import Fact, corrected_value, plain
from warehouse.archive.archive import Archive
from warehouse.archive.index import IndexEntry
from warehouse.errors import NothingThere
from warehouse.release.query import Database
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.papers import PAPER_TEXTS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.ddl import qualified, quoted

ON_PAGES: Final = f"""
SELECT capture_id, position, reader FROM {qualified(SIGHTINGS)} JOIN {qualified(CAPTURES)} USING (capture_id)
WHERE paper_id = $1
"""  # noqa: S608 - declared names
OWN_FIRST: Final = " ORDER BY (capture_id = $2) DESC, observed_at DESC NULLS LAST, capture_id, position LIMIT 3"
READER: Final = f"SELECT reader FROM {qualified(CAPTURES)} WHERE capture_id = $1"  # noqa: S608 - declared names
CORRECTED: Final = f"""
SELECT table_name, row_key, column_name, value_seen, reason FROM {qualified(CORRECTIONS)} WHERE paper_id = $1
"""  # noqa: S608 - declared names
Cell = tuple[str, str, str]  # table, key of the row, column, as `corrections` has them
ItemPlace = tuple[str, int | None, str | None]  # a page, the item on it, the reader


@dataclass(frozen=True)
class Rereading:
    """The values of a fact, each with its rule, and the index entries of the pages that have them."""

    values: Sequence[Mapping[str, Any]]
    entries: Sequence[IndexEntry]
    layouts: Mapping[str, str | None]


def reread(database: Database, archive: Archive, fact: Fact) -> Rereading:
    """Find each value of a fact in the pages of its row, or else in those that show the same value of the paper."""
    reader = _Reader(database, archive, fact)
    values = [reader.read(column, plain(value)) for column, value in fact.values.items() if column != "paper_id"]
    items = dict.fromkeys((one["capture_id"], one["position"]) for one in values if "position" in one)
    if fact.paper_id is not None:
        items = items or dict.fromkeys([(fact.capture_id, None)])
        values = [*(reader.read_paper(fact.paper_id, *item) for item in items), *values]
    names = dict.fromkeys([one["capture_id"] for one in values if "capture_id" in one] or [fact.capture_id])
    if not any("capture_id" in one for one in values if one["column"] != "paper_id"):
        names = dict.fromkeys([fact.capture_id])  # the page that the row was computed of
    return Rereading(values, [reader.entries[name] for name in names], reader.layouts)


class _Reader:
    def __init__(self, database: Database, archive: Archive, fact: Fact) -> None:
        self._database, self._archive, self._fact = database, archive, fact
        self.entries = {entry.capture_id: entry for entry in archive.index()}
        self.layouts: dict[str, str | None] = {}
        self._pages: dict[str, CheckedPage] = {}
        self._corrections = corrections_of(database, fact.paper_id)

    def read(self, column: str, value: object) -> dict[str, Any]:
        """The value with the first rule by which a page says it; one that was corrected has none.

        NothingThere for such a value of a row of one page, which says another.
        """
        if (corrected := self._correction(column, value)) is not None:
            seen, reason = corrected
            if self._fact.table.name in OF_ONE_PAGE:
                raise corrected_value(column, seen, reason)
            says = "the page has none" if seen is None else f"the page says {seen}"
            how = f"corrected by the publisher: {says}, reason {reason}"
            return {"column": column, "value": value, "rule": "computed", "how": how}
        for capture_id, position, layout in self._places(column, value):
            page = self._page(capture_id, layout)
            for rule in _rules(column, position, self._fact.spans.get(column)):
                found = {"column": column, "value": value, "capture_id": capture_id, **rule}
                if agrees(page, found):
                    return found
        return {"column": column, "value": value, "rule": "computed", "how": self._how(column)}

    def read_paper(self, paper_id: str, capture_id: str, position: int | None) -> dict[str, Any]:
        """The paper's id, on the item of a page that other values are of."""
        at = {} if position is None else {"position": position}
        found = {"column": "paper_id", "value": paper_id, "capture_id": capture_id, **at}
        named = {**found, "rule": "same", "source": "paper.id"}
        if position is not None and agrees(self._pages[capture_id], named):
            return named
        return {**found, "rule": "computed", "how": SIGHTINGS.column("paper_id").source_in_words}

    def _places(self, column: str, value: object) -> Iterator[ItemPlace]:
        """The row's own page, then pages that show the same value of the paper, the newest first."""
        paper_id, own = self._fact.paper_id, self._fact.capture_id
        if paper_id is None or self._fact.table is SIGHTINGS:
            position = self._fact.key.get("position") if self._fact.table is SIGHTINGS else None
            [(layout,)] = self._database.rows(READER, [own]).rows
            yield own, position, layout
            return
        on_own = f"{ON_PAGES} AND capture_id = $2{OWN_FIRST}"
        yield from self._database.rows(on_own, [paper_id, own]).rows
        if column in SIGHTINGS.column_names and not SIGHTINGS.column(column).is_bookkeeping and value is not None:
            same = f"{ON_PAGES} AND {quoted(column)} = $3{OWN_FIRST}"
            if isinstance(value, str | int) and column in SOURCES:
                yield from self._database.rows(same, [paper_id, own, self._fact.values[column]]).rows

    def _page(self, capture_id: str, layout: str | None) -> CheckedPage:
        if capture_id not in self._pages:
            if capture_id not in self.entries:
                raise NothingThere(
                    f"page {capture_id} is not in the archive of this lake: open the lake that has `raw/`"
                )
            entry = self.entries[capture_id]
            self.layouts[capture_id] = layout if layout in LAYOUTS else None
            facts = record_facts(entry, self.layouts[capture_id])
            self._pages[capture_id] = CheckedPage(facts, self._archive.read(entry).payload)
        return self._pages[capture_id]

    def _correction(self, column: str, value: object) -> tuple[str | None, str] | None:
        """The value seen and the reason, where it was corrected; not of a part of an abstract that stayed."""
        table, key, is_part = self._fact.table, self._fact.key, column in self._fact.spans
        if is_part:
            table, key, column = PAPER_TEXTS, {"paper_id": self._fact.paper_id}, "abstract"
        texts = {name: one.isoformat() if isinstance(one := key[name], date) else str(one) for name in table.key}
        found = self._corrections.get((table.name, json.dumps(texts, ensure_ascii=False), column))
        return None if found is None or (is_part and str(value) in (found[0] or "")) else found

    def _how(self, column: str) -> str:
        table = self._fact.table if column in self._fact.table.column_names else SIGHTINGS
        declared = table.column(column) if column in table.column_names else None
        return declared.source_in_words if declared else "a part of the abstract"


def corrections_of(database: Database, paper_id: str | None) -> dict[Cell, tuple[str | None, str]]:
    """The value seen and the reason of each correction of a paper; none in a release that is older than corrections."""
    rows = database.rows(CORRECTED, [paper_id]).rows if CORRECTIONS.name in database.names else ()
    return {(table, key, column): (seen, reason) for table, key, column, seen, reason in rows}


def _rules(column: str, position: int | None, span: tuple[int, int] | None) -> Iterator[dict[str, Any]]:
    """The rules that a value may be read by, those that say most first."""
    yield {"rule": "record"}
    yield {"rule": "fetched"}
    at = {} if position is None else {"position": position}
    for source in SOURCES.get(column, ()) if at else ():
        if span:
            yield {"rule": "span", "source": source, "start": span[0], "end": span[1], **at}
        yield from ({"rule": rule, "source": source, **at} for rule in ("same", "line", "instant", "day"))
    if at:
        yield {"rule": "place", **at}
        yield {"rule": "absent", "source": " or ".join(SOURCES.get(column, ())), **at}
    yield {"rule": "asked"}
    yield {"rule": "in_text"}


def record_facts(entry: IndexEntry, layout: str | None) -> dict[str, Any]:
    """The entry of a captured page in a certificate."""
    return {
        "capture_id": entry.capture_id,
        "url": entry.url,
        "fetched_at": entry.fetched,
        "http_status": entry.http_status,
        "content_type": entry.content_type,
        "payload_sha256": entry.payload_sha256,
        "payload_bytes": entry.payload_bytes,
        "erased": entry.erased,
        "layout": layout,
    }
