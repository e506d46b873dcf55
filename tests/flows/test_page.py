"""The page of a release: its links lead somewhere, its commands work, and any publisher writes the same bytes."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from flows.runtime.lake import open_lake
from tests.release_page import Elements
from warehouse.release.latest import PAGE, latest_manifest, release_key


@pytest.fixture(scope="module")
def release(published: str) -> Path:
    """The folder of a release of the sample."""
    manifest = latest_manifest(open_lake(published))
    assert PAGE in {file.key for file in manifest.files}
    return Path(published) / release_key(manifest.version, "")


@pytest.mark.parametrize("name", ["dictionary.html", "coverage.html", "notes.html"])
def test_what_the_pages_beside_it_link_to_is_there(release: Path, name: str) -> None:
    links = {link["href"].partition("#")[0] for link in Elements((release / name).read_bytes()).named("a")}
    assert "index.html" in links
    assert [link for link in links if link and not (release / link).is_file()] == []


def test_what_it_links_to_is_there(release: Path) -> None:
    links = [link["href"] for link in Elements((release / PAGE).read_bytes()).named("a")]
    files = {link.partition("#")[0] for link in links if not re.match("#|https?:", link)}
    assert files >= {"paperlake.duckdb", "manifest.json", "SHA256SUMS", "DICTIONARY.md", "quality/index.html"}
    tables = (path.relative_to(release).as_posix() for path in release.glob("*/**/*.parquet"))
    assert files >= {key for key in tables if not key.startswith("about/")}, "those are of the database"
    assert [link for link in files if not (release / link).is_file()] == []
    told = {path.name for path in release.iterdir() if path.is_file()} - {PAGE, "draft.json"}
    years = {path.name for path in release.glob("coverage-*.html")}
    assert years
    assert told - years <= files, "those of years are a click from that of the newest"


def test_what_it_says_to_type_works(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(release)
    page = (release / PAGE).read_text("utf-8")
    told = dict(re.findall('<code id="use-([a-z]+)">(.*?)</code></pre>', page, re.DOTALL))
    told = {name: unescape(re.sub("<[^>]*>", "", text)) for name, text in told.items()}
    with duckdb.connect() as connection:
        *before, question = [line for line in told["attach"].split(";") if line.strip()]
        for statement in before:
            connection.execute(statement)
        assert connection.sql(question).fetchall()
        assert len(connection.sql(told["parquet"]).fetchall()) == 9
    names: dict[str, pl.DataFrame] = {}
    exec(told["python"], {}, names)
    assert names["papers"].height > 10
    assert f"version = {{{release.name}}}" in told["cite"]


@pytest.fixture(scope="module")
def words(release: Path) -> str:
    return Elements((release / PAGE).read_bytes()).words()


@pytest.fixture(scope="module")
def ask(release: Path) -> Iterator[Callable[[str], list[tuple[Any, ...]]]]:
    with duckdb.connect(str(release / "paperlake.duckdb"), read_only=True) as connection:
        yield lambda sql: connection.sql(sql).fetchall()


def test_months_are_those_of_the_marts(words: str, ask) -> None:
    months = ask("SELECT month_on, paper_count, day_count FROM papers_by_month")
    assert len(months) == 9
    assert [one for one in months if f"{one[0]:%B %Y}: {one[1]:,} papers; {one[2]} of " not in words] == []
    shares = ask("FROM field_availability SELECT * WHERE field = 'github_url' AND share IS NOT NULL")
    told = [f"{one[0]:%B %Y}: {one[6]:.1%}, {one[5]:,} of {one[4]:,} papers; " for one in shares]
    assert told
    assert [text for text in told if text not in words] == []
    assert words.count(" lists, not over yet") + words.count(" lists ") >= len(months)


def test_organizations_are_those_of_the_marts(release: Path, words: str) -> None:
    """Counted here in another way than by the page's query; the topics: tests/unit/test_release_page.py."""
    organizations = pl.read_parquet(release / "marts/organizations_by_month.parquet")
    last = organizations["month_on"].unique().sort(descending=True)[:12]
    last_year = organizations.filter(pl.col("month_on").is_in(last.implode()))
    of = last_year.unique("month_on")["known_paper_count"].sum()
    most = last_year.group_by("group_name").agg(pl.col("paper_count").sum()).sort("paper_count", "group_name")
    told = [f"{name} {name} {count:,} {count / of:.1%}" for name, count in most.rows()]
    assert len([text for text in told if text in words]) == min(len(told), 10)
    assert f"share of {of:,} papers" in words
