"""Reading all captures into sightings, against `orjson.loads` of the same bytes: processor time, best of several."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

from transforms.collect.collect import collect, read_page
from warehouse.archive.captured import Capture, Limits
from warehouse.archive.folder_import import captures_from

ROUNDS = 15


def read_ratio(folder: Path) -> Iterator[tuple[str, ...]]:
    """A row for all captures, and one for those that the peer can read too."""
    captures = [found for found in captures_from([folder], Limits()) if isinstance(found, Capture)]
    answers = [capture for capture in captures if capture.payload[:1] in (b"[", b"{")]
    payloads = [capture.payload for capture in answers]
    peer, same, every = _alternating(lambda: _peer(payloads), lambda: _read(answers), lambda: _read(captures))
    named = f"orjson.loads of the same JSON {peer * 1e3:.0f} ms"
    yield f"reading {len(answers)} JSON captures into sightings", f"{same * 1e3:.0f} ms", named, f"{same / peer:.2f}"
    yield f"reading all {len(captures)} captures", f"{every * 1e3:.0f} ms", named, f"{every / peer:.2f}"


def _peer(payloads: list[bytes]) -> None:
    for payload in payloads:
        orjson.loads(payload)


def _read(captures: list[Capture]) -> None:
    collect(map(read_page, captures))


def _alternating(*jobs: Callable[[], object]) -> list[float]:
    """The best processor time of each job, the jobs taking turns so that what disturbs one disturbs the other."""
    best = [float("inf")] * len(jobs)
    for _ in range(ROUNDS):
        for number, job in enumerate(jobs):
            start = time.process_time()
            job()
            best[number] = min(best[number], time.process_time() - start)
    return best
