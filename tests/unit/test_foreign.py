"""WARC files of other tools become captures; hostile ones cost no memory, and pages before damage are kept."""

import base64
import gzip
import hashlib
import io
import os
import zlib
from datetime import datetime
from pathlib import Path

import pytest
from fastwarc.stream_io import BrotliWriter, ZstdWriter
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.processes import grown
from warehouse.archive.captured import UNNAMED, Capture, Limits, Notice, Refused, Revisit
from warehouse.archive.warc_import import PACKED, read_warc

NOW = datetime.fromisoformat("2026-02-03T04:05:06")
SMALL = Limits(payload_bytes=1000)
PAGE = b'[{"paper": 1}]' * 20


def warc(*records: bytes, compress: bool = False) -> bytes:
    return b"".join(gzip.compress(record) if compress else record for record in records)


def record(block: bytes, kind: str = "response", length: int | None = None, **headers: str) -> bytes:
    """A record written by hand, for what no tool would write; headers with `_` for `-`."""
    standard = {"WARC_Target_URI": "https://hub.example/p", "WARC_Date": "2024-03-13T06:15:08Z"}
    if kind == "response":
        standard["Content_Type"] = "application/http; msgtype=response"
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in (standard | headers).items() if value]
    size = len(block) if length is None else length
    head = "\r\n".join(["WARC/1.1", f"WARC-Type: {kind}", *lines, f"Content-Length: {size}"])
    return head.encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def answer(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode() + body


def troubles(*paths: Path) -> list[str]:
    """Of each that is read, why it is refused or what is wrong with its bytes; nothing where all is well."""
    found = (one for path in paths for one in read_warc(path, Limits()))
    return [one.damage or "" if isinstance(one, Capture) else one.reason for one in found]


def by_warcio(*, compress: bool, body: bytes = PAGE, headers: tuple[tuple[str, str], ...] = ()) -> bytes:
    """One WARC file as warcio makes it: warcinfo, request, response, resource, metadata."""
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=compress)
    date = {"WARC-Date": "2024-03-13T06:15:08Z"}
    http = StatusAndHeaders("404 Not Found", [("Content-Type", "text/html"), *headers], protocol="HTTP/1.1")
    asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "hub.example")], is_http_request=True)
    url = "https://hub.example/papers"
    for made in (
        writer.create_warcinfo_record("x.warc", {"software": "warcio"}),
        writer.create_warc_record(url, "request", http_headers=asked, warc_headers_dict=date),
        writer.create_warc_record(url, "response", io.BytesIO(body), http_headers=http, warc_headers_dict=date),
        writer.create_warc_record("urn:x", "resource", io.BytesIO(b"saved"), warc_content_type="text/plain"),
        writer.create_warc_record(url, "metadata", io.BytesIO(b"a: b"), warc_content_type="application/warc-fields"),
    ):
        writer.write_record(made)
        made.raw_stream.close()
    return out.getvalue()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.warc.gz"


def read(path: Path, data: bytes, limits: Limits = SMALL) -> list[Capture | Revisit | Refused | Notice]:
    path.write_bytes(data)
    return list(read_warc(path, limits))


def only(path: Path, data: bytes, limits: Limits = SMALL) -> Capture:
    (found,) = read(path, data, limits)
    assert isinstance(found, Capture)
    return found


