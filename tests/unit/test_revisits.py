"""A page the archive has already is stored as a revisit, a failed attempt as metadata; both are captures like any."""

import io
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord

from transforms.collect.read_page import read
from warehouse.archive import writer as archive_writer
from warehouse.archive.archive import Archive, Damage
from warehouse.archive.captured import NO_PAGE, Capture, Failed, Limits, Notice, Outcome, Refused, Revisit, Unchanged
from warehouse.archive.warc_file import payload_of
from warehouse.archive.warc_import import read_warc
from warehouse.archive.writer import NO_ORIGINAL
from warehouse.errors import Damaged
from warehouse.store.opening import open_store
from warehouse.store.store import Store

NOW = datetime.fromisoformat("2026-02-03T04:05:06")
URL = "https://hub.example/api/daily_papers?date=2024-03-13"
BODY = b'[{"paper": {"id": "2403.00001"}}]'
ETAG = 'W/"2c-abc"'


def page(hours: int = 0, payload: bytes = BODY, url: str | None = URL, etag: str | None = ETAG) -> Capture:
    headers = (("Content-Type", "application/json"), ("ETag", etag or ""), ("X-Hour", str(hours)))
    return Capture(
        payload=payload,
        url=url,
        fetched_at=NOW + timedelta(hours=hours),
        http_status=200,
        content_type="application/json",
        etag=etag,
        headers=headers if etag and url else (),
    )


def unchanged(hours: int, etag: str = ETAG) -> Unchanged:
    headers = (("Date", "Tue, 03 Feb 2026 04:05:06 GMT"), ("ETag", etag))
    return Unchanged(URL, NOW + timedelta(hours=hours), etag, headers)


def still(hours: int, payload: bytes = BODY, etag: str = ETAG) -> Capture:
    """An Unchanged as it is read back: the page it stands for, fetched at that time."""
    return replace(unchanged(hours, etag).as_capture(), payload=payload)


def land(archive: Archive, *outcomes: Outcome) -> list[Capture]:
    """Land each in a run of its own; return what the archive then holds, by time."""
    for outcome in outcomes:
        archive.write([outcome], now=NOW)
    return captures(archive)


def captures(archive: Archive) -> list[Capture]:
    entries = archive.index()
    found = list(archive.captures(entries))
    assert found == [archive.read(entry) for entry in entries]
    assert [entry.capture_id for entry in entries] == [capture.capture_id for capture in found]
    assert [entry.payload_bytes for entry in entries] == [len(capture.payload) for capture in found]
    return sorted(found, key=lambda capture: (str(capture.fetched_at), capture.capture_id))


def records(store: Store) -> dict[str, ArcWarcRecord]:
    """By type, as another tool reads them."""
    found = {}
    for key in store.list("raw/warc"):
        for record in ArchiveIterator(io.BytesIO(store.read(key)), check_digests=False):
            record.content = record.content_stream().read()
            found[record.rec_type] = record
    return found


def damages(archive: Archive) -> list[Damage]:
    return [found for found in archive.verify() if isinstance(found, Damage)]


