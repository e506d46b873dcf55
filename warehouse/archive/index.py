"""The archive's index: one CDXJ line per record, one object per month of landing. The line makes a capture landed.

A line is `urlkey timestamp {json}`, as in other web archives: the JSON's `url`, `mime`, `status`, `digest`, `length`,
`offset`, `filename` and `orig.…` are theirs; the rest is ours. The objects change by compare-and-swap alone, so that
runs which land at the same moment lose no line; lines are sorted, so the bytes do not depend on their order of arrival.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Annotated, Final, NamedTuple
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Meta, Struct, field

from warehouse.archive.captured import Capture, instant_of
from warehouse.errors import Damaged
from warehouse.store.store import Store, change_object

INDEXES: Final = "raw/index/"
SUFFIX: Final = ".cdxj"
PRINTABLE: Final = "".join(map(chr, range(0x21, 0x7F)))
Count = Annotated[int, Meta(ge=0, le=1 << 53)]  # above 2^53 readers of JSON that use doubles lose digits
Filename = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}/[0-9a-f]{32}\.warc\.gz$")]  # never climbs


class Place(NamedTuple):
    """Where a record lies: a gzip member of `length` bytes."""

    filename: str
    offset: int
    length: int


class IndexEntry(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of the index: where the record of a capture lies, and the facts of the capture apart from its bytes.

    `offset` and `length` are bytes of the WARC file: one gzip member. `date` is the record's WARC-Date, which is the
    time of landing where the fetch time is unknown. The record of a revisit has no payload; `original` is the one that
    has, and digest, payload bytes and capture id are those of the whole capture.
    """

    url: str | None = None
    content_type: str | None = field(name="mime", default=None)
    http_status: int | None = field(name="status", default=None)
    digest: str
    length: Count
    offset: Count
    filename: Filename
    capture_id: str
    payload_bytes: Count
    date: str
    fetched: str | None = field(name="fetched_at", default=None)
    damage: str | None = None
    etag: str | None = None
    failure: str | None = None
    erased: str | None = None
    orig_filename: Filename | None = field(name="orig.filename", default=None)
    orig_offset: Count = field(name="orig.offset", default=0)
    orig_length: Count = field(name="orig.length", default=0)

    @property
    def fetched_at(self) -> datetime | None:
        """When the page was fetched, UTC without zone; None where it is unknown."""
        return instant_of(self.fetched) if self.fetched else None

    @property
    def original(self) -> Place | None:
        """Where the payload of a revisit lies; None where it lies in the record itself."""
        return Place(self.orig_filename, self.orig_offset, self.orig_length) if self.orig_filename else None

    @property
    def payload_sha256(self) -> str:
        return self.digest.removeprefix("sha256:")


DECODER: Final = msgspec.json.Decoder(IndexEntry)


def entry_of(capture: Capture, *, date: str, filename: str, offset: int, length: int) -> IndexEntry:
    """The index entry of a capture whose record lies at this place; `date` is the record's WARC-Date."""
    return IndexEntry(
        url=capture.url,
        content_type=capture.content_type,
        http_status=capture.http_status,
        digest=f"sha256:{capture.payload_sha256}",
        length=length,
        offset=offset,
        filename=filename,
        capture_id=capture.capture_id,
        payload_bytes=len(capture.payload),
        date=date,
        fetched=date if capture.fetched_at else None,
        damage=capture.damage,
        etag=capture.etag,
        failure=capture.failure,
        erased=capture.erased,
    )


def render_index(entries: Iterable[IndexEntry]) -> bytes:
    """The index of these entries, in the order of CDXJ: by key, then by time."""
    return merge_lines(b"", map(line_of, entries))


def merge_lines(text: bytes, lines: Iterable[bytes]) -> bytes:
    """The index with these lines added, each once."""
    return b"".join(line + b"\n" for line in sorted({*text.splitlines(), *lines}))


def parse_index(text: bytes, name: str) -> list[IndexEntry]:
    """The entries of an index, sorted by file and offset; Damaged, which names the index, where it cannot be read."""
    try:
        entries = [DECODER.decode(line.split(b" ", 2)[2]) for line in text.splitlines()]
    except (msgspec.DecodeError, UnicodeDecodeError, IndexError) as error:
        step = "delete it and run `paperlake land` again, which makes it from its WARC files"
        raise Damaged(f"the index {name} cannot be read ({error}); {step}") from error
    return sorted(entries, key=lambda entry: (entry.filename, entry.offset))


def url_key(url: str) -> str:
    """An address as CDXJ sorts it: the host backwards, without scheme, lower case.

    >>> url_key("https://hub.example/api/Papers?limit=9&date=2024-03-12")
    'example,hub)/api/papers?date=2024-03-12&limit=9'
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host:
        return quote(url, safe=PRINTABLE)
    query = "&".join(sorted(parts.query.split("&")))
    tail = f"{parts.path or '/'}?{query}" if query else parts.path or "/"
    key = f"{','.join(reversed(host.split('.')))}{f':{port}' if port else ''}){tail}"
    return quote(key.lower(), safe=PRINTABLE)


def line_of(entry: IndexEntry) -> bytes:
    """One line of an index."""
    key = url_key(entry.url or f"urn:{entry.digest}")
    timestamp = "".join(character for character in entry.date if character.isdigit())[:14]
    return f"{key} {timestamp} ".encode() + msgspec.json.encode(entry)


def landing_month(now: datetime) -> str:
    """The month of landing, as in the names of files and indexes.

    >>> landing_month(datetime(2026, 2, 3))
    '2026-02'
    """
    return now.date().isoformat()[:7]


def index_key(month: str) -> str:
    """The key of a month's index."""
    return f"{INDEXES}{month}{SUFFIX}"


def months_in(store: Store) -> list[str]:
    """The months that have an index."""
    keys = (key.removeprefix(INDEXES) for key in store.list(INDEXES))
    return [key.removesuffix(SUFFIX) for key in keys if key.endswith(SUFFIX)]


def read_index(store: Store) -> list[IndexEntry]:
    """Every line of every month, by file and offset; Damaged where one cannot be read."""
    keys = [index_key(month) for month in months_in(store)]
    return [entry for key in keys for entry in parse_index(store.read(key), key)]


def remove_from_index(store: Store, filenames: Collection[str]) -> None:
    """Remove the lines of files that are not stored any more."""
    for month in sorted({name.partition("/")[0] for name in filenames}):
        key = index_key(month)

        def without(stored: bytes, key: str = key) -> bytes:
            return render_index(one for one in parse_index(stored, key) if one.filename not in filenames)

        change_object(store, key, without)


def add_lines(store: Store, key: str, lines: Sequence[bytes]) -> None:
    """Add lines to an index, each once, also while others do."""
    change_object(store, key, lambda stored: merge_lines(stored, lines))
