"""Tables are a function of the captures: in any order and any cut, at once, from raw, the same bytes.

So they are where raw was changed under a release, and what it touched was made again. On Dask: tests/flows/test_cluster.py.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.steps.make_draft import remake
from flows.tasks.spread import TaskSizes
from tests.collected import page
from tests.flows import steps
from tests.invented import HUB, daily_answer, paper, text_dump
from tests.unit import test_adoption, test_discussed, test_paper_publications, test_paper_status
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Failed, Limits, Unchanged
from warehouse.archive.erased_records import erase_raw
from warehouse.archive.folder_import import captures_from
from warehouse.people.ledger import new_entry
from warehouse.people.person import Person
from warehouse.release.manifest import Draft
from warehouse.release.snapshot import latest_release
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.store.local_files import local_files
from warehouse.store.opening import open_store

# Captures of the sample, those made of them, those of papers that change their name, those around a paper, arXiv's, and
# those of registries with what arXiv says of their papers, GitHub's with what the Hub says of stars
COUNT = 26 + 6 + 2 + 6 + 11 + 11 + 13 + 13
DAY = date(2026, 10, 1)
SMALLER = 400  # times fewer rows a file, so that the sample has files of months, quarters and years
Builds = list[list[int]]  # which captures each build reads
Hashes = dict[str, str]  # SHA-256 of each file of a release or a draft
LARGE = TaskSizes(file_share=SMALLER)


def small(chunk: int, rows: int) -> TaskSizes:
    """Chunks of so many captures, and ranges and files of so many rows."""
    return TaskSizes(
        piece_bytes=1, chunk_bytes=chunk << 20, capture_bytes=1 << 20, file_share=SMALLER, chunks=1,
        described_rows=rows, derived_rows=rows, written_rows=rows,
    )  # fmt: skip


@pytest.fixture(scope="module")
def captures(sample: Path) -> list[Capture]:
    """The sample; three lists that the Hub called unchanged a day later, and three addresses that gave no page; papers
    that a saved list shows without their ids, which a later answer gives; what cites papers, a discussion, and what
    arXiv, registries and GitHub say.
    """
    found = [one for one in captures_from([sample], Limits()) if isinstance(one, Capture)]
    lists = [(one, one.url, one.fetched_at + timedelta(days=1)) for one in found if one.url and one.fetched_at]
    again = [replace(Unchanged(url, at, '"e"').as_capture(), payload=one.payload) for one, url, at in lists[1:4]]
    lost = [Failed(url, at, "HTTP status 500", 500).as_capture() for _, url, at in lists[3:6]]
    shown, day = [paper(number, DAY) for number in (1, 2, 3)], datetime.combine(DAY, time(20))
    saved = page(text_dump(shown, "Oct 1"), f"{HUB}/papers?date={DAY}", day)
    told = page(daily_answer(shown[:2], day), f"{HUB}/api/daily_papers?date={DAY}", day + timedelta(days=1))
    discussed = page(test_discussed.shown(), f"{HUB}/papers/{test_discussed.PAPER.arxiv_id}", day)
    return [
        *found,
        *again,
        *lost,
        saved,
        told,
        *test_adoption.PAGES,
        discussed,
        *test_paper_status.PAGES,
        *test_paper_publications.PAGES,
        *test_paper_publications.OF_TWO,
        *test_adoption.STAR_PAGES,
    ]


@st.composite
def builds(draw: st.DrawFn) -> Builds:
    """All captures, in any order, cut into builds anywhere."""
    order = draw(st.permutations(range(COUNT)))
    cuts = sorted(draw(st.sets(st.integers(1, COUNT - 1), max_size=2)))
    return [order[start:end] for start, end in zip([0, *cuts], [*cuts, COUNT], strict=True)]


def released(captures: list[Capture], parts: Builds, lake: Path, sizes: TaskSizes = LARGE) -> Hashes:
    """The files of the release that the last build makes, each on the release of the one before."""
    for part in parts:
        Archive(open_store(str(lake))).write([captures[one] for one in part], now=steps.NOW)
        draft = steps.make_draft(str(lake), sizes=sizes)
        steps.publish_tables(str(lake), draft)
    return hashes(draft)


def hashes(draft: Draft | None) -> Hashes:
    return {file.key: file.sha256 for table in draft.tables for file in table.files}


@pytest.fixture(scope="module")
def whole(captures: list[Capture], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with one release, of all captures at once."""
    assert len(captures) == COUNT
    released(captures, [list(range(COUNT))], lake := tmp_path_factory.mktemp("at_once") / "lake")
    return lake


@pytest.fixture(scope="module")
def at_once(whole: Path) -> Hashes:
    with local_files(open_store(str(whole))) as files:
        latest = latest_release(files)
        return {file.key: file.sha256 for file in latest.of.files}


@pytest.mark.slow
@settings(deadline=None, max_examples=1)
@given(parts=builds(), chunk=st.integers(1, 9), rows=st.sampled_from([1, 30, 10_000]))
def test_any_order_and_any_cut_give_the_same_bytes(  # noqa: PLR0917 - what is drawn, and fixtures
    parts: Builds,
    chunk: int,
    rows: int,
    captures: list[Capture],
    at_once: Hashes,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    assert len(at_once) > len(CORE_TABLES)
    lake = tmp_path_factory.mktemp("builds") / "lake"
    assert released(captures, parts, lake, small(chunk, rows)) == at_once
    assert steps.make_draft(str(lake), from_raw=True, sizes=LARGE) is None  # all files are those of the release


def test_captures_that_are_read_again_give_the_same_release(whole: Path) -> None:
    some = [one.capture_id for one in Archive(open_store(str(whole))).index()[:5]]
    assert remade(whole, some) is None


@pytest.mark.slow
def test_what_changed_in_raw_is_made_again_as_from_raw(whole: Path, tmp_path: Path) -> None:
    """On the release that has it otherwise, of the captures that changed."""
    lake = Path(copytree(whole, tmp_path / "lake"))
    before = {one.capture_id: one.payload_sha256 for one in Archive(open_store(str(lake))).index()}
    with local_files(open_store(str(lake))) as files:
        who = latest_release(files).read(SIGHTINGS)["submitter_login"].drop_nulls().min()
    entry = new_entry("2026-11-21T06:00:00Z", "GDPR art. 17")
    assert erase_raw(open_store(str(lake)), Person("erased1", frozenset({who})), entry.note, apply=True)
    changed = [
        one.capture_id for one in Archive(open_store(str(lake))).index() if one.payload_sha256 != before[one.capture_id]
    ]
    assert changed
    assert hashes(remade(lake, changed)) == hashes(steps.make_draft(str(lake), from_raw=True, sizes=LARGE))


def remade(lake: Path, again: Sequence[str]) -> Draft | None:
    with local_files(open_store(str(lake))) as files:
        latest = latest_release(files)
        return remake(files, latest, again, latest.read(CORRECTIONS).drop("capture_id"), sizes=LARGE)
