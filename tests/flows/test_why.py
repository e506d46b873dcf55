"""Every difference between two releases has one cause: each kind is tried, and the causes sum to all differences; those of
a published release stand in `_changes`, its notes and its page.
"""

from collections.abc import Iterator
from dataclasses import replace as but
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

import duckdb
import polars as pl
import pytest
from msgspec.structs import replace

from flows.documents.notes import Notes
from flows.runtime.lake import open_database, open_lake
from flows.steps.make_draft import code_digest
from flows.steps.standing import reason_of
from paperlake.cli.release_texts import diff_text, two_releases
from tests import derived
from tests.drafts import write_draft
from tests.flows import steps
from tests.invented import HUB, Paper, as_json, daily_answer, paper
from transforms.collect.collect import Collected, collect, put_aside, read_page
from transforms.core import derive
from warehouse.archive.captured import Capture
from warehouse.changes.diff import ReleaseDiff
from warehouse.changes.explain import BY, Explanation, diff_with_causes
from warehouse.errors import UsageError
from warehouse.release.about import about, lineage
from warehouse.release.manifest import Decision, File, Manifest, TableFiles, decode
from warehouse.release.snapshot import Snapshot
from warehouse.release.write import ReleaseWriter
from warehouse.schema.catalog import CAUSES, CHANGES, CHECKS, KEYS_SHOWN
from warehouse.schema.core.papers import PAPERS
from warehouse.store.local_files import LocalFiles, local_files, sha256

SEPTEMBER, FIRST, SECOND, MONDAY = date(2026, 9, 30), date(2026, 10, 1), date(2026, 10, 2), date(2026, 10, 5)
LATER = datetime(2026, 10, 5, 19)
OF_FIRST = [paper(number, FIRST) for number in (1, 2, 3)]


def fetched(day: date, at: datetime, papers: list[Paper], *, more_upvotes: int = 0) -> Capture:
    answer = as_json(daily_answer(papers, at, more_upvotes=more_upvotes))
    url = f"{HUB}/api/daily_papers?date={day}"
    return Capture(payload=answer, url=url, fetched_at=at, http_status=200, content_type="application/json")


# the first day is over when its list is fetched: what the list says of it is settled
OLD = [fetched(FIRST, datetime(2026, 10, 2, 7), OF_FIRST), steps.list_of(SECOND)]
LATE = fetched(SEPTEMBER, datetime(2026, 10, 1, 7), [paper(1, SEPTEMBER), paper(2, SEPTEMBER)])
RETITLED = but(OF_FIRST[0], title="Another Title Altogether: Sails")
JOINED = paper(4, FIRST)
NEW = [steps.list_of(MONDAY), fetched(FIRST, LATER, [RETITLED, *OF_FIRST[1:], JOINED], more_upvotes=5)]


class Lake(NamedTuple):
    """Releases of the same pages: `old` ones, by today's code and by another, one `with_late` pages, and `new` with all."""

    files: LocalFiles
    old: Manifest
    of_other_code: Manifest
    with_late: Manifest
    new: Manifest


def released(files: LocalFiles, version: str, *captures: Capture, code: str = "today") -> Manifest:
    """As much of a release as is compared: its tables and its marts, without the gate and without documents."""
    return _released(files, version, collect(map(read_page, captures)), code)


def _released(files: LocalFiles, version: str, collected: Collected, code: str = "today") -> Manifest:
    tables = derived.derive(collected)
    draft = replace(write_draft(files.store, tables), code_sha256=code)
    chain = about(lineage(files.store, draft, version), CHECKS.empty())
    return ReleaseWriter(Snapshot(draft, files), version).write_tables(chain)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    with (
        local_files(open_lake(str(tmp_path_factory.mktemp("why") / "lake"))) as files,
        pytest.MonkeyPatch.context() as patch,
    ):
        old = released(files, "2026.10.03.1", *OLD)
        new = released(files, "2026.10.06.1", *OLD, LATE, *NEW)
        papers = derive.DERIVED["papers"]
        other = lambda seen: papers(seen).with_columns(comment_count=pl.lit(77, pl.Int32))  # noqa: E731 - a line
        patch.setitem(derive.DERIVED, "papers", other)
        of_other_code = released(files, "2026.10.03.2", *OLD, code="another")
        patch.undo()
        with_late = released(files, "2026.10.04.1", *OLD, LATE)
        yield Lake(files, old, of_other_code, with_late, new)


