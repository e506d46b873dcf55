"""`import paperlake`, as a program uses it: in a folder, a bucket and on the web, with the answers of the command line."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from pathlib import Path

import duckdb
import polars as pl
import pytest

import paperlake
from flows import ONE_THREAD
from flows.runtime.lake import open_lake
from flows.steps.drop_releases import retain
from paperlake.mcp.query_process import QueryProcess
from paperlake.reading.lake_files import shared_database
from tests import processes
from tests.flows.conftest import PERSON, take_place
from tests.processes import finished
from tests.ranges import Served, served
from tests.seaweed import Seaweed
from tests.serving import QuietFiles, plainly_served
from warehouse.errors import Damaged, NothingThere, QueryFailed, StoreFailed, UsageError
from warehouse.inventory.keep_rule import KeepRule
from warehouse.store.store import Store

pytestmark = pytest.mark.usefixtures("let_go")
PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text("utf-8")
PYRIGHT = Path(__file__).parents[2] / ".venv/js/node_modules/pyright/index.js"
NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))
SNIPPETS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
SEARCHES: tuple[str, ...] = (
    "gardens",
    "looms for honest summaries",
    "title:gardens",
    "year:2026 -gardens",
    "2604.03759",
    "org:mit",
    "tar",
)


@pytest.fixture
def site(published: str) -> Iterator[Served]:
    with served(Path(published)) as server:
        yield server


def command(*words: str, lake: str) -> str:
    """What a command prints, in a process of its own: DuckDB opens a file once in a process."""
    done = processes.paperlake(*words, "--lake", lake, environment={**os.environ, "COLUMNS": "100"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def asked(*words: str, lake: str) -> list[dict]:
    return json.loads(command(*words, "--format", "json", lake=lake))


def as_json(frame: pl.DataFrame) -> list[dict]:
    return json.loads(json.dumps(frame.to_dicts(), default=str))


def test_importing_it_imports_nothing_heavy_and_sets_nothing() -> None:
    program = (
        "import os; before = dict(os.environ); import paperlake, sys; assert dict(os.environ) == before;"
        "print(*{'polars', 'duckdb', 'httpx', 'prefect', 'numpy', 'pydantic', 'msgspec', 'flows'} & set(sys.modules))"
    )
    done = finished(sys.executable, "-c", program, timeout=60)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


def test_a_program_that_reads_keeps_its_threads(published: str) -> None:
    program = f"""
import os, paperlake
release = paperlake.open({published!r}).latest()
release.search("gardens"), str(release.paper("2604.03759")), release.table("papers").collect(), release.trending()
assert "POLARS_MAX_THREADS" not in os.environ
"""
    outside = {name: value for name, value in os.environ.items() if name not in ONE_THREAD}
    done = finished(sys.executable, "-c", program, timeout=60, env=outside)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_snippet_of_the_page_runs(published: str, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(Path(published).parent)
    names: dict[str, object] = {}
    for snippet in SNIPPETS:
        exec(snippet.replace("./lake", Path(published).name), names)
    assert names["popular"].height > 0
    assert names["newest"].height > 0
    shown = re.findall(r"^```text\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    version = names["release"].version
    assert capsys.readouterr().out.endswith(shown[-1].replace("2026.11.21.1", version))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_notebook_runs(published: str, notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(published).parent)
    names: dict[str, object] = {}
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert code
    for cell in code:
        exec(cell.replace("./lake", Path(published).name), names)


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a user writes: all snippets of the page, and what they leave out."""
    path = tmp_path_factory.mktemp("program") / "program.py"
    lines = ["from datetime import timedelta", *SNIPPETS, "panel = release.panel('2026-04-08', timedelta(days=1))"]
    lines += [
        "def opened(lake: paperlake.Lake) -> paperlake.Release:\n    return lake.latest()",
        "reveal_type(page.url)",
    ]
    path.write_text("\n".join(lines))
    return path


@pytest.mark.slow
def test_a_users_program_passes_mypys_strict_checks(program: Path) -> None:
    """With the settings of `make lint`, whose cache spares reading all libraries again: they are strict."""
    done = finished(sys.executable, "-m", "mypy", str(program), timeout=300, cwd=processes.ROOT)
    assert done.returncode == 0, done.stdout
    assert 'Revealed type is "str | None"' in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not PYRIGHT.exists(), reason="pyright is not there: make lint brings it, where npm is")
