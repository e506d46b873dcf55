"""What a day costs after histories of several lengths: `python -m bench.grow [--days 14] [1 4 16 64]`.

The captures are invented, as a daily run makes them: the day's list, that of the day before, that of a week before, and
what is trending, where now and then an old paper stands. Of each step the processor time of all captures and of one
new day, and the exponent: 0 is flat, 1 grows with the history. Imports are not counted, nor is Prefect.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cache, partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from bench.steps import run_steps
from flows import ONE_THREAD
from tests.invented import HUB, Paper, as_json, list_item, paper
from tests.linkage import Maker

P = ParamSpec("P")
R = TypeVar("R")
Seconds = dict[str, float]
LAST: Final = date(2026, 11, 20)  # a Friday
LISTED: Final = 25  # papers of a list (docs/source.md §1)
TRENDING: Final = 20
LOOKS: Final = 0, 1, 7  # days after its own on which a list is fetched
SENTENCE, TITLE = 15, 8  # words
ALIKE: Final = 0.08  # of abstracts begin as another does: 681 of 8,053 real ones
WORKS: Final = (  # what is timed, by the name under which it is called
    ("tables of a release or a draft read", "warehouse.release.snapshot", "Snapshot.read_files"),
    ("files hashed", "warehouse.store.local_files", "LocalFiles.sha256"),
    ("pages read", "flows.steps.make_draft", "read_chunk"),
    ("identity", "flows.tasks.build", "resolved"),
    ("identity", "flows.tasks.cohorts", "describe_cohorts"),
    ("identity", "flows.tasks.build", "paper_clusters"),
    ("systems and claims", "transforms.core.derive", "systems_and_claims"),
    ("search index", "flows.tasks.cohorts", "index_cohorts"),
    ("search index", "flows.tasks.build", "tables_of_all"),
    ("search index", "flows.tasks.build", "similar"),
    ("core tables", "flows.tasks.cohorts", "derive_cohorts"),
    ("Parquet written", "flows.tasks.cohorts", "write_files"),
    ("Parquet written", "flows.tasks.cohorts", "write_file"),
    ("coverage", "flows.tasks.build", "coverage_of"),
    ("tables of a release or a draft read", "warehouse.release.snapshot", "Snapshot.select"),
    ("the rest of make draft", "flows.steps.make_draft", "make_draft"),
    ("gate", "flows.steps.build_draft", "check_draft"),
    ("notes", "flows.steps.write_release", "notes_of"),
    ("what differs, and why", "flows.steps.write_release", "SinceParent.of"),
    ("documents", "flows.steps.write_release", "documents"),
    ("database", "warehouse.release.database", "assemble"),
    ("database", "warehouse.release.database", "renew"),
    ("marts", "warehouse.release.write", "ReleaseWriter._put_mart"),
    ("the rest of write release", "flows.steps.write_release", "write_release"),
    ("land", "flows.steps.land_inputs", "land_inputs"),
)


class Clock:
    """Processor seconds of each part, without what other parts took inside it."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._inside = 0.0

    def counted(self, part: str, work: Callable[P, R]) -> Callable[P, R]:
        @wraps(work)
        def timed(*args: P.args, **kwargs: P.kwargs) -> R:
            if threading.current_thread() is not threading.main_thread():  # counted with whoever waits for it
                return work(*args, **kwargs)
            outer, self._inside = self._inside, 0.0
            start = time.process_time()
            try:
                return work(*args, **kwargs)
            finally:
                took = time.process_time() - start
                self.seconds[part] += took - self._inside
                self._inside = outer + took

        return timed