class Differences(NamedTuple):
    cells: pl.DataFrame
    changes: pl.DataFrame

    def causes(self, table: str, change: str, column: str = "*") -> dict[str, set[str]]:
        """Causes, each with the keys of what it changed."""
        found = self.cells.filter(table_name=table, change=change, column_name=column)
        return {cause: set(keys) for cause, keys in found.group_by("cause").agg("key").iter_rows()}


def explained(lake: Lake, old: Manifest, new: Manifest) -> Differences:
    """Why two releases differ; each cell has one cause, and the causes sum to the whole of their comparison."""
    cells: list[pl.DataFrame] = []
    before, after = Snapshot(old, lake.files), Snapshot(new, lake.files)
    found = Explanation(before, after, cells.append)
    whole = [found.compare()]
    differences = Differences(pl.concat(cells), found.changes)
    require_whole(whole, differences)
    return differences


def require_whole(whole: list[ReleaseDiff], differences: Differences) -> None:
    assert differences.cells.select("table_name", "key", "column_name").is_duplicated().any() is False
    assert set(differences.cells["cause"]) <= set(CAUSES)
    summed = differences.changes.group_by("table_name", "change", "column_name").agg(pl.col("cell_count").sum())
    expected = {}
    for table in (table for one in whole for table in one.tables):
        expected |= {(table.name, "added", "*"): table.added_count, (table.name, "removed", "*"): table.removed_count}
        expected |= {(table.name, "changed", column.name): column.changed_count for column in table.columns}
        expected |= {(table.name, "column added", name): 1 for name in table.columns_added}
        expected |= {(table.name, "column removed", name): 1 for name in table.columns_gone}
    assert {key: count for *key, count in summed.iter_rows() for key in [tuple(key)]} == {
        key: count for key, count in expected.items() if count
    }


def key(*values: object) -> str:
    return "[" + ",".join(f'"{value}"' for value in values) + "]"


def ids(papers: list[Paper]) -> set[str]:
    return {key(one.arxiv_id) for one in papers}


def test_each_change_is_world_late_capture_or_restated(lake: Lake) -> None:
    differences = explained(lake, lake.old, lake.new)
    of_monday = {key(row["paper_id"]) for row in _papers(lake).filter(first_listed_on=MONDAY).iter_rows(named=True)}
    september = [paper(1, SEPTEMBER), paper(2, SEPTEMBER)]
    assert differences.causes("papers", "added") == {"late_capture": ids(september), "world": of_monday | ids([JOINED])}
    assert differences.causes("papers", "changed", "upvote_count") == {"world": ids(OF_FIRST)}
    assert differences.causes("papers", "changed", "title") == {"restated": ids([RETITLED])}
    # the list of a day that was over has a paper more
    assert differences.causes("daily_listings", "added")["restated"] == {key(FIRST, JOINED.arxiv_id)}
    assert differences.causes("paper_versions", "added")["restated"] == {key(RETITLED.arxiv_id, "title", 2)}
    assert differences.causes("papers_by_month", "added") == {"late_capture": {key("2026-09-01")}}
    assert differences.causes("papers_by_month", "changed", "paper_count") == {"world": {key("2026-10-01")}}
    assert differences.causes("daily_papers", "changed", "title") == {"restated": {key(FIRST, RETITLED.arxiv_id)}}
    assert set(differences.cells["cause"]) == {"world", "late_capture", "restated"}


