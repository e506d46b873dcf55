"""The commands that are killed, as functions of a lake, dated on one day: what they find, do and leave is always the same.

They are the functions behind the command line, without Prefect, which costs five seconds each time.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

import duckdb

from flows.documents.release_index import summaries
from flows.hub.budget import Clock
from flows.hub.client import Hub
from flows.runtime.lake import open_lake
from flows.runtime.scope import Scope
from flows.runtime.settings import load
from flows.steps.capture_due import capture_due
from flows.steps.drop_releases import retain
from flows.steps.read_back import require_sound, verify_raw, verify_release
from flows.steps.write_release import is_waiting
from paperlake.cli.app import app
from tests.flows import steps
from warehouse.archive.archive import Archive
from warehouse.errors import UsageError
from warehouse.inventory.keep_rule import KeepRule
from warehouse.release import moves
from warehouse.release.latest import latest
from warehouse.release.write import faults

SAMPLE: Final = Path(__file__).parents[1] / "sample"
DAYS: Final = (date(2026, 9, 30), date(2026, 10, 1), date(2026, 10, 2))
FIRST: Final = f"{steps.TODAY:%Y.%m.%d}.1"
ASKED: Final = Scope(since=date(2026, 9, 1), until=date(2026, 9, 30), with_details=True)
ANSWER: Final = "answer.parquet"


@dataclass(frozen=True)
class Command:
    """What is done to a lake in a folder that is this case's own; `words` are the same for the command line."""

    do: Callable[[str, Path], object]
    words: tuple[str, ...] = ()
    before: tuple[str, ...] = field(default=())  # commands that come before it


def make(lake: str, _folder: Path) -> None:
    """Three releases, of which little is said."""
    with steps.bare_releases():
        for day in DAYS:
            steps.build_unchecked(lake, [steps.list_of(day)])
            steps.publish(lake)


def land(lake: str, _folder: Path) -> None:
    steps.land(lake, [SAMPLE])


def capture(lake: str, _folder: Path) -> None:
    clock = Clock(now=lambda: steps.NOW)
    with Hub(load(), clock=clock) as hub:
        capture_due(open_lake(lake), hub, ASKED, clock=clock)


def build(lake: str, _folder: Path) -> None:
    draft = steps.make_draft(lake)
    assert draft is None or steps.check_draft(lake, draft).passed


def publish(lake: str, _folder: Path) -> None:
    if is_waiting(open_lake(lake)):
        steps.publish(lake)


def run(lake: str, _folder: Path) -> None:
    steps.run(lake, [SAMPLE])


def retained(lake: str, _folder: Path) -> None:
    retain(open_lake(lake), KeepRule(1), apply=True, at=steps.NOW)


def rollback(lake: str, _folder: Path) -> None:
    """Where the killed one came to its end, the same command says that there is nothing to do."""
    store = open_lake(lake)
    assert not faults(store, moves.published(store, FIRST))
    try:
        moves.go_to(store, FIRST, at=steps.NOW, why="rolled back")
    except UsageError as error:
        assert "is the latest already" in str(error)  # noqa: PT017


def verify(lake: str, _folder: Path) -> None:
    store = open_lake(lake)
    require_sound(lake, verify_release(store, every=True))
    require_sound(lake, verify_raw(store))


def sql(lake: str, folder: Path) -> None:
    words = ["sql", "FROM captures, range(3000)", "-f", "parquet", "-o", str(folder / ANSWER), "--lake", lake]
    app(words, standalone_mode=False)


COMMANDS: Final[Mapping[str, Command]] = {
    "land": Command(land, ("land", str(SAMPLE))),
    "capture": Command(capture),
    "build": Command(build, ("build",), ("land",)),
    "publish": Command(publish, ("publish",), ("land", "build")),
    "run": Command(run, ("run", str(SAMPLE))),
    "retain": Command(retained, ("retain", "--keep-last", "1", "--apply")),
    "rollback": Command(rollback, ("rollback", FIRST)),
    "verify": Command(verify, ("verify", "--all")),
    "sql": Command(sql, ("sql", "FROM captures, range(3000)", "-f", "parquet", "-o", ANSWER)),
}


def prepare(name: str, base: str, lake: str, folder: Path) -> None:
    """The lake as the command finds it."""
    copied(base, lake)
    for before in COMMANDS[name].before:
        COMMANDS[before].do(lake, folder)


def copied(source: str, lake: str) -> None:
    """A lake copied to another place, a folder or in a bucket."""
    near, far = open_lake(source), open_lake(lake)
    if near.folder and far.folder:
        shutil.copytree(near.folder, far.folder)
        return
    for key in near.list():
        far.put(key, near.read(key))


def state(lake: str, folder: Path) -> dict[str, Any]:
    """What a lake holds for its readers, in whatever pieces."""
    store = open_lake(lake)
    named = latest(store)
    answer = folder / ANSWER
    return {
        "landed": sorted(entry.capture_id for entry in Archive(store).index()),
        "tables": steps.hashes(lake),
        "releases": [bool(one.dropped_at) for one in summaries(store)],
        "moves": named.number if named else 0,
        "answer": duckdb.sql(f"SELECT count(*) FROM '{answer}'").fetchall() if answer.exists() else None,
    }


def sound(lake: str, _folder: Path) -> None:
    """The latest release may be read, whatever was killed."""
    require_sound(lake, verify_release(open_lake(lake)))


def state_text(lake: str, folder: Path) -> str:
    return json.dumps(state(lake, folder), sort_keys=True)