class TestPages:
    @pytest.mark.parametrize("compress", [False, True])
    def test_a_file_by_warcio(self, path: Path, compress: bool) -> None:
        page, saved, notice = read(path, by_warcio(compress=compress))
        fetched_at = datetime.fromisoformat("2024-03-13T06:15:08")
        assert page == Capture(
            payload=PAGE,
            url="https://hub.example/papers",
            fetched_at=fetched_at,
            http_status=404,
            content_type="text/html",
            headers=(("Content-Type", "text/html"),),
        )
        assert (saved.payload, saved.url, saved.http_status, saved.content_type) == (
            b"saved",
            "urn:x",
            None,
            "text/plain",
        )
        assert saved.damage is None
        assert "2 records without a page (1 metadata, 1 request)" in notice.text

    def test_one_gzip_member_around_all_records(self, path: Path) -> None:
        assert len(read(path, gzip.compress(by_warcio(compress=False)))) == 3

    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            ("2024-03-13T06:15:08.123456789Z", "2024-03-13T06:15:08.123456"),
            ("2024-03-13T06:15Z", "2024-03-13T06:15:00"),
            ("2024-03-13T08:15:08+02:00", "2024-03-13T06:15:08"),
            ("2024-03-13", None),
            ("2024", None),
            ("yesterday", None),
            ("0001-01-01T00:00:00+10:00", None),
            ("", None),
        ],
    )
    def test_every_form_of_date_is_read(self, path: Path, written: str, meant: str | None) -> None:
        found = only(path, record(answer(PAGE), WARC_Date=written))
        assert found.fetched_at == (datetime.fromisoformat(meant) if meant else None)

    def test_addresses_and_types_of_old_tools(self, path: Path) -> None:
        data = record(answer(PAGE, "Content-Type: text/\xfc"), WARC_Target_URI="<https://hub.example/\xfc>")
        found = only(path, data.decode().encode("latin-1"))
        assert (found.url, found.content_type) == ("https://hub.example/\xfc", "text/\xfc")

    def test_a_page_that_is_packed_is_refused(self, path: Path) -> None:
        found = read(path, record(answer(gzip.compress(PAGE))) + record(answer(PAGE)))
        assert [one.payload if isinstance(one, Capture) else one.reason for one in found] == [PACKED, PAGE]

    def test_a_response_that_is_not_http(self, path: Path) -> None:
        found = only(path, record(b"20240313\nhub.example. 60 IN A 192.0.2.1", Content_Type="text/dns"))
        assert (found.http_status, found.content_type, found.damage) == (None, "text/dns", None)

    @pytest.mark.parametrize("block", [b"no header at all", b"HTTP/1.1 OK\r\n\r\nx", b"HTTP/1.1 200 OK\r\nno end", b""])
    def test_an_answer_without_its_header_is_kept_whole(self, path: Path, block: bytes) -> None:
        found = only(path, record(block))
        assert (found.payload, found.http_status) == (block, None)
        assert "does not begin with the header" in (found.damage or "")

    @pytest.mark.parametrize(
        "head", [b"HTTP/1.0 200\r\n\r\n", b"HTTP/2 200 \nA: b\n\n", b"HTTP/1.1 200 \xe9\r\nX\r\n\r\n"]
    )
    def test_sloppy_headers_are_read(self, path: Path, head: bytes) -> None:
        found = only(path, record(head + PAGE))
        assert (found.payload, found.http_status, found.damage) == (PAGE, 200, None)


def chunked(body: bytes, size: int = 7) -> bytes:
    chunks = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x;ext=1\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\nTrailer: x\r\n\r\n"


def compressed(writer: type[BrotliWriter | ZstdWriter], page: bytes = PAGE) -> bytes:
    out = io.BytesIO()
    with writer(out) as stream:  # type: ignore[call-arg]
        stream.write(page)
        stream.finish()
        stream.close()
        return out.getvalue()


ENCODED = {
    "gzip": gzip.compress(PAGE),
    "x-gzip": gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:]),
    "GZip": gzip.compress(PAGE),
    "deflate": zlib.compress(PAGE),
    "br": compressed(BrotliWriter),
    "zstd": compressed(ZstdWriter),
    "identity": PAGE,
    "deflate, gzip": gzip.compress(zlib.compress(PAGE)),
}


