"""A lake of many sightings, made at once: `python -m bench.large LAKE SIGHTINGS [--since DAY] [--listed 50] …`.

The captures are invented: of every weekday since the first list, or since DAY, the day's list, that of the day before
and of a week before, and what is trending, asked several times a day (`--polls 10`); a tenth of it are old papers. An
item has the fields that the source's had on its day: twice the bytes since 2025. A text is of one topic of many: its
vector is as near to others, and as many of its words are rare, as a real one's. Processor seconds and the peak of
memory of each step, and of each kind of task of the build. A lake that is there already is built anew from raw.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from bench.grow import LOOKS, SENTENCE, TITLE, _said
from bench.steps import INVENTED
from flows.steps.build_draft import check_draft
from flows.steps.make_draft import make_draft
from flows.steps.write_release import move_latest, write_release
from tests.gate_here import GateHere
from tests.hub.days import IDS_A_DAY
from tests.invented import HUB, Paper, list_item, paper
from tests.linkage import SMALL
from transforms.search.vectors import basis, matrix_of
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.schema.daily_lists import FIRST_DAY
from warehouse.store.local_files import local_files
from warehouse.store.opening import open_store

TRENDING: Final = 100  # papers of an answer
RECENT: Final = 14  # days of which trending papers mostly are
# So that the vectors and rare words of 7,000 papers are as those of the 8,017 real ones: a median cosine of .12 (.11),
# one of .36 (.46) with the 20th nearest, 24 (22) rare words that others have too
TOPICS: Final = 200
OF_A_TOPIC: Final = 60  # rare words, of those that have a meaning the nearest to one
ON_TOPIC: Final = 0.15  # share of the words of a text
UNKNOWN: Final = 0.03  # of them names and the like, most in few texts
FILLERS: Final = 0.65  # of words that the basis leaves out; the others are common
MARK: Final = 987654321  # where upvotes stand in an item
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
PARTS: Final = (
    ("read chunks", "flows.steps.make_draft", "read_chunk"),
    ("describe cohorts", "flows.tasks.cohorts", "describe_cohorts"),
    ("identity", "flows.tasks.build", "resolved"),
    ("derive cohorts", "flows.tasks.cohorts", "derive_cohorts"),
    ("write files", "flows.tasks.cohorts", "write_files"),
    ("words and terms", "flows.tasks.build", "tables_of_all"),
    ("similar papers", "flows.tasks.build", "similar"),
    ("files of all papers", "flows.tasks.cohorts", "write_file"),
    ("notes", "flows.steps.write_release", "notes_of"),
    ("what differs, and why", "flows.steps.write_release", "SinceParent.of"),
    ("documents", "flows.steps.write_release", "documents"),
    ("database", "warehouse.release.database", "assemble"),
    ("marts", "warehouse.release.write", "ReleaseWriter._put_mart"),
)


class Meter:
    """Processor seconds of each part, its calls, and the highest memory that was in use inside it, in MiB."""

    def __init__(self) -> None:
        self.parts: dict[str, list[float]] = {}

    @contextmanager
    def of(self, part: str) -> Iterator[None]:
        held = self.parts.setdefault(part, [0.0, 0.0, 0.0])
        CLEAR.write_text("5")
        start = time.process_time()
        try:
            yield
        finally:
            held[0] += time.process_time() - start
            held[1] += 1
            held[2] = max(held[2], peak_mib())

    def wrapped(self, part: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            with self.of(part):
                return work(*args, **kwargs)

        return timed


def peak_mib() -> float:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


@lru_cache(maxsize=4_000)
def items_of(day: date, listed: int) -> list[tuple[bytes, bytes, int]]:
    """The items of a day's list, each in two parts around its upvotes, and how many it has at first."""
    return [_item(_paper_of(day, place)) for place in range(listed)]


def _paper_of(day: date, place: int) -> Paper:
    dice, made = random.Random(f"{day}/{place}/words"), paper(place, day)
    topic, claim = dice.choice(_topics()), made.abstract.split(". ")[0]
    sentences = [f"{_on(topic, dice, 4)}: {claim}", *(_on(topic, dice, SENTENCE) for _ in range(9))]
    return replace(
        made,
        arxiv_id=f"{day:%y%m}.{(day.day - 1) * IDS_A_DAY + place:05}",
        title=_on(topic, dice, TITLE),
        abstract=". ".join(sentences) + ".",
        submitter=f"{made.submitter}{dice.randrange(200)}",
    )


def _on(topic: list[str], dice: random.Random, length: int) -> str:
    """Words of a topic, which are rare, mixed with others, most of them common."""
    return " ".join(_word(topic, dice) for _ in range(length)).capitalize()


def _word(topic: list[str], dice: random.Random) -> str:
    share = dice.random()
    if share < ON_TOPIC:
        return dice.choice(topic)
    if share > 1 - UNKNOWN:
        return _said(dice, 1)
    return dice.choice(SMALL if share > 1 - UNKNOWN - FILLERS else _common())


