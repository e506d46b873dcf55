"""The JSON records that describe drafts and releases: the same content gives the same bytes."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from warehouse.errors import Damaged

T = TypeVar("T")
Version = Annotated[str, Meta(pattern=r"^[0-9]{4}\.[0-9]{2}\.[0-9]{2}\.[1-9][0-9]{0,8}$")]
Key = Annotated[str, Meta(pattern=r"^([A-Za-z0-9_][A-Za-z0-9._-]*/)*[A-Za-z0-9_][A-Za-z0-9._-]*$")]  # never climbs


# How a release differs from its parent (warehouse/release/schema_changes.py); empty in those of an older paperlake
ReleaseKind = Literal["", "data", "correction", "structure"]
LONG_TERM: Final = timedelta(days=1827)  # five years, with two leap days at most


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of records that are hashed or signed.

    A field that this paperlake does not know is refused, since nobody would see what it says. So a paperlake that adds
    one counts `LAKE_FORMAT` up.
    """


class File(Record, frozen=True, omit_defaults=True):
    """One file of a release; `key` is relative to the release.

    `row_count` is that of a table's file, `first_on` and `last_on` are its first and last list day, where it has list
    days; releases of an older paperlake lack all three.
    """

    key: Key
    bytes: int
    sha256: str
    row_count: int | None = None
    first_on: str | None = None
    last_on: str | None = None


class TableFiles(Record, frozen=True):
    """One table of a release. `first_on` and `last_on` are ISO days where the table has list days.

    `schema_sha256` is the `schema_digest` of a core table: empty for a mart, and in releases of an older paperlake.
    `cohort_rows` is the declared one, by which the table was cut; None where it is not cut by cohort.
    """

    name: str
    row_count: int
    files: tuple[File, ...]
    first_on: str | None = None
    last_on: str | None = None
    schema_sha256: str = ""
    cohort_rows: int | None = None


class Parent(Record, frozen=True):
    """The release that another one follows; by the hash of its manifest a rewritten past is detected."""

    version: Version
    manifest_sha256: str


class Decision(Record, frozen=True, omit_defaults=True):
    """A decision about a captured page: `set_aside` by the gate, `disowned` or `confirmed` by a person.

    Nothing is taken from a page that is set aside or disowned; the gate does not judge one that is confirmed. `rule` is
    the check that failed, `since` an ISO instant, UTC, `against` the page with which it does not agree; `before` is
    the decision that this one took the place of.
    """

    capture_id: str
    standing: Literal["set_aside", "disowned", "confirmed"]
    why: str
    since: str
    rule: str = ""
    against: str = ""
    before: Decision | None = None

    @property
    def is_aside(self) -> bool:
        return self.standing != "confirmed"


Decisions: TypeAlias = tuple[Decision, ...]


def set_aside_count(decisions: Decisions) -> int:
    """From how many captured pages nothing is taken."""
    return sum(one.is_aside for one in decisions)


class Draft(Record, frozen=True, omit_defaults=True):
    """The tables of a future release. `report` is the gate's, as JSON.

    `kept` are the keys of the files that lie in the parent, unchanged, and nowhere else; `source_changes` says how the
    source changed since the parent, a line each. `code_sha256` is the hash of the code that made the tables, empty in
    those of an older paperlake: where two releases have the same, our code explains no difference between them.
    `decisions` are of its pages, by `capture_id`.
    """

    draft_id: str
    schema_version: int
    code_version: str
    parent: Parent | None
    capture_count: int
    captures_sha256: str
    tables: tuple[TableFiles, ...]
    kept: tuple[Key, ...] = ()
    report: msgspec.Raw = msgspec.Raw(b"null")
    source_changes: tuple[str, ...] = ()
    code_sha256: str = ""
    decisions: tuple[Decision, ...] = ()


class ErasureNote(Record, frozen=True):
    """A note of an erasure: when (an ISO instant, UTC), under which rule, and its record's name and hash.

    In a manifest `sha256` is empty, since the record contains the manifest's hash.
    """

    name: Annotated[str, Meta(pattern=r"^[0-9a-f]{8}-[1-9][0-9]{0,5}$")]
    erased_at: str
    why: str
    sha256: str = ""


