"""What changed in the real captures, and which sources disagreed: by the json module, and by the lake; and all
rows that the captured lists fill, against these (audit.py).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from flows.runtime.lake import open_database
from tests.real.audit import File, Pages, Shown, audit, files, one_line
from warehouse.release.latest import latest
from warehouse.release.query import opened
from warehouse.store.opening import open_store

NEW_YORK = ZoneInfo("America/New_York")
Ask = Callable[[str], list[tuple[Any, ...]]]


class Answer(NamedTuple):
    """One answer of the daily API: the day asked for, when it came, its items that are objects."""

    asked: date
    at: datetime
    is_readable: bool
    items: list[dict[str, Any]]


@pytest.fixture(scope="module")
def read() -> list[File]:
    return list(files())


@pytest.fixture(scope="module")
def answers(read: list[File]) -> list[Answer]:
    made = [
        Answer(file.list_on, file.fetched_at, bool(file.items) or not file.elements, file.items)
        for file in read
        if file.status == 200 and not file.is_page and file.list_on and file.fetched_at
    ]
    return sorted(made, key=lambda answer: answer.at)


@pytest.fixture(scope="module")
def ask(growing: Path) -> Iterator[Ask]:
    with opened(open_database(str(growing))) as database:
        yield lambda sql: list(database.rows(sql).rows)


@pytest.fixture(scope="module")
def shown(answers: list[Answer]) -> dict[str, list[dict[str, Any]]]:
    """Each paper's items in the daily answers, in time."""
    found = defaultdict(list)
    for answer in answers:
        for item in answer.items:
            found[item["paper"]["id"]].append(item)
    return found


@pytest.fixture(scope="module")
def told(read: list[File]) -> list[Shown]:
    """Every item of a list, in order of time: daily answers, the undated one, the HTML page."""
    return Pages(read).shown


def test_the_submission_is_told_in_the_two_eras_that_tell_it(told: list[Shown], tables) -> None:
    """Its UTC day is the list's; after 2025-03-10 the outer publishedAt is the paper's, in New York (docs/source.md §5.1)."""
    names = "submitted_at", "submitted_basis", "published_at", "listed_on"
    rows = tables["sightings"].filter(pl.col("source").is_in(["api", "html"]))
    found = {row[:3]: row[3:] for row in rows.select("observed_at", "position", "paper_id", *names).rows()}
    bases = Counter()
    for one in told:
        submitted_at, basis, published_at, listed_on = found[one.fetched_at, one.place, one.paper["id"]]
        outer = datetime.fromisoformat(one.item["publishedAt"]).replace(tzinfo=None)
        bases[basis] += 1
        if basis is None:
            assert submitted_at is None
            assert one.fetched_at >= datetime(2025, 3, 11)
            stated = datetime.fromisoformat(one.paper["publishedAt"])
            assert outer == stated.astimezone(NEW_YORK).replace(tzinfo=None)
            continue
        assert submitted_at.date() == listed_on
        assert published_at < submitted_at <= one.fetched_at
        shift = timedelta(0) if basis == "stated" else timedelta(hours=5)
        if datetime(2024, 6, 12) <= one.fetched_at < datetime(2024, 11, 29):
            shift = timedelta(hours=1, minutes=30)
        elif submitted_at >= datetime(2025, 3, 9, 7):  # New York's summer time
            shift = timedelta(hours=4)
        assert submitted_at - outer == shift
    assert min(bases[basis] for basis in ("stated", "inferred", None)) > 250


def test_outer_titles_that_say_more_than_the_inner_ones_are_found(shown, tables) -> None:
    expected = {
        (paper, one_line(title), is_winner)
        for paper, items in shown.items()
        for item in items
        if one_line(item["title"]) != one_line(item["paper"]["title"])
        for title, is_winner in ((item["title"], False), (item["paper"]["title"], True))
    }
    names = set(tables["paper_aliases"].filter(kind="title").select("paper_id", "alias").rows())
    assert {(paper, title) for paper, title, _ in expected} <= names
    rows = tables["conflicts"].filter(field="title")
    assert set(rows.select("paper_id", "value", "is_winner").rows()) == expected
    assert rows.filter(~pl.col("is_winner")).select("rule", "place").unique().rows() == [("inner", "outer")]
    assert rows["is_same_content"].all()  # they differ in LaTeX markup only
    assert 2 * 10 < len(expected) <= 2 * 19  # 19 in all the list days (docs/source.md §2)


