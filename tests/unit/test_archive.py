"""The raw zone: captures come back as they were landed, by any WARC tool, and damage is found."""

import gzip
import hashlib
import io
import json
import tempfile
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from tests.processes import grown, race
from warehouse.archive.archive import Archive, Damage
from warehouse.archive.captured import Capture
from warehouse.archive.index import url_key
from warehouse.archive.warc_file import read_record
from warehouse.archive.warc_write import unlandable
from warehouse.archive.writer import Landed
from warehouse.errors import Damaged, NothingThere, StoreFailed
from warehouse.store.opening import open_store
from warehouse.store.store import Store

LAND_TEN = """
from datetime import datetime
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
wait()
for number in range(10):
    landed = Archive(store).write([Capture(payload=f"{sys.argv[2]} {number}".encode())], now=datetime(2026, 2, 3))
    print(*landed.capture_ids)
"""
NOW = datetime.fromisoformat("2026-02-03T04:05:06.000789")
HOSTILE = [b"", b"WARC/1.1\r\n", b"HTTP/1.1 200 OK\r\n\r\nx", b"\r\n\r\n", b"\x1f\x8b\x08", b"5\r\nhello\r\n0\r\n\r\n"]
LINE = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"]), min_size=1, max_size=60)


def captures(damage: st.SearchStrategy[str | None] | None = None) -> st.SearchStrategy[Capture]:
    urls = LINE.filter(lambda url: unlandable(Capture(payload=b"", url=url)) is None)
    return st.builds(
        Capture,
        payload=st.binary(max_size=300) | st.sampled_from(HOSTILE),
        url=st.none() | urls | urls.map("https://hub.example/papers?q={}".format),
        fetched_at=st.none() | st.datetimes(),
        http_status=st.none() | st.integers(100, 999),
        content_type=st.none() | LINE,
        damage=st.none() | LINE if damage is None else damage,
    )


def page(number: int = 1, payload: bytes | None = None) -> Capture:
    return Capture(
        payload=b'[{"paper": %d}]' % number * 50 if payload is None else payload,
        url=f"https://hub.example/api/daily_papers?date=2024-03-{number:02d}",
        fetched_at=datetime.fromisoformat("2024-04-01T06:15:08") + timedelta(days=number),
        http_status=200,
        content_type="application/json",
    )


def warc_key(store: Store) -> str:
    (key,) = store.list("raw/warc")
    return key


def damages(archive: Archive) -> list[Damage]:
    return [found for found in archive.verify() if isinstance(found, Damage)]


def corrupt(store: Store, key: str, position: int) -> None:
    data = bytearray(store.read(key))
    data[position] ^= 0x10
    store.put(key, bytes(data))


