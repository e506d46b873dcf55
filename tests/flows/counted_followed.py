"""What follows a release: its feeds and the documents of `changes/`, number by number beside SQL."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree.ElementTree import fromstring

import duckdb

from tests.flows.counted import NUMBER, Reader, number
from warehouse.schema.catalog import ALL_TABLES
from warehouse.schema.table import Table

ATOM = "{http://www.w3.org/2005/Atom}"
PAPERS = {
    "daily": """SELECT id, seen FROM entries WHERE listed_on IN
        (SELECT DISTINCT listed_on FROM daily_listings ORDER BY 1 DESC LIMIT 5)
        ORDER BY listed_on DESC, first_seen_at DESC, paper_id LIMIT 150""",
    "trending": """SELECT id, seen FROM entries JOIN trending_papers USING (paper_id, listed_on)
        WHERE trending_on = (SELECT max(trending_on) FROM trending_papers) ORDER BY trending_papers.rank LIMIT 25""",
}
ENTRIES = """WITH entries AS (SELECT *, 'tag:paperlake,2026:' || paper_id || ':' || listed_on AS id,
    strftime(first_seen_at, '%Y-%m-%dT%H:%M:%SZ') AS seen FROM daily_listings) """
Counts = Counter[tuple[str, str, str]]  # by table, change and column


def feeds(releases: list[Reader]) -> None:
    """Of the last of the releases: its papers in their order and with their times, and what it says of the others."""
    release = releases[-1]
    for name, sql in PAPERS.items():
        true = release.ask(ENTRIES + sql)
        for shown in (_in_atom(release, name), _in_json(release, name)):
            release.same(f"feeds {name}", len(shown), len(true))
            for one, other in zip(shown, true, strict=True):
                release.same(f"feeds {name}", one[:2], other)
    told = [_told(one) for one in reversed(releases)]
    release.same("feeds releases.atom", [one[2] for one in _in_atom(release, "releases")], told)
    release.same("feeds releases.json", [one[2] for one in _in_json(release, "releases")], told)


def _in_atom(release: Reader, name: str) -> list[tuple[str | None, ...]]:
    entries = fromstring(release.text(f"feeds/{name}.atom")).iter(f"{ATOM}entry")
    return [tuple(entry.findtext(f"{ATOM}{one}") for one in ("id", "updated", "content")) for entry in entries]


def _in_json(release: Reader, name: str) -> list[tuple[str, ...]]:
    items = json.loads(release.text(f"feeds/{name}.json"))["items"]
    return [(item["id"], item["date_published"], item["content_text"]) for item in items]


def _told(release: Reader) -> str:
    core = release.ask("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'core'")
    rows = sum(release.counts[name] for (name,) in core)
    last = release.one("SELECT max(listed_on) FROM daily_listings")
    return f"{release.counts['papers']:,} papers, {rows:,} rows; lists until {last}."


def changes(before: Reader, release: Reader) -> None:
    """What `changes/` and the notes say of the difference from the release before, and the same of the two databases."""
    index = json.loads(release.text("changes/index.json"))
    shown = Counts()
    for row in index["changes"]:
        shown[row["table_name"], row["change"], row["column_name"]] += row["cell_count"]
    stored, true = release.counts, Counts()
    with _both(before, release) as connection:
        for table in ALL_TABLES:
            if table.name in stored:
                true += _differing(connection, table)
    cells = {key: count for key, count in true.items() if key[1:] != ("changed", ROW)}
    assert shown.keys() == cells.keys()
    for key, count in cells.items():
        release.same(f"changes {key}", shown[key], count)
    for change in ("added", "removed", "changed"):
        count = sum(one[f"{change}_count"] for one in index["why"])
        release.same(f"changes {change}", count, sum(cells[key] for key in cells if key[1] == change))
    noted = re.findall(rf"^\| `(\w+)`((?: \| {NUMBER}){{4}}) \|", release.text("NOTES.md"), re.MULTILINE)
    assert noted
    for table, told, _ in noted:
        counts = [true[table, change, ROW] for change in ("added", "changed", "removed")]
        release.same(f"NOTES.md {table}", [*map(number, re.findall(NUMBER, told))], [stored[table], *counts])
    stepped = {one["name"]: one for one in index["tables"]}
    for (table, change, column), count in true.items():
        if column == ROW and change != "changed" and stepped[table]["holds"] == "rows":
            kind = {"added": "inserted", "removed": "deleted"}[change]  # more are updated: by bookkeeping columns too
            release.same(f"changes step {table}", stepped[table].get(kind, 0), count)


ROW = "*"  # in place of a column, of whole rows


@contextmanager
def _both(before: Reader, release: Reader) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for name, one in (("was", before), ("now", release)):
            connection.execute(f"ATTACH '{one.folder / 'paperlake.duckdb'}' AS {name} (READ_ONLY)")
        yield connection


def _differing(connection: duckdb.DuckDBPyConnection, table: Table) -> Counts:
    """Rows that came or went, and cells that differ, of the columns that say more than when something was seen."""
    key = ", ".join(table.key)
    known = [one.name for one in table.columns if not one.is_bookkeeping and one.name not in table.key]
    differs = [f"was.{one} IS DISTINCT FROM now.{one}" for one in known] or ["false"]
    cells = ", ".join(f"count(*) FILTER ({one})" for one in (" OR ".join(differs), *differs))
    was, now = (f"{one}.{table.layer}.{table.name} AS {one}" for one in ("was", "now"))
    added, removed = (
        connection.sql(f"SELECT count(*) FROM {one} ANTI JOIN {other} USING ({key})").fetchall()[0][0]
        for one, other in ((now, was), (was, now))
    )
    found = Counter({(table.name, "added", ROW): added, (table.name, "removed", ROW): removed})
    [counts] = connection.sql(f"SELECT {cells} FROM {was} JOIN {now} USING ({key})").fetchall()
    found.update({(table.name, "changed", name): count for name, count in zip([ROW, *known], counts, strict=False)})
    return +found