def test_a_users_program_passes_pyrights_strict_checks(program: Path, tmp_path: Path) -> None:
    (strict := tmp_path / "program.py").write_text(f"# pyright: strict\n{program.read_text()}")
    done = finished("node", PYRIGHT, "--pythonpath", sys.executable, strict, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert 'Type of "page.url" is "str | None"' in done.stdout


@pytest.mark.slow
def test_search_is_as_command_sql_and_mcp(release: paperlake.Release, published: str, process: QueryProcess) -> None:
    [(title, name)] = release.sql("SELECT min(title), min(name) FROM papers JOIN paper_authors USING (paper_id)").rows()
    asked_for = [*SEARCHES, title, title.lower()[1:], name]
    lines = [json.dumps({"query_id": number, "text": text}) for number, text in enumerate(asked_for)]
    program = [Path(sys.executable).with_name("paperlake"), "search", "--batch", "--lake", published]
    done = subprocess.run(program, input="\n".join(lines), capture_output=True, text=True, timeout=300, check=True)
    for text, line in zip(asked_for, done.stdout.splitlines(), strict=True):
        found = release.search(text)["paper_id"].to_list()
        assert found == [hit["paper_id"] for hit in json.loads(process.call("search", {"words": text}))["hits"]], text
        assert found == json.loads(line)["paper_ids"], text
        assert found == release.sql("FROM search_papers($1)", [text])["paper_id"].to_list()[:10], text


def test_search_with_reasons_and_of_nothing(release: paperlake.Release, published: str) -> None:
    found = release.search("gardens", limit=2, explain=True)
    [first, _] = found["reasons"].to_list()
    assert first["terms"][0]["word"] == "gardens"
    nothing = release.search("zzzqqqxxx")
    assert nothing.height == 0
    assert nothing.schema == release.search("gardens").schema


def test_other_questions_answer_as_the_commands_do(release: paperlake.Release, published: str) -> None:
    similar = as_json(release.similar("https://arxiv.org/abs/2604.03759v2", limit=5))
    assert [row["paper_id"] for row in similar] == [
        row["paper_id"] for row in asked("similar", "2604.03759", "--limit", "5", lake=published)
    ]
    assert as_json(release.trending(limit=5)) == [
        {name: row[name].replace("T", " ") if name.endswith("_at") and row[name] else row[name] for name in row}
        for row in asked("trending", "--limit", "5", lake=published)
    ]
    paper = release.paper("https://arxiv.org/abs/2604.03759v2")
    assert str(paper) == command("show", "paper", "2604.03759", lake=published)
    assert release.cite("2604.03759") == command("cite", "2604.03759", lake=published)
    assert f"version = {{{release.version}}}" in release.cite()


def test_a_list_as_it_stood(release: paperlake.Release) -> None:
    early = release.day("2026-04-07", as_of="2026-04-07T12:00")
    late = release.day(date(2026, 4, 7))
    assert early["observed_at"].unique().to_list() == [datetime(2026, 4, 7, 8, 5)]
    assert late["observed_at"].unique().to_list() == [datetime(2026, 4, 8, 8, 5)]
    assert release.day("2026-04-07", as_of="2026-04-07T08:00").height == 0


def test_what_is_covered_known_and_changed(published_twice: str) -> None:
    lake = paperlake.open(published_twice)
    first, second = lake.releases()["version"].to_list()
    release = lake[second]
    missing = release.coverage("2026-04-01", "2026-04-07").filter(pl.col("is_expected"), pl.col("state") != "complete")
    assert missing["reason"].null_count() == 0
    panel = release.panel("2026-04-08", timedelta(days=1))
    assert panel.height > 0
    assert panel.equals(release.panel("2026-04-08", "1d"))
    with pytest.raises(UsageError, match="30h or 7d"):
        release.panel("2026-04-08", "soon")
    changed = ["table_name", "change", "column_name", "cause"]
    ours = release.why(first).filter(~pl.col("cause").eq("schema")).sort(changed)
    assert ours.height > 0
    assert ours.equals(release.why().filter(~pl.col("cause").eq("schema")).sort(changed))


def test_a_lake_of_an_older_paperlake(tmp_path: Path) -> None:
    with tarfile.open(Path(__file__).parents[1] / "lakes" / "0.1.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    release = paperlake.open(tmp_path / "lake").latest()
    assert release.table("papers").collect().height == release.sql("SELECT count(*) FROM papers").item() == 26
    assert release.basis.release == release.version
    assert release.why().height > 0, "compared file by file: it recorded none"
    with pytest.raises(NothingThere, match="the latest release"):
        release.search("looms")
    some = release.table("papers").head(1).collect()["paper_id"].item()
    for ask in (release.trending, lambda: release.panel("2026-01-01", timedelta(1)), lambda: release.cite(some)):
        with pytest.raises(NothingThere, match="the latest release is older than "):
            ask()


def test_releases_by_version_and_by_moment(published_twice: str) -> None:
    lake = paperlake.open(published_twice)
    found = lake.releases()
    assert pl.Null not in found.dtypes
    erratum = dict.fromkeys(("version", "retracted_at", "why"), pl.String) | {"affected": pl.List(pl.String)}
    assert (found.schema["accepted_loss"], found.schema["erratum"]) == (pl.String, pl.Struct(erratum))
    first, second = found["version"].to_list()
    assert lake.latest().version == second
    assert lake[first].version == first
    assert lake.as_of(found["published_at"][-1]).version == second
    with pytest.raises(NothingThere, match="nothing was published by"):
        lake.as_of("2020-01-01")
    with pytest.raises(NothingThere, match="no release"):
        lake["2020.01.01.1"]


def test_a_retracted_release_warns(store: Store) -> None:
    lake = paperlake.open(store.url)
    version = lake.latest().version
    command("retract", version, "--why", "wrong stars", lake=store.url)
    assert lake.latest().version != version
    with pytest.warns(paperlake.RetractedWarning, match="wrong stars") as warned:
        release = lake[version]
    assert warned[0].filename == __file__, "it names the line that asked"
    assert release.basis.is_retracted
    assert "wrong stars" in release._repr_html_()


@pytest.mark.slow
def test_who_was_erased_is_not_read_on(two_bare: str, two_erased: Path) -> None:
    lake = paperlake.open(two_bare)
    release = lake.latest()
    question = f"SELECT count(*) FROM daily_listings WHERE submitter_login = '{PERSON}'"
    assert release.sql(question).item() > 0
    take_place(two_bare, two_erased)
    assert release.sql(question).item() == lake.latest().sql(question).item() == 0


def test_it_says_what_it_is_in_a_notebook(published: str, release: paperlake.Release) -> None:
    lake = paperlake.open(published)
    assert release.version in repr(lake)
    assert f"<code>{release.version}</code>" in lake._repr_html_()
    assert release.basis.cite in release._repr_html_()
    assert "<h4>Frugal Gardens for Folding Maps: Part 7.6</h4>" in release.paper("2604.03759")._repr_html_()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda one: one.table("paper"), UsageError, "did you mean papers"),
        (lambda one: one.sql("SELECT nope FROM papers"), QueryFailed, "nope"),
        (lambda one: one.sql("FROM read_csv('/etc/passwd')"), QueryFailed, "disabled"),
        (lambda one: one.sql("COPY papers TO 'x.csv'"), UsageError, "only queries"),
        (lambda one: one.sql("USE core"), UsageError, "only queries"),
        (lambda one: one.sql("BEGIN"), UsageError, "only queries"),
        (lambda one: one.sql("SELECT 1; SELECT 2"), UsageError, "one query"),
        (lambda one: one.paper("2604.03758"), NothingThere, "did you mean 2604.03759"),
        (lambda one: one.paper("2604.03759")["claim"], UsageError, "its parts are"),
        (lambda one: one.day("tomorrow"), UsageError, "is no moment"),
        (lambda one: one.day("0001-01-01T00:00+05:00"), UsageError, "is no moment"),
        (lambda one: one.day(None), UsageError, "is no moment"),
        (lambda one: one.evidence({"title": "x"}), UsageError, "capture_id"),
        (lambda one: one.evidence("0" * 20), NothingThere, "no capture"),
        (lambda one: one.sql("SELECT INTERVAL 1 MONTH"), QueryFailed, "to VARCHAR"),
        (lambda one: one.sql("SELECT [INTERVAL 1 MONTH]"), QueryFailed, "to VARCHAR"),
        (lambda one: one.sql("SELECT 1 AS a, 2 AS a"), QueryFailed, "a name of its own"),
        (lambda one: one.cite("2604.03759", style="bibtx"), UsageError, "there are bibtex, ris, csl-json"),
    ],
)
def test_errors_name_the_thing_and_the_next_step(release: paperlake.Release, call, error, words: str) -> None:
    with pytest.raises(error, match=words):
        call(release)


