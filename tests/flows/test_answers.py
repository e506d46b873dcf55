"""`paperlake trending`, `cite` and `feed` on a release of the sample, and the feeds that stand in a release."""

import json
from pathlib import Path

import duckdb
import feedparser
import pytest
from click.testing import CliRunner

from flows.documents.release_feeds import MAIN
from flows.documents.rendering import ICON
from flows.runtime.lake import open_database, open_lake
from paperlake.answers.newest_page import newest_page
from paperlake.answers.user_query import query_feed, rows_of, trending
from paperlake.cli.app import app
from tests.processes import PAPERLAKE
from tests.release_page import Elements
from tests.terminal import Terminal
from warehouse.errors import NothingThere, UsageError
from warehouse.release.latest import latest_manifest
from warehouse.release.query import opened

NAMED = "2604.03759"  # a paper of the sample


def said(lake: str, *words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--lake", lake], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


@pytest.mark.parametrize("term", ["xterm", "dumb"])
@pytest.mark.parametrize("words", [("search", "quincefs"), ("similar", NAMED), ("show", "paper", NAMED)], ids=" ".join)
def test_only_a_terminal_that_knows_marks_gets_them(published: str, words: tuple[str, ...], term: str) -> None:
    with Terminal([PAPERLAKE, *words], PAPERLAKE_LAKE=published, TERM=term) as terminal:
        shown, code = terminal.rest()
    assert (code, "\x1b" in shown) == (0, term != "dumb")


def test_what_trends_by_default_is_as_of_the_newest_page(published: str) -> None:
    text = said(published, "trending", "-n", "2")
    with opened(open_database(published)) as database:
        moment = newest_page(database)
        answer = trending(database, moment, 7, 2)
        rows = list(answer.dicts())
    lines = text.splitlines()
    assert lines[0] == f"  1. {rows[0]['title']}"
    assert lines[1].startswith(
        f"     {rows[0]['paper_id']}  {rows[0]['listed_on']}  {rows[0]['upvote_count']} upvotes after "
    )
    expected = rows[0]["expected_count"]
    assert f", {rows[0]['upvote_count'] / expected:.1f} times the {expected:.0f} expected" in lines[1]
    assert lines[-1].startswith(f"from the lists of 7 days until {moment:%Y-%m-%d %H:%M} UTC; upvotes against ")
    assert "formula 2 (docs/trending.md)" in lines[-1]
    assert json.loads(said(published, "trending", "-n", "2", "--format", "json"))[1]["paper_id"] == rows[1]["paper_id"]


def test_a_moment_without_lists_says_so(published: str) -> None:
    told = "no paper of the lists of 3 days until 2020-01-01 00:00 UTC had been observed by then"
    for moment in ("2020-01-01", "2020-01-01T02:00+02:00"):  # as in Python, and as `panel` has it
        assert said(published, "trending", "--at", moment, "--days", "3").startswith(told)


def test_the_command_and_the_macro_give_one_entry(published: str) -> None:
    with duckdb.connect(str(open_database(published)), read_only=True) as connection:
        [(entry,)] = connection.execute("SELECT bibtex(?)", [NAMED]).fetchall()
        [(count, different)] = connection.sql(
            "SELECT count(*), count(DISTINCT bibtex(paper_id)) FROM papers"
        ).fetchall()
    assert said(published, "cite", NAMED) == f"{entry}\n"
    assert entry.startswith(f"@misc{{brandt2026:{NAMED},\n  author = {{Lena Brandt and ")
    assert count == different > 70
    asked = f"https://arxiv.org/abs/{NAMED}v2"
    assert said(published, "cite", asked, NAMED) == f"{entry}\n"
    assert said(published, "cite", "--query", f"FROM papers WHERE paper_id = '{NAMED}'") == f"{entry}\n"


def test_what_cannot_be_cited_is_refused_with_a_reason(published: str) -> None:
    with opened(open_database(published)) as database:
        with pytest.raises(UsageError, match="no column paper_id, but title"):
            rows_of(database, "SELECT title FROM papers")
        with pytest.raises(UsageError, match=r"the latest release does not have: 9999\.00001"):
            rows_of(database, "SELECT '9999.00001' AS paper_id")
    for words in (["cite"], ["cite", NAMED, "--query", "FROM papers"]):
        with pytest.raises(UsageError, match="one of them"):
            said(published, *words)
    with pytest.raises(NothingThere, match="nothing to cite"):
        said(published, "cite", "--query", "FROM papers WHERE false")


def test_a_feed_of_a_query_is_named_by_it(published: str) -> None:
    sql = f"SELECT paper_id FROM papers WHERE paper_id = '{NAMED}'"
    feed = feedparser.parse(said(published, "feed", "--query", sql, "--title", "Gardens").encode())
    assert not feed.bozo
    assert (feed.feed.title, feed.feed.subtitle) == ("Gardens", sql)
    [entry] = feed.entries
    assert entry.id == f"tag:paperlake,2026:{NAMED}:2026-04-07"
    assert entry.updated == "2026-04-07T08:05:00Z"
    with opened(open_database(published)) as database:
        assert query_feed(database, sql, None).id == feed.feed.id != query_feed(database, f"{sql} ", None).id
        again = query_feed(database, "SELECT paper_id, DATE '2026-04-09' AS listed_on FROM papers LIMIT 1", None)
    assert again.entries[0].id.endswith(":2026-04-09")


def test_the_feed_of_the_lists_is_that_of_the_release(published: str) -> None:
    release = Path(published) / "releases" / latest_manifest(open_lake(published)).version
    for suffix in ("atom", "json"):
        assert said(published, "feed", "--format", suffix).encode() == (release / f"feeds/daily.{suffix}").read_bytes()


def test_a_release_has_its_feeds_and_links_them(published: str) -> None:
    manifest = latest_manifest(open_lake(published))
    release = Path(published) / "releases" / manifest.version
    kept = {file.key for file in manifest.files if file.key.startswith("feeds/")}
    feeds = kept - {"feeds/index.html"}
    assert feeds < kept
    assert feeds >= {f"feeds/{key}.{suffix}" for key, _, _ in MAIN for suffix in ("atom", "json")}
    assert {
        key for line in (release / "SHA256SUMS").read_text().splitlines() if (key := line[66:]).startswith("feeds/")
    } == kept
    page = Elements((release / "index.html").read_bytes())
    assert {link["href"] for link in page.named("link")} == {ICON, *feeds}
    assert {link["href"] for link in page.named("a")} >= kept
    for key in feeds:
        if not key.endswith(".json"):
            assert not feedparser.parse((release / key).read_bytes()).bozo


def test_a_panel_is_what_the_macro_gives(published: str, tmp_path: Path) -> None:
    cutoff, made = "2026-10-01 12:00", tmp_path / "panel.parquet"
    said(published, "panel", cutoff, "30h", "-o", str(made))
    with duckdb.connect(str(open_database(published)), read_only=True) as connection:
        query = "SELECT paper_id, upvote_count, label_upvote_count FROM"
        wanted = connection.execute(f"{query} panel(?, INTERVAL 30 HOURS)", [cutoff]).fetchall()
        assert connection.execute(f"{query} '{made}'").fetchall() == wanted
    assert any(label is not None and label > upvotes for _, upvotes, label in wanted)
    with pytest.raises(UsageError, match="soon is no horizon; horizons are in hours or days, 30h or 7d"):
        said(published, "panel", cutoff, "soon")