class TestEncodings:
    @pytest.mark.parametrize("coding", ENCODED)
    def test_every_encoding_is_undone(self, path: Path, coding: str) -> None:
        body = ENCODED[coding]
        plain = only(path, record(answer(body, f"Content-Encoding: {coding}")))
        both = only(path, record(answer(chunked(body), "transfer-encoding: chunked", f"content-encoding:{coding}")))
        assert (plain.payload, plain.damage) == (both.payload, both.damage) == (PAGE, None)

    def test_deflate_without_a_zlib_header_is_undone(self, path: Path) -> None:
        bare = zlib.compressobj(9, zlib.DEFLATED, -15)
        body = bare.compress(PAGE) + bare.flush()
        assert only(path, record(answer(body, "Content-Encoding: deflate"))).payload == PAGE

    @pytest.mark.parametrize(
        "header", ["Content-Encoding: gzip", "Content-Encoding: zstd", "Transfer-Encoding: chunked"]
    )
    def test_a_body_that_was_decoded_before_it_was_stored(self, path: Path, header: str) -> None:
        found = only(path, record(answer(PAGE, header)))
        assert (found.payload, found.damage) == (PAGE, None)

    @pytest.mark.parametrize(
        ("header", "body"),
        [
            ("Content-Encoding: br", PAGE),
            ("Content-Encoding: rot13", PAGE),
            ("Content-Encoding: gzip, gzip, gzip, gzip, gzip", PAGE),
            ("Transfer-Encoding: chunked", chunked(PAGE)[:-30]),
            ("Transfer-Encoding: chunked", b"ffffffff\r\nshort"),
        ],
    )
    def test_an_encoding_that_cannot_be_undone_is_kept_as_damage(self, path: Path, header: str, body: bytes) -> None:
        found = only(path, record(answer(body, header)))
        assert found.payload == body
        assert found.damage

    @pytest.mark.parametrize(
        ("coding", "body"),
        [
            ("gzip", gzip.compress(PAGE, mtime=0)[:-9]),
            ("gzip", gzip.compress(PAGE, mtime=0) + b"more"),
            ("gzip", b"\x1f\x8bnot gzip"),
            ("zstd", ENCODED["zstd"][:-3]),
        ],
    )
    def test_a_packed_page_that_cannot_be_unpacked_is_refused(self, path: Path, coding: str, body: bytes) -> None:
        (refused,) = read(path, record(answer(body, f"Content-Encoding: {coding}")))
        assert isinstance(refused, Refused)
        assert (refused.reason.startswith("http: "), refused.reason.endswith(PACKED)) == (True, True)

    @pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "zstd, br"])
    def test_a_bomb_in_a_page(self, path: Path, coding: str) -> None:
        zeros = b"\0" * 1_000_000
        body = {
            "gzip": gzip.compress(zeros),
            "deflate": zlib.compress(zeros),
            "br": compressed(BrotliWriter, zeros),
            "zstd": compressed(ZstdWriter, zeros),
            "zstd, br": compressed(BrotliWriter, compressed(ZstdWriter, zeros)),
        }[coding]
        (refused, page) = read(
            path, record(answer(body, f"Content-Encoding: {coding}")) + record(answer(PAGE)), Limits(payload_bytes=2000)
        )
        assert "2,000 bytes and it has more; raise PAPERLAKE_PAYLOAD_BYTES" in refused.reason
        assert isinstance(page, Capture)


def digest(algorithm: str, data: bytes, form: str) -> str:
    raw = hashlib.new(algorithm, data).digest()
    forms = {"hex": raw.hex(), "HEX": raw.hex().upper(), "base32": base64.b32encode(raw).decode()}
    return f"{algorithm}:{forms[form]}"


