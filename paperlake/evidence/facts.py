"""Facts that evidence is made of, and what ties them to a release, and a release to the log of the lake.

A fact is a row of a release by its key, with the columns that are to be shown. A paper on a list day, its counts at a
moment and the sentence of a claim are rows too, with the columns they need. What ties it: Merkle proofs, manifest,
moves, signatures.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any, Final

import polars as pl

from flows.documents.roots import LEAF_COLUMNS, ROOTS, page_leaves, path_to, rank_leaf, rank_rows, root_of
from paperlake.answers.one_paper import paper_named, require_there
from paperlake.evidence.check_evidence import RANK_FORMAT
from paperlake.reading.moments import day_of, instant
from warehouse.archive.captured import ID_LENGTH
from warehouse.archive.warc_write import utc_text
from warehouse.errors import Damaged, NothingThere, UsageError
from warehouse.release import moves
from warehouse.release.chain import move_key, signature_key
from warehouse.release.latest import LATEST, MANIFEST, SIGNATURE, erasures, record_key, release_key, stored_manifest
from warehouse.release.manifest import Latest, Manifest, digest
from warehouse.release.query import Database
from warehouse.release.snapshot import Snapshot
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.claims import PAPER_CLAIMS
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.papers import PAPER_OBSERVATIONS, PAPER_TEXTS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.ddl import qualified, quoted
from warehouse.schema.table import Table
from warehouse.store.store import Store, read_if_there

SHOWN_THEN: Final = f"""
SELECT upvote_count, observed_at FROM {qualified(SIGHTINGS)} WHERE capture_id = $1 AND paper_id = $2
ORDER BY position LIMIT 1
"""  # noqa: S608 - a declared name
LAST_BY: Final = f"""
SELECT max(observed_at) FROM {qualified(PAPER_OBSERVATIONS)}
WHERE paper_id = $1 AND observed_at <= $2 AND upvote_count IS NOT NULL
"""  # noqa: S608 - a declared name
ABSTRACT: Final = f"SELECT abstract FROM {qualified(PAPER_TEXTS)} WHERE paper_id = $1"  # noqa: S608 - a declared name
TABLES: Final = {table.name: table for table in CORE_TABLES if "capture_id" in table.column_names}


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of a table, by its key, and the values of it that are the fact; `capture_id` is the row's page.

    `kind` is what is said of it in words; `spans` has the place in the abstract of each value that is a part of it;
    `tables` are those that the values are in.
    """

    kind: str
    table: Table
    key: Mapping[str, Any]
    values: Mapping[str, Any]
    capture_id: str
    spans: Mapping[str, tuple[int, int]]
    tables: Sequence[Table]

    @property
    def paper_id(self) -> str | None:
        """The paper that it is about; None for a fact about a page or a day."""
        found = (self.values | self.key).get("paper_id")  # type: ignore[operator]
        return str(found) if found is not None else None


def row_fact(database: Database, name: str, key: Mapping[str, str], columns: Sequence[str] = ()) -> Fact:
    """A row of any table that names the page of a row; all its columns where none is chosen.

    UsageError where there is no such table or column, NothingThere where there is no such row, or not yet.
    """
    table = TABLES.get(name)
    if table is None:
        near = get_close_matches(name, TABLES) or sorted(TABLES)
        raise UsageError(f"{name!r} is no table whose rows name the page behind them; such are {', '.join(near)}")
    if set(key) != set(table.key):
        raise UsageError(f"a row of {name} is named by {' '.join(f'{one}=…' for one in table.key)}")
    if unknown := set(columns) - set(table.column_names):
        raise UsageError(f"{name} has no column {min(unknown)!r}; it has {', '.join(table.column_names)}")
    given = {one: _typed(table, one, key[one]) for one in table.key}
    row = _row(database, table, given)
    if row["capture_id"] is None:
        raise NothingThere(f"no page is behind this row of {name}: nothing came that could be read")
    chosen = [one for one in table.column_names if one in (columns or row.keys() - {"capture_id"})]
    for one in chosen:
        require_there(row, one)
    return Fact("row", table, given, {one: row[one] for one in chosen}, row["capture_id"], {}, (table,))