class Manifest(Record, frozen=True, omit_defaults=True):
    """A release: what it is made from, what it follows, every file of it with its hash, what was checked.

    `marts` are computed from `tables`, and stored as Parquet too. `code_sha256` is the draft's; `kept_until` is the ISO
    day until which a release is kept long-term, empty for all others; `erasures` note each person erased from the
    release since it was published; `decisions` are the draft's. Fields that an older paperlake did not write stay
    absent; `schema_sha256` only 0.1.0 wrote.
    """

    version: Version
    schema_version: int
    code_version: str
    parent: Parent | None
    capture_count: int
    captures_sha256: str
    tables: tuple[TableFiles, ...]
    files: tuple[File, ...]
    checks: msgspec.Raw = msgspec.Raw(b"null")
    marts: tuple[TableFiles, ...] = ()
    code_sha256: str = ""
    kind: ReleaseKind = ""
    kept_until: str = ""
    erasures: tuple[ErasureNote, ...] = ()
    schema_sha256: str = ""
    decisions: tuple[Decision, ...] = ()


class KeptUntil(Record, frozen=True):
    """A release that is kept longer than the retention rule says, until the ISO day `kept_until`, and why."""

    version: Version
    kept_until: str
    why: str


class Erratum(Record, frozen=True):
    """A release that was retracted, why, and which parts are wrong: `table` or `table:key`; all where none is named.

    `retracted_at` is an ISO instant, UTC.
    """

    version: Version
    retracted_at: str
    why: str
    affected: tuple[str, ...] = ()


class Latest(Record, frozen=True):
    """`releases/latest.json`: the release that readers open, and the move that made it so.

    Moves are counted from 1; `moved_at` is an ISO instant, UTC, and `why` is for a person. A move that drops releases
    names them in `dropped` and leaves the latest as it is; so a move to a release and its drop are in a definite order.
    `previous_sha256` is the hash of the previous record; empty in the first one, and in those of an older paperlake.
    `errata` are all retracted releases, `kept` those kept longer than by rule, `erasures` all erasures; every move
    passes them on. `lake_format` and `code_version` stand there from the second format of a lake on.
    """

    version: Version
    manifest_sha256: str
    number: Annotated[int, Meta(ge=1)] = 1
    moved_at: str = ""
    why: str = ""
    dropped: tuple[Version, ...] = ()
    previous_sha256: str = ""
    errata: tuple[Erratum, ...] = ()
    kept: tuple[KeptUntil, ...] = ()
    erasures: tuple[ErasureNote, ...] = ()
    lake_format: int | UnsetType = UNSET
    code_version: str | UnsetType = UNSET

    def erratum(self, version: str) -> Erratum | None:
        """Why a release is retracted; None for one that is not."""
        return next((one for one in self.errata if one.version == version), None)


class Dropped(Record, frozen=True):
    """`dropped.json` at the address of a release whose files a retention command has removed, and by which rule."""

    version: Version
    manifest_sha256: str
    dropped_at: str
    why: str


def long_term(version: str, parent: str | None) -> str:
    """The ISO day until which the first release of a quarter is kept by rule; empty for any other release.

    >>> long_term("2026.10.01.1", "2026.09.30.2"), long_term("2026.10.02.1", "2026.10.01.1")
    ('2031-10-02', '')
    """
    day, before = released_on(version), released_on(parent) if parent else None
    is_first = before is not None and (before.year, (before.month - 1) // 3) < (day.year, (day.month - 1) // 3)
    return (day + LONG_TERM).isoformat() if is_first else ""


def released_on(version: str) -> date:
    """The day in the name of a release."""
    return date(*map(int, version.split(".")[:3]))


def encode(value: object) -> bytes:
    """Indented JSON, fields in declared order, so that the same content is the same bytes."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def packed(value: object) -> bytes:
    """The same in one line, for what each release has of its own: spaces would be a third of it."""
    return msgspec.json.format(msgspec.json.encode(value), indent=-1) + b"\n"  # what is `Raw` may have spaces


def decode(data: bytes, kind: type[T], name: str) -> T:
    """Read back JSON that any version wrote, packed or not; Damaged, which names it, where it is something else."""
    try:
        found = msgspec.json.decode(data, type=kind)
        if data not in (packed(found), encode(found)):  # another version's, or something more is in it
            _require_no_doubles(data)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise Damaged(f"{name} is not what paperlake wrote: {error}; restore it from a copy") from error
    return found


def _require_no_doubles(data: bytes) -> None:
    """Raise ValueError where an object has a key twice, of which readers would take the one or the other."""
    from json import loads

    def once(pairs: list[tuple[str, object]]) -> None:
        if len(names := [name for name, _ in pairs]) > len(set(names)):
            raise ValueError(f"key {max(names, key=names.count)!r} is there twice")

    loads(data, object_pairs_hook=once)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def identity_of(*parts: object) -> str:
    """A short id for content: 16 hex digits over the JSON of its parts."""
    return digest(msgspec.json.encode(parts))[:16]