class TestRevisits:
    def test_a_page_that_is_stored_is_not_stored_again(self, archive: Archive, store: Store) -> None:
        assert land(archive, page(), page(1)) == [page(), page(1)]
        first, second = sorted(archive.index(), key=lambda entry: entry.date)
        assert (first.original, second.original) == (None, (first.filename, first.offset, first.length))
        assert first.digest == second.digest
        assert damages(archive) == []
        record = records(store)["revisit"]
        headers, original = dict(record.rec_headers.headers), records(store)["response"].rec_headers
        assert headers["WARC-Profile"] == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
        assert headers["WARC-Refers-To"] == original.get_header("WARC-Record-ID")
        assert headers["WARC-Refers-To-Target-URI"] == headers["WARC-Target-URI"] == URL
        assert headers["WARC-Refers-To-Date"] == original.get_header("WARC-Date")
        assert headers["WARC-Payload-Digest"] == original.get_header("WARC-Payload-Digest")
        assert headers["WARC-Refers-To-Filename"] == first.filename
        assert headers["WARC-Refers-To-File-Offset"] == str(first.offset)
        assert record.http_headers.get_statuscode() == "200"
        assert record.http_headers.get_header("X-Hour") == "1"
        assert record.content == b""

    def test_a_page_that_the_source_calls_unchanged(self, archive: Archive, store: Store) -> None:
        assert land(archive, page(), unchanged(2)) == [page(), still(2)]
        assert damages(archive) == []
        record = records(store)["revisit"]
        assert record.rec_headers.get_header("WARC-Profile").endswith("/1.1/revisit/server-not-modified")
        assert record.http_headers.get_statuscode() == "304"
        assert record.http_headers.headers == list(unchanged(2).headers)

    def test_unchanged_means_the_latest_page_with_that_etag(self, archive: Archive) -> None:
        new, strong = b"[1]", ETAG.removeprefix("W/")
        outcomes = [page(), page(1, new), page(2), unchanged(3), page(4, new, etag='"other"'), unchanged(5, strong)]
        assert [found.payload for found in land(archive, *outcomes)] == [BODY, new, BODY, BODY, new, BODY]

    def test_unchanged_is_judged_by_when_it_was_asked_not_by_when_it_is_landed(self, archive: Archive) -> None:
        early, late = unchanged(1), unchanged(-5)  # the clock was set back before the late one
        found = land(archive, page(), page(3, b"[1]"), early, late)
        assert [capture.payload for capture in found] == [BODY, BODY, BODY, b"[1]"]

    def test_every_revisit_of_a_chain_names_the_first_page(self, archive: Archive) -> None:
        land(archive, page(), unchanged(1), page(2), unchanged(3))
        originals = [entry.original for entry in archive.index()]
        assert originals.count(None) == 1
        assert len(set(originals)) == 2

    def test_unchanged_without_a_page_is_a_failed_attempt(self, archive: Archive) -> None:
        [kept] = land(archive, unchanged(1))
        assert kept == replace(unchanged(1).as_capture(), failure=NO_ORIGINAL, etag=None, headers=())
        assert land(archive, page(etag='"other"'), unchanged(2))[2].failure == NO_ORIGINAL

    @pytest.mark.parametrize(
        "other",
        [
            page(1, url=f"{URL}&p=1"),
            page(1, BODY + b" "),
            page(1, url=None, etag=None),
            replace(page(1), damage="digest: wrong"),
            replace(page(1), http_status=None, headers=(), etag=None),
        ],
        ids=["address", "bytes", "no address", "damaged", "no answer"],
    )
    def test_a_page_that_differs_is_stored_whole(self, archive: Archive, other: Capture) -> None:
        assert land(archive, page(), other) == [page(), other]
        assert [entry.original for entry in archive.index()] == [None, None]

    def test_an_empty_page_is_no_revisit(self, archive: Archive) -> None:
        land(archive, page(0, b""), page(1, b""))
        assert [entry.original for entry in archive.index()] == [None, None]

    def test_within_one_file_nothing_refers_to_it(self, archive: Archive) -> None:
        archive.write([page(), page(1)], now=NOW)
        assert captures(archive) == [page(), page(1)]
        assert [entry.original for entry in archive.index()] == [None, None]

    @settings(max_examples=40, deadline=None)
    @given(st.permutations(range(6)), st.lists(st.booleans(), min_size=6, max_size=6))
    def test_captures_are_the_same_however_they_are_stored(
        self, tmp_path_factory: pytest.TempPathFactory, order: list[int], breaks: list[bool]
    ) -> None:
        archive = Archive(open_store(str(tmp_path_factory.mktemp("lake"))))
        pages = [page(number, BODY if number % 3 else b"[]") for number in range(6)]
        batch: list[Capture] = []
        for number, ends in zip(order, breaks, strict=True):
            batch.append(pages[number])
            if ends:
                archive.write(batch, now=NOW)
                batch = []
        archive.write(batch, now=NOW)
        assert captures(archive) == pages
        assert archive.write(pages, now=NOW).skipped_count == 6
        assert damages(archive) == []

    def test_a_revisit_is_read_like_the_page(self, archive: Archive) -> None:
        readings = [read(capture) for capture in land(archive, page(), unchanged(1))]
        assert readings[0] == readings[1]
        assert readings[0].reason is None or "304" not in readings[0].reason
        assert "304" in (read(replace(still(1), payload=b"")).reason or "")

    def test_a_damaged_or_missing_original_is_found(self, archive: Archive, store: Store) -> None:
        land(archive, page(), page(1))
        whole, revisit = sorted(archive.index(), key=lambda entry: entry.date)
        key = f"raw/warc/{whole.filename}"
        sound = store.read(key)
        bad = bytearray(sound)
        bad[whole.offset + whole.length - 30] ^= 1
        store.put(key, bytes(bad))
        with pytest.raises(Damaged, match=f"capture {revisit.capture_id} .*{whole.filename} at byte {whole.offset}"):
            archive.read(revisit)
        assert {damage.capture_id for damage in damages(archive)} == {None, whole.capture_id, revisit.capture_id}
        store.delete(key)
        with pytest.raises(Damaged, match="missing"):
            archive.read(revisit)
        assert revisit.capture_id in {damage.capture_id for damage in damages(archive)}
        store.put(key, sound)
        assert damages(archive) == []

    def test_another_page_in_place_of_the_original(self, archive: Archive, store: Store) -> None:
        archive.write([page(), page(9, b"[2]")], now=NOW)
        land(archive, page(1))
        _, revisit, other = sorted(archive.index(), key=lambda entry: entry.date)
        member = store.read_range(f"raw/warc/{other.filename}", other.offset, other.length)
        with pytest.raises(Damaged, match="its payload is not there"):
            payload_of(revisit, member)
        with pytest.raises(Damaged, match="it is not the record that the index describes"):
            archive.read(msgspec.structs.replace(revisit, orig_offset=other.offset, orig_length=other.length))


