"""Every number that a release's pages, documents and commands show is the one that SQL gives.

Written as a stranger would: what is rendered is read, and compared with the database and the files, of the second of
two releases.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from flows.documents.site_files import ASSETS
from paperlake.cli.app import app
from tests.chromium import CHROMIUM
from tests.flows.counted import NUMBER, OUTCOME, Reader, in_words, lists, number
from tests.flows.counted_explored import explorer
from tests.flows.counted_followed import changes, feeds

FEWEST = 2_000  # numbers; where a page is read no more, there are less

pytestmark = pytest.mark.slow  # a second release is built, and every page of both read


@pytest.fixture
def releases(published_twice: str) -> list[Reader]:
    return [Reader(folder) for folder in sorted(Path(published_twice, "releases").glob("2*"))]


def test_every_number_is_that_of_sql(
    releases: list[Reader], published_twice: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before, last = releases
    for read in (documents, quality, page_tables, page_lists):  # and its months: test_page.py
        read(last)
    feeds(releases)
    if CHROMIUM and ASSETS.exists():
        explorer(last, published_twice, tmp_path / "profile")
    changes(before, last)
    commands(last, published_twice, capfd)
    compared = sum((release.compared for release in releases), Counter[str]())
    with capfd.disabled():
        sys.stdout.write(f"\ncompared {compared.total():,} numbers: {dict(compared)}\n")
    assert compared.total() > FEWEST


def documents(release: Reader) -> None:
    counts, manifest = release.counts, json.loads(release.text("manifest.json"))
    parts = [*manifest["tables"], *manifest["marts"]]
    for table in parts:
        release.same(f"manifest.json {table['name']}", table["row_count"], counts[table["name"]])
        for file in table["files"]:
            path = release.folder / file["key"]
            release.same(f"manifest.json {path}", file["bytes"], path.stat().st_size)
            stored = release.one(f"SELECT count(*) FROM '{path}'")
            release.same(f"manifest.json {path}", file.get("row_count", stored), stored)
    core = {table["name"]: counts[table["name"]] for table in manifest["tables"]}
    release.same("_tables", dict(release.ask("SELECT table_name, row_count FROM _tables WHERE layer = 'core'")), core)
    shown = {
        name: number(count) for name, count in re.findall(rf"\| `(\w+)` \| {NUMBER} \|", release.text("README.md"))
    }
    for name, count in core.items():
        release.same(f"README.md {name}", shown[name], count)
    package = {one["name"]: one for one in json.loads(release.text("datapackage.json"))["resources"]}
    for name, told in package.items():
        release.same(f"datapackage.json {name}", told["rowCount"], counts[name])
    last = json.loads(release.text("releases.json"))[-1]
    release.same("releases.json rows", last["row_count"], sum(core.values()))
    release.same("releases.json papers", last["paper_count"], counts["papers"])
    release.same("releases.json captures", last["capture_count"], counts["captures"])
    release.same("releases.json checks", last["check_count"], release.one("SELECT count(*) FROM _checks"))


def quality(release: Reader) -> None:
    counts = release.counts
    sql = "SELECT table_name, count(*), count(*) FILTER (NOT has_passed) FROM _checks GROUP BY ALL"
    checks = {name: told for name, *told in release.ask(sql)}
    row = rf'<a href="checks.html#of-(\w+)">.*?<td class="number">{NUMBER}</td><td class="number wide">{NUMBER}</td><td class="number">{NUMBER}'
    html = release.text("quality/index.html").replace("<wbr>", "")
    shown = re.findall(row, html)
    assert {name for name, *_ in shown} == set(checks)
    for name, *told in shown:
        release.same(f"quality {name}", [*map(number, told)], [counts[name], *checks[name]])
        rules = [rule for [rule] in release.ask(f"SELECT rule FROM _checks WHERE table_name = '{name}'")]
        [part] = re.findall(rf'<h2 id="of-{name}">.*?</section>', release.text("quality/checks.html"), re.DOTALL)
        release.same(f"quality {name}, each", sorted(re.findall("<li><code>(.+?)</code>", part)), sorted(rules))
    found = re.search(rf"Tables {NUMBER} Rows {NUMBER} Checks {NUMBER}", release.words("quality/index.html"))
    total = [len(shown), sum(counts[name] for name in checks), sum(count for count, _ in checks.values())]
    release.same("quality total", [*map(number, found.groups())], total)
    aside = re.search(rf"Pages set aside {NUMBER}", release.words("quality/index.html"))
    sql = "SELECT count(*) FROM captures WHERE state = 'set_aside'"
    release.same("quality set aside", number(aside[1]), release.one(sql))


def page_tables(release: Reader) -> None:
    counts = release.counts
    html = release.text("index.html").replace("<wbr>", "")
    row = rf'<a href="#table-(\w+)"><code>\w+</code></a> <span class="what">.*?</span></th><td class="number">{NUMBER}</td>'
    for name, count in re.findall(row, html):
        release.same(f"index.html {name}", number(count), counts[name])
    text = release.words("index.html")
    found = re.search(rf"Papers {NUMBER} from {NUMBER} captured pages", text)
    release.same("index.html glance", [*map(number, found.groups())], [counts["papers"], counts["captures"]])
    for rule, count in release.ask("SELECT rule, count(*) FROM quarantine GROUP BY ALL"):
        release.same(f"index.html quarantine {rule}", f"{rule} {count:,} " in text, True)


def page_lists(release: Reader) -> None:
    text = release.words("index.html")
    told = rf"Daily lists {NUMBER} of {NUMBER} until (\S+): ((?:{NUMBER} [a-z ]+(?:, )?)+) Newest list"
    found = re.search(told, text)
    expected = lists(release)
    release.same("index.html lists", in_words(found[4]), expected)
    held = expected.total() - expected["not fetched"] - expected["failed"]
    release.same("index.html lists held", (number(found[1]), number(found[2])), (held, expected.total()))
    days = {
        day: (count, outcome)
        for day, count, outcome in release.ask(
            f"SELECT strftime(listed_on, '%a %-d %b %Y'), coalesce(paper_count, 0), {OUTCOME} FROM coverage "
            "WHERE source = 'api'"
        )
    }
    marks = re.findall(rf"([A-Z]\w\w \d+ [A-Z]\w\w \d{{4}}): (?:{NUMBER} papers?, )?([a-z ]+)(?= [A-Z]|</|$)", text)
    for day, count, outcome in marks:
        release.same(f"calendar {day}", (number(count or "0"), outcome), days[day])
    years = re.findall(rf"(20\d\d) ((?:{NUMBER} [a-z ]+(?:, )?)+) January to June", text)
    for year, words, _ in years:
        release.same(f"calendar {year}", in_words(words), lists(release, f"year(listed_on) = {year}"))


def commands(release: Reader, lake: str, capfd: pytest.CaptureFixture[str]) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(app, [*words, "--lake", lake], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout + capfd.readouterr().out  # of the process that asks the database

    counts = release.counts
    about = release.ask("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'about'")
    counts |= {name: release.one(f"SELECT count(*) FROM about.{name}") for (name,) in about}
    for told in json.loads(run("tables", "--format", "json")):
        release.same(f"tables {told['name']}", told["row_count"], counts.get(told["name"]))
    for name, count in re.findall(rf"^(?:mart|core|about) +(\w+) +{NUMBER}  ", run("tables"), re.MULTILINE):
        release.same(f"tables {name} text", number(count), counts[name])
    status = json.loads(run("status", "--format", "json"))
    release.same("status papers", status["release"]["paper_count"], counts["papers"])
    release.same("status captures", status["release"]["capture_count"], counts["captures"])
    names = {"complete": "complete", "early": "fetched on the day", "unfetched": "not fetched"}
    days = Counter({names.get(name, name): count for name, count in status["days"].items()})
    release.same("status days", +days, lists(release))
    text = " ".join(run("status").split())
    found = re.search(
        rf"daily lists {NUMBER} expected until \S+ ((?:{NUMBER} [a-z ]+?(?:, )?)+) (?:since|unreleased)", text
    )
    release.same("status text", in_words(found[2]), lists(release))
