"""A cited query, run again years later, gives the same answer, or an error that says what differs."""

import os
import random
import subprocess
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

from flows.documents.citation_record import CitedQuery
from flows.documents.release_index import summaries
from flows.runtime.lake import open_database, open_lake, sole_writer
from flows.steps.copy_lake import copy_lake
from flows.steps.drop_releases import retain
from flows.steps.read_back import verify_release
from paperlake.answers.user_query import cite_query
from paperlake.cli.app import app
from paperlake.sql.answers import fingerprint, normalised
from paperlake.sql.questions import Fingerprint
from tests import processes
from tests.bare import publish_bare
from tests.flows import steps
from tests.release_page import Elements
from warehouse.errors import NothingThere, UsageError
from warehouse.inventory.keep_rule import KeepRule
from warehouse.release import moves
from warehouse.release.latest import CITATIONS, LATEST
from warehouse.release.manifest import decode
from warehouse.release.query import opened
from warehouse.store.lease import InUse
from warehouse.store.store import Store

QUERY = "from papers\nselect paper_id, upvote_count -- as last seen\nwhere title <> '<img src=x onerror=1>'"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def paperlake(lake: str) -> Run:
    """Run a command in a forked process; a query runs in a process that the command forks."""
    return partial(processes.paperlake, environment={**os.environ, "PAPERLAKE_LAKE": lake})


@pytest.fixture
def store(one_release: Path, lake: str) -> Store:
    return open_lake(str(copytree(one_release, lake)))


def cited_in(store: Store) -> CitedQuery:
    [key] = [key for key in store.list(CITATIONS) if key.endswith(".json")]
    return decode(store.read(key), CitedQuery, key)


@pytest.mark.slow
def test_a_cited_query_has_the_same_answer_many_releases_later(store: Store, paperlake: Run, tmp_path: Path) -> None:
    done = paperlake("sql", QUERY, "--cite", "--format", "csv")
    cited = cited_in(store)
    assert (done.returncode, done.stdout.count("\n"), cited.row_count) == (0, 4, 3)
    assert cited.sql == "SELECT paper_id, upvote_count FROM papers WHERE (title != '<img src=x onerror=1>')"
    assert cited.columns == (("paper_id", "VARCHAR"), ("upvote_count", "INTEGER"))
    assert done.stderr == cited.bibtex == store.read(f"{CITATIONS}/{cited.id}.bib").decode()
    assert cited.bibtex.startswith(f"@misc{{paperlake:{cited.id},\n  title = {{A query of paperlake, release ")
    page = Elements(store.read(f"{CITATIONS}/{cited.id}.html"))
    assert "img" not in dict(page.tags)
    assert "<img src=x onerror=1>" in "".join(page.text)
    again = paperlake("sql", " ".join(QUERY.replace("-- as last seen", "").split()), "--cite")
    assert (again.returncode, cited_in(store)) == (0, cited)
    with steps.bare_releases():
        for number in range(2):
            steps.run_captures(store.url, [steps.list_of(date(2026, 10, 5) + timedelta(number))])
    retain(store, KeepRule(1), apply=True, at=steps.NOW)
    assert [one.version for one in summaries(store) if not one.dropped_at] == [cited.release, "2026.11.21.3"]
    done = paperlake("cite-verify", cited.id)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{cited.id} is the same, rows: 3; asked ")
    command = [processes.PAPERLAKE, "cite-verify", cited.id, "--lake", store.url]  # a forked one exits at once
    assert subprocess.run(command, capture_output=True, text=True, check=True).stderr == ""
    copy_lake(store, copied := open_lake(str(tmp_path / "copy")), releases_only=True)
    assert cited_in(copied) == cited


