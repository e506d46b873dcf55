"""The explorer's files, and the server of `paperlake explore`: what it gives, and to whom."""

import gzip
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import duckdb
import polars as pl
import pytest
from msgspec.structs import replace

from flows.documents import site_files
from flows.documents.rendering import LOGO
from flows.documents.site_files import rule_files
from paperlake.explore import ReleaseServer
from tests.builders import reader
from tests.serving import serving
from warehouse.errors import NothingThere, StoreFailed
from warehouse.release.latest import DATABASE, EXPLORER
from warehouse.release.manifest import File, Manifest, TableFiles
from warehouse.schema.catalog import ALL_TABLES, CORE_TABLES, MART_TABLES
from warehouse.store.local import LocalStore
from warehouse.store.store import Store

ROOT = Path(__file__).parents[2]
VERSION = "2026.10.09.1"
FILES = {EXPLORER: b"<!doctype html>", "data/papers.parquet": b"0123456789"}
NO_ROWS = reader({table.name: table.empty() for table in ALL_TABLES})
PAPERS = TableFiles("papers", 3, (File("data/papers.parquet", 10, ""),))


def manifest(*keys: str) -> Manifest:
    files = tuple(File(key, len(FILES[key]), sha256(FILES[key]).hexdigest()) for key in keys)
    return Manifest(VERSION, 1, "0", None, 1, "", (), files, b"{}", ())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(LocalStore(tmp_path, str(tmp_path)))
    for key, data in {**FILES, "manifest.json": b"{}", "draft.json": b"ours"}.items():
        store.put(f"releases/{VERSION}/{key}", data)
    store.put("releases/latest.json", b"ours")
    return store


@pytest.fixture
def server(store: Store) -> Iterator[ReleaseServer]:
    server = ReleaseServer(store, manifest(*FILES), 0)
    with serving(server):
        yield server