class TestFailures:
    FAILED = Failed(URL, NOW, "HTTP status 503; given up after 3 tries", 503)

    def test_an_attempt_is_a_capture_without_a_page(self, archive: Archive, store: Store) -> None:
        assert land(archive, self.FAILED) == [self.FAILED.as_capture()]
        [entry] = archive.index()
        assert (entry.failure, entry.http_status, entry.payload_bytes) == (self.FAILED.reason, 503, 0)
        assert damages(archive) == []
        record = records(store)["metadata"]
        assert record.rec_headers.get_header("Content-Type") == "application/warc-fields"
        assert record.content == b"failure: HTTP status 503; given up after 3 tries\r\nhttp-status: 503\r\n"

    def test_a_failed_attempt_is_not_an_empty_page(self, archive: Archive) -> None:
        empty = Capture(payload=b"", url=URL, fetched_at=NOW, http_status=503)
        assert len(land(archive, self.FAILED, empty, replace(self.FAILED, reason="other"))) == 3

    @settings(max_examples=60, deadline=None)
    @given(reason=st.text(max_size=1200), status=st.none() | st.integers(100, 999))
    def test_an_attempt_is_kept_whatever_its_reason(
        self, tmp_path_factory: pytest.TempPathFactory, reason: str, status: int | None
    ) -> None:
        archive = Archive(open_store(str(tmp_path_factory.mktemp("lake"))))
        attempt = Failed(URL, NOW, reason, status)
        [kept] = land(archive, attempt)
        assert kept.capture_id == attempt.as_capture().capture_id
        assert kept.http_status == status
        assert kept.failure
        assert archive.write([kept, attempt], now=NOW).skipped_count == 2

    def test_a_reason_forges_nothing(self, archive: Archive) -> None:
        [kept] = land(archive, Failed(URL, NOW, "a\r\nhttp-status: 200\r\n\r\nWARC/1.1"))
        assert (kept.failure, kept.http_status) == ("a http-status: 200 WARC/1.1", None)

    def test_a_page_with_a_failure_is_refused(self, archive: Archive) -> None:
        [refused] = archive.write([Capture(payload=b"x", failure="no")], now=NOW).refused
        assert "failed" in refused.reason


def of_files(archive: Archive) -> list[list[Capture | Revisit | Refused | Notice]]:
    """What is read from each WARC file of an archive, as for another lake."""
    paths = sorted((archive.store.folder / "raw/warc").rglob("*.warc.gz"))
    return [list(read_warc(path, Limits())) for path in paths]


class TestAnotherLake:
    @pytest.mark.parametrize("is_turned", [False, True])
    def test_it_gets_the_same_captures_in_any_order(self, archive: Archive, tmp_path: Path, is_turned: bool) -> None:
        damaged = Capture(payload=b"no address", damage="digest: wrong")
        found = land(archive, page(), page(1), TestFailures.FAILED, unchanged(2), damaged)
        files = of_files(archive)
        other = Archive(open_store(str(tmp_path / "other")))
        landed = other.write(chain(*(files[::-1] if is_turned else files)), now=NOW)
        assert (landed.landed_count, landed.refused) == (5, ())
        assert captures(other) == found
        assert damages(other) == []
        assert other.write(chain(*files), now=NOW).skipped_count == 5

    def test_a_revisit_whose_page_has_another_address_is_landed(self, archive: Archive, tmp_path: Path) -> None:
        """As other tools write them; ours refer to a page of the same address."""
        aside = Revisit(replace(page(1, b""), url=f"{URL}&limit=100"), page().payload_sha256)
        landed = archive.write([page(), aside], now=NOW)
        assert (landed.landed_count, landed.refused) == (2, ())
        assert captures(archive) == [page(), replace(aside.capture, payload=BODY)]
        assert damages(archive) == []
        [one] = [found for file in of_files(archive) for found in file if isinstance(found, Revisit)]
        assert one == aside

    def test_a_revisit_whose_page_is_nowhere_is_refused(self, archive: Archive, tmp_path: Path) -> None:
        land(archive, page(), page(1))
        revisits = [one for one in chain(*of_files(archive)) if isinstance(one, Revisit)]
        other = Archive(open_store(str(tmp_path / "other")))
        landed = other.write([*revisits, page(2, b"[2]")], now=NOW)
        assert landed.landed_count == 1
        [refused] = landed.refused
        assert (refused.name, refused.reason) == (URL, NO_PAGE)

    def test_revisits_that_wait_for_their_page_are_limited(
        self, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        land(archive, page(), page(1), page(2), page(3))
        monkeypatch.setattr(archive_writer, "WAITING_LIMIT", 2)
        found = sorted(chain(*of_files(archive)), key=lambda one: not isinstance(one, Revisit))
        landed = Archive(open_store(str(tmp_path / "other"))).write(found, now=NOW)
        assert (landed.landed_count, len(landed.refused)) == (3, 1)