class TestDigests:
    @pytest.mark.parametrize("form", ["hex", "HEX", "base32"])
    @pytest.mark.parametrize("algorithm", ["sha1", "sha256", "md5"])
    def test_sound_digests_of_every_form_pass(self, path: Path, algorithm: str, form: str) -> None:
        block = answer(PAGE)
        stated = {
            "WARC_Block_Digest": digest(algorithm, block, form),
            "WARC_Payload_Digest": digest(algorithm, PAGE, form),
        }
        assert only(path, record(block, **stated)).damage is None

    @pytest.mark.parametrize("stage", [chunked(gzip.compress(PAGE, mtime=0)), gzip.compress(PAGE, mtime=0), PAGE])
    def test_a_digest_of_any_stage_of_the_body_passes(self, path: Path, stage: bytes) -> None:
        block = answer(chunked(gzip.compress(PAGE, mtime=0)), "Transfer-Encoding: chunked", "Content-Encoding: gzip")
        assert only(path, record(block, WARC_Payload_Digest=digest("sha1", stage, "base32"))).damage is None

    @pytest.mark.parametrize("kind", ["response", "resource"])
    def test_a_page_with_a_wrong_digest_is_kept_as_damaged(self, path: Path, kind: str) -> None:
        block = answer(PAGE) if kind == "response" else PAGE
        wrong = digest("sha256", b"other", "hex")
        found = only(path, record(block, kind, WARC_Payload_Digest=wrong))
        assert found.payload == PAGE
        assert found.damage == f"digest: the WARC says {wrong}, the payload is sha256:{found.payload_sha256}"

    def test_a_wrong_block_digest(self, path: Path) -> None:
        wrong = digest("sha1", b"other", "base32")
        found = only(path, record(answer(PAGE), WARC_Block_Digest=wrong))
        assert found.damage == f"digest: the WARC says {wrong}, the block is {digest('sha1', answer(PAGE), 'base32')}"

    @pytest.mark.parametrize("stated", ["blake9:abc", "nonsense", "sha1"])
    def test_what_cannot_be_checked_is_no_damage(self, path: Path, stated: str) -> None:
        found = only(path, record(answer(PAGE), WARC_Payload_Digest=stated))
        assert (found.damage is None) == (stated != "sha1")

    def test_a_truncated_page(self, path: Path) -> None:
        assert only(path, record(answer(PAGE), WARC_Truncated="length")).damage == "truncated: the WARC says length"


class TestRevisits:
    @pytest.mark.parametrize("compress", [False, True])
    def test_a_page_before_it_is_found_by_any_digest(self, path: Path, compress: bool) -> None:
        """As Heritrix, wget and warcio write them: by SHA-1."""
        stated = {"WARC_Payload_Digest": digest("sha1", PAGE, "base32")}
        revisit = record(answer(b""), "revisit", Content_Type="application/http; msgtype=response", **stated)
        later = revisit.replace(b"06:15:08Z", b"09:15:08Z")
        page, found = read(path, warc(record(answer(PAGE), **stated), later, compress=compress))
        assert isinstance(page, Capture)
        assert (found.payload_sha256, found.capture.fetched_at.hour) == (page.payload_sha256, 9)

    @pytest.mark.parametrize("stated", ["sha1:ABC", "", None])
    def test_a_page_that_no_record_before_it_has_is_said_to_be_elsewhere(self, path: Path, stated: str | None) -> None:
        page, refused = read(path, record(answer(PAGE)) + record(answer(b""), "revisit", WARC_Payload_Digest=stated))
        assert isinstance(page, Capture)
        assert refused.reason == UNNAMED