def asked(server: ReleaseServer, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer, data


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "assets"
    folder.mkdir()
    monkeypatch.setattr(site_files, "ASSETS", folder)
    return folder


def test_without_assets_the_page_says_how_to_get_an_explorer(assets: Path) -> None:
    page = site_files.explore_page(VERSION, [PAPERS]).decode()
    assert "<h1>No explorer</h1>" in page
    assert "make assets" in page
    assert "<script" not in page
    assert site_files.explore_parts([PAPERS], NO_ROWS, Path) == {}


def parts_of(*tables: TableFiles) -> dict[str, bytes]:
    return site_files.explore_parts(tables, NO_ROWS, Path)


def test_what_the_page_loads_stands_in_a_folder_named_by_all_of_it(assets: Path) -> None:
    (assets / "page.js").write_bytes(b'import{a}from"./page-A.js";import("./page-B.js")')
    (assets / "page-A.js").write_bytes(b'import"./page-C.js"')
    for name in ("page-B.js", "page-C.js"):
        (assets / name).write_bytes(b"export {}")
    parts = parts_of(PAPERS)
    page = site_files.explore_page(VERSION, [PAPERS]).decode()
    loaded = set(re.findall(r'(?:src|href)="([0-9a-f]{16}/[^"]+)"', page))
    assert loaded <= set(parts)
    assert {path.partition("/")[2] for path in loaded} == {"explore.css", "page.js", "page-A.js", "page-C.js"}
    assert {path for path in parts if "/" not in path} == {"tables.json", "common.json", "ends.gz", "search-ends.gz"}
    folders = {path.partition("/")[0] for path in parts if "/" in path}
    assert len(folders) == 1
    (assets / "page-B.js").write_bytes(b"export { }")
    assert not folders & {path.partition("/")[0] for path in parts_of(PAPERS)}


@pytest.mark.skipif(not site_files.has_explorer(), reason="no assets: make assets")
def test_what_is_joined_is_the_site_as_it_is() -> None:
    written = "".join(path.read_text() for path in sorted(site_files.SITE.glob("*.js")))
    joined_of = (site_files.ASSETS / site_files.JOINED_OF).read_text().strip()
    assert joined_of == sha256(written.encode()).hexdigest(), "make assets"


def test_the_page_knows_the_files_of_what_it_reads_and_no_text_ends_its_element(assets: Path) -> None:
    (assets / "parquet.js").write_bytes(b"export {}")
    odd = TableFiles("papers", 1, (File("data/</script>.parquet", 7, ""), File("data/b.parquet", 8, "")))
    other = TableFiles("quarantine", 1, (File("data/quarantine.parquet", 9, ""),))
    lags = TableFiles("listing_lag", 1, (File("marts/listing_lag.parquet", 6, ""),))
    none = TableFiles("paper_status", 0, (File("marts/paper_status.parquet", 5, ""),))
    page = site_files.explore_page(VERSION, [odd, other, lags, none]).decode()
    (catalog,) = re.findall('<script type="application/json" id="release">(.*?)</script>', page)
    found = json.loads(catalog)
    files = [{"key": "data/</script>.parquet", "bytes": 7}, {"key": "data/b.parquet", "bytes": 8}]
    assert (found["version"], found["sql"]) == (VERSION, False)
    assert found["tables"]["papers"] == files
    assert found["tables"]["listing_lag"] == [{"key": "marts/listing_lag.parquet", "bytes": 6}]
    assert not {"quarantine", "paper_status"} & set(found["tables"]), "not read, or without a row"
    everything = json.loads(parts_of(odd, other)["tables.json"])
    assert everything["quarantine"] == [{"key": "data/quarantine.parquet", "bytes": 9}]


def test_it_has_the_mark_and_a_preview_and_nothing_of_others(assets: Path) -> None:
    (assets / "parquet.js").write_bytes(b"export {}")
    page = site_files.explore_page(VERSION, [PAPERS]).decode()
    told = dict(re.findall('<meta property="og:([a-z_]+)" content="([^"]+)">', page))
    assert (told["site_name"], told["title"]) == ("paperlake", f"Daily Papers, release {VERSION}")
    assert told["description"].startswith("Hugging Face Daily Papers, to read")
    assert LOGO in page
    assert not re.findall(r"""(?:src|href)=["'](?:https?:)?//""", page)


def test_every_table_that_it_reads_is_declared() -> None:
    assert set(site_files.READ) <= {table.name for table in (*CORE_TABLES, *MART_TABLES) if not table.is_view}


def test_a_keyword_that_many_papers_have_is_common() -> None:
    many = [{"keyword": "llm"}] * 201 + [{"keyword": "kettle"}] * 200
    assert site_files.common_keywords(pl.DataFrame(many)) == ["llm"]


def test_the_statements_of_the_browser_make_the_tables_of_the_release() -> None:
    schema = json.loads(rule_files()["schema.json"])
    assert "\0" not in "".join(schema["statements"])
    with duckdb.connect() as connection:
        for statement in schema["statements"]:
            connection.execute(statement)
        found = connection.execute("SELECT table_schema, table_name FROM information_schema.tables").fetchall()
    assert {(table.layer, table.name) for table in ALL_TABLES} <= set(found)
    assert {("main", table.name) for table in ALL_TABLES} <= set(found)


def test_the_examples_are_the_questions_of_the_documentation() -> None:
    text = (site_files.SITE / "questions.js").read_text()
    asked = json.loads(text.partition("QUESTIONS = ")[2])
    told = (ROOT / "docs/analysts.md").read_text()
    written = re.findall(r"^## \d+\. (.+?)\n\n```sql\n(.*?)```", told, re.MULTILINE | re.DOTALL)
    assert asked == [[title, sql.strip()] for title, sql in written]
    assert len(asked) == 10


@pytest.mark.parametrize(
    ("headers", "status", "given", "data"),
    [
        ({}, 200, None, b"0123456789"),
        ({"Range": "bytes=2-4"}, 206, "bytes 2-4/10", b"234"),
        ({"Range": "bytes=7-"}, 206, "bytes 7-9/10", b"789"),
        ({"Range": "bytes=7-99"}, 206, "bytes 7-9/10", b"789"),
        ({"Range": "bytes=0-0"}, 206, "bytes 0-0/10", b"0"),
        ({"Range": "bytes=-3"}, 206, "bytes 7-9/10", b"789"),
        ({"Range": "bytes=-99"}, 206, "bytes 0-9/10", b"0123456789"),
        ({"Range": "bytes=-0"}, 416, None, b"data/papers.parquet has 10 bytes\n"),
        ({"Range": "lines=1-2"}, 200, None, b"0123456789"),
        ({"Range": "bytes=10-"}, 416, None, b"data/papers.parquet has 10 bytes\n"),
    ],
)
def test_a_file_is_given_whole_or_by_range(
    server: ReleaseServer, headers, status: int, given: str | None, data: bytes
) -> None:
    answer, found = asked(server, "/data/papers.parquet", **headers)
    assert (answer.status, answer.headers["Content-Range"], found) == (status, given, data)
    head, nothing = asked(server, "/data/papers.parquet", "HEAD", **headers)
    assert (head.status, head.headers["Content-Length"], nothing) == (status, str(len(data)), b"")


TAG = f'"{sha256(FILES["data/papers.parquet"]).hexdigest()}"'
MADE = "Fri, 09 Oct 2026 00:00:00 GMT"
PART = {"Range": "bytes=2-4"}


@pytest.mark.parametrize(
    ("headers", "status", "data"),
    [
        ({}, 200, b"0123456789"),
        ({"If-None-Match": TAG}, 304, b""),
        ({"If-None-Match": f'"other", W/{TAG}'}, 304, b""),
        ({"If-None-Match": "*", **PART}, 304, b""),
        ({"If-None-Match": '"other"', "If-Modified-Since": MADE}, 200, b"0123456789"),
        ({"If-Modified-Since": MADE}, 304, b""),
        ({"If-Modified-Since": "Thu, 08 Oct 2026 00:00:00 GMT"}, 200, b"0123456789"),
        ({"If-Range": TAG, **PART}, 206, b"234"),
        ({"If-Range": MADE, **PART}, 206, b"234"),
        ({"If-Range": '"other"', **PART}, 200, b"0123456789"),
        ({"If-Range": '"other"', "Range": "bytes=10-"}, 200, b"0123456789"),
    ],
)
def test_a_client_that_has_a_file_by_its_hash_is_told_so(server: ReleaseServer, headers, status: int, data) -> None:
    for method, body in (("GET", data), ("HEAD", b"")):
        answer, found = asked(server, "/data/papers.parquet", method, **headers)
        assert (answer.status, answer.headers["ETag"], answer.headers["Last-Modified"]) == (status, TAG, MADE)
        assert answer.headers["Content-Length"] == (None if status == 304 else str(len(data)))
        assert found == body


def test_texts_are_packed_for_whom_takes_them_so_and_data_never_are(server: ReleaseServer) -> None:
    plain, page = asked(server, "/explore/index.html")
    packed, data = asked(server, "/explore/index.html", **{"Accept-Encoding": "deflate, gzip"})
    assert (packed.headers["Content-Encoding"], packed.headers["Vary"]) == ("gzip", "Accept-Encoding")
    assert (packed.headers["ETag"], gzip.decompress(data)) == (f"W/{plain.headers['ETag']}", page)
    assert packed.headers["Content-Length"] == str(len(data))
    tagged = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    assert asked(server, "/explore/index.html", **tagged)[0].status == 304
    for headers in ({"Accept-Encoding": "br"}, {}, {"Accept-Encoding": "gzip", "Range": "bytes=0-1"}):
        assert asked(server, "/explore/index.html", **headers)[0].headers["Content-Encoding"] is None
    assert asked(server, "/data/papers.parquet", **{"Accept-Encoding": "gzip"})[1] == b"0123456789"


def test_a_client_is_not_told_that_it_has_a_file_that_is_gone(server: ReleaseServer, store: Store) -> None:
    store.put(f"releases/{VERSION}/data/papers.parquet", b"0123")
    assert asked(server, "/data/papers.parquet", **{"If-None-Match": TAG})[0].status == 200
    store.delete(f"releases/{VERSION}/data/papers.parquet")
    answer, data = asked(server, "/data/papers.parquet", **{"If-None-Match": TAG})
    assert (answer.status, b"papers.parquet" in data) == (404, True)


def test_a_database_that_was_made_again_is_given_as_it_is_now(store: Store, tmp_path: Path) -> None:
    """After a rollback: the manifest has the hash of another, or none at all, where a person was erased meanwhile."""
    (made := tmp_path / "made").write_bytes(b"made again")
    store.pool(f"releases/{VERSION}", {}, {}, [DATABASE])
    store.put_again(f"releases/{VERSION}/{DATABASE}", made, sums := sha256(made.read_bytes()).hexdigest())
    listed = manifest(*FILES)
    listing = replace(listed, files=(*listed.files, File(DATABASE, 4, "0" * 64)))
    for one in (listing, listed):
        with serving(server := ReleaseServer(store, one, 0)):
            answer, data = asked(server, f"/{DATABASE}")
        assert (answer.status, data, answer.headers["ETag"]) == (200, b"made again", f'"{sums}"')


def test_the_address_of_a_folder_gives_its_page(server: ReleaseServer) -> None:
    answer, data = asked(server, "/explore/?from=here")
    assert (answer.status, answer.headers["Content-Type"], data) == (200, "text/html; charset=utf-8", FILES[EXPLORER])
    assert server.address == f"http://127.0.0.1:{server.server_port}/explore/"


@pytest.mark.parametrize(
    "path", ["/draft.json", "/../latest.json", "/%2e%2e/latest.json", "//etc/passwd", "/none", "*"]
)
def test_nothing_else_of_the_lake_is_given(server: ReleaseServer, path: str) -> None:
    answer, data = asked(server, path)
    assert (answer.status, data) == (404, f"release {VERSION} has no such file\n".encode())


def test_a_page_of_another_host_gets_nothing(server: ReleaseServer) -> None:
    answer, data = asked(server, "/data/papers.parquet", Host="attacker.example")
    assert answer.status == 421
    assert b"0123" not in data


def test_a_port_that_is_taken_and_a_release_without_an_explorer(server: ReleaseServer, store: Store) -> None:
    with pytest.raises(StoreFailed, match="name another with --port"):
        ReleaseServer(store, manifest(*FILES), server.server_port)
    with pytest.raises(NothingThere, match="has no explorer"):
        ReleaseServer(store, manifest("data/papers.parquet"), 0)
