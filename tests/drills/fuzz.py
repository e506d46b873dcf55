"""Mutated pages: none stops a reader, and none is passed over without a word."""

import json
import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from html import escape
from itertools import islice
from pathlib import Path
from typing import Final

import polars as pl

from flows.plan.others_due import paper_filter
from tests import invented
from tests.arxiv import records
from tests.collected import accounted, require_rules
from tests.derived import derive
from tests.drills.mutations import mutated
from tests.github.stand_in import history, stars_url
from tests.works.messages import Message, Update, work_url
from tests.works.openalex import OpenWork, list_url, listed
from transforms.collect.collect import collect, read_page
from transforms.collect.read_page import READERS
from warehouse.archive.captured import Capture, Limits
from warehouse.archive.folder_import import captures_from
from warehouse.schema.catalog import CORE_TABLES

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
    cited_by = f"{invented.HUB}/api/models?filter=arxiv%3A{paper['id']}&sort=likes&limit=100"
    models = [{"id": "looms/weaver", "likes": 3, "downloads": 40, "createdAt": "2026-09-30T06:00:00.000Z"}]
    kept.append(Capture(payload=json.dumps(models).encode(), url=cited_by, http_status=200))
    record = records.Record(
        "2610.00001", comments="withdrawn, see arXiv:2610.00002", versions=[*records.history(records.GONE)]
    )
    at_arxiv = {records.paper_url(record.arxiv_id): records.of_paper(record)}
    at_arxiv[records.changes_url(DAY)] = records.of_changes([record], "2|2610.00003")
    kept += [Capture(payload=told, url=url, http_status=200) for url, told in at_arxiv.items()]
    retracted = Message("10.5555/loom", preprints=[("arxiv", "2610.00001")], updated_by=[Update("10.5555/notice")])
    kept.append(Capture(payload=retracted.answer, url=work_url(retracted.doi), http_status=200))
    found = [OpenWork(retracted.doi, ["2610.00001"], is_retracted=True), OpenWork(None, ["2610.00002"])]
    kept.append(
        Capture(payload=listed(found), url=list_url(paper_filter(["2610.00001", "2610.00002"])), http_status=200)
    )
    weeks = json.dumps(history(NOW, [3, 0, 2])).encode()
    kept.append(Capture(payload=weeks, url=stars_url("loom/woven"), http_status=200))
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
        captures = [capture for capture, _ in read.values()]
        collected = accounted(collect(found for _, found in read.values()), captures)
        for row in collected.captures.iter_rows(named=True):
            done.counts[row["state"]] += 1
            _require_accounted(row, read[row["capture_id"]][0])
        _require_rules(derive(collected, None))
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


def _require_rules(tables: Mapping[str, pl.DataFrame]) -> None:
    """Every table keeps its rules, and what it refers to is there."""
    for table in CORE_TABLES:
        require_rules(table, tables[table.name])
        for column, target in table.references.items():
            owner, name = target.split(".")
            known = tables[owner][name].implode()
            assert tables[table.name].select(pl.col(column).is_in(known).all()).item(), (table.name, column)
