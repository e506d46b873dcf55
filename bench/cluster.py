"""A build on a cluster, simulated: `python -m bench.cluster [--sightings 100000000] [--papers 3000000]`.

Discrete events, of a seed, the same on every machine: workers take tasks in the order in which the scheduler hands
them out; a task asks the store, computes and writes. Some tasks straggle, workers are lost and come back, the store
takes its time. What a task costs is measured (bench/RESULTS.md) or stands here as an assumption; docs/scale.md rests
on the tables. Each line is the mean of several seeds.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final, NamedTuple

# Processor seconds, measured (bench/RESULTS.md, unit costs)
READ: Final = 57e-6  # of a sighting: all captures 0.46 s
IDENTIFY: Final = 17e-6  # of a sighting: a million 17.0 s
DERIVE: Final = 47e-6  # of a sighting: `derive` without `identify`, before claims and search, 0.38 s
EXTRACT: Final = 0.36e-3  # of a paper: systems and claims 2.9 s
INDEX: Final = 0.35e-3  # of a paper: words, terms and vectors, by the law of the search index
WRITE: Final = 85e-3  # of a megabyte of Parquet: 14.6 MB in 1.2 to 1.3 s
# Bytes of all real captures: 8,114 sightings of 8,017 papers
RAW, SEEN, KEYS, CORE = 1_180, 580, 60, 1_600  # a sighting gzipped, as Parquet, its keys; a paper's other core tables
# Assumed of the hardware
LATENCY: Final = 0.03  # seconds until a store answers, the median; one answer in a hundred takes seven times as long
SPREAD: Final = 0.83  # of the logarithm of that: ln 7 / 2.33
MEGABYTES: Final = 80.0  # a second, of one worker
DISPATCH: Final = 0.001  # seconds of the scheduler for a task
SEEDS: Final = range(1, 6)
BACK: Final = 120.0  # seconds until a lost worker is noticed and another one is up


class Work(NamedTuple):
    """What a task costs: processor seconds, requests to the store, megabytes moved."""

    seconds: float
    requests: int = 0
    megabytes: float = 0.0


class Stage(NamedTuple):
    """Tasks that wait for all of the stage before."""

    name: str
    tasks: tuple[Work, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Workers of one core each, and their faults. `hours` is how long a worker lasts on average.

    `holds`: what a stage has made lies in the memory of workers, not in the store, and is lost with them.
    `doubles`: a task that runs for twice the median of its stage is begun once more on a worker that has nothing to do.
    """

    workers: int
    latency: float = 0.0
    spread: float = 0.0
    stragglers: float = 0.0
    slower: float = 5.0
    hours: float = math.inf
    holds: bool = False
    doubles: bool = False
    seed: int = 1


REAL: Final = Cluster(workers=1, latency=LATENCY, spread=0.15, stragglers=0.01, hours=24)


class Built(NamedTuple):
    """What a build took: seconds on the clock, of work, of waiting for the store; and what was lost."""

    seconds: float
    busy: float
    waited: float
    redone: int
    lost: int


