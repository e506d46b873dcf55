"""All headers of an answer: kept in order, under their own names, and harmless whatever they say."""

import io
import re
import tempfile
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord

from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.archive.http_message import Headers, headers_of, read_headers
from warehouse.store.opening import open_store
from warehouse.store.store import Store

NOW = datetime.fromisoformat("2026-02-03T04:05:06")
SENT: Headers = (
    ("Date", "Tue, 03 Feb 2026 04:05:06 GMT"),
    ("content-type", "application/json; charset=utf-8"),
    ("Content-Encoding", "gzip"),
    ("Transfer-Encoding", "chunked"),
    ("Content-Length", "17"),
    ("Vary", "Origin"),
    ("VARY", "Accept-Encoding"),
    ("X-Empty", ""),
    ("ETag", 'W/"2c-abc"'),
)
WILD_NAMES = st.sampled_from(["X-A", "x-a", "Link", "Content-Encoding", "transfer-encoding", "Content-Length", "Via"])
WILD_VALUES = st.text(max_size=40) | st.sampled_from(
    [
        "a\r\nSet-Cookie: b",
        "\r\n\r\nHTTP/1.1 200 OK",
        "WARC/1.1\r\n",
        "\x85\u2028",
        "\udc80",
        " a  b\t",
        "9" * 20,
        "gzip",
    ]
)
WIRE = st.lists(st.tuples(WILD_NAMES, WILD_VALUES.map(lambda text: text.encode("utf-8", "surrogatepass"))), max_size=12)


def page(headers: Headers, **facts: object) -> Capture:
    kept = {name.lower(): value for name, value in reversed(headers)}
    return Capture(
        payload=b'[{"paper": 1}]',
        url="https://hub.example/p",
        fetched_at=NOW,
        http_status=200,
        content_type=kept.get("content-type"),
        etag=kept.get("etag"),
        headers=headers,
        **facts,  # type: ignore[arg-type]
    )


def land(capture: Capture, store: Store) -> tuple[Capture, ArcWarcRecord]:
    """A capture as it is read back, and its record as another tool reads it."""
    archive = Archive(store)
    archive.write([capture], now=NOW)
    [kept] = archive.captures(archive.index())
    assert kept == archive.read(archive.index()[0])
    [key] = store.list("raw/warc")
    _, record = ArchiveIterator(io.BytesIO(store.read(key)), check_digests="raise")
    return kept, record


def test_headers_come_back_in_order_and_the_record_is_true(store: Store) -> None:
    kept, record = land(page(SENT), store)
    assert kept == page(SENT)
    assert record.http_headers.headers == [
        *SENT[:2],
        ("X-Archive-Orig-Content-Encoding", "gzip"),
        ("X-Archive-Orig-Transfer-Encoding", "chunked"),
        ("X-Archive-Orig-Content-Length", "17"),
        *SENT[5:],
        ("Content-Length", "14"),
    ]
    assert record.rec_headers.get_header("Paperlake-Http-Headers") == "9"


def test_a_fact_without_a_header_gets_one(store: Store) -> None:
    capture = replace(page(SENT[:1]), content_type="text/plain", etag='"x"')
    kept, record = land(capture, store)
    assert kept == capture
    assert record.http_headers.headers[1:] == [
        ("Content-Type", "text/plain"),
        ("ETag", '"x"'),
        ("Content-Length", "14"),
    ]


@settings(max_examples=150, deadline=None)
@given(WIRE)
def test_no_header_can_forge_a_fact(wire: list[tuple[str, bytes]]) -> None:
    capture = page(headers_of((name.encode(), value) for name, value in wire))
    with tempfile.TemporaryDirectory() as folder:
        kept, record = land(capture, open_store(folder))
    assert kept == capture
    assert len(kept.headers) == len(wire)
    told = record.http_headers.headers
    assert [name for name, _ in told if name.lower() == "content-length"] == ["Content-Length"]
    assert not {name.lower() for name, _ in told} & {"set-cookie", "content-encoding", "transfer-encoding"}
    assert record.http_headers.get_statuscode() == "200"


@pytest.mark.parametrize("name", ["X\r\nY: z", "X Y", "", "X:", "X\0"])
def test_invalid_headers_are_left_out(store: Store, name: str) -> None:
    kept, record = land(page(((name, "a"), ("X-Good", "a\r\nX-Forged: 1"))), store)
    assert kept.headers == (("X-Good", "a X-Forged: 1"),)
    assert record.rec_headers.get_header("Paperlake-Http-Headers") == "1 of 2"


@pytest.mark.parametrize("headers", [[("X-Many", "1")] * 5000, [("X-Long", "a" * 3000)] * 50])
def test_headers_over_the_limit_are_dropped_from_the_end_and_that_is_recorded(store: Store, headers: Headers) -> None:
    kept, record = land(page(tuple(headers)), store)
    count, total = re.fullmatch(r"(\d+) of (\d+)", record.rec_headers.get_header("Paperlake-Http-Headers")).groups()  # type: ignore[union-attr]
    assert kept.headers == tuple(headers[: int(count)])
    assert 5 < int(count) <= 200
    assert int(total) == len(headers)
    assert record.length < 32 << 10


def test_malformed_heads_are_read_within_limits() -> None:
    head = b"HTTP ignored\r\nA: 1\r\n folded\r\nB :2\nno colon\r\n: no name\r\nset-cookie: s\r\nX-Archive-Orig-Content-Length: 9\r\n"
    assert read_headers(head) == (("A", "1  folded"), ("B", "2"), ("Content-Length", "9"))
    assert len(read_headers(b"a:b\n" * 1_000_000)) < 20_000
    assert read_headers(b"a" * 1_000_000) == ()