def test_where_there_is_no_lake(tmp_path: Path, site: Served) -> None:
    with pytest.raises(NothingThere, match="nothing is published"):
        paperlake.open(tmp_path)
    with pytest.raises(NothingThere, match="no lake is served"):
        paperlake.open(f"{site.url}/nowhere")
    with pytest.raises(UsageError, match="without"):
        paperlake.open(f"{site.url}/?lake=1")
    with pytest.raises(UsageError, match="a password") as refused:
        paperlake.open("https://me:secret@lake.example")
    assert "secret" not in str(refused.value)


def test_over_http_a_table_moves_what_it_must(site: Served, published: str, tmp_path: Path) -> None:
    release = paperlake.open(site.url, cache=tmp_path).latest()
    assert release.manifest.version == release.version
    site.asked.clear()
    column = release.table("sightings").select("upvote_count").collect()
    whole = sum(one.bytes for table in release.manifest.tables if table.name == "sightings" for one in table.files)
    assert column.equals(paperlake.open(published).latest().table("sightings").select("upvote_count").collect())
    assert site.sent < whole + 1000
    assert not list(tmp_path.iterdir()), "nothing is kept of what is read by ranges"


def test_over_http_the_database_is_fetched_once_and_checked(site: Served, published: str, tmp_path: Path) -> None:
    local, far = paperlake.open(published).latest(), paperlake.open(site.url, cache=tmp_path).latest()
    assert far.search("gardens").equals(local.search("gardens"))
    assert far.basis == local.basis
    sent = site.sent
    again = paperlake.open(site.url, cache=tmp_path).latest()
    assert again.trending().equals(local.trending())
    assert site.sent - sent < 1_000_000, "the manifest, and no database"
    with pytest.raises(StoreFailed, match="does not list"):
        far.evidence(far.day("2026-04-07").row(0, named=True))