@pytest.mark.slow
def test_one_altered_byte_or_value_is_found(store: Store, paperlake: Run) -> None:
    paperlake("sql", QUERY, "--cite")
    cited = cited_in(store)
    record, sha256, zeros = f"{CITATIONS}/{cited.id}.json", cited.rows_sha256.encode(), b"0" * 64
    text = store.read(record)
    store.put(record, text.replace(sha256, zeros))
    done = paperlake("cite-verify", cited.id)
    assert (done.returncode, done.stdout) == (6, "")
    assert f"{cited.id} is not the same: it gave rows: 3, SHA-256 {'0' * 64}, and gives rows: 3" in done.stderr
    store.put(record, text)
    assert paperlake("cite-verify", cited.id).returncode == 0
    path = open_database(store.url)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.chmod(0o644)
    path.write_bytes(data)
    done = paperlake("cite-verify", cited.id)
    assert done.returncode == 6
    assert f'paperlake.duckdb is not what was written; run "paperlake verify {cited.release}"' in done.stderr


@pytest.mark.slow
def test_verify_names_every_flip_in_what_was_cited(store: Store, paperlake: Run) -> None:
    paperlake("sql", QUERY, "--cite")
    assert verify_release(store)[1] == []
    chance, flips = random.Random(17), 0
    for key in store.list(CITATIONS):
        data = store.read(key)
        for place in chance.sample(range(len(data)), 3):
            store.put(key, data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1 :])
            assert any(CITATIONS in fault for fault in verify_release(store)[1]), (key, place)
            flips += 1
        store.put(key, data)
    assert flips == 9
    assert verify_release(store)[1] == []


def test_no_query_is_cited_of_a_release_that_is_being_dropped_or_was(
    lake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, found = open_lake(lake), Fingerprint("SELECT 1", (), 1, "0" * 64)
    for version in ("2026.11.21.1", "2026.11.21.2"):
        publish_bare(store, version, at=steps.NOW)
    first, _ = moves.moves(store)
    monkeypatch.setattr("paperlake.answers.user_query.PATIENCE_SECONDS", 0)
    with sole_writer(store, "retain"), pytest.raises(InUse, match="retain"):
        cite_query(store, first, found, at=steps.NOW)
    moves.drop(store, [first.version], store.read(LATEST), at=steps.NOW, why="a rule")
    with pytest.raises(NothingThere, match=r"2026\.11\.21\.1 was dropped"):
        cite_query(store, first, found, at=steps.NOW)
    assert store.list(CITATIONS) == []


@pytest.mark.parametrize("name", ["2026.11.21.1-0000000000000000", "../../etc/passwd", ""])
def test_a_citation_that_does_not_exist_is_reported(one_release: Path, name: str) -> None:
    done = CliRunner().invoke(app, ["cite-verify", name, "--lake", str(one_release)])
    assert isinstance(done.exception, NothingThere)
    assert "paperlake sql QUERY --cite" in str(done.exception)
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("FROM papers LIMIT 2", "LIMIT without ORDER BY"),
        ("SELECT count(*) FROM (FROM papers LIMIT 2)", "LIMIT without ORDER BY"),
        ("SELECT now()", "now gives another value each time"),
        ("SELECT paper_id FROM papers WHERE first_listed_on < current_date", "current_date gives another"),
        ("SELECT random()", "random gives another"),
        ("FROM papers USING SAMPLE 2", "a sample has other rows"),
        ("SELECT 1; SELECT 2", "one query is cited at a time"),
        ("CREATE TEMP TABLE x AS SELECT 1", "begins with SELECT, FROM or WITH"),
    ],
)
def test_a_query_that_gives_other_rows_each_time_is_not_cited(published: str, sql: str, why: str) -> None:
    with opened(open_database(published)) as database, pytest.raises(UsageError, match=why):
        fingerprint(database, sql)


def test_the_fingerprint_is_of_the_rows_whatever_their_order(published: str) -> None:
    with opened(open_database(published)) as database:
        up, down = (fingerprint(database, f"SELECT paper_id FROM papers ORDER BY 1 {way}") for way in ("ASC", "DESC"))
        less = fingerprint(database, "SELECT paper_id FROM papers ORDER BY 1 LIMIT 5")
        assert normalised(database, "from  papers -- all") == "SELECT * FROM papers"
    assert (up.sha256, up.row_count) == (down.sha256, down.row_count)
    assert less.row_count == 5
    assert less.sha256 != up.sha256