class Build:
    """One run of the stages."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.now = cluster, 0.0
        self.events: list[tuple[float, int, str, int, int]] = []  # when, in which order, what, worker, life or attempt
        self.order, self.attempts = count(), count(1)
        self.scheduler_free = self.busy = self.waited = 0.0
        self.redone = self.lost = 0
        self.free = set(range(cluster.workers))
        self.running: dict[int, tuple[int, float, int]] = {}  # worker: task, since when, attempt
        self.made_by: dict[int, int] = {}  # task of this stage: worker
        for worker in range(cluster.workers):
            self._live(worker, 0)

    def _at(self, when: float, what: str, worker: int, number: int) -> None:
        heapq.heappush(self.events, (when, next(self.order), what, worker, number))

    def _live(self, worker: int, life: int) -> None:
        if math.isfinite(self.cluster.hours):
            dice = random.Random(f"{self.cluster.seed}/worker/{worker}/{life}")
            self._at(self.now + dice.expovariate(1 / (self.cluster.hours * 3600)), "lost", worker, life)

    def run(self, stages: Sequence[Stage]) -> Built:
        for stage in stages:
            self._stage(stage)
        return Built(self.now, self.busy, self.waited, self.redone, self.lost)

    def _stage(self, stage: Stage) -> None:
        pending, taken = deque(range(len(stage.tasks))), list[float]()
        self.made_by = {}
        while len(self.made_by) < len(stage.tasks):
            self._hand_out(stage, pending, taken)
            self.now, _, what, worker, number = heapq.heappop(self.events)
            if what == "lost":
                self._lose(worker, number, pending)
            elif what == "back":
                self.free.add(worker)
                self._live(worker, number)
            elif worker in self.running and self.running[worker][2] == number:
                task, since, _ = self.running.pop(worker)
                self.free.add(worker)
                self.busy += self.now - since
                taken.append(self.now - since)
                self.made_by.setdefault(task, worker)
        for worker, (_, since, _) in sorted(self.running.items()):  # copies of tasks that another one was faster at
            self.busy += self.now - since
            self.free.add(worker)
        self.running.clear()

    def _hand_out(self, stage: Stage, pending: deque[int], taken: list[float]) -> None:
        for worker in sorted(self.free):
            task = pending.popleft() if pending else self._slowest(taken)
            if task is None:
                return
            self.free.remove(worker)
            self.scheduler_free = max(self.scheduler_free, self.now) + DISPATCH
            attempt = next(self.attempts)
            self.running[worker] = task, self.scheduler_free, attempt
            self._at(self.scheduler_free + self._took(stage, task, worker), "made", worker, attempt)

    def _slowest(self, taken: list[float]) -> int | None:
        """The slowest task, to be started a second time; no task is started more often."""
        if not self.cluster.doubles or not taken:
            return None
        tasks = [task for task, _, _ in self.running.values()]
        late = self.now - 2 * sorted(taken)[len(taken) // 2]
        alone = ((since, task) for task, since, _ in self.running.values() if tasks.count(task) == 1 and since < late)
        return min(alone, default=(0.0, None))[1]

    def _took(self, stage: Stage, task: int, worker: int) -> float:
        """Seconds of a task on a worker: random by the seed, and the same however many other tasks there are."""
        work, cluster = stage.tasks[task], self.cluster
        dice = random.Random(f"{cluster.seed}/{stage.name}/{task}/{worker}")
        slow = cluster.slower if dice.random() < cluster.stragglers else 1.0
        answers = (dice.lognormvariate(0, SPREAD) for _ in range(work.requests))
        waited = cluster.latency * sum(answers) + (work.megabytes / MEGABYTES if cluster.latency else 0.0)
        self.waited += waited
        return waited + work.seconds * slow * dice.lognormvariate(0, cluster.spread)

    def _lose(self, worker: int, life: int, pending: deque[int]) -> None:
        self.lost += 1
        self._at(self.now + BACK, "back", worker, life + 1)
        self.free.discard(worker)
        again = []
        if worker in self.running:
            task, since, _ = self.running.pop(worker)
            self.busy += self.now - since
            if task not in self.made_by and task not in [other for other, _, _ in self.running.values()]:
                again.append(task)
        if self.cluster.holds:
            again += [task for task, maker in self.made_by.items() if maker == worker]
        for task in again:
            self.made_by.pop(task, None)
            pending.append(task)
        self.redone += len(again)


def built(stages: Sequence[Stage], cluster: Cluster) -> Built:
    return Build(cluster).run(stages)


def stages(sightings: int, papers: int, seconds: float) -> list[Stage]:
    """The mapped tasks of a full build, each of so many processor seconds."""
    core = (SEEN * sightings + CORE * papers) / 1e6
    return [
        _cut("read chunks", sightings * READ, seconds, (RAW + SEEN) * sightings / 1e6),
        _cut("identity by block", sightings * IDENTIFY, seconds, 2 * KEYS * sightings / 1e6, across=True),
        _cut("derive cohorts", sightings * DERIVE + papers * (EXTRACT + INDEX), seconds, SEEN * sightings / 1e6 + core),
        _cut("write and check parts", core * WRITE, seconds, 2 * core),
    ]


def _cut(name: str, total: float, seconds: float, megabytes: float, *, across: bool = False) -> Stage:
    """Tasks of that length; `across`: each reads something of every task of the stage before, 8 MB at least at once."""
    number = max(round(total / seconds), 1)
    requests = 4 + (min(number, math.ceil(megabytes / number / 8)) if across else math.ceil(megabytes / number / 32))
    return Stage(name, (Work(total / number, requests, megabytes / number),) * number)


def tables() -> Iterator[tuple[str, list[tuple[str, Cluster, float]]]]:
    """The tables to print: a title, and for each line its name, the cluster and the seconds of a task."""
    yield "workers", [(str(many), replace(REAL, workers=many), 10.0) for many in (1, 2, 4, 8, 16, 32, 64, 128)]
    of_32 = replace(REAL, workers=32)
    yield "seconds of a task, 32 workers", [(f"{one:g}", of_32, one) for one in (0.1, 1.0, 10.0, 60.0, 300.0)]
    yield (
        "stragglers, 32 workers",
        [
            (
                f"{share:.0%} five times as slow{', doubled' if doubles else ''}",
                replace(of_32, stragglers=share, doubles=doubles),
                10.0,
            )
            for share in (0.0, 0.01, 0.05)
            for doubles in (False, True)
        ],
    )
    yield (
        "workers that last, 32 of them",
        [
            (
                f"{hours:g} h, results in {'memory' if holds else 'the store'}",
                replace(of_32, hours=hours, holds=holds),
                10.0,
            )
            for hours in (24, 1, 0.25)
            for holds in (False, True)
        ],
    )
    yield (
        "a store that answers after, 32 workers",
        [
            (f"{1000 * latency:g} ms, tasks of {one:g} s", replace(of_32, latency=latency), one)
            for latency in (0.005, 0.03, 0.3)
            for one in (1.0, 10.0)
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sightings", type=int, default=100_000_000)
    parser.add_argument("--papers", type=int, default=3_000_000)
    asked = parser.parse_args()
    work = stages(asked.sightings, asked.papers, 10.0)
    total = sum(task.seconds for stage in work for task in stage.tasks)
    print(f"{asked.sightings:,} sightings of {asked.papers:,} papers: {total / 3600:.2f} h of one core")
    print(", ".join(f"{stage.name} {sum(task.seconds for task in stage.tasks):,.0f} s" for stage in work))
    for title, lines in tables():
        print(f"\n| {title} | minutes | share computing | waiting for the store | tasks | done again | workers lost |")
        print("|---|---|---|---|---|---|---|")
        for name, cluster, seconds in lines:
            cut = stages(asked.sightings, asked.papers, seconds)
            each = [built(cut, replace(cluster, seed=seed)) for seed in SEEDS]
            took, busy, waited, redone, lost = (sum(values) / len(each) for values in zip(*each, strict=True))
            tasks = sum(len(stage.tasks) for stage in cut)
            print(
                f"| {name} | {took / 60:.1f} | {total / (took * cluster.workers):.2f} | {waited / busy:.1%} | "
                f"{tasks:,} | {redone:.1f} | {lost:.1f} |"
            )


if __name__ == "__main__":
    main()
