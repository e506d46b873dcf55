"""Erasing submitters whose login is a word of the index: the words stay, and no mask leads back to a name.

Of the 240 such logins 206 are words only because an abstract has an address of theirs, which goes. Those in prose are
erased first. PAPERLAKE_DRILL_ERASURES says how many are erased, one after the other from one copy of the lake of all
captures; without it one is, from a lake of an eighth of them, which has some of all days.
"""

import json
import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from flows.documents.release_index import tombstone
from flows.documents.site_files import ASSETS
from flows.people.erase import Machine, Wish, erase
from flows.runtime.lake import open_lake
from flows.steps.read_back import verify_raw, verify_release
from tests.flows import steps
from tests.real.ends import ends_of
from warehouse.inventory import retention
from warehouse.people.person import Person
from warehouse.release import moves
from warehouse.release.latest import DATABASE, LATEST, manifest_of, release_key, require_latest

log = logging.getLogger(__name__)
MOST = int(os.environ.get("PAPERLAKE_DRILL_ERASURES", "0"))
WORDS = """
SELECT DISTINCT submitter_login FROM daily_listings
WHERE lower(submitter_login) IN (SELECT word FROM search_words) ORDER BY ALL
"""
TEXTS = "SELECT title FROM papers UNION ALL SELECT abstract FROM paper_texts WHERE abstract ILIKE ?"
MASK = "^erased[0-9a-f]{8}$"
FOUND = "SELECT paper_id FROM search_papers(?) ORDER BY ALL"
NAMES = "SELECT DISTINCT submitter_name FROM daily_listings WHERE submitter_login = ? AND submitter_name IS NOT NULL"


def rows_of(lake: Path, query: str, *values: str) -> list[tuple[object, ...]]:
    path = lake / release_key(require_latest(open_lake(str(lake))).version, DATABASE)
    with duckdb.connect(str(path), read_only=True) as database:
        return database.execute(query, values).fetchall()


def texts_beside(lake: Path) -> Iterator[tuple[str, tuple[object, ...]]]:
    """The flat rows, authors each by itself, in which any column has a mask: what any join on a mask can give."""
    path = lake / release_key(require_latest(open_lake(str(lake))).version, DATABASE)
    with duckdb.connect(str(path), read_only=True) as database:
        tables = database.execute("SELECT schema_name, table_name FROM duckdb_tables()").fetchall()
        for schema, name in tables:
            place = f'"{schema}"."{name}"'
            columns = dict(database.execute(f"SELECT column_name, column_type FROM (DESCRIBE {place})").fetchall())
            texts = [column for column, kind in columns.items() if kind == "VARCHAR"]
            structs = [column for column, kind in columns.items() if kind.startswith("STRUCT") and kind.endswith("[]")]
            sources = [(place, texts)] if texts else []
            sources += [
                (f'(SELECT unnest("{one}", recursive := true) FROM {place})', ["name", "login"]) for one in structs
            ]
            for source, shown in sources:
                listed = ", ".join(f'"{column}"' for column in shown)
                has_mask = " OR ".join(f"regexp_matches(\"{column}\", '{MASK}')" for column in shown)
                for row in database.execute(f"SELECT {listed} FROM {source} WHERE {has_mask}").fetchall():
                    yield name, row


def is_in_an_address(lake: Path, login: str) -> bool:
    """Whether erasing the login takes it from any title or abstract."""
    person = Person("erased00000000", frozenset({login}))
    return any(person.of_printed(str(text)) != text for (text,) in rows_of(lake, TEXTS, f"%{login}%"))


def keep_latest(lake: Path) -> None:
    """Drop the other releases: each would be made anew for each erasure."""
    store = open_lake(str(lake))
    others = [move.version for move in moves.moves(store)][:-1]
    moves.drop(store, others, store.read(LATEST), at=steps.NOW, why="not of these tests")
    retention.finish_drops(store, tombstone)


def require_readable(lake: Path) -> None:
    """The explorer has the ends and the days of the files as they are now, none of those before."""
    store = open_lake(str(lake))
    latest = require_latest(store)
    release = lake / "releases" / latest.version
    if not ASSETS.exists():
        return
    assert len(ends_of(release)) > 20
    lists = json.loads((release / "explore/tables.json").read_bytes())["daily_listings"]
    files = next(table.files for table in manifest_of(store, latest).tables if table.name == "daily_listings")
    assert [(one["key"], one["bytes"], one["first"]) for one in lists] == [
        (file.key, file.bytes, file.first_on) for file in files
    ]


def test_logins_that_are_words_leave_the_words(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Raw gives the same release then: of what grew in some goes, and of what was made anew."""
    grown: Path = request.getfixturevalue("growing" if MOST else "begun")
    lake = shutil.copytree(grown, tmp_path / "lake")
    keep_latest(lake)
    every = {str(login): is_in_an_address(lake, str(login)) for (login,) in rows_of(lake, WORDS)}
    assert len(every) > (200 if MOST else 20)
    for login in sorted(every, key=lambda one: (every[one], one != "speed", one))[: MOST or 1]:
        names = {str(row[0]) for row in rows_of(lake, NAMES, login)}
        before = rows_of(lake, FOUND, login.lower())
        erase(open_lake(str(lake)), Wish(login, "GDPR art. 17"), Machine())
        assert every[login] or rows_of(lake, FOUND, login.lower()) == before, login
        assert rows_of(lake, "FROM daily_listings WHERE submitter_login = ?", login) == []
        assert [(table, row) for table, row in texts_beside(lake) if names & {str(one) for one in row}] == [], login
        log.info("erased %s: %s papers found as before", login, len(before))
    require_readable(lake)
    assert steps.make_draft(str(lake), from_raw=True) is None
    assert verify_raw(open_lake(str(lake)))[1] == []
    assert verify_release(open_lake(str(lake)), every=True)[1] == []
