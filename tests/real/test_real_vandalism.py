"""Real pages, made false in every kind that was thought of: how many are found, on new days and on second looks.

PAPERLAKE_DRILL_EACH says of how many kinds one is tried; with 1 it is all.
"""

import os
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

import polars as pl
import pytest

from expectations.comparison import ComparedFrames, Comparison
from expectations.gate import GUARDS
from tests.real.folder import captures
from tests.vandalism import NEW_DAYS, RECAPTURES, Change, changed
from transforms.collect.collect import collect, read_page
from warehouse.archive.captured import Capture

# Lists of every shape that the answers have had; each with the list of some days before, to take from
DAYS = (
    date(2024, 6, 10),
    date(2024, 9, 19),
    date(2025, 2, 5),
    date(2025, 6, 12),
    date(2025, 10, 15),
    date(2026, 6, 18),
)
MANY = 8  # papers
FAR = 12  # pages between a list and the one to take from
SAMPLE = 3  # one list in so many, a kind on one of them; the table in docs/guards.md is of all kinds on all lists
LATER = timedelta(hours=24)
EACH = int(os.environ.get("PAPERLAKE_DRILL_EACH", "2"))
WATCHED = [
    one
    for one in GUARDS
    if one.kind == "pages" or one.rule in {"items_read", "lists_kept"} or one.rule.endswith(("_steady", "_in_range"))
]
FOUND = {"new days": 0.8, "second looks": 0.9}  # share; of all lists 85 and 96 %
Base = tuple[Capture, Capture, dict[str, pl.DataFrame]]


@pytest.fixture(scope="module")
def bases(tables: ComparedFrames) -> list[Base]:
    """Some lists, each with an older one, and with the tables of what was captured before it."""
    return [base for day in DAYS[1::SAMPLE] if (base := _base(day, tables))]


def _base(day: date, tables: ComparedFrames) -> Base | None:
    fetched = (one for one in captures() if one.fetched_at and "daily_papers?date=" in (one.url or ""))
    lists = sorted(fetched, key=lambda one: one.url or "")
    places = [place for place, one in enumerate(lists) if (one.url or "").endswith(str(day))]
    if not places:
        return None
    known = tables["captures"].filter(pl.col("fetched_at") < lists[places[0]].fetched_at)
    names = ("sightings", "papers", "daily_listings", "quarantine", "paper_aliases")
    seen = tables["sightings"].join(known, on="capture_id", how="semi")
    others = [one for one in lists[: places[0] - FAR] if one.payload.count(b'"upvotes"') >= MANY]
    return lists[places[0]], others[-1], {name: tables[name] for name in names} | {"captures": known, "sightings": seen}


def told(known: Mapping[str, pl.DataFrame], *pages: Capture) -> list[str]:
    """The guards that fail for new pages, the last of which may be false."""
    now = dict(known)
    for page in pages:
        before, found = now, collect([read_page(page)])
        rows = found.sightings.with_columns(paper_id=pl.col("arxiv_id")).select(before["sightings"].columns)
        now = {
            **before,
            "captures": pl.concat([before["captures"], found.captures.select(before["captures"].columns)]),
            "sightings": pl.concat([before["sightings"], rows]),
            "quarantine": pl.concat([before["quarantine"], found.quarantine]),
        }
    compared = Comparison(now, before)
    return [one.rule for one in WATCHED if one.applies(compared) and not one.result(compared).passed]


def tried(bases: list[Base], kinds: Mapping[str, Change], *, again: bool) -> pl.DataFrame:
    """Kind, day and the guards that fail: the lists take turns, and a kind is on the first that it changes."""
    rows = []
    for number, (kind, change) in enumerate(kinds.items()):
        turns = deque(enumerate(bases))
        turns.rotate(number)
        for seed, (page, other, known) in turns:
            payload = changed(change, page.payload, other.payload, seed)
            if payload is not None and page.fetched_at:
                false = replace(page, payload=payload, fetched_at=page.fetched_at + (LATER if again else timedelta()))
                rows.append((kind, (page.url or "")[-10:], told(known, *([page] if again else []), false)))
                break
    return pl.DataFrame(rows, schema={"kind": pl.String, "day": pl.String, "rules": pl.List(pl.String)}, orient="row")


@pytest.mark.parametrize(
    ("name", "kinds", "again"), [("new days", NEW_DAYS, False), ("second looks", RECAPTURES, True)]
)
def test_false_pages_are_found(bases: list[Base], name: str, kinds: Mapping[str, Change], again: bool) -> None:
    some = dict(list(kinds.items())[::EACH])
    result = tried(bases, some, again=again).with_columns(is_found=pl.col("rules").list.len() > 0)
    missed = result.filter(~pl.col("is_found")).group_by("kind").len().sort("kind").rows()
    assert result["is_found"].mean() >= FOUND[name], missed
    assert result.height > 0.9 * len(some)


def test_honest_pages_pass(bases: list[Base]) -> None:
    for page, _, known in bases:
        assert told(known, page) == []
        assert told(known, page, replace(page, fetched_at=page.fetched_at + LATER)) == []
