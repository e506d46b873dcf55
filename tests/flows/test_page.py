"""A release has its page: what it links to is there, what it says to type works, whoever wrote it wrote the same."""

from __future__ import annotations

import re
from datetime import date, timedelta
from html import unescape
from pathlib import Path

import duckdb
import polars as pl
import pytest

from flows.documents.documents import INDEX
from flows.runtime.lake import open_lake
from tests.flows import steps
from tests.release_page import Elements
from warehouse.archive.archive import Archive
from warehouse.release.latest import latest_manifest, release_key
from warehouse.release.manifest import Manifest

MONDAY = date(2026, 10, 5)


def folder_of(lake: str, manifest: Manifest) -> Path:
    return Path(lake) / release_key(manifest.version, "")


@pytest.fixture(scope="module")
def release(published: str) -> Path:
    """The folder of a release of the sample."""
    manifest = latest_manifest(open_lake(published))
    assert manifest is not None
    assert INDEX in {file.key for file in manifest.files}
    return folder_of(published, manifest)


def test_what_it_links_to_is_there(release: Path) -> None:
    links = [link["href"] for link in Elements((release / INDEX).read_bytes()).named("a")]
    files = {link for link in links if not re.match("#|https?:", link)}
    assert files >= {"paperlake.duckdb", "manifest.json", "SHA256SUMS", "DICTIONARY.md", "quality/index.html"}
    assert files >= {path.relative_to(release).as_posix() for path in release.glob("data/**/*.parquet")}
    assert [link for link in files if not (release / link).is_file()] == []
    told = {path.name for path in release.iterdir() if path.is_file()} - {INDEX, "draft.json"}
    assert told <= files


def test_what_it_says_to_type_works(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(release)
    page = (release / INDEX).read_text("utf-8")
    attach, parquet, python, _, cite = (
        unescape(one) for one in re.findall("<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    )
    with duckdb.connect() as connection:
        *before, question = [line for line in attach.split(";") if line.strip()]
        for statement in before:
            connection.execute(statement)
        assert connection.sql(question).fetchall()
        assert len(connection.sql(parquet).fetchall()) == 10
    names: dict[str, pl.DataFrame] = {}
    exec(python, {}, names)
    assert names["papers"].height > 10
    assert f"version = {{{release.name}}}" in cite


def test_its_numbers_are_those_of_the_release(release: Path) -> None:
    words = Elements((release / INDEX).read_bytes()).words()
    papers = pl.read_parquet(release / "data/papers/all.parquet")
    listed = pl.read_parquet(release / "data/daily_listings/all.parquet")
    newest = listed.filter(pl.col("listed_on") == pl.col("listed_on").max())
    titles = papers.filter(pl.col("paper_id").is_in(newest["paper_id"].implode()))["title"]
    assert f"Papers {papers.height:,} from" in words
    assert f"{newest.height} papers, counts as last seen." in words
    assert [title for title in titles if title not in words] == []


@pytest.mark.slow
def test_the_page_of_a_release_that_follows_others_whoever_writes_it(lake: str) -> None:
    """A publisher that was killed may have written the page already, or not yet."""
    for number in range(2):
        assert steps.run_captures(lake, [steps.list_of(MONDAY + timedelta(number))]) is not None
    Archive(open_lake(lake)).write([steps.list_of(MONDAY + timedelta(2))], now=steps.NOW)
    draft = steps.make_draft(lake)
    assert draft is not None
    assert steps.check_draft(lake, draft).passed
    folder = folder_of(lake, steps.write(lake))
    first = (folder / INDEX).read_bytes()
    for key in ("manifest.json", INDEX):
        (folder / key).unlink()
    assert folder_of(lake, steps.write(lake, steps.TODAY + timedelta(1))) == folder
    assert (folder / INDEX).read_bytes() == first
    words = Elements(first).words()
    assert re.search(r"2026\.11\.21\.3 3 9 .* 2026\.11\.21\.2 2 6 .* 2026\.11\.21\.1 1 3 ", words)
    assert "Papers Release 2026.11.21.1 to 2026.11.21.3: from 3 to 9, at most 9." in words