def test_what_our_code_may_have_changed_is_no_news(lake: Lake) -> None:
    """Where the code changed, and a new page shows a paper that was known, nobody says which of the two it was."""
    differences = explained(lake, lake.of_other_code, lake.new)
    [(cause, keys)] = differences.causes("papers", "changed", "comment_count").items()
    assert (cause, keys) == ("reader", {key(one) for one in _papers(lake, lake.old)["paper_id"]})
    assert set(differences.causes("daily_papers", "changed", "comment_count")) == {"reader"}
    assert differences.causes("papers", "changed", "upvote_count") == {"reader": ids(OF_FIRST)}
    assert differences.causes("papers_by_month", "changed", "paper_count") == {"reader": {key("2026-10-01")}}
    assert set(differences.causes("papers", "added")) == {"late_capture", "world"}
    assert set(differences.causes("captures", "added")) == {"late_capture", "world"}
    assert set(differences.causes("coverage", "added")) <= {"late_capture", "world", "reader"}


def test_without_new_pages_only_our_code_is_left(lake: Lake) -> None:
    differences = explained(lake, lake.of_other_code, lake.old)
    assert set(differences.cells["cause"]) == {"reader"}
    assert set(differences.cells["table_name"]) == {"papers", "daily_papers"}


def test_pages_of_one_cause_are_the_cause_of_all(lake: Lake) -> None:
    assert set(explained(lake, lake.old, lake.with_late).cells["cause"]) == {"late_capture"}


def test_what_is_decided_about_a_page_is_no_news_and_not_our_code(lake: Lake) -> None:
    """Alone; and where it is taken back, with new pages beside it."""
    late = {key(LATE.capture_id)}
    decision = Decision(LATE.capture_id, "disowned", "a proxy's copy", "2026-10-04T07:00:00Z")
    aside = {LATE.capture_id: reason_of(decision)}
    of_pages = collect(put_aside(read_page(one), aside) for one in (*OLD, LATE))
    disowned = replace(_released(lake.files, "2026.10.05.1", of_pages), decisions=(decision,))
    assert set(explained(lake, lake.with_late, disowned).cells["cause"]) == {"correction"}
    differences = explained(lake, disowned, lake.new)
    assert differences.causes("captures", "changed", "state") == {"correction": late}
    assert differences.causes("papers", "added")["correction"] == ids([paper(1, SEPTEMBER), paper(2, SEPTEMBER)])
    assert differences.causes("papers", "changed", "upvote_count") == {"world": ids(OF_FIRST)}


def test_what_was_corrected_is_known_by_the_table_of_corrections(lake: Lake) -> None:
    """So is what follows in other tables, for a paper that no new page shows; of another, it goes before the page."""
    paper_id = _papers(lake).filter(first_listed_on=SECOND)["paper_id"][0]
    title = {"table_name": "papers", "column_name": "title", "value_right": "What It Is Called"}
    keyed = [{"paper_id": one, "row_key": f'{{"paper_id": "{one}"}}'} for one in (paper_id, RETITLED.arxiv_id)]
    entry = _with_table(lake, lake.new, "corrections", pl.DataFrame([title | one for one in keyed]))
    [papers] = [table for table in lake.new.tables if table.name == "papers"]
    right = Snapshot(lake.new, lake.files).read(PAPERS)
    is_it = pl.col("paper_id") == paper_id
    changed = {"title": title["value_right"], "author_count": 99}  # of the count nothing is said
    right = right.with_columns(
        pl.when(is_it).then(pl.lit(one)).otherwise(name).alias(name) for name, one in changed.items()
    )
    new = _with_table(
        lake,
        replace(entry, tables=tuple(one for one in entry.tables if one != papers)),
        "papers",
        PAPERS.conform(right),
    )
    differences = explained(lake, lake.with_late, new)
    assert set(differences.causes("corrections", "added")) == {"correction"}
    assert differences.causes("papers", "changed", "title") == {"correction": {key(paper_id), key(RETITLED.arxiv_id)}}
    assert differences.causes("daily_papers", "changed", "title") == {"correction": {key(FIRST, RETITLED.arxiv_id)}}
    assert differences.causes("papers", "changed", "author_count") == {"correction": {key(paper_id)}}
    assert differences.causes("papers", "changed", "upvote_count") == {"world": ids(OF_FIRST)}