class TestRoundTrip:
    @settings(max_examples=60, deadline=None)
    @given(st.lists(captures(), max_size=6))
    def test_every_field_comes_back(self, pages: list[Capture]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            archive = Archive(open_store(folder))
            landed = archive.write(pages, now=NOW)
            unique = list({page.capture_id: page for page in reversed(pages)}.values())[::-1]
            firsts = {page.capture_id: page for page in reversed(pages)}
            assert set(landed.capture_ids) == set(firsts)
            assert landed.skipped_count == len(pages) - len(unique)
            assert landed.refused == ()
            entries = archive.index()
            assert list(archive.captures(entries)) == [firsts[entry.capture_id] for entry in entries]
            for entry in entries:
                kept = firsts[entry.capture_id]
                assert archive.read(archive.find(entry.capture_id)) == kept
                assert entry.fetched_at == kept.fetched_at
                assert entry.payload_sha256 == kept.payload_sha256
                assert (entry.url, entry.http_status, entry.content_type, entry.damage, entry.payload_bytes) == (
                    kept.url,
                    kept.http_status,
                    kept.content_type,
                    kept.damage,
                    len(kept.payload),
                )
            assert damages(archive) == []

    def test_landing_twice_changes_nothing(self, archive: Archive, store: Store) -> None:
        pages = [page(1), page(2), page(1), Capture(payload=b"text")]
        first = archive.write(pages, now=NOW)
        before = {key: store.read(key) for key in store.list()}
        assert (first.landed_count, first.skipped_count) == (3, 1)
        assert first.capture_ids == tuple(page.capture_id for page in (pages[0], pages[1], pages[3]))
        assert first.payload_bytes == sum(len(page.payload) for page in (pages[0], pages[1], pages[3]))
        assert first.stored_bytes == store.size(f"raw/warc/{first.warcs[0]}")
        second = archive.write(pages, now=NOW + timedelta(days=9))
        assert str(Landed(capture_ids=("a",))).startswith("landed 1 capture (")
        assert second == Landed(capture_ids=(), skipped_count=4, payload_bytes=0, stored_bytes=0, warcs=(), refused=())
        assert {key: store.read(key) for key in store.list()} == before

    def test_find_names_the_next_step(self, archive: Archive) -> None:
        archive.write([page(1)], now=NOW)
        with pytest.raises(NothingThere, match="paperlake sql"):
            archive.find("0" * 20)

    def test_files_are_cut_before_they_grow_large_and_one_is_in_memory(self, tmp_path: Path) -> None:
        landed, mib = grown(land_large_pages, tmp_path)
        assert (landed.payload_bytes >> 20, len(landed.warcs)) == (135, 4)
        assert mib < 120


def land_large_pages(folder: Path) -> Landed:
    pages = (Capture(payload=b"%9d" % number * (1 << 20)) for number in range(15))
    return Archive(open_store(str(folder))).write(pages, now=NOW)


class TestStandard:
    """Another tool reads the files as WARC."""

    @settings(max_examples=60, deadline=None)
    @given(st.lists(captures(), min_size=1, max_size=5, unique_by=lambda capture: capture.capture_id))
    def test_warcio_reads_the_same(self, pages: list[Capture]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            store = open_store(folder)
            Archive(store).write(pages, now=NOW)
            records = ArchiveIterator(io.BytesIO(store.read(warc_key(store))), check_digests=True)
            assert next(records).rec_type == "warcinfo"
            for record, kept in zip(records, pages, strict=True):
                assert record.content_stream().read() == kept.payload
                is_http = kept.http_status is not None and (kept.url or "").startswith("https://")
                assert record.rec_type == ("response" if is_http else "resource")
                # warcio finds fault with the digest of every HTTP answer that has no body
                assert record.digest_checker.passed or (is_http and not kept.payload)
                headers = record.rec_headers
                assert headers.get_header("WARC-Payload-Digest") == f"sha256:{kept.payload_sha256}"
                if is_http:
                    assert record.http_headers.get_statuscode() == str(kept.http_status)
                    assert record.http_headers.get_header("Content-Length") == str(len(kept.payload))

    def test_a_page_has_its_headers(self, archive: Archive, store: Store) -> None:
        archive.write([page(1)], now=NOW)
        record = list(ArchiveIterator(io.BytesIO(store.read(warc_key(store)))))[1]
        headers = dict(record.rec_headers.headers)
        assert record.rec_headers.protocol == "WARC/1.1"
        assert headers["WARC-Target-URI"] == "https://hub.example/api/daily_papers?date=2024-03-01"
        assert headers["WARC-Date"] == "2024-04-02T06:15:08Z"
        assert headers["WARC-Record-ID"].startswith("<urn:uuid:")
        assert headers["WARC-Block-Digest"].startswith("sha1:")
        assert headers["Content-Type"] == "application/http; msgtype=response"
        assert [name for name in headers if name.startswith("Paperlake-")] == ["Paperlake-Http-Headers"]
        assert headers["Paperlake-Http-Headers"] == "unknown"
        assert record.http_headers.headers == [("Content-Type", "application/json"), ("Content-Length", "700")]

    def test_unknown_facts_are_filled_in_and_marked(self, archive: Archive, store: Store) -> None:
        archive.write([Capture(payload=b"saved", damage="digest: one\r\nX: two")], now=NOW.replace(tzinfo=UTC))
        record = list(ArchiveIterator(io.BytesIO(store.read(warc_key(store)))))[1]
        headers = dict(record.rec_headers.headers)
        assert headers["WARC-Target-URI"] == f"urn:sha256:{hashlib.sha256(b'saved').hexdigest()}"
        assert headers["Paperlake-Url"] == headers["Paperlake-Fetched-At"] == "unknown"
        assert headers["WARC-Date"] == "2026-02-03T04:05:06Z"
        assert headers["Paperlake-Damage"] == "digest: one X: two"
        assert "Content-Type" not in headers
        (entry,) = archive.index()
        kept = archive.read(entry)
        assert (kept.url, kept.fetched_at, kept.damage) == (None, None, "digest: one X: two")

    def test_record_ids_are_those_of_the_captures(self, tmp_path: Path) -> None:
        ids = []
        for lake, pages in (("a", [page(1), page(2)]), ("b", [page(2), page(3), page(1)])):
            store = open_store(str(tmp_path / lake))
            Archive(store).write(pages, now=NOW)
            records = ArchiveIterator(io.BytesIO(store.read(warc_key(store))))
            ids.append(
                {
                    r.rec_headers.get_header("WARC-Target-URI"): r.rec_headers.get_header("WARC-Record-ID")
                    for r in records
                }
            )
        assert ids[0][page(1).url] == ids[1][page(1).url]
        assert len(set(ids[1].values())) == 4

    def test_the_index_is_sorted_cdxj(self, archive: Archive, store: Store) -> None:
        archive.write([page(3), page(1), Capture(payload=b"x")], now=NOW)
        (key,) = store.list("raw/index")
        lines = store.read(key).decode().splitlines()
        assert lines == sorted(lines)
        assert lines[0].startswith('example,hub)/api/daily_papers?date=2024-03-01 20240402061508 {"url":"https://hub')
        assert lines[2].startswith("urn:sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881 2026")

    @pytest.mark.parametrize(
        ("url", "key"),
        [
            ("HTTPS://Hub.Example:8080/A?z=1&b=2", "example,hub:8080)/a?b=2&z=1"),
            ("https://hub.example", "example,hub)/"),
            ("https://[", "https://["),
            ("a b\u00fc", "a%20b%C3%BC"),
        ],
    )
    def test_odd_addresses_have_their_keys(self, url: str, key: str) -> None:
        assert url_key(url) == key


class TestHostileFacts:
    @pytest.mark.parametrize(
        "url", ["", " a", "a ", "a\r\nX: y", *(f"a{sign}b" for sign in "\n\0\t\x7f\x85\u2028\udc80"), "<a>", "a" * 9000]
    )
    def test_an_address_that_could_forge_headers_is_refused(self, archive: Archive, store: Store, url: str) -> None:
        landed = archive.write([Capture(payload=b"x", url=url), page(1)], now=NOW)
        assert landed.landed_count == 1
        (refused,) = landed.refused
        assert "address" in refused.reason
        assert refused.name.isprintable()

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("offset", 1 << 64),
            ("length", (1 << 63) - 1),
            ("payload_bytes", 10**30),
            ("offset", 1 << 52),
            ("length", 1 << 52),
            ("filename", "../../../etc/passwd"),
            ("filename", "2026-02/../../../log/moves/000001.json"),
            ("orig.filename", "../x"),
        ],
    )
    def test_an_index_line_elsewhere_is_damage(self, archive: Archive, store: Store, field: str, value: object) -> None:
        archive.write([Capture(payload=b"one"), Capture(payload=b"two")], now=NOW)
        lines = store.read("raw/index/2026-02.cdxj").splitlines()
        head, _, facts = lines[0].partition(b" {")
        changed = json.loads(b"{" + facts) | {field: value}
        store.put(
            "raw/index/2026-02.cdxj", b"\n".join([head + b" " + json.dumps(changed).encode(), *lines[1:]]) + b"\n"
        )
        found = list(archive.verify())
        assert "raw/index/2026-02.cdxj" in {damage.file for damage in found if isinstance(damage, Damage)}
        assert sum(not isinstance(one, Damage) for one in found) >= 1
        with pytest.raises(Damaged, match="2026-02"):
            list(archive.captures(archive.index()))
        with pytest.raises(Damaged, match="2026-02"):
            [archive.read(entry) for entry in archive.index()]

    @pytest.mark.parametrize(
        "facts", [{"http_status": 7}, {"http_status": 1000}, {"fetched_at": NOW.replace(tzinfo=UTC)}]
    )
    def test_facts_that_would_not_come_back_are_refused(self, archive: Archive, facts: dict[str, object]) -> None:
        (refused,) = archive.write([Capture(payload=b"x", **facts)], now=NOW).refused  # type: ignore[arg-type]
        assert refused.reason

    @pytest.mark.parametrize("status", [None, 200])
    def test_a_content_type_forges_nothing(self, archive: Archive, status: int | None) -> None:
        sent = "text/html\r\nX-Forged: 1\r\n\r\nbody \udc80"
        archive.write([Capture(payload=b"x", http_status=status, content_type=sent)], now=NOW)
        (kept,) = archive.captures(archive.index())
        assert kept == Capture(payload=b"x", http_status=status, content_type="text/html X-Forged: 1 body")


