"""Mutated heads of WARC records and lines of the index: refused or damaged, and said so, and the rest is still read."""

import gzip
import random
import re
import time
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests import invented
from tests.drills.fuzz import LIMITS, NOW, Fuzzed
from tests.drills.mutations import mutated
from warehouse.archive.archive import Archive, Damage
from warehouse.archive.captured import Capture, Failed, Notice, Refused, Revisit
from warehouse.archive.index import IndexEntry, index_key, landing_month, line_of
from warehouse.archive.warc_file import WarcFile, read_record
from warehouse.archive.warc_import import read_warc
from warehouse.archive.writer import WARCS, refusal
from warehouse.errors import Damaged
from warehouse.store.opening import open_store

LENGTH: Final = re.compile(rb"(?i)content-length:[^\r\n]*")
LATER: Final = datetime(2026, 11, 21, 7, 0)
PAGES: Final = tuple(b'[{"paper": %d}]' % number * 9 for number in range(4))
# As other tools write them: kind, further lines, block
FOREIGN: Final = (
    ("response", "Content-Type: application/http; msgtype=response", b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n" + b"one" * 9),
    (
        "response",
        "WARC-Payload-Digest: sha1:ABC",
        b"HTTP/1.1 200\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"two"),
    ),
    ("response", "Content-Type: text/dns", b"20240313\nhub.example. 60 IN A 192.0.2.1"),
    ("resource", "Content-Type: text/plain\r\nWARC-Truncated: length", b"saved by hand"),
    ("request", "Content-Type: application/http; msgtype=request", b"GET / HTTP/1.1\r\nHost: hub.example\r\n\r\n"),
    ("revisit", f"WARC-Payload-Digest: sha256:{'0' * 64}", b"HTTP/1.1 304 Not Modified\r\n\r\n"),
)


class Record(NamedTuple):
    """A record: its head and that of its HTTP answer, where mutations are, and the rest."""

    head: bytes
    rest: bytes


def outcomes() -> Iterable[Capture | Failed]:
    """What lands as records of every kind of ours: pages, a page again (a revisit), a file, a failed attempt."""
    url, page = f"{invented.HUB}/api/daily_papers?date=2026-10-0", PAGES[0]
    headers = (("Content-Type", "application/json"), ("ETag", '"a"'), ("X-Words", "as they came"))
    yield Capture(payload=page, url=f"{url}1", fetched_at=NOW, http_status=200, etag='"a"', headers=headers)
    yield Capture(payload=PAGES[1], url=f"{url}2", fetched_at=NOW, http_status=404, damage="digest: wrong")
    yield Capture(payload=PAGES[2], http_status=404)
    yield Capture(payload=PAGES[3])
    yield Failed(f"{url}3", NOW, "HTTP status 500; given up after 5 tries", 500)


def landed(lake: Path) -> Archive:
    """An archive with all of them, and one of the pages again an hour later."""
    archive = Archive(open_store(str(lake)))
    archive.write(outcomes(), now=NOW)
    first = next(one for one in outcomes() if isinstance(one, Capture))
    again = Capture(payload=first.payload, url=first.url, fetched_at=LATER, http_status=200, headers=first.headers)
    archive.write([again], now=NOW)
    return archive


@cache
def records() -> tuple[Record, ...]:
    """Ours, and those of other tools."""
    with TemporaryDirectory() as folder:
        archive = landed(Path(folder))
        files = {entry.filename: archive.store.read(WARCS + entry.filename) for entry in archive.index()}
        blocks = [
            gzip.decompress(files[entry.filename][entry.offset : entry.offset + entry.length])
            for entry in archive.index()
        ]
    for kind, lines, block in FOREIGN:
        head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {invented.HUB}/p\r\n{lines}"
        blocks.append(f"{head}\r\nContent-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n")
    return tuple(map(_cut, blocks))


def _cut(block: bytes) -> Record:
    end = block.index(b"\r\n\r\n") + 4
    if block[end:].startswith((b"HTTP/", b"GET ")):
        end = block.index(b"\r\n\r\n", end) + 4
    return Record(block[:end], block[end:])


def fuzz_warcs(seed: int, count: int, folder: Path) -> Fuzzed:
    """One of three records of a file has a mutated head: what stands before it is read; what stands after it too, or
    the file is refused from there on, or the head has another length, which may take in a record after it.
    """
    done, path = Fuzzed("WARC heads", seed), folder / "fuzzed.warc"
    alone = {record: list(_read(path, [record.head + record.rest], is_packed=False)) for record in records()}
    for number in range(count):
        chance = random.Random(f"warc/{seed}/{number}")
        chosen = chance.sample(records(), 3)
        place, is_packed = chance.randrange(3), chance.random() < 0.5
        heads = [record.head for record in chosen]
        heads[place] = mutated(heads[place], [record.head for record in records()], chance)
        members = [head + record.rest for head, record in zip(heads, chosen, strict=True)]
        since = time.perf_counter()
        found = list(_read(path, members, is_packed=is_packed))
        _require_landable(found)
        done.timed(number, since)
        done.counts["files"] += 1
        done.counts.update(type(one).__name__ for one in found)
        is_resized = LENGTH.findall(heads[place]) != LENGTH.findall(chosen[place].head)
        given = [alone[record] for record in chosen[: place if is_resized else None]]
        _require_told(found, given, place, f"warc/{seed}/{number}")
    return done


def _read(path: Path, members: list[bytes], *, is_packed: bool) -> Iterable[Capture | Revisit | Refused | Notice]:
    path.write_bytes(b"".join(gzip.compress(member, 1) if is_packed else member for member in members))
    return read_warc(path, LIMITS)


def _require_told(found: list[object], expected: list[list[object]], place: int, name: str) -> None:
    """That of the records before the mutated one all is there, and of those after it, unless the file was refused."""
    is_refused = any(isinstance(one, Refused) for one in found)
    assert found, f"{name}: not a word"
    for number, given in enumerate(expected):
        pages = [one for one in given if isinstance(one, Capture | Revisit)]
        assert number == place or (is_refused and number > place) or all(one in found for one in pages), name


def _require_landable(found: Iterable[object]) -> None:
    """A capture is refused with its reason, or is a record that reads back as the same capture."""
    for one in found:
        if not isinstance(one, Capture) or refusal(one):
            continue
        file = WarcFile(NOW)
        file.add(one)
        packed = file.finish()
        [entry] = packed.entries
        member = packed.data[entry.offset : entry.offset + entry.length]
        back = read_record(entry, member)
        assert (back.capture_id, back.payload, back.url) == (one.capture_id, one.payload, one.url)


def fuzz_index(seed: int, count: int, folder: Path) -> Fuzzed:
    """Lines of an index, mutated: it is read or damaged, every capture is what it was or damaged, `verify` sees it."""
    done, archive = Fuzzed("CDXJ lines", seed), landed(folder)
    lines = sorted(map(line_of, archive.index()))
    pages = {entry.capture_id: archive.read(entry) for entry in archive.index()}
    place = Path(folder) / index_key(landing_month(NOW))
    whole = place.read_bytes()
    for number in range(count):
        chance = random.Random(f"index/{seed}/{number}")
        at = chance.randrange(len(lines))
        text = b"".join(line + b"\n" for line in [*lines[:at], mutated(lines[at], lines, chance), *lines[at + 1 :]])
        place.write_bytes(text)
        since = time.perf_counter()
        is_damaged = any(isinstance(one, Damage) for one in archive.verify())
        try:
            entries = archive.index()
        except Damaged:
            entries = []
            done.counts["indexes damaged"] += 1
        for entry in entries:
            done.counts[_come_of(archive, entry, pages)] += 1
        done.timed(number, since)
        done.counts["indexes"] += 1
        assert is_damaged == (text != whole), f"index/{seed}/{number}"
    return done


def _come_of(archive: Archive, entry: IndexEntry, pages: dict[str, Capture]) -> str:
    try:
        read = archive.read(entry)
    except Damaged:
        return "captures damaged"
    assert read == pages[entry.capture_id]
    return "captures read"