class TestRefusals:
    def test_revisits_and_segments_are_refused(self, path: Path) -> None:
        revisit = record(answer(b""), "revisit", WARC_Profile="x")
        segment = record(answer(PAGE), WARC_Segment_Number="1")
        first, second, page = read(path, revisit + segment + record(answer(PAGE)))
        assert isinstance(page, Capture)
        assert "revisit" in first.reason
        assert "segment" in second.reason
        assert first.name == f"{path}: https://hub.example/p"

    @pytest.mark.parametrize("compress", [False, True])
    def test_a_page_over_the_limit_is_refused(self, path: Path, compress: bool) -> None:
        large = record(answer(os.urandom(200_000)))
        before, refused, after = read(path, warc(record(answer(PAGE)), large, record(answer(PAGE)), compress=compress))
        assert "1,000 bytes and it has 200,0" in refused.reason
        assert isinstance(before, Capture)
        assert isinstance(after, Capture)

    def test_a_page_just_over_the_limit(self, path: Path) -> None:
        assert only(path, record(answer(b"x" * 1000))).payload == b"x" * 1000
        (refused,) = read(path, record(answer(b"x" * 1001)))
        assert isinstance(refused, Refused)

    @pytest.mark.parametrize("compress", [False, True])
    @pytest.mark.parametrize(
        "tail",
        [
            b"garbage",
            b"\0" * 5000,
            record(answer(PAGE))[:100],
            record(answer(PAGE))[:-40],
            record(answer(PAGE), length=10**15),
            *(record(b"a: b", kind, length=900) for kind in ("request", "warcinfo", "respons")),
            b"WARC/1.1\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
            b"WARC/1.1\r\nWARC-Type: response\r\n\r\nabc",
            *(
                b"WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: %b\r\n\r\nabc" % n
                for n in (b"-1", b"", b"9" * 30, b"x")
            ),
        ],
    )
    def test_what_stands_before_the_damage_is_read(self, path: Path, compress: bool, tail: bytes) -> None:
        *pages, last = read(path, warc(record(answer(PAGE)), record(answer(PAGE)), tail, compress=compress))
        assert [page.payload for page in pages if isinstance(page, Capture)] == [PAGE, PAGE]
        assert last.name.startswith(str(path))

    def test_gzip_cut_short_or_garbled(self, path: Path) -> None:
        member = gzip.compress(record(answer(os.urandom(400))))
        for data in (
            member * 2 + member[:-300],
            member * 2 + member[:12],
            member * 2 + b"garbage",
            member * 2 + b"\x1f",
        ):
            *pages, last = read(path, data)
            assert len(pages) == 2
            assert "at byte" in last.reason

    def test_a_bomb_is_refused(self, tmp_path: Path) -> None:
        """200 MB of zeros in a WARC of 200 kB: refused, in the memory of one buffer."""
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        bomb = packer.compress(record(b"", "resource", length=200_000_000)[:-4])
        bomb += b"".join(packer.compress(b"\0" * 1_000_000) for _ in range(200)) + packer.flush()
        path = tmp_path / "bomb.warc.gz"
        path.write_bytes(gzip.compress(record(answer(PAGE))) + bomb)
        (page, refused, rest), mib = grown(troubles, path)
        assert page == ""
        assert "it has 200,000,000 bytes; raise PAPERLAKE_PAYLOAD_BYTES" in refused
        assert "PAPERLAKE_INFLATED_BYTES" in rest
        assert mib < 20

    def test_a_head_takes_no_more_than_its_bytes(self, tmp_path: Path) -> None:
        """Patterns that retry a line at each byte take hours, or 120 times the head in memory."""
        heads = {
            "spaces": b"Content-Encoding: x" + b" " * 60_000 + b"y",
            "no colon": b"Content-Encoding" + b" " * 60_000 + b"y",
            "bare CR": b"ETag:" + b"\t" * 60_000 + b"y\rz",
            "folded": b"ETag: " + b"y\r\n " * 15_000,
            "one long line": b"ETag: x" + b" " * 1_000_000 + b"y",
            "many lines": b"X: y\r\n" * 9_000_000,
        }
        for name, head in heads.items():
            whole = record(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n" + PAGE)
            (tmp_path / name).write_bytes(gzip.compress(whole, 1))
        damages, mib = grown(troubles, *(tmp_path / name for name in heads))
        assert mib < 300
        assert {name: "has more than 65,536 bytes" in damage for name, damage in zip(heads, damages, strict=True)} == {
            name: len(head) > 65_536 for name, head in heads.items()
        }