def test_saved_pages_that_tell_another_day_are_found(shown, tables) -> None:
    """Papers of the dumps that the API has too, by title: their day, authors and abstract are compared."""
    papers = {one_line(items[-1]["paper"]["title"]): items[-1]["paper"] for items in shown.values()}
    saved = tables["sightings"].filter(source="text")
    fields = {
        "published_on": lambda paper: date.fromisoformat(paper["publishedAt"][:10]),
        "author_count": lambda paper: len(paper["authors"]),
        "abstract": lambda paper: one_line(paper["summary"]),
    }
    expected, common = set(), 0
    for row in saved.iter_rows(named=True):
        paper = papers.get(row["title"])
        for field, told in fields.items() if paper else ():
            common += 1
            if row[field] is not None and row[field] != told(paper):
                expected |= {(paper["id"], field, str(row[field]), False), (paper["id"], field, str(told(paper)), True)}
    rows = tables["conflicts"].filter(pl.col("field") != "title")
    assert set(rows.select("paper_id", "field", "value", "is_winner").rows()) == expected
    assert common > 3 * 15
    assert expected


def test_every_text_is_one_version_until_it_changes(told, ask: Ask) -> None:
    """No text of these captures changed its content, however often it was seen."""
    seen = defaultdict(list)
    for one in told:
        for field, key in (("title", "title"), ("abstract", "summary"), ("ai_summary", "ai_summary")):
            if key in one.paper:
                seen[one.paper["id"], field].append((one.fetched_at, one_line(one.paper[key])))
    assert {len({text for _, text in texts}) for texts in seen.values()} == {1}
    expected = {key: (1, texts[0][1], texts[0][0], texts[-1][0], False) for key, texts in seen.items()}
    rows = ask(
        "SELECT paper_id, field, version_number, text, first_seen_at, last_seen_at, has_changed FROM text_versions"
    )
    found = {(paper, field): tuple(rest) for paper, field, *rest in rows}
    assert len(found) == len(rows)
    assert {key: found[key] for key in expected} == expected
    assert len(expected) > 20_000


def test_no_day_after_the_month_of_its_id_is_published_as_stated(ask: Ask) -> None:
    """In none of the tables that have days; the year of a citation is never after that of the id."""
    month = "strptime('20' || left(arxiv_id, 4), '%Y%m') + INTERVAL 1 MONTH"
    for table in ("papers", "sightings", "paper_as_of('2027-01-01')"):
        rows = ask(
            f"SELECT published_on >= {month} AS is_after, published_basis = 'contradicted', count(DISTINCT paper_id) "
            f"FROM {table} WHERE published_on IS NOT NULL AND regexp_full_match(arxiv_id, '[0-9.]+') GROUP BY ALL ORDER BY 1"
        )
        assert [row[:2] for row in rows] == [(False, False), (True, True)]
        assert rows[1][2] == 24
    assert ask(
        "SELECT count(*) FROM paper_citations WHERE regexp_extract(bibtex, 'year = .([0-9]{4})', 1) > "
        "'20' || left(paper_id, 2) AND regexp_full_match(paper_id, '[0-9.]+')"
    ) == [(0,)]
    assert ask(
        "SELECT count(*), count(published_to_listed_days) FROM listing_lag WHERE published_basis = 'contradicted'"
    ) == [(24, 0)]


def test_every_row_is_what_the_pages_show(growing: Path) -> None:
    named = latest(open_store(str(growing)))
    compared = audit(growing / "releases" / named.version)
    assert [one for one in compared if one.only_pages or one.only_release] == []
    assert sum(one.rows for one in compared) > 200_000