def listing_fact(database: Database, paper: str, day: str) -> Fact:
    """A paper on the list of a day: its place, and the upvotes that the same page showed."""
    listed_on = _typed(DAILY_LISTINGS, "listed_on", day)
    key = {"listed_on": listed_on, "paper_id": paper_named(database, paper)}
    row = _row(database, DAILY_LISTINGS, key)
    shown = next(database.rows(SHOWN_THEN, [row["capture_id"], key["paper_id"]]).rows, (None, None))
    values = {"listed_on": listed_on, "rank": row["rank"], "upvote_count": shown[0], "observed_at": shown[1]}
    return Fact("listing", DAILY_LISTINGS, key, values, row["capture_id"], {}, (DAILY_LISTINGS, SIGHTINGS))


def count_fact(database: Database, paper: str, moment: str) -> Fact:
    """The upvotes of a paper as it was last seen by a moment."""
    paper_id = paper_named(database, paper)
    [(at,)] = database.rows(LAST_BY, [paper_id, instant(moment)]).rows
    if at is None:
        raise NothingThere(f"no page that was fetched by {moment} UTC shows upvotes of {paper_id}")
    key = {"paper_id": paper_id, "observed_at": at.isoformat()}
    made = row_fact(database, PAPER_OBSERVATIONS.name, key, ("observed_at", "upvote_count"))
    return replace(made, kind="count")


def claim_fact(database: Database, paper: str, position: int) -> Fact:
    """A claim of a paper: its sentence, word by word, and the number in it."""
    key = {"paper_id": paper_named(database, paper), "position": position}
    row = _row(database, PAPER_CLAIMS, key)
    [(abstract,)] = database.rows(ABSTRACT, [key["paper_id"]]).rows
    spans = {"sentence": (row["sentence_start"], row["sentence_end"]), "text": (row["span_start"], row["span_end"])}
    values = {name: abstract[start:end] for name, (start, end) in spans.items()} | {"value": row["value"]}
    return Fact("claim", PAPER_CLAIMS, key, values, row["capture_id"], spans, (PAPER_CLAIMS, PAPER_TEXTS))


def plain(value: object) -> Any:  # noqa: ANN401 - of JSON
    """A value of a table as JSON has it: instants with Z, days as text."""
    if isinstance(value, datetime):
        return utc_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def _row(database: Database, table: Table, key: Mapping[str, Any]) -> dict[str, Any]:
    require_there(database.names, table.name)
    wanted = " AND ".join(f"{quoted(name)} = ${number}" for number, name in enumerate(key, 1))
    query = f"SELECT * FROM {qualified(table)} WHERE {wanted}"  # noqa: S608 - declared names
    row = next(database.rows(query, list(key.values())).dicts(), None)
    if row is None:
        named = ", ".join(f"{name} {plain(value)}" for name, value in key.items())
        raise NothingThere(f"{table.name} has no row with {named}; \"paperlake sql 'FROM {table.name}'\" shows them")
    return row


def _typed(table: Table, name: str, text: str) -> Any:  # noqa: ANN401 - as the column is declared
    """A part of a key as its column has it; UsageError where the text is none."""
    kind = table.column(name).dtype
    try:
        if kind == pl.Date:
            return day_of(text)
        return instant(text) if isinstance(kind, pl.Datetime) else int(text) if kind.is_integer() else text
    except ValueError as error:
        raise UsageError(f"{name}={text}: {table.name} has there a number") from error


def corrected_value(column: str, seen: str | None, reason: str) -> NothingThere:
    """The error of a value that the release corrected: its page says another."""
    says = "the page has none" if seen is None else f"the page says {seen}"
    own = "there is no evidence of a correction but its own"
    return NothingThere(f"this value of {column} was corrected ({reason}): {says}; {own}")


NO_ROOTS: Final = "has no {}: it is older than such proofs; prove a place by a newer release"


def has_roots(release: Snapshot[Manifest]) -> bool:
    """Whether a release has the roots of its trees; those of an older paperlake have not."""
    return any(file.key == ROOTS for file in release.of.files)


def page_proofs(release: Snapshot[Manifest], names: Sequence[str]) -> dict[str, Any]:
    """Page → its place in the tree of all pages of the release, and the hashes up to the root."""
    leaves = page_leaves(release.scan)
    places = {leaf[:ID_LENGTH].decode(): at for at, leaf in enumerate(leaves)}
    places = {name: places[name] for name in names}
    return {
        name: {"index": at, "size": len(leaves), "path": [one.hex() for one in path_to(leaves, at)]}
        for name, at in places.items()
    }