def _with_table(lake: Lake, of: Manifest, name: str, frame: pl.DataFrame) -> Manifest:
    """The release with one more table."""
    at = f"data/{name}/made.parquet"
    path = lake.files.store.local_path(f"releases/{of.version}/{at}")
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.write_parquet(path)
    made = TableFiles(name, frame.height, (File(at, path.stat().st_size, sha256(path)),))
    return replace(of, tables=(*of.tables, made))


def test_a_table_and_a_column_that_came_are_of_the_schema(lake: Lake) -> None:
    [papers] = [table for table in lake.old.tables if table.name == "papers"]
    path = lake.files.path(f"releases/{lake.old.version}/{papers.files[0].key}")
    made = lake.files.store.local_path(f"releases/{lake.old.version}/data/older.parquet")
    assert len(papers.files) == 1
    pl.read_parquet(path).drop("github_star_count").write_parquet(made)
    fewer = replace(papers, files=(File("data/older.parquet", made.stat().st_size, sha256(made)),))
    tables = tuple(
        fewer if table.name == "papers" else table for table in lake.old.tables if table.name != "paper_links"
    )
    differences = explained(lake, replace(lake.old, tables=tables), lake.new)
    assert set(differences.causes("paper_links", "added")) == {"schema"}
    column = differences.changes.filter(change="column added")
    assert column.select(*BY, "cell_count").rows() == [("papers", "column added", "github_star_count", "schema", 1)]
    assert differences.causes("papers", "changed", "upvote_count") == {"world": ids(OF_FIRST)}


def test_the_digest_of_the_code_differs_with_the_model() -> None:
    assert code_digest(semantic=False) == code_digest(semantic=False) != code_digest(semantic=True)


def test_the_older_release_is_named_first(lake: Lake) -> None:
    with pytest.raises(UsageError, match=r"name 2026\.10\.03\.1 first"):
        diff_with_causes(lake.files.store, lake.new, lake.old)


def _papers(lake: Lake, of: Manifest | None = None) -> pl.DataFrame:
    return Snapshot(of or lake.new, lake.files).read(PAPERS)


def test_the_table_is_what_diff_shows(published_twice: str, tmp_path: Path) -> None:
    with duckdb.connect(str(open_database(published_twice)), read_only=True) as connection:
        held = CHANGES.conform(connection.sql("FROM _changes").pl())
    store = open_lake(published_twice)
    found = diff_with_causes(store, *two_releases(store, None, None), tmp_path / "keys.parquet")
    told = [(one.table, one.change, one.column, one.cause, one.count) for one in found.why]
    assert told == held.select(*BY, "cell_count").rows()
    assert {cause for _, _, _, cause, _ in told} == {"world"}
    keys = pl.read_parquet(tmp_path / "keys.parquet")
    assert keys.height == held["cell_count"].sum()
    assert held["keys"].list.len().to_list() == held["cell_count"].clip(upper_bound=KEYS_SHOWN).to_list()
    assert diff_text(found).splitlines()[2:4] == [
        "cause  cells",
        f"world  {keys.height:>5,}  a page fetched later shows it",
    ]


def test_notes_and_page_say_it_first(published_twice: str) -> None:
    first, at = sorted(Path(published_twice, "releases").glob("2*"))
    notes = decode((at / "notes.json").read_bytes(), Notes, "notes.json")
    [world] = notes.why
    assert world.cause == "world"
    headings = [line for line in (at / "NOTES.md").read_text().splitlines() if line.startswith("## ")]
    assert headings[0] == "## Why"
    page = (at / "index.html").read_text()
    assert 0 < page.index('id="why"') < page.index('id="list"')
    assert "## Why" not in (first / "NOTES.md").read_text()
    assert 'id="why"' not in (first / "index.html").read_text()
