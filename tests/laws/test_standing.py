"""A page that is set aside leaves a lake that never saw it; every honest day is published, and says the same again.

Lakes of a few days of two looks each, with pages that are false in one way or another.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from shutil import copytree

import polars as pl
import pytest

from flows.running.how import How
from flows.runtime.scope import Scope
from flows.steps.build_draft import changed_decisions, judged_draft
from flows.steps.standing import Change as Decide
from flows.steps.standing import decided, withdrawn
from flows.watch.status import status_of
from paperlake.answers.newest_page import newest_page
from tests.flows import steps
from tests.gate_here import GateHere
from tests.invented import NOUNS
from tests.laws.test_builds import Hashes, hashes
from tests.little_lake import little_lake
from tests.pushed import go_to
from tests.unit.test_vandalised import SAME_TITLES, answer
from tests.vandalism import Change, Material, as_it_is
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.release.draft import passed
from warehouse.release.manifest import Decision, Draft
from warehouse.release.snapshot import Snapshot, open_snapshot
from warehouse.store.local_files import local_files
from warehouse.store.opening import open_store

pytestmark = pytest.mark.slow

THURSDAY, FRIDAY, MONDAY = date(2026, 10, 1), date(2026, 10, 2), date(2026, 10, 5)
TELLING = {"captures", "quarantine", "coverage"}  # tables that say of a page that it was set aside
FALSE = SAME_TITLES  # what no page says, whatever others say


def look(day: date, hours: float, change: Change = as_it_is) -> Capture:
    return answer(day, change, hours=hours)


def build(lake: Path, *captures: Capture, from_raw: bool = False, **decided: tuple[Decision, ...]) -> Draft | None:
    """Land the captures, and build as `paperlake build` does."""
    Archive(open_store(str(lake))).write(captures, now=steps.NOW)
    with local_files(open_store(str(lake))) as files:
        made = judged_draft(
            files, How(str(lake)), GateHere(), decided.get("decisions"), from_raw=from_raw, accepted_loss=None
        )
    if made is None:
        return None
    draft, report = made
    assert report.passed, [str(one) for one in report.refused]
    return passed(draft, report.to_json())


def released(lake: Path, parts: Sequence[Sequence[Capture]]) -> Draft:
    """The last of the releases that these captures give, one build after the other."""
    for part in parts:
        draft = build(lake, *part)
        steps.publish_tables(str(lake), draft, bytes(draft.report))
    return draft


def others(draft: Draft) -> Hashes:
    """The files of the tables that say nothing of how captures were read."""
    return {file.key: file.sha256 for table in draft.tables if table.name not in TELLING for file in table.files}


HONEST = [look(THURSDAY, 8), look(FRIDAY, 8), look(THURSDAY, 30)]


@pytest.fixture(scope="module")
def never(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Draft]:
    """A lake that never saw a false page, and its draft, which is not published; tests copy it."""
    lake = tmp_path_factory.mktemp("never") / "lake"
    return lake, build(lake, *HONEST)


def test_a_page_that_is_set_aside_was_never_seen(never: tuple[Path, Draft], tmp_path: Path) -> None:
    false, (lake, honest) = look(MONDAY, 8, FALSE), never
    copytree(lake, tmp_path / "false")
    steps.publish_tables(str(tmp_path / "false"), honest, bytes(honest.report))
    draft = build(tmp_path / "false", false)
    steps.publish_tables(str(tmp_path / "false"), draft, bytes(draft.report))
    [decision] = draft.decisions
    assert (decision.capture_id, decision.standing) == (false.capture_id, "set_aside")
    assert others(draft) == others(honest)
    assert build(tmp_path / "false", from_raw=True) is None  # file by file what the release has
    at_once = build(tmp_path / "at_once", *HONEST, false)
    assert hashes(at_once) == hashes(draft)
    with open_snapshot(open_store(str(tmp_path / "false")), draft) as snapshot:
        require_told(snapshot, decision)


def require_told(snapshot: Snapshot[Draft], decision: Decision) -> None:
    """The page, each of its items and its day say why nothing is taken from it."""
    told = {name: snapshot.scan(name, ["*"]).collect() for name in TELLING}
    [page] = told["captures"].filter(capture_id=decision.capture_id).iter_rows(named=True)
    assert (page["state"], page["sighting_count"], page["rejected_count"]) == ("set_aside", 0, 20)
    rows = told["quarantine"].filter(capture_id=decision.capture_id)
    assert set(rows.select("rule", "detail").rows()) == {(decision.rule, decision.why)}
    [day] = told["coverage"].filter(source="api", listed_on=page["listed_on"]).iter_rows(named=True)
    assert (day["state"], day["reason"]) == ("missing", f"set aside: {decision.rule}: {decision.why}")
    assert pl.Series([page["reason"]]).str.contains(decision.rule, literal=True).all()


# Beside those tables: what counts rows and captures, or has hashes and sizes of such files, or of all pages
COUNTING = {
    *(f"data/{name}.parquet" for name in TELLING),
    *(f"about/{name}.parquet" for name in ("_changes", "_checks", "_columns", "_errata", "_releases", "_tables")),
    "NOTES.md", "README.md", "SHA256SUMS", "croissant.json", "datapackage.json", "dcat.jsonld", "draft.json",
    "explore/index.html", "explore/tables.json", "feeds/releases.atom", "feeds/releases.json", "index.html",
    "notes.html", "notes.json", "paperlake.duckdb", "quality/index.html", "releases.json", "roots.json",
}  # fmt: skip


def test_all_files_but_those_that_tell_are_those_of_a_lake_that_never_saw_it(
    never: tuple[Path, Draft], tmp_path: Path
) -> None:
    with_false = build(tmp_path / "false", *HONEST, look(FRIDAY, 20, FALSE))
    copytree(never[0], tmp_path / "never")
    drafts = {"false": with_false, "never": never[1]}
    releases = [
        steps.publish(str(tmp_path / name), draft=passed(draft, bytes(draft.report))) for name, draft in drafts.items()
    ]
    seen, never = ({file.key: file.sha256 for file in release.files} for release in releases)
    assert seen.keys() == never.keys()
    assert {key for key in seen if seen[key] != never[key]} <= COUNTING
    tables = {file.key for part in (*releases[0].tables, *releases[0].marts) for file in part.files}
    assert len(tables - COUNTING) > 40


def twins(given: Material) -> None:
    """Papers that share their titles with those of every other day."""
    for number, item in enumerate(given.items):
        noun = NOUNS[number % len(NOUNS)]
        item["paper"] |= {"title": f"On {noun}s again, part {number}", "ai_summary": None}
        item["paper"]["summary"] += f" So {noun}s again, part {number}."
        item |= {name: item["paper"][name] for name in ("title", "summary") if name in item}


def bare_twins(given: Material) -> None:
    twins(given)
    for item in given.items:
        item["paper"].pop("summary")
        item.pop("summary", None)


def test_a_backfill_of_overlapping_lists_closes_no_gate(tmp_path: Path) -> None:
    """Older looks tell that papers of one title are two works, or one; lists of older days have more such papers."""
    days = [THURSDAY, FRIDAY, MONDAY]
    newer = [look(day, 30, bare_twins) for day in days]
    older = [look(day, 14, twins) for day in (*days, date(2026, 8, 20), date(2026, 8, 21))]
    draft = released(tmp_path / "parts", [newer, older])
    assert draft.decisions == ()
    assert hashes(draft) == hashes(build(tmp_path / "at_once", *newer, *older))


def changed(lake: Path, change: Decide) -> Draft | None:
    """What `paperlake captures` builds."""
    with local_files(open_store(str(lake))) as files:
        decisions = changed_decisions(files, change)
    return build(lake, decisions=decisions)


def test_what_a_person_decides_outlives_a_rollback_and_can_be_taken_back_after_one(tmp_path: Path) -> None:
    """A decision is about the lake: it holds for the next build on any release, and so does what takes it back."""
    lake, page = tmp_path / "lake", HONEST[0].capture_id
    first = released(lake, [HONEST[:2]])
    disowned = changed(lake, lambda held: decided(held, page, "disowned", "a proxy's copy", steps.NOW))
    last = steps.publish_tables(str(lake), disowned)
    go_to(str(lake), disowned.parent.version)
    again = build(lake)
    assert (again.decisions, hashes(again)) == (disowned.decisions, hashes(disowned))
    taken_back = changed(lake, lambda held: withdrawn(held, page))
    assert (taken_back.decisions, hashes(taken_back)) == ((), hashes(first))
    steps.publish_tables(str(lake), taken_back)
    go_to(str(lake), last.version)
    assert hashes(build(lake)) == hashes(first) != hashes(disowned)


def test_a_page_that_was_disowned_says_no_day(tmp_path: Path) -> None:
    """Of a mistyped year lists are expected till then, and nothing trends, until the page is disowned. That the lake is
    old is told all the same.
    """
    lake, late = tmp_path / "lake", replace(HONEST[0], fetched_at=datetime(2062, 10, 1, 12))
    released(lake, [HONEST[:1]])
    before = newest_day_and_moments(lake)
    released(lake, [[late]])
    assert newest_day_and_moments(lake) == (late.fetched_at.date(), late.fetched_at, before[2])
    steps.publish_tables(
        str(lake), changed(lake, lambda held: decided(held, late.capture_id, "disowned", "mistyped", steps.NOW))
    )
    assert newest_day_and_moments(lake) == before


def newest_day_and_moments(lake: Path) -> tuple[date | datetime | None, ...]:
    """The last day of `coverage`, the moment for which it is told what trends, and that by which a lake is old."""
    status = status_of(open_store(str(lake)), Scope(), steps.NOW)
    coverage, captures = (steps.table(str(lake), name) for name in ("coverage", "captures"))
    with little_lake({"captures": captures}) as database:
        return coverage["listed_on"].max(), newest_page(database), status.captured_at


def test_what_a_person_decides_can_be_taken_back_to_the_byte(tmp_path: Path) -> None:
    """A page that was disowned: the law above."""
    lake, good = tmp_path / "lake", HONEST[0]
    first = released(lake, [[*HONEST, false := look(MONDAY, 8, FALSE)]])
    changes = {
        2: lambda held: decided(held, false.capture_id, "confirmed", "seen on the Hub", steps.NOW),
        3: lambda held: withdrawn(held, false.capture_id),
        4: lambda held: decided(held, good.capture_id, "disowned", "a proxy's copy", steps.NOW),
    }
    found = {}
    for number, change in changes.items():
        found[number] = changed(lake, change)
        if number == 4:
            assert build(lake, from_raw=True, decisions=found[number].decisions) == found[number]
        steps.publish_tables(str(lake), found[number], bytes(found[number].report))
    assert hashes(found[2]) != hashes(first) == hashes(found[3]) != hashes(found[4])
    assert others(found[4]) == others(build(tmp_path / "never", *HONEST[1:]))
    assert found[3].decisions == first.decisions
