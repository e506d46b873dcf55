"""Inputs of `paperlake land PATH…`: every page is landed or refused with a reason, and nothing outside is read."""

import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import subprocess
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from warehouse.archive.captured import Capture, Limits, Notice, Refused, Revisit
from warehouse.archive.folder_import import captures_from
from warehouse.errors import UsageError

HEADER = "file,url,fetched_at,status,content_type\n"
NOW = datetime.fromisoformat("2026-02-03T04:05:06")
RECORD = b"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: urn:x\r\nContent-Length: 5\r\n\r\nsaved\r\n\r\n"

BOMB = RECORD.replace(b": 5", b": 9437184").replace(b"saved", bytes(9 << 20))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "saved"
    folder.mkdir()
    return folder


def fill(folder: Path, **files: bytes | str) -> None:
    """Files by name, `__` for `/` and `_` for `.`."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def taken(
    *paths: Path, limits: Limits | None = None, lake: Path | None = None
) -> tuple[list[Capture], list[Refused], list[Notice]]:
    found = list(captures_from(paths, limits or Limits(), lake))
    return (
        [one for one in found if isinstance(one, Capture)],
        [one for one in found if isinstance(one, Refused)],
        [one for one in found if isinstance(one, Notice)],
    )


def zipped(method: int = zipfile.ZIP_STORED, **files: bytes) -> bytes:
    """A zip file; `__` is `/` and `_` is `.`."""
    with zipfile.ZipFile(made := io.BytesIO(), "w", method) as package:
        for name, content in files.items():
            package.writestr(name.replace("__", "/").replace("_", "."), content)
    return made.getvalue()


def wacz(
    warc: bytes = RECORD, *, method: int = zipfile.ZIP_STORED, hashed: bytes | None = None, **more: bytes
) -> bytes:
    """A WACZ file with one WARC file, as Browsertrix writes it, whose stated hash is that of `hashed`."""
    sha256 = hashlib.sha256(warc if hashed is None else hashed).hexdigest()
    stated = json.dumps({"resources": [{"path": "archive/x.warc.gz", "hash": f"sha256:{sha256}", "bytes": len(warc)}]})
    return zipped(method, archive__x_warc_gz=warc, datapackage_json=stated.encode(), **more)


PACKED = {
    "gzip": gzip.compress(b"page"),
    "zip": zipped(page=b"page"),
    "bzip2": bz2.compress(b"page"),
    "xz": lzma.compress(b"page"),
    "zstd": b"\x28\xb5\x2f\xfd page",
    "PDF": b"%PDF-1.7\n1 0 obj << /Filter /FlateDecode >>",
    "HAR": b'{"log": {"entries": [{"response": {"content": {"text": "cGFnZQ==", "encoding": "base64"}}}]}}',
    "a page saved as mail": b'From: <X>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary="-"\r\n\r\npage',
}


class TestFiles:
    @pytest.mark.parametrize("content", [b"[1]", b"", bytes(range(256)) + gzip.compress(b"x")])
    def test_a_bare_file_is_its_payload_and_nothing_else_is_known(self, folder: Path, content: bytes) -> None:
        fill(folder, a_json=content)
        assert taken(folder / "a.json") == ([Capture(payload=content)], [], [])

    @pytest.mark.parametrize("content", PACKED.values(), ids=PACKED)
    def test_what_an_erasure_could_not_look_into_is_refused(self, folder: Path, content: bytes) -> None:
        fill(folder, a_page=content)
        pages, (refused,), _ = taken(folder)
        assert pages == []
        assert "unpack it, or save the page as HTML" in refused.reason

    def test_a_text_that_speaks_of_an_encoding_is_landed(self, folder: Path) -> None:
        fill(folder, a_page=b'A paper on HAR files: "encoding": "base64"')
        assert len(taken(folder)[0]) == 1

    def test_a_file_over_the_limit_is_not_read(self, folder: Path) -> None:
        with (folder / "zeros.json").open("wb") as file:
            file.truncate(200_000_000)
        fill(folder, a_json="[1]")
        pages, (refused,), _ = taken(folder)
        assert len(pages) == 1
        assert refused.name == str(folder / "zeros.json")
        assert "67,108,864 bytes and it has 200,000,000 bytes; raise PAPERLAKE_PAYLOAD_BYTES" in refused.reason

    def test_the_limit_is_a_setting(self, folder: Path) -> None:
        fill(folder, a_json="x" * 10, b_json="x" * 11)
        pages, refused, _ = taken(folder, limits=Limits(payload_bytes=10))
        assert (len(pages), len(refused)) == (1, 1)

    def test_a_missing_path_stops_before_anything_is_read(self, folder: Path) -> None:
        fill(folder, a_json="[1]")
        with pytest.raises(UsageError, match=r"there is no .*missing"):
            captures_from([folder, folder / "missing"], Limits())

    def test_only_regular_files_are_read(self, folder: Path) -> None:
        os.mkfifo(folder / "pipe")
        fill(folder, a_json="[1]")
        (folder / "dangling").symlink_to(folder / "nowhere")
        pages, refused, _ = taken(folder, folder / "pipe", folder / "dangling", Path("/dev/zero"))
        assert len(pages) == 1
        assert [Path(one.name).name for one in refused] == ["dangling", "pipe", "pipe", "dangling", "zero"]

    def test_names_are_fit_for_a_terminal(self, folder: Path) -> None:
        (folder / "a\x1b[31m\nb.warc").touch()
        (folder / os.fsdecode(b"\xff.warc")).touch()
        for refused in taken(folder)[1]:
            assert refused.name.isprintable()


class TestFolders:
    def test_folders_are_walked_in_the_order_of_names(self, folder: Path) -> None:
        fill(folder, b="2", a__z="1", c__a__a="3", c__b="4")
        assert [page.payload for page in taken(folder)[0]] == [b"1", b"2", b"3", b"4"]
        assert [page.payload for page in taken(folder / "c", folder / "b")[0]] == [b"3", b"4", b"2"]

    def test_hidden_files_are_skipped_with_a_notice(self, folder: Path) -> None:
        fill(folder, a="1")
        (folder / ".git").mkdir()
        (folder / ".git/x").touch()
        (folder / ".DS_Store").touch()
        pages, refused, (notice,) = taken(folder)
        assert (len(pages), refused) == (1, [])
        assert "2 hidden files, links out of the folder, or what a lake keeps: .DS_Store, .git" in notice.text

    def test_links_out_of_the_folder_or_in_circles_are_skipped(self, folder: Path, tmp_path: Path) -> None:
        fill(tmp_path, secret="secret")
        fill(folder, a="1")
        (folder / "inside").symlink_to("a")
        (folder / "outside").symlink_to(tmp_path / "secret")
        (folder / "parent").symlink_to(tmp_path)
        (folder / "circle").symlink_to(folder)
        (folder / "self").symlink_to("self")
        pages, refused, (notice,) = taken(folder)
        assert [page.payload for page in pages] == [b"1", b"1"]
        assert refused == []
        assert notice.text.endswith("circle, outside, parent, self")

    def test_a_link_that_is_named_is_followed(self, folder: Path, tmp_path: Path) -> None:
        fill(folder, a="1")
        (tmp_path / "link").symlink_to(folder)
        (tmp_path / "file").symlink_to(folder / "a")
        assert len(taken(tmp_path / "link", tmp_path / "file")[0]) == 2

    def test_the_lake_is_no_input(self, folder: Path) -> None:
        fill(folder, a="1", lake__raw__x="2")
        pages, _, (notice,) = taken(folder, lake=folder / "lake")
        assert len(pages) == 1
        assert "the lake itself" in notice.text
        assert len(taken(folder, lake=folder / "no-lake-yet")[0]) == 2

    def test_what_a_lake_has_beside_its_pages_is_no_input(self, folder: Path) -> None:
        fill(folder, releases__latest_json="1", releases__2026__page="2", raw__warc__a="3", raw__index__a="4")
        for place in ("releases", "releases/2026", "releases/2026/page", "raw/index"):
            pages, (refused,), _ = taken(folder / place)
            assert (pages, refused.name) == ([], str(folder / place))

    def test_of_another_lake_only_the_pages_are_read(self, folder: Path) -> None:
        fill(
            folder, raw__warc__a="1", raw__index__a="2", raw__erased__key="3", releases__latest_json="4", lease_json="5"
        )
        for place in (folder, folder / "raw", folder / "raw/warc"):
            assert [page.payload for page in taken(place)[0]] == [b"1"]

    def test_folders_as_deep_as_a_path_may_be(self, folder: Path) -> None:
        depth = 1_900
        here = os.open(folder, os.O_RDONLY)
        for _ in range(depth):
            os.mkdir("a", dir_fd=here)
            here, above = os.open("a", os.O_RDONLY, dir_fd=here), here
            os.close(above)
        os.close(os.open("page", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        os.close(here)
        assert len(taken(folder)[0]) == 1
        fill(folder, **{"captures.csv": "file,url,fetched_at,status,content_type\n"})
        (notice,) = taken(folder)[2]
        subprocess.run(["rm", "-r", folder / "a"], check=True)  # pytest's own removal recurses, a thousand folders deep

        assert "does not list 1 file, not landed" in notice.text


class TestCapturesCsv:
    def test_a_list_that_is_no_file_is_not_waited_for(self, folder: Path) -> None:
        os.mkfifo(folder / "captures.csv")
        (refused,) = captures_from([folder], Limits())
        assert "it is no regular file" in refused.reason

    def test_facts_of_captures_csv_are_kept(self, folder: Path) -> None:
        row = "api/a.json,https://hub.example/api/daily_papers?date=2024-03-12,2024-03-13T06:15:08Z,200,application/json\n"
        fill(folder, captures_csv=HEADER + row + "b.txt,,,,\n", api__a_json="[1]", b_txt="text")
        known = Capture(
            payload=b"[1]",
            url="https://hub.example/api/daily_papers?date=2024-03-12",
            fetched_at=datetime.fromisoformat("2024-03-13T06:15:08"),
            http_status=200,
            content_type="application/json",
        )
        assert taken(folder) == ([known, Capture(payload=b"text")], [], [])

    @pytest.mark.parametrize(
        "cell",
        ["2024-03-13T06:15:08Z", "2024-03-13 08:15:08+02:00", "2024-03-13T06:15:08", " 2024-03-12T23:15:08-07:00 "],
    )
    def test_instants_become_utc(self, folder: Path, cell: str) -> None:
        fill(folder, captures_csv=f"{HEADER}a,,{cell},,\n", a="1")
        ((page,), refused, _) = taken(folder)
        assert (page.fetched_at, refused) == (datetime.fromisoformat("2024-03-13T06:15:08"), [])

    def test_columns_in_any_order_with_others_beside_them(self, folder: Path) -> None:
        csv = '\ufeffstatus,note,file,content_type,fetched_at,url\r\n404,"a, b",a,,,https://hub.example\r\n'
        fill(folder, captures_csv=csv, a="1")
        assert taken(folder) == ([Capture(payload=b"1", url="https://hub.example", http_status=404)], [], [])

    def test_only_listed_files_are_landed_and_the_others_named(self, folder: Path) -> None:
        fill(folder, captures_csv=HEADER + "./a,,,,\na,,,,\n", a="1", other="2", sub__deep="3")
        (folder / ".hidden").touch()
        pages, refused, (notice,) = taken(folder)
        assert [page.payload for page in pages] == [b"1", b"1"]
        assert refused == []
        assert notice.text.endswith("does not list 3 files, not landed: .hidden, other, sub/deep")

    def test_many_unlisted_names_are_shortened(self, folder: Path) -> None:
        fill(folder, captures_csv=HEADER, **{f"f{number:02d}": "" for number in range(14)})
        (notice,) = taken(folder)[2]
        assert notice.text.endswith("f08, f09 and 4 more")

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("missing.json", "a file that is not there"),
            ("sub", "a file that is not there"),
            ("n" * 300, "a file that is not there"),
            ("../secret", "leads out of the folder"),
            ("sub/../../secret", "leads out of the folder"),
            ("{tmp_path}/saved/a", "leads out of the folder"),
            ("/etc/hostname", "leads out of the folder"),
            ("link", "leads out of the folder"),
            ("linked/secret", "leads out of the folder"),
            ("loop", "leads out of the folder"),
            ("nul\0", "leads out of the folder"),
            ("", "column file is empty"),
        ],
    )
    def test_rows_that_name_no_file_are_refused(self, folder: Path, tmp_path: Path, name: str, reason: str) -> None:
        fill(tmp_path, secret="secret")
        (folder / "link").symlink_to(tmp_path / "secret")
        (folder / "linked").symlink_to(tmp_path)
        (folder / "loop").symlink_to("loop")
        rows = f"{name.format(tmp_path=tmp_path)},,,,\na,,,,\n"
        fill(folder, captures_csv=HEADER + rows, a="1", sub__x="2")
        pages, (refused,), _ = taken(folder)
        assert [page.payload for page in pages] == [b"1"]
        assert reason in refused.reason
        assert "captures.csv row 2 (" in refused.name
        assert refused.name.isprintable()

    @pytest.mark.parametrize(
        ("row", "reason"),
        [
            ("a,,yesterday,,", "column fetched_at: 'yesterday' is no instant"),
            ("a,,2024-03-13,,", "column fetched_at: '2024-03-13'"),
            ("a,,2024-02-30T00:00:00Z,,", "column fetched_at"),
            ("a,,0001-01-01T00:00:00+10:00,,", "column fetched_at"),
            ("a,,,OK,", "column status: 'OK' is no HTTP status"),
            ("a,,,0,", "column status"),
            ("a,,,1000,", "column status"),
            ("a,,,\u0662\u0660\u0660,", "column status"),
            ("a,https://hub.example/a,b,,,", "column fetched_at: 'b'"),
            ("a,,,,text/html, or so", "it has more cells than the first line names"),
        ],
    )
    def test_a_bad_cell_spoils_its_row_only(self, folder: Path, row: str, reason: str) -> None:
        fill(folder, captures_csv=f"{HEADER}b,,,,\n{row}\nb,,,200,\n", a="1", b="2")
        pages, (refused,), notices = taken(folder)
        assert [page.http_status for page in pages] == [None, 200]
        assert reason in refused.reason
        assert "captures.csv row 3 (a)" in refused.name
        assert notices == []

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"", "no column file, url, fetched_at, status, content_type"),
            (b"file,url,status,content_type\na,,,\n", "no column fetched_at; its first line must name file, url"),
            (f"url,{HEADER}a,,,,,\n".encode(), "more than one column url"),
            ((HEADER + "a,\u00fc,,,\n").encode("latin-1"), "not UTF-8; save it as UTF-8"),
            ((HEADER + "a,,,,\n").encode("utf-16"), "not UTF-8"),
            ((HEADER + 'a,"b"c,,,\n').encode(), "it is no CSV"),
            ((HEADER + 'a,"b,,,\n').encode(), "it is no CSV"),
            ((HEADER + "a," + "x" * 200_000 + ",,,\n").encode(), "it is no CSV"),
            ((HEADER + "a,,,,\n" * 100_000).encode(), "raise PAPERLAKE_PAYLOAD_BYTES"),
        ],
    )
    def test_a_list_that_cannot_be_read_refuses_its_folder(self, folder: Path, content: bytes, reason: str) -> None:
        fill(folder, list__captures_csv=content, list__a="1", z="2")
        pages, (refused,), _ = taken(folder, limits=Limits(payload_bytes=500_000))
        assert [page.payload for page in pages] == [b"2"]
        assert reason in refused.reason
        assert refused.name == str(folder / "list/captures.csv")

    def test_short_rows_and_long_rows(self, folder: Path) -> None:
        fill(folder, captures_csv=HEADER + "a\n\na,,,,,,,\n", a="1")
        assert taken(folder) == ([Capture(payload=b"1")] * 2, [], [])


class TestWarcs:
    @pytest.mark.parametrize("name", ["x.warc", "x.warc.gz", "page.json", "no-suffix"])
    @pytest.mark.parametrize("compress", [False, True])
    def test_a_warc_is_known_by_its_bytes(self, folder: Path, name: str, compress: bool) -> None:
        (folder / name).write_bytes(gzip.compress(RECORD) if compress else RECORD)
        ((page,), refused, notices) = taken(folder)
        assert (page.payload, page.url, refused, notices) == (b"saved", "urn:x", [], [])

    def test_a_revisit_may_be_of_a_page_in_a_warc_before_it(self, folder: Path) -> None:
        """As `wget --warc-dedup` writes it."""
        for name, kind, body in (("a", "response", b"page"), ("b", "revisit", b"")):
            block = b"HTTP/1.1 200 OK\r\n\r\n" + body
            lines = (
                *(f"WARC-Type: {kind}", "WARC-Target-URI: <https://hub.example/p>", "WARC-Date: 2026-01-01T00:00:00Z"),
                *(f"WARC-Payload-Digest: sha1:{hashlib.sha1(b'page').hexdigest()}", f"Content-Length: {len(block)}"),
            )
            head = "\r\n".join(("WARC/1.0", "Content-Type: application/http; msgtype=response", *lines))
            (folder / f"{name}.warc").write_bytes(head.encode() + b"\r\n\r\n" + block + b"\r\n\r\n")
        page, revisit = captures_from([folder], Limits())
        assert isinstance(page, Capture)
        assert isinstance(revisit, Revisit)
        assert revisit.payload_sha256 == page.payload_sha256

    def test_a_warc_may_be_in_captures_csv(self, folder: Path) -> None:
        fill(folder, captures_csv=HEADER + "x.warc,,,,\n", x_warc=RECORD)
        assert [page.url for page in taken(folder)[0]] == ["urn:x"]

    def test_what_captures_csv_says_of_a_warc_is_not_dropped_silently(self, folder: Path) -> None:
        fill(folder, captures_csv=HEADER + "x.warc,https://hub.example,,200,\n", x_warc=RECORD)
        ((page,), refused, (notice,)) = taken(folder)
        assert (page.url, refused) == ("urn:x", [])
        assert "its cells were not used" in notice.text

    def test_a_warc_may_be_larger_than_a_page(self, folder: Path) -> None:
        (folder / "x.warc").write_bytes(RECORD * 100)
        assert len(taken(folder, limits=Limits(payload_bytes=100))[0]) == 100

    @pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    @pytest.mark.parametrize("warc", [RECORD, gzip.compress(RECORD)], ids=["plain", "gzip"])
    def test_a_wacz_is_landed_as_the_warcs_in_it(self, folder: Path, warc: bytes, method: int) -> None:
        """Its other files are not landed."""
        fill(folder, a_wacz=wacz(warc, method=method, pages__pages_jsonl=b"{}", logs__x_warc=RECORD))
        ((page,), refused, notices) = taken(folder)
        assert (page.payload, page.url, refused, notices) == (b"saved", "urn:x", [], [])

    @pytest.mark.parametrize("name", ["archive__y_warc_zst", "archive__y_arc_gz"])
    def test_pages_of_a_wacz_that_are_not_read_are_named(self, folder: Path, name: str) -> None:
        fill(folder, a_wacz=wacz(**{name: b"pages"}))
        pages, (refused,), _ = taken(folder)
        assert ([page.payload for page in pages], "its pages were not read" in refused.reason) == ([b"saved"], True)

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (wacz(hashed=b"another"), "does not have the SHA-256 that datapackage.json says"),
            (wacz().replace(b"saved", b"sAved"), "it cannot be read: Bad CRC-32"),
            (wacz()[:-30], "it cannot be read: File is not a zip file"),
            (wacz(BOMB, method=zipfile.ZIP_DEFLATED), "it unpacks to 9,"),
            (wacz(gzip.compress(BOMB)), "it unpacks to more than 1,"),
            (wacz(method=zipfile.ZIP_LZMA), "unpack it, or save the page as HTML"),
            (zipped(archive__x_warc=RECORD), "unpack it, or save the page as HTML"),
            (zipped(archive__x_warc=RECORD, datapackage_json=b"[]"), "it cannot be read: Expected `object`"),
        ],
        ids=range(8),
    )
    def test_a_wacz_that_is_not_what_it_says_is_refused(self, folder: Path, content: bytes, reason: str) -> None:
        fill(folder, a_wacz=content, b_json="[1]")
        pages, (refused,), _ = taken(folder, limits=Limits(inflated_ratio=1))
        assert b"[1]" in [page.payload for page in pages]
        assert reason in refused.reason
        assert refused.name.startswith(str(folder / "a.wacz"))

    @pytest.mark.parametrize("name", ["x.warc", "x.WARC.GZ", "x.warc.zst"])
    def test_a_warc_by_its_name_only_is_refused(self, folder: Path, name: str) -> None:
        (folder / name).write_bytes(b"")
        (refused,) = taken(folder)[1]
        assert "does not begin as one" in refused.reason
