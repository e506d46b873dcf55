"""Mutated pages: none stops a reader, and none is passed over without a word."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from html import escape
from itertools import islice
from pathlib import Path
from typing import Final

import polars as pl

from flows.landing.inputs import captures_from
from tests import invented
from tests.drills.mutations import mutated
from transforms.collect.collect import Collected, collect, read_page
from transforms.core.derive import derive
from transforms.readers import READERS
from warehouse.archive.captured import Capture, Limits

TESTS: Final = Path(__file__).parents[1]
NOW: Final = datetime(2026, 11, 21, 6, 0)
DAY: Final = date(2026, 10, 1)
BATCH: Final = 500
MOST_SECONDS: Final = 10.0  # for one item, whatever it is; most take a millisecond
LIMITS: Final = Limits(payload_bytes=1 << 20)


@dataclass
class Fuzzed:
    """What came of it: how often what, and the slowest item."""

    what: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    slowest_seconds: float = 0.0
    slowest: int = 0

    def timed(self, number: int, since: float) -> None:
        seconds = time.perf_counter() - since
        assert seconds < MOST_SECONDS, f"{self.what} {number} of seed {self.seed} took {seconds:.1f} s"
        if seconds > self.slowest_seconds:
            self.slowest_seconds, self.slowest = seconds, number

    def __str__(self) -> str:
        counts = ", ".join(f"{name} {count:,}" for name, count in sorted(self.counts.items()))
        slowest = f"slowest {1000 * self.slowest_seconds:,.0f} ms (number {self.slowest:,})"
        return f"{self.what}, seed {self.seed}: {counts}; {slowest}"


@cache
def pages() -> tuple[Capture, ...]:
    """Invented pages in every layout that has a reader, and two that have none."""
    saved = (TESTS / "readers" / "pages").iterdir()
    found = [*captures_from([TESTS / "sample", *sorted(saved)], LIMITS)]
    kept = [one for one in found if isinstance(one, Capture)]
    paper = invented.paper_object(invented.paper(1, DAY), NOW)
    props = escape(json.dumps({"paper": paper}))
    script = f'<!doctype html><div data-target="PaperContent" data-props="{props}"></div>'
    kept.append(Capture(payload=script.encode(), url=f"{invented.HUB}/papers/{paper['id']}", http_status=200))
    flat = [paper | {"authors": [author["name"] for author in paper["authors"]]}]
    others = (json.dumps(other).encode() for other in (flat, {"date": f"{DAY}", "count": 1, "papers": flat}))
    kept += [Capture(payload=other, url="https://archive.example/list.json", http_status=200) for other in others]
    readers = {read_page(one).reading.reader for one in kept}
    assert readers >= {reader.name for reader in READERS}, readers
    return tuple(kept)


def page(seed: int, number: int) -> Capture:
    """The page of that number."""
    chance = random.Random(f"page/{seed}/{number}")
    one, payloads = chance.choice(pages()), [other.payload for other in pages()]
    other = chance.choice(pages())
    return Capture(
        payload=mutated(one.payload, payloads, chance),
        url=chance.choice((one.url, one.url, one.url, other.url, None)),
        fetched_at=chance.choice((one.fetched_at, NOW, None)),
        http_status=chance.choice((one.http_status, 200)),
    )


def fuzz_pages(seed: int, count: int) -> Fuzzed:
    """Each page is read, cleaned and counted, and every table is made of it, a few hundred pages at a time."""
    done = Fuzzed("pages", seed)
    numbers = iter(range(count))
    while batch := list(islice(numbers, BATCH)):
        read = {}
        for number in batch:
            capture = page(seed, number)
            since = time.perf_counter()
            found = read_page(capture)
            done.timed(number, since)
            read[capture.capture_id] = (capture, found)
        collected = collect(found for _, found in read.values())
        for row in collected.captures.iter_rows(named=True):
            done.counts[row["state"]] += 1
            _require_accounted(row, read[row["capture_id"]][0])
        _require_counted(collected, len(read))
        derive(collected, None)
        done.counts["items"] += len(batch)  # mutated twice into the same, some are one page
    return done


def _require_accounted(row: dict[str, object], capture: Capture) -> None:
    """A page that is not read whole says why; of a JSON list every item is a sighting, a duplicate or in quarantine."""
    assert row["state"] == "read" or row["reason"], row
    if row["reader"] != "api_list" or row["state"] not in {"read", "partial", "empty"}:
        return
    try:
        items = json.loads(capture.payload.decode("utf-8-sig", "replace"), strict=False)
    except (ValueError, RecursionError):
        assert row["state"] == "partial", row
        return
    assert row["item_count"] == len(items if isinstance(items, list) else items["data"]), row


def _require_counted(collected: Collected, count: int) -> None:
    """The counts of the pages are those of the rows."""
    captures = collected.captures
    assert captures.height == count
    rows = {"sighting_count": collected.sightings, "rejected_count": collected.quarantine}
    for name, frame in rows.items():
        counted = dict(frame.group_by("capture_id").len().iter_rows())
        told = dict(captures.filter(pl.col(name) > 0).select("capture_id", name).iter_rows())
        assert counted == told