def test_over_http_the_releases_are_those_of_the_index(site: Served, published: str, tmp_path: Path) -> None:
    far = paperlake.open(site.url, cache=tmp_path)
    assert far.releases().equals(paperlake.open(published).releases())
    assert {one.path for one in site.asked} == {"/releases/latest.json", "/releases/index.json"}


def test_over_http_without_ranges(published: str, tmp_path: Path) -> None:
    local = paperlake.open(published).latest()
    with plainly_served(published) as site:
        far = paperlake.open(site, cache=tmp_path).latest()
        assert far.arrow("papers").equals(local.arrow("papers"))
        assert far.search("gardens").equals(local.search("gardens"))
    assert {path.suffix for path in tmp_path.iterdir()} == {".parquet", ".duckdb"}


class _OnePage(QuietFiles):
    """As the servers of an application in one page answer for what they lack."""

    def send_error(self, code: int, *_: object) -> None:
        page = b"<!doctype html><title>Not here</title>"
        self.send_response(200)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)


class _Compressed(QuietFiles):
    def end_headers(self) -> None:
        self.send_header("Content-Encoding", "gzip")
        super().end_headers()


class _WholeAsPart(QuietFiles):
    """Calls a whole file a part of it, which it does not name."""

    def send_response(self, code: int, *_: object) -> None:
        super().send_response(206 if "Range" in self.headers else code)


class _SamePart(_WholeAsPart):
    def end_headers(self) -> None:
        self.send_header("Content-Range", "bytes 4-7/1000")
        super().end_headers()


def test_over_http_parts_that_were_not_asked_for(published: str, tmp_path: Path) -> None:
    with plainly_served(published, _WholeAsPart) as site:
        far = paperlake.open(site, cache=tmp_path).latest()
        assert far.arrow("papers").equals(paperlake.open(published).latest().arrow("papers"))
    with plainly_served(published, _SamePart) as site:
        with pytest.raises(StoreFailed, match=r"papers of release .* cannot be read: .* verify=True"):
            paperlake.open(site, cache=tmp_path).latest().pandas("papers")
        assert paperlake.open(site, cache=tmp_path, verify=True).latest().pandas("papers").size