def measured(lake: str, folder: str) -> Seconds:
    """One run in this process: seconds of each part, `all`, and the `MiB` of its peak."""
    clock = Clock()
    import_module("expectations.runner")  # Great Expectations
    for part, module, name in WORKS:
        *classes, last = name.split(".")
        owner = import_module(module)
        for one in classes:
            owner = getattr(owner, one)
        setattr(owner, last, clock.counted(part, getattr(owner, last)))
    clock.counted("all", run_steps)(lake, [Path(folder)])
    seconds = dict(clock.seconds) | {"all": sum(clock.seconds.values())}
    return seconds | {"MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


@cache
def papers_of(day: date) -> list[Paper]:
    """The papers of a day's list, with texts of many words."""
    return [_paper_of(day, place) for place in range(LISTED)]


def _paper_of(day: date, place: int) -> Paper:
    dice, made = random.Random(f"{day}/{place}/words"), paper(place, day)
    sentences = [_said(dice, SENTENCE).capitalize() for _ in range(9)]
    # this one may claim something, and is alike in many, as no second, third or last sentence is (blocking.repeats)
    sentences.insert(0 if dice.random() < ALIKE else 3, made.abstract.split(". ")[0])
    number = (day.toordinal() * LISTED + place) % 90_000
    return replace(
        made,
        arxiv_id=f"{made.published_at:%y%m}.{10_000 + number}",
        title=_said(dice, TITLE).capitalize(),
        abstract=". ".join(sentences) + ".",
        submitter=f"{made.submitter}{dice.randrange(200)}",
        # its own, as on the Hub: the guards tell by them papers that were exchanged
        keywords=(*made.keywords[:2], _said(dice, 3)),
        repository=made.repository and f"{made.repository}-{number}",
    )


@cache
def _words() -> list[str]:
    syllables = Maker(7).words
    return [*syllables, *(syllable + tail for tail in syllables[:20] for syllable in syllables)]


def _said(dice: random.Random, length: int) -> str:
    """Words of a text: some are common, most are rare."""
    words = _words()
    return " ".join(words[int(dice.random() ** 3 * len(words))] for _ in range(length))


def pages_on(day: date, listed: list[date]) -> Iterator[tuple[str, bytes]]:
    """What a daily run fetches on a day, by its address; `listed` are the list days up to it."""
    at = datetime(day.year, day.month, day.day, 20)
    for before in LOOKS:
        if (shown := day - timedelta(before)) in listed:
            yield f"{HUB}/api/daily_papers?date={shown}", _answer(papers_of(shown), at)
    dice = random.Random(f"{day}/trending")
    ages = (min(int(dice.paretovariate(1)) - 1, len(listed) - 1) for _ in range(TRENDING))
    found = {shown.arxiv_id: shown for age in ages for shown in [dice.choice(papers_of(listed[-1 - age]))]}
    yield f"{HUB}/api/daily_papers?sort=trending&limit=100", _answer(found.values(), at)


def _answer(papers: Iterable[Paper], at: datetime) -> bytes:
    """A list on which every paper gains an upvote a day, most upvotes first."""
    items = [list_item(one, at, more_upvotes=(at.date() - one.listed_on).days) for one in papers]
    return as_json(sorted(items, key=lambda item: -item["paper"]["upvotes"]))


def write_captures(folder: Path, days: list[date], listed: list[date]) -> Path:
    folder.mkdir()
    rows = []
    for day in days:
        known = [one for one in listed if one <= day]
        for number, (url, payload) in enumerate(pages_on(day, known)):
            (folder / f"{day}-{number}.json").write_bytes(payload)
            rows.append((f"{day}-{number}.json", url, f"{day}T20:00:00Z", 200, "application/json"))
    with (folder / "captures.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("file", "url", "fetched_at", "status", "content_type"), *rows])
    return folder


def after(day_count: int) -> dict[str, Seconds]:
    """What a history of so many list days costs, and one more day after it."""
    days = (LAST - timedelta(number) for number in range(2 * day_count))
    listed = sorted([day for day in days if day.weekday() < 5][: day_count + 1])
    with tempfile.TemporaryDirectory(prefix="paperlake-bench-") as name:
        room = Path(name)
        run = partial(_run, str(room / "lake"))
        history = run(write_captures(room / "before", listed[:-1], listed))
        return {"all": history, "day": run(write_captures(room / "last", listed[-1:], listed))}


def _run(lake: str, folder: Path) -> Seconds:
    command = [sys.executable, "-m", "bench.grow", "--run", lake, str(folder)]
    environment = os.environ | ONE_THREAD  # as commands have it
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout)


def main() -> None:
    if sys.argv[1:2] == ["--run"]:
        print(json.dumps(measured(*sys.argv[2:])))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    # of 64 times as many the first is in 2023: no list is from before FIRST_DAY
    parser.add_argument("--days", type=int, default=14, help="list days of a history of 1x")
    parser.add_argument("times", type=int, nargs="*", default=[1, 4, 16, 64])
    asked = parser.parse_args()
    if len(asked.times) < 2:
        parser.error("two lengths or more: what grows is told by the first and the last")
    found = {times: after(asked.days * times) for times in asked.times}
    first, *_, last = found
    for what in ("all", "day"):
        print(f"\n| {what} | {' | '.join(f'{times}x' for times in found)} | {last}x : {first}x | exponent |")
        print(f"|{'---|' * (len(found) + 3)}")
        for part in found[last][what]:
            taken = [found[times][what].get(part, 0.0) for times in found]
            grew = max(taken[-1], 1e-3) / max(taken[0], 1e-3)
            seconds = " | ".join(f"{one:.2f}" for one in taken)
            print(f"| {part} | {seconds} | {grew:.2f} | {math.log(grew, last / first):.2f} |")


if __name__ == "__main__":
    main()