class TestCrash:
    def test_a_file_without_its_index_is_indexed_by_the_next_landing(self, archive: Archive, store: Store) -> None:
        first = archive.write([page(1), page(2), Capture(payload=b"x")], now=NOW)
        (index,) = store.list("raw/index")
        before = store.read(index)
        store.delete(index)
        assert archive.index() == []
        assert any("not in the index" in damage.detail for damage in damages(archive))
        second = archive.write([page(2), page(3)], now=NOW + timedelta(1))
        assert second.capture_ids == (page(3).capture_id,)
        assert second.skipped_count == 1
        assert set(before.splitlines()) < set(store.read(index).splitlines())
        assert {entry.capture_id for entry in archive.index()} == {*first.capture_ids, *second.capture_ids}
        assert damages(archive) == []

    def test_a_stray_file_is_left_for_verify(self, archive: Archive, store: Store) -> None:
        for key in ("raw/warc/stray.warc.gz", "raw/warc/2026-02/stray.warc.gz"):
            store.put(key, b"not ours")
        assert archive.write([page(1)], now=NOW).landed_count == 1
        assert [damage.file for damage in damages(archive)] == ["stray.warc.gz", "2026-02/stray.warc.gz"]

    def test_two_runs_that_landed_the_same_at_once(self, archive: Archive, store: Store, tmp_path: Path) -> None:
        other = open_store(str(tmp_path / "other"))
        Archive(other).write([page(2), page(1)], now=NOW + timedelta(1))
        archive.write([page(1), page(2), page(3)], now=NOW)
        for key in other.list("raw/warc"):
            store.put(key, other.read(key))
        archive.write([], now=NOW)
        assert len(store.read("raw/index/2026-02.cdxj").splitlines()) == 5
        assert len(archive.index()) == 3
        assert damages(archive) == []

    def test_an_index_made_again_has_the_same_bytes(self, archive: Archive, store: Store) -> None:
        for number, now in enumerate((NOW, NOW, NOW + timedelta(days=200))):
            archive.write([page(number + 1)], now=now)
        before = {key: store.read(key) for key in store.list("raw/index")}
        assert list(before) == ["raw/index/2026-02.cdxj", "raw/index/2026-08.cdxj"]
        store.delete_prefix("raw/index")
        archive.write([], now=NOW)
        assert {key: store.read(key) for key in store.list("raw/index")} == before

    @pytest.mark.parametrize("days", [-4000, 26, 57, 4000])
    def test_landing_looks_for_lost_files_of_any_month(self, archive: Archive, store: Store, days: int) -> None:
        """It was killed long ago, or under a clock that was ahead."""
        archive.write([page(1)], now=NOW + timedelta(days=days))
        store.delete_prefix("raw/index")
        archive.write([], now=NOW)
        assert len(archive.index()) == 1

    def test_runs_that_land_at_one_moment_lose_nothing(self, tmp_path: Path) -> None:
        lake = str(tmp_path / "lake")
        said = race(LAND_TEN, lake, "abcd")
        archive = Archive(open_store(lake))
        assert sorted(entry.capture_id for entry in archive.index()) == sorted(line for lines in said for line in lines)
        assert len(archive.index()) == 40
        assert damages(archive) == []

    def test_an_index_that_always_changes_is_an_error(self, archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(type(archive.store), "swap", lambda *_: False)
        with pytest.raises(StoreFailed, match=r"changed raw/index/2026-02\.cdxj"):
            archive.write([page(1)], now=NOW)

    def test_an_input_that_fails_leaves_no_half_file(self, archive: Archive, store: Store) -> None:
        def pages() -> object:
            yield page(1)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            archive.write(pages(), now=NOW)  # type: ignore[arg-type]
        assert store.list() == []


class TestDamage:
    @pytest.fixture
    def landed(self, archive: Archive) -> Landed:
        return archive.write([page(1), page(2), Capture(payload=b"saved" * 100)], now=NOW)

    def test_a_flipped_byte_anywhere_in_a_warc_is_found(self, archive: Archive, store: Store, landed: Landed) -> None:
        key = warc_key(store)
        entries, size, sound = archive.index(), store.size(key), store.read(key)
        for position in range(0, size, 7):
            store.put(key, sound)
            corrupt(store, key, position)
            found = damages(archive)
            assert all(damage.file == landed.warcs[0] for damage in found)
            assert found[0].offset is None
            hit = next((e for e in entries if e.offset <= position < e.offset + e.length), None)
            if hit is None:
                continue
            if len(found) == 1:  # gzip's own header, or the unused bits before its trailer: the page is untouched
                assert not 10 <= position - hit.offset < hit.length - 9
                assert archive.read(hit).capture_id == hit.capture_id
            else:
                assert [(damage.offset, damage.capture_id) for damage in found[1:]] == [(hit.offset, hit.capture_id)]
                with pytest.raises(Damaged, match=hit.capture_id) as caught:
                    archive.read(hit)
                assert caught.value.exit_code == 6

    def test_an_index_that_cannot_be_read_names_itself(self, archive: Archive, store: Store, landed: Landed) -> None:
        (key,) = store.list("raw/index")
        store.put(key, b"{")
        with pytest.raises(Damaged, match=key):
            archive.index()
        assert len(list(archive.verify())) == 4
        store.delete(key)
        assert archive.write([page(1)], now=NOW).skipped_count == 1

    def test_a_lost_line_is_found(self, archive: Archive, store: Store, landed: Landed) -> None:
        (key,) = store.list("raw/index")
        store.put(key, b"".join(store.read(key).splitlines(keepends=True)[1:]))
        assert "index does not agree" in damages(archive)[0].detail

    def test_a_missing_file_is_found(self, archive: Archive, store: Store, landed: Landed) -> None:
        store.delete(warc_key(store))
        (damage,) = damages(archive)
        assert damage.file == landed.warcs[0]
        assert "missing, and 3 captures" in damage.detail
        with pytest.raises(Damaged, match="missing, and captures lie in it"):
            archive.read(archive.index()[0])

    def test_a_file_cut_short_is_found(self, archive: Archive, store: Store, landed: Landed) -> None:
        key = warc_key(store)
        store.put(key, store.read(key)[:-40])
        whole, last = damages(archive)
        assert (whole.offset, last.capture_id) == (None, landed.capture_ids[-1])

    def test_a_forged_record_is_found(self, archive: Archive, store: Store, landed: Landed) -> None:
        """Sound to gzip, and not what its digests say."""
        entry = archive.index()[0]
        record = gzip.decompress(store.read_range(warc_key(store), entry.offset, entry.length))
        forged = gzip.compress(record.replace(b"paper", b"pepar"))
        with pytest.raises(Damaged, match=r"digest: the WARC says sha1:.* digest: the WARC says sha256:"):
            read_record(entry, forged)

    def test_a_bomb_in_place_of_a_record_is_not_inflated(self, archive: Archive, landed: Landed) -> None:
        entry = archive.index()[0]
        bomb = gzip.compress(b"\0" * 50_000_000)
        with pytest.raises(Damaged, match="longer than the index says"):
            read_record(entry, bomb)


def test_instants_of_other_zones_are_written_in_utc() -> None:
    now = NOW.replace(tzinfo=timezone(timedelta(hours=2)))
    with tempfile.TemporaryDirectory() as folder:
        archive = Archive(open_store(folder))
        archive.write([Capture(payload=b"x")], now=now)
        assert archive.index()[0].date == "2026-02-03T02:05:06Z"