def rank_certificate(release: Snapshot[Manifest], paper_id: str, day: date) -> dict[str, Any]:
    """A paper's place on a day's list, and the hashes up to the root of that list.

    NothingThere where the list has no such paper, the release no roots, or the place was corrected.
    """
    if CORRECTIONS.name in release.tables:
        cell = {"table_name": DAILY_LISTINGS.name, "paper_id": paper_id, "column_name": "rank"}
        corrected = release.scan(CORRECTIONS.name, [*cell, "row_key", "value_seen", "reason"]).filter(**cell).collect()
        for *_, key, seen, reason in corrected.rows():
            if json.loads(key)["listed_on"] == day.isoformat():
                raise corrected_value("rank", seen, reason)
    if not has_roots(release):
        raise NothingThere(f"release {release.of.version} {NO_ROOTS.format(ROOTS)}")
    rows = rank_rows(release.scan, day).rows()
    at = next((number for number, row in enumerate(rows) if row[1] == paper_id), None)
    if at is None:
        raise NothingThere(f"{paper_id} is not on the daily list of {day} in release {release.of.version}")
    return certificate_at(release.of.version, rows, at)


def certificate_at(version: str, rows: Sequence[Sequence[Any]], at: int) -> dict[str, Any]:
    """The rank certificate of one of the rows of a list, which `rank_rows` gives."""
    leaves = [rank_leaf(row) for row in rows]
    return {
        "format": RANK_FORMAT,
        "release": version,
        **{name: plain(value) for name, value in zip(LEAF_COLUMNS, rows[at], strict=True)},
        "index": at,
        "papers": len(leaves),
        "path": [one.hex() for one in path_to(leaves, at)],
        "root": root_of(leaves).hex(),
    }


def tables_of(release: Snapshot[Manifest], fact: Fact) -> list[dict[str, Any]]:
    """The Parquet files that have the row of the fact, with the hashes that the manifest states."""
    found = []
    for table in fact.tables:
        wanted = {name: fact.key[name] for name in table.key if name in fact.key}
        wanted |= {"capture_id": fact.capture_id} if "capture_id" in table.key else {}
        wanted |= {"paper_id": fact.paper_id} if fact.paper_id and "paper_id" in table.column_names else {}
        held = release.tables[table.name].files
        found += [
            {"table": table.name, "file": file.key, "sha256": file.sha256}
            for file in held
            if not release.select(table, list(wanted), [file]).filter(**wanted).is_empty()
        ]
    return found


def logged(store: Store, manifest: Manifest) -> tuple[dict[str, Any], dict[str, bytes]]:
    """A release in the log: the newest move that names it, and the head; then the files that show both.

    The files stand by their keys, with what is signed of them. Damaged where the log is not sound.
    """
    past = moves.moves(store)
    named = next(move for move in reversed(past) if move.version == manifest.version)
    data = {move.number: store.read(_key(move, past[-1])) for move in past[named.number - 1 :]}
    if sorted(data) != list(range(named.number, past[-1].number + 1)):
        raise Damaged(f'moves of {store.url} are missing; run "paperlake verify"')
    head, stored = data[past[-1].number], stored_manifest(store, manifest)
    folder = {ROOTS, SIGNATURE} if any(file.key == ROOTS for file in manifest.files) else {SIGNATURE}
    keys = [*(release_key(manifest.version, name) for name in sorted(folder)), signature_key(digest(head))]
    files = {_key(move, past[-1]): data[move.number] for move in past[named.number - 1 :]}
    files |= {release_key(manifest.version, MANIFEST): stored}
    files |= {key: found for key in keys if (found := read_if_there(store, key)) is not None}
    hashes = {digest(one) for one in files.values()}
    if (
        past[-1].erasures
        and not {move.previous_sha256 for move in past[named.number :]} | {named.manifest_sha256} <= hashes
    ):
        files |= {record_key(one.name): store.read(record_key(one.name)) for one in erasures(store)}
    log = {
        "move": named.number,
        "moved_at": named.moved_at,
        "head": past[-1].number,
        "head_sha256": digest(head),
    }
    return log, files


def _key(move: Latest, head: Latest) -> str:
    return LATEST if move.number == head.number else move_key(move.number)