@cache
def _common() -> list[str]:
    return _words(is_common=True)["term"].to_list()


def _words(*, is_common: bool) -> pl.DataFrame:
    """Words of the basis with their vectors."""
    return basis().filter(pl.col("term").str.contains("^[a-z]{3,}$"), pl.col("is_common") == is_common)


@cache
def _topics() -> list[list[str]]:
    known = _words(is_common=False)
    vectors = matrix_of(known["vector"]).astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)
    about = vectors[np.linspace(0, len(vectors) - 1, TOPICS).astype(int)]
    nearest = np.argpartition(-(about @ vectors.T), OF_A_TOPIC, axis=1)[:, :OF_A_TOPIC]
    return [known["term"].gather(np.sort(row)).to_list() for row in nearest]


def _item(shown: Paper) -> tuple[bytes, bytes, int]:
    at = datetime(shown.listed_on.year, shown.listed_on.month, shown.listed_on.day, 20)
    said = json.dumps(list_item(replace(shown, upvotes=MARK), at), separators=(",", ":")).encode()
    before, after = said.split(str(MARK).encode())
    return before, after, shown.upvotes


def captures(sightings: int, listed: int, polls: int, since: date = FIRST_DAY) -> Iterator[Capture]:
    """Pages of weekdays from one on, until there are so many sightings. Items have the fields of their day."""
    days: list[date] = []
    left = sightings
    for day in (since + timedelta(number) for number in count()):
        if day.weekday() >= 5:
            continue
        days.append(day)
        for url, at, items in _pages(days, listed, polls):
            grown = sorted(
                ((votes + (at.date() - on).days, head, tail) for on, (head, tail, votes) in items), reverse=True
            )
            payload = b"[" + b",".join(head + str(votes).encode() + tail for votes, head, tail in grown) + b"]"
            yield Capture(payload=payload, url=url, fetched_at=at, http_status=200, content_type="application/json")
            left -= len(grown)
        if left <= 0:
            return


def _pages(days: list[date], listed: int, polls: int) -> Iterator[tuple[str, datetime, list[tuple[date, Any]]]]:
    day, known = days[-1], set(days[-12:])
    evening = datetime(day.year, day.month, day.day, 20)
    for before in LOOKS:
        if (shown := day - timedelta(before)) in known:
            yield f"{HUB}/api/daily_papers?date={shown}", evening, [(shown, one) for one in items_of(shown, listed)]
    for poll in range(polls):
        dice = random.Random(f"{day}/{poll}")
        recent = days[-RECENT:]
        on = [dice.choice(days if dice.random() < 0.1 else recent) for _ in range(TRENDING)]
        found = {(one, dice.randrange(listed)): None for one in on}
        items = [(one, items_of(one, listed)[place]) for one, place in found]
        yield f"{HUB}/api/daily_papers?sort=trending&limit=100", evening + timedelta(minutes=poll), items


def run(lake: str, sightings: int, listed: int, polls: int, since: date) -> Meter:
    """Land, build, check and publish, each step measured."""
    meter, store = Meter(), open_store(lake)
    import_module("expectations.runner")
    if not store.list("raw"):
        with meter.of("land"):
            Archive(store).write(captures(sightings, listed, polls, since), now=datetime(2026, 11, 21))
        items_of.cache_clear()
    for part, module, name in PARTS:
        owner: Any = import_module(module)
        *classes, last = name.split(".")
        for one in classes:
            owner = getattr(owner, one)
        setattr(owner, last, meter.wrapped(part, getattr(owner, last)))
    with local_files(store) as files:
        with meter.of("MAKE DRAFT"):
            draft = make_draft(files, from_raw=True)
        show(meter)
        if draft is not None:
            with meter.of("GATE"):
                report = check_draft(files, draft, GateHere(), accepted_loss=INVENTED)
            print(report.summary, [str(one) for one in report.failed], flush=True)
            with meter.of("WRITE RELEASE"):
                manifest = write_release(files, today=date(2026, 11, 21))
            move_latest(store, manifest, now=datetime(2026, 11, 21))
    return meter


def show(meter: Meter) -> None:
    print("\n| part | processor s | calls | peak MiB |\n|---|---|---|---|")
    for part, (seconds, calls, peak) in meter.parts.items():
        print(f"| {part} | {seconds:.2f} | {calls:.0f} | {peak:,.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lake")
    parser.add_argument("sightings", type=int)
    parser.add_argument("--listed", type=int, default=50)
    parser.add_argument("--polls", type=int, default=10)
    parser.add_argument("--since", type=date.fromisoformat, default=FIRST_DAY)
    asked = parser.parse_args()
    show(run(asked.lake, asked.sightings, asked.listed, asked.polls, asked.since))


if __name__ == "__main__":
    main()