def test_over_http_a_page_in_place_of_a_file_is_none(published: str, tmp_path: Path) -> None:
    with plainly_served(published, _OnePage) as site:
        far = paperlake.open(site, cache=tmp_path).latest()
        assert far.arrow("papers").equals(paperlake.open(published).latest().arrow("papers"))
        with pytest.raises(NothingThere, match="no lake is served"):
            paperlake.open(f"{site}/nowhere")


def test_over_http_what_comes_compressed_says_so(published: str) -> None:
    with plainly_served(published, _Compressed) as site, pytest.raises(StoreFailed, match=r"compressed \(gzip\)"):
        paperlake.open(site)


def test_a_release_that_was_dropped_since_it_was_opened_says_so(published_twice: str, tmp_path: Path) -> None:
    lake = paperlake.open(str(shutil.copytree(published_twice, tmp_path / "lake")))
    release = lake[lake.releases()["version"][0]]
    assert release.table("papers").collect().height > 0
    retain(open_lake(lake.url), KeepRule(1), apply=True, at=datetime(2026, 12, 1))
    with pytest.raises(NothingThere, match="was dropped"):
        release.table("papers")


def test_a_database_that_duckdb_has_open_by_other_settings_is_no_damage(published_copy: str) -> None:
    release = paperlake.open(published_copy).latest()
    path = Path(published_copy) / "releases" / release.version / "paperlake.duckdb"
    with duckdb.connect(str(path), read_only=True), pytest.raises(UsageError, match="open in this program already"):
        release.sql("FROM papers")
    assert release.sql("FROM papers").height > 0


def test_threads_ask_at_the_same_time(published: str, release: paperlake.Release) -> None:
    def ask(number: int) -> list[tuple]:
        with shared_database(published) as database, paperlake.open(published).latest() as own:
            by_all = [one.sql("SELECT count(*), $1 FROM sightings, papers", [number]).row(0) for one in (release, own)]
            return [*by_all, *database.rows("SELECT count(*), $1 FROM sightings, papers", [number]).rows]

    count, _ = ask(0)[0]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ask, range(40))) == [[(count, number)] * 3 for number in range(40)]


def test_whoever_asks_goes_on_when_the_release_is_closed(published_copy: str) -> None:
    """As a thread does that asks while another one closes."""
    release = paperlake.open(published_copy).latest()
    database = release.database
    release.close()
    assert list(database.rows("SELECT 1").rows) == [(1,)]
    path = Path(published_copy) / "releases" / release.version / "paperlake.duckdb"
    del database
    duckdb.connect(str(path), read_only=True).close()  # refused while anybody has it open


def test_a_file_that_was_changed_is_not_read(published_copy: str, tmp_path: Path) -> None:
    release = paperlake.open(published_copy, verify=True).latest()
    assert release.table("papers").collect().height > 0
    [file] = [one for table in release.manifest.tables if table.name == "papers" for one in table.files]
    path = Path(published_copy) / "releases" / release.version / file.key
    path.unlink()
    other = [one for table in release.manifest.tables if table.name == "paper_texts" for one in table.files]
    shutil.copyfile(path.parent.parent / "paper_texts" / Path(other[0].key).name, path)
    with pytest.raises(Damaged, match="is not what was written"):
        release.table("papers")
    with served(Path(published_copy)) as site, pytest.raises(Damaged, match="is not what was written"):
        paperlake.open(site.url, cache=tmp_path, verify=True).latest().table("papers")


@pytest.mark.slow
def test_a_lake_in_a_bucket(seaweed: Seaweed, published: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in seaweed.environment().items():
        monkeypatch.setenv(name, value)
    done = processes.paperlake("copy", published, place := seaweed.lake(), environment=dict(os.environ))
    assert done.returncode == 0, done.stderr
    local, far = paperlake.open(published).latest(), paperlake.open(place, cache=tmp_path).latest()
    assert far.search("gardens").equals(local.search("gardens"))
    assert far.arrow("papers").equals(local.arrow("papers"))
    row = far.day("2026-04-07").row(0, named=True)
    assert far.evidence(row) == local.evidence(row)
