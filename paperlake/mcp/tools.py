"""What each tool is given and answers. Its signature and docstring are all that a client is told of it.

They run in the query process, whose lake each has first; all else is the client's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from pydantic import Field

from paperlake.answers.citations import Style
from paperlake.answers.one_paper import one_paper, paper_named, with_status
from paperlake.answers.user_query import trending as trends
from paperlake.mcp.answer_shape import MOST_BYTES, Plain, RowCells, apart, cleaned, placed, value
from paperlake.reading.lakes import Lake
from paperlake.reading.moments import instant
from paperlake.reading.release import DAY, Release
from paperlake.sql.answers import find
from warehouse.errors import UsageError
from warehouse.page_text import coding_of
from warehouse.schema.search_rules import MOST_CORRECTED

PaperGiven = Annotated[str, Field(max_length=200, description="arXiv id, address or whole title")]
MomentGiven = Annotated[str | None, Field(max_length=40, description="UTC, as 2026-11-20 or 2026-11-20T12:00")]
DayGiven = Annotated[str, Field(max_length=20, description="as 2026-11-20")]
MostHits = Annotated[int, Field(ge=1, le=50)]

WORDS: Final = 4_000  # the longest query of a search is of 500 words
PAGE_BYTES: Final = 16 << 10
TABLES: Final = """
SELECT table_name AS name, kind, call, grain, answers, row_count FROM about._tables
WHERE layer IN ('core', 'mart') ORDER BY layer DESC, table_name
"""
COLUMNS: Final = """
SELECT column_name AS name, type, meaning, unit, null_meaning, since, example FROM about._columns
WHERE layer IN ('core', 'mart') AND table_name = $1 ORDER BY layer, position
"""
ABOUT: Final = """
SELECT table_name, column_name AS name, type, meaning, unit FROM about._columns
WHERE layer IN ('core', 'mart') AND list_bool_and(list_transform(
    string_split(lower($1), ' '), lambda word: contains(lower(concat_ws(' ', table_name, column_name, meaning)), word)
)) ORDER BY table_name, position
"""
LIST_STATE: Final = (
    "SELECT source, state, reason FROM core.coverage WHERE listed_on = $1 AND is_expected ORDER BY source"
)


class LakeServed:
    """A lake, and of its releases the one that was asked last, open for the next question.

    After any move of the lake it is opened anew: a move may have retracted it, or erased a person from its files.
    """

    def __init__(self, lake: Lake, version: str | None) -> None:
        self.lake, self._version = lake, version
        self.asked: Release | None = None
        self._of: tuple[str | None, int] | None = None

    def release(self, as_of: str | None = None) -> Release:
        """The release that is served now, or the one that was the latest at a moment."""
        wanted = (as_of, self.lake.move)
        if self.asked is None or self._of != wanted:
            if as_of is not None:
                self.asked = self.lake.as_of(as_of)
            else:
                self.asked = self.lake[self._version] if self._version else self.lake.latest()
            self._of = wanted
        return self.asked


class Answered(NamedTuple):
    """The answer of a tool. Of `rows`, the list that counts, there were `total`, if that is known.

    `cut_by` is what left some out: more `rows` than were asked for, or more `bytes` of a page than are shown.
    `as_of` is the moment that was asked about.
    """

    release: Release
    body: dict[str, Plain]
    rows: Sequence[Plain]
    total: int | None = None
    cut_by: Literal["rows", "bytes"] | None = None
    as_of: str | None = None


def describe(
    served: LakeServed,
    table: Annotated[str | None, Field(max_length=100, description="for its columns")] = None,
    words: Annotated[str | None, Field(max_length=200, description="for columns whose meaning has them")] = None,
) -> Answered:
    """Tables and macros for `sql`, or the columns of one: meaning, unit, what null means, since when."""
    release = served.release()
    if table:
        found = find(release.database, table)
        rows = [_declared(row) for row in _dicts(release, COLUMNS, [found.name])]
        body = {"table": found.name, "call": found.call, "meaning": found.meaning, "columns": rows}
    elif words:
        rows = [value(row) for row in _dicts(release, ABOUT, [" ".join(words.split())])]
        body = {"columns": rows}
    else:
        rows = [value(row) for row in _dicts(release, TABLES)]
        body = {"tables": rows}
    return Answered(release, body, rows, len(rows))


def sql(
    served: LakeServed,
    query: Annotated[str, Field(max_length=20_000, description="one SELECT or FROM of DuckDB; names need no schema")],
    max_rows: Annotated[int, Field(ge=1, le=1_000)] = 100,
    as_of: MomentGiven = None,
) -> Answered:
    """Rows of one read-only query. Days without a list are gaps, not zeros: see `coverage`. `describe` has the columns.

    With `as_of`, on the release that was the latest then.
    """
    release = served.release(as_of)
    result = release.database.rows(release.database.query(query))
    columns = [{"name": cleaned(name), "type": kind} for name, kind in zip(result.columns, result.types, strict=True)]
    rows: list[RowCells] = []
    room = MOST_BYTES
    is_cut = False
    for cells in result.rows:
        if len(rows) == max_rows:
            is_cut = True
            break
        rows.append(RowCells(map(value, cells)))
        room -= len(msgspec.json.encode(rows[-1]))
        if room < 0:  # all that follows would be cut
            is_cut = next(result.rows, None) is not None
            break
    body: dict[str, Plain] = {"columns": columns, "quoted": {"rows": rows}}
    return Answered(release, body, rows, None if is_cut else len(rows), "rows" if is_cut else None, as_of)


def search(  # noqa: PLR0913, PLR0917 - what a client may say
    served: LakeServed,
    words: Annotated[
        str, Field(max_length=WORDS, description="words, a name, an id, fields such as author:, has:code")
    ],
    since: Annotated[str | None, Field(max_length=20, description="first list day")] = None,
    until: Annotated[str | None, Field(max_length=20, description="last list day")] = None,
    organization: Annotated[str | None, Field(max_length=200)] = None,
    limit: MostHits = 10,
) -> Answered:
    """Papers that match, the best first, with the reasons. All of Daily Papers, and nothing else of arXiv."""
    from paperlake.find.finder import Finder
    from paperlake.find.reasons import found_rows

    release = served.release()
    fields = [f"{name}:{instant(day).date()}" for name, day in (("since", since), ("until", until)) if day]
    fields += ['org:"{}"'.format(organization.replace('"', " "))] if organization else []
    asked = " ".join([*fields, words])  # the fields first: a quotation mark that is not closed takes what follows it
    found = Finder(release.database).search(asked, limit)
    if fields and found.items[0].field is None:
        raise UsageError(f"more than {MOST_CORRECTED} words are read as words alone; give fewer, or only the words")
    hits = [_hit(row) for row in found_rows(release.database, found, explain=True)]
    read = {"named": found.named, "corrected": found.corrected, "in_no_paper": found.unknown}
    body = {"hits": hits, "read_as": {"quoted": value({name: what for name, what in read.items() if what})}}
    return Answered(release, body, hits, found.paper_count, "rows" if found.paper_count > len(hits) else None)


def similar(
    served: LakeServed, paper_ids: Annotated[list[PaperGiven], Field(min_length=1, max_length=5)], limit: MostHits = 10
) -> Answered:
    """Papers most like one, or like several together, and what they share."""
    from paperlake.find.reasons import similar_rows

    release = served.release()
    asked = [paper_named(release.database, one) for one in paper_ids]
    more = [_hit(row) for row in similar_rows(release.database, asked, limit + 1)]
    hits = more[:limit]
    return Answered(release, {"of": asked, "hits": hits}, hits, None, "rows" if len(more) > limit else None)


def paper(served: LakeServed, paper_id: PaperGiven) -> Answered:
    """All that is known of one paper: facts, systems, claims with their places in the text, counts over time, pages.

    Each row has the `capture_id` it was read from, for `evidence`.
    """
    release = served.release()
    found = one_paper(release.database, paper_id)
    texts = found["paper"][0]
    for name in ("systems", "claims"):
        found[name] = [placed(row, texts[row.get("field", "abstract")] or "") for row in found[name]]
    found["paper"] = with_status(release.database, found["paper"])
    parts = {name: [apart(row) for row in rows] for name, rows in found.items()}
    rows = [row for part in parts.values() for row in part]
    return Answered(release, {"facts": parts.pop("paper")[0]} | parts, rows, len(rows))


def day(served: LakeServed, date: DayGiven, as_of: MomentGiven = None) -> Answered:
    """The daily list of a day as it stood at a moment, by default when last seen; whether it is whole, and why not."""
    release = served.release()
    listed_on, moment = instant(date).date(), release.moment(as_of)
    listed = _dicts(release, DAY, [listed_on, moment])
    rows = [apart(row) for row in with_status(release.database, listed, moment)]
    states = [value(row) for row in _dicts(release, LIST_STATE, [listed_on])]
    body = {"listed_on": value(listed_on), "coverage": states, "papers": rows}
    return Answered(release, body, rows, len(rows), as_of=value(moment))


def trending(
    served: LakeServed, at: MomentGiven = None, days: Annotated[int, Field(ge=1, le=60)] = 7, limit: MostHits = 10
) -> Answered:
    """What trended at a moment, by default that of the newest page, with every term of the score."""
    release = served.release()
    moment = release.moment(at)
    found = trends(release.database, moment, days, limit + 1).dicts()
    more = [apart(row) for row in with_status(release.database, found, moment)]
    rows = more[:limit]
    return Answered(release, {"papers": rows}, rows, None, "rows" if len(more) > limit else None, value(moment))


def leaderboard(
    served: LakeServed,
    benchmark: Annotated[str, Field(max_length=100, description="as AIME 2024; `benchmarks` has all")],
    at: MomentGiven = None,
    limit: MostHits = 20,
) -> Answered:
    """What papers claim on a benchmark, with sentence and day first seen. Splits, metrics, scales are never compared.

    Claims of authors, unchecked; rows with `apart_because` are not compared with others.
    """
    from paperlake.answers.one_board import one_board

    release = served.release()
    moment = instant(at) if at else None
    claims = one_board(release.database, benchmark, moment).dicts()
    every = [apart(row) for row in with_status(release.database, claims, moment)]
    rows = every[:limit]
    body = {"benchmark": value(benchmark), "claims": rows}
    is_cut = len(every) > limit
    return Answered(release, body, rows, len(every), "rows" if is_cut else None, value(moment) if moment else None)


def changes(
    served: LakeServed,
    since: Annotated[
        str | None, Field(max_length=40, description="an older release or a moment; else its parent")
    ] = None,
) -> Answered:
    """How many cells and rows changed since an older release, by cause: the world, our code, an erasure and others."""
    release = served.release()
    rows = [value(row) for row in release.why(since).iter_rows(named=True)]
    return Answered(release, {"changes": rows}, rows, len(rows))


def cite(
    served: LakeServed,
    paper_ids: Annotated[list[PaperGiven] | None, Field(max_length=50, description="none: the release")] = None,
    style: Style = "bibtex",
    query_id: Annotated[str | None, Field(max_length=80, description="of a query that was cited")] = None,
) -> Answered:
    """Citations of papers, of the release, or a recorded query: its SQL, its release, the hash of its rows."""
    release = served.release()
    if query_id:
        cited = value(served.lake.cited(query_id))
        return Answered(release, {"quoted": {"query": cited}}, [cited], 1)
    text = value(release.cite(paper_ids or None, style=style))
    rows = paper_ids or [text]
    return Answered(release, {"style": style, "quoted": {"text": text}}, rows, len(rows))


def evidence(
    served: LakeServed,
    capture_id: Annotated[str, Field(max_length=40, description="of any row")],
    offset: Annotated[int, Field(ge=0, description="first byte of the page to show")] = 0,
) -> Answered:
    """The captured page behind a row: address, moment, digest, record in the archive, and up to 16 KiB of its bytes."""
    release = served.release()
    found = release.evidence(capture_id)
    part = found.payload[offset : offset + PAGE_BYTES]
    body = {
        "capture_id": capture_id,
        "fetched_at": value(found.fetched_at),
        "http_status": found.http_status,
        "payload_sha256": found.payload_sha256,
        "payload_bytes": len(found.payload),
        "record": {"file": found.file, "offset": found.offset, "length": found.length},
        "shown": {"offset": offset, "length": len(part)},
        "quoted": {"url": value(found.url), "page": cleaned(part.decode(coding_of(found.payload), "replace"))},
    }
    is_part = offset + len(part) < len(found.payload)
    return Answered(release, body, [capture_id], 1, "bytes" if is_part else None)


Tool = Callable[..., Answered]
TOOLS: Final[tuple[Tool, ...]] = (
    *(describe, sql, search, similar, paper, day, trending, leaderboard, changes, cite, evidence),
)


def _dicts(release: Release, query: str, parameters: Sequence[object] = ()) -> Iterable[dict[str, Any]]:
    return release.database.rows(query, parameters).dicts()


def _hit(row: Mapping[str, Any]) -> dict[str, Plain]:
    """A paper that was found, without its abstract: `paper` has that."""
    shown = {name: found for name, found in row.items() if name not in {"abstract", "reasons"}}
    reasons = row["reasons"]
    return apart(shown) | {"reasons": apart(placed(reasons, reasons.get("sentence") or ""))}


def _declared(column: Mapping[str, object]) -> dict[str, Plain]:
    """A column of `describe`: what is said of it is ours, its example is of a page."""
    said = {name: value(found) for name, found in column.items() if name != "example" and found is not None}
    return said | ({"quoted": {"example": value(column["example"])}} if column["example"] is not None else {})
