"""Checks evidence that paperlake made, with the standard library alone. Read it before you trust it; it runs by itself:

    python check_evidence.py FILE [--signed-by SIGNERS] [--since CHECKPOINT] [--roots ROOTS]

FILE is a WACZ file of `paperlake evidence`, or a rank certificate of `paperlake evidence rank`. SIGNERS is a file of
allowed signers as ssh-keygen has it, CHECKPOINT what `paperlake verify` printed, ROOTS the `roots.json` of a release:
get these from the publisher, and not together with FILE. It ends with 1 where something is not what it says.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import html
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import quote, urlsplit

T = TypeVar("T")
LIMIT: Final = 256 << 20  # bytes of a file, unpacked
FORMAT: Final = "paperlake-evidence-1"
RANK_FORMAT: Final = "paperlake-rank-1"
WARC: Final = "archive/evidence.warc.gz"
INDEX: Final = "indexes/index.cdx.gz"
INDEX_OF_INDEX: Final = "indexes/index.idx"  # ReplayWeb.page looks for it, pywb does not
PAGES: Final = "pages/pages.jsonl"
CERTIFICATE: Final = "evidence/certificate.json"
PACKAGE: Final = "datapackage.json"
DIGEST: Final = "datapackage-digest.json"
LATEST: Final = "lake/releases-latest.json"
# That of WACZ 1.1.1: the draft of 1.2.0 says `wacz`, which ReplayWeb.page 2.5.3 and py-wacz 0.6.0 refuse to open
PROFILE: Final = "data-package"
WACZ_VERSION: Final = "1.1.1"  # the files and folders are those of 1.2.0 too, which has no such field
VIEW: Final = "urn:paperlake:view:"
# A part of the format: with other words it is another FORMAT
HOW_TO_CHECK: Final = """\
`python check_evidence.py FILE --signed-by SIGNERS` checks all of it: one file of plain Python, a part of paperlake.
`sha256sum` of a file gives the hash in datapackage.json; that of datapackage.json is in datapackage-digest.json.
`zcat archive/evidence.warc.gz` shows the answers as they were captured, as does any tool for WARC, or ReplayWeb.page.
A page's id: 20 hex digits of the SHA-256 of address, time without Z, SHA-256 of its bytes, with newlines between.
`lake/` has files of the lake, / written -: a move has the hash of manifest.json, which has that of roots.json.
`ssh-keygen -Y verify -n paperlake -f SIGNERS -I NAME -s lake/log-signatures-….sig < lake/releases-latest.json`
Merkle proofs are those of RFC 9162 with SHA-256. The leaf of a page is its id, a space, and the SHA-256 of its bytes.
The leaf of a place is [day, paper, place, upvotes, seen at] as JSON without spaces."""
HUB_SIGNED_NOTHING: Final = (
    "that the Hub gave this answer: it does not sign what it answers, so this is the word of whoever captured the page"
)


class Wrong(Exception):
    """Something is not what the evidence says; its words are one line that is safe to print."""

    def __init__(self, words: str) -> None:
        super().__init__(one_line(words))


class Anchors(NamedTuple):
    """What a reader has from elsewhere: allowed signers, a checkpoint (number and hash), the roots of a release."""

    signers: str | None = None
    since: tuple[int, str] | None = None
    roots: bytes | None = None


class Findings(NamedTuple):
    """The findings: what was found to be so, and what nobody can know from the evidence."""

    statement: str
    proved: list[str]
    not_proved: list[str]

    def __str__(self) -> str:
        proved, left = ([f"  * {one_line(line)}" for line in part] for part in (self.proved, self.not_proved))
        return "\n".join([one_line(self.statement), "", "It proves:", *proved, "", "It does not prove:", *left, ""])


def one_line(text: str) -> str:
    """A text of the file as one line, without what steers a terminal: all that is not printable is escaped."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def check(data: bytes, anchors: Anchors = Anchors()) -> Findings:  # noqa: B008 - it holds nothing that changes
    """Check a WACZ file or a rank certificate; Wrong says what is not so."""
    return check_package(data, anchors) if data[:2] == b"PK" else check_rank(data, anchors)


# --- reading what anybody may have written ---


def read_json(data: bytes, name: str) -> Any:  # noqa: ANN401 - whatever is there
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        require(len({key for key, _ in pairs}) == len(pairs), f"{name} has a key twice in one object")
        return dict(pairs)

    try:
        return json.loads(data, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Wrong(f"{name} is no JSON: {error}") from error


def get(of: Any, name: str, kind: type[T]) -> T:  # noqa: ANN401
    """A field of an object, of this type; Wrong where there is none."""
    found = of.get(name) if isinstance(of, dict) else None
    if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
        raise Wrong(f"{name} is not there, or no {kind.__name__}")
    return found


def require(holds: bool, words: str) -> None:  # noqa: FBT001
    if not holds:
        raise Wrong(words)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def unzipped(data: bytes) -> dict[str, bytes]:
    """The files of a WACZ; Wrong where it hides anything beside or between them."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            entries, at, size = package.infolist(), 0, 0
            require(not package.comment, "the package has a comment, which nothing signs")
            for entry in entries:
                name, plain = entry.filename, entry.compress_type == zipfile.ZIP_STORED
                require(entry.header_offset == at, f"there are bytes before {name} that belong to no file")
                require(not (entry.extra or entry.comment or entry.flag_bits & ~0x806), f"{name} has hidden fields")
                require(plain or not name.startswith("archive/"), f"{name} is compressed again")
                require(plain or entry.compress_type == zipfile.ZIP_DEFLATED, f"{name} is packed in an unusual way")
                at += 30 + len(name.encode()) + entry.compress_size
                size += entry.file_size
                require(size <= LIMIT, "the package is too large to be evidence")
            listed = sum(46 + len(one.filename.encode()) for one in entries)
            require(package.start_dir == at, "there are bytes after the last file that belong to none")
            require(len(data) == at + listed + 22, "there are bytes after the list of files that belong to none")
            require(len({one.filename for one in entries}) == len(entries), "the package has a file twice")
            return {one.filename: _content(package, one) for one in entries}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise Wrong(f"the package cannot be unpacked: {error}") from error


def _content(package: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """A file of the package; what it has beyond the size that it states is not unpacked, and has another checksum."""
    with package.open(entry) as file:
        return file.read(entry.file_size + 1)


class Member(NamedTuple):
    """A record of a WARC file, and the gzip member that it is."""

    offset: int
    length: int
    sha256: str
    headers: Mapping[str, str]
    block: bytes

    @property
    def kind(self) -> str:
        return self.headers.get("warc-type", "")

    @property
    def payload(self) -> bytes:
        """The bytes that were captured: of an HTTP answer those after its head."""
        return self.block.partition(b"\r\n\r\n")[2] if self.is_http else self.block

    @property
    def is_http(self) -> bool:
        return self.kind in {"response", "revisit"} and self.block.startswith(b"HTTP/")

    @property
    def status(self) -> str | None:
        """The HTTP status; None where none is known."""
        head = self.block[:40].decode("ascii", "replace").split(" ", 2)
        return head[1] if self.is_http and len(head) > 1 else self.headers.get("paperlake-http-status")

    @property
    def content_type(self) -> str | None:
        """The media type of what was captured; None where none is known."""
        if not self.is_http:
            return self.headers.get("content-type") if self.kind == "resource" else None
        head = self.block.partition(b"\r\n\r\n")[0].decode("utf-8", "surrogateescape")
        found = re.search(r"(?im)^content-type[ \t]*:([^\r\n]*)", head)
        return " ".join(found[1].split()) or None if found else None


def members_of(warc: bytes) -> Iterator[Member]:
    """The records of a WARC file, which have LIMIT bytes in all."""
    at, left = 0, LIMIT
    while at < len(warc):
        require(left > 0, f"{WARC} is too large at byte {at}")
        stream = zlib.decompressobj(31)
        try:
            data = stream.decompress(memoryview(warc)[at:], left)
        except zlib.error as error:
            raise Wrong(f"{WARC} cannot be read at byte {at}: {error}") from error
        require(stream.eof, f"{WARC} ends too early, or is too large, at byte {at}")
        length = len(warc) - at - len(stream.unused_data)
        yield Member(at, length, sha256(warc[at : at + length]), *_record(data))
        at, left = at + length, left - len(data)


def _record(data: bytes) -> tuple[dict[str, str], bytes]:
    head, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("utf-8", "surrogateescape").split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    require(first.startswith("WARC/1.") and len(headers) == len(lines), f"a record of {WARC} has a broken head")
    length = headers.get("content-length", "")
    require(length.isdecimal() and len(length) < 12, f"a record of {WARC} has no length")  # noqa: PLR2004 - digits
    require(rest[int(length) :] == b"\r\n\r\n", f"a record of {WARC} is not as long as it says")
    block = rest[: int(length)]
    digest = base64.b32encode(hashlib.sha1(block, usedforsecurity=False).digest()).decode()
    require(headers.get("warc-block-digest") in {None, f"sha1:{digest}"}, f"a record of {WARC} was changed")
    return headers, block


# --- the package ---


def check_package(data: bytes, anchors: Anchors) -> Findings:
    files = unzipped(data)
    signed = check_hashes(files)
    certificate = read_json(_file(files, CERTIFICATE), CERTIFICATE)
    require(get(certificate, "format", str) == FORMAT, f"this program knows {FORMAT} alone")
    require_shape(certificate)
    statement = statement_of(certificate)
    require(get(certificate, "statement", str) == statement, f"{CERTIFICATE} states something else than its values say")
    proved, left = [], [HUB_SIGNED_NOTHING, "that the capturing machine's clock was right"]
    members = check_records(files, certificate)
    check_description(files, certificate)
    proved.append("the captured pages are whole, and these are their addresses, times and SHA-256")
    for line, holds in check_values(members, certificate):
        (proved if holds else left).append(line)
    for line, holds in check_release(files, certificate):
        (proved if holds else left).append(line)
    for line, holds in check_signatures(files, certificate, signed, anchors):
        (proved if holds else left).append(line)
    return Findings(statement, proved, left)


# What a certificate and its parts have, and nothing else: what no rule reads could say anything
FIELDS: Final[Mapping[str, str]] = {
    "certificate": "format statement fact values records release tables log rank how_to_check not_proved",
    "fact": "kind table key",
    "release": "version manifest_sha256 code_version code_sha256 schema_version captures_sha256",
    "log": "move moved_at head head_sha256",
    "table": "table file sha256",
    "page": "capture_id url fetched_at http_status content_type payload_sha256 payload_bytes erased layout"
    " record original proof",
    "record": "offset length sha256",
    "original": "offset length sha256",
    "proof": "index size path",
    "rank": "format release listed_on paper_id rank upvote_count observed_at index papers path root",
}
KINDS: Final = {  # of facts that are said in words of their own: the table of the row, and its key
    "listing": ("daily_listings", {"listed_on", "paper_id"}),
    "count": ("paper_observations", {"paper_id", "observed_at"}),
    "claim": ("paper_claims", {"paper_id", "position"}),
}


def require_fields(of: Mapping[str, Any], name: str) -> None:
    require(of.keys() == set(FIELDS[name].split()), f"{name} of {CERTIFICATE} has fields of its own, or lacks some")


def require_shape(certificate: Mapping[str, Any]) -> None:
    """Parts that are no objects, and texts and numbers that are something else, are found before they are used."""
    require_fields(certificate, "certificate")
    words = certificate["how_to_check"], certificate["not_proved"]
    require(words == (HOW_TO_CHECK.splitlines(), [HUB_SIGNED_NOTHING]), f"{CERTIFICATE} tells other ways to check it")
    for name in ("fact", "release", "log"):
        require_fields(get(certificate, name, dict), name)
        scalars(get(certificate, name, dict), "key")
    scalars(get(certificate["fact"], "key", dict))
    fact = certificate["fact"]
    is_known = get(fact, "kind", str) == "row" or KINDS.get(fact["kind"]) == (fact["table"], fact["key"].keys())
    require(is_known, "there is no such kind of fact")
    named = set()
    for one in dicts(certificate, "values"):
        scalars(one, "value")
        wanted = {"column", "rule", "value", *re.findall(r"{(\w+)}", RULES.get(get(one, "rule", str), ""))}
        is_plain = wanted <= one.keys() <= wanted | {"capture_id", "position"}
        require(is_plain, f"the value of {one.get('column')} has fields of its own, or lacks some")
        named.add((one["column"], one.get("capture_id")))
    require(len(named) == len(certificate["values"]), f"{CERTIFICATE} has a value twice")
    for one in dicts(certificate, "tables"):
        scalars(one)
        require_fields(one, "table")
        require(get(one, "file", str).startswith(f"data/{one['table']}"), f"{one['file']} is of another table")
    files = {one["file"] for one in dicts(certificate, "tables")}
    require(len(files) == len(certificate["tables"]), f"{CERTIFICATE} has a file twice")
    require(bool(certificate["records"]), f"{CERTIFICATE} has no page")
    for one in dicts(certificate, "records"):
        require_fields(one, "page")
        scalars(one, "record", "original", "proof")
        for name in ("url", "fetched_at", "erased", "layout", "content_type"):
            require(isinstance(one.get(name), str | None), f"{name} of a page is no text")
        for name in ("record", "original", "proof"):
            if one[name] is not None:
                scalars(get(one, name, dict), "path")
                require_fields(one[name], name)
    if certificate["rank"] is not None:
        scalars(get(certificate, "rank", dict), "path")


def dicts(of: Any, name: str) -> list[dict[str, Any]]:  # noqa: ANN401
    """A list of objects, empty where there is none; Wrong where it is something else."""
    found = get(of, name, list) if isinstance(of, dict) and name in of else []
    require(all(isinstance(one, dict) for one in found), f"{name} has something that is no object")
    return found


def scalars(of: Mapping[str, Any], *others: str) -> None:
    """Every field but `others` is text, a number, or nothing."""
    for name, value in of.items():
        require(name in others or isinstance(value, str | int | float | None), f"{name} is no text and no number")


def _file(files: Mapping[str, bytes], name: str) -> bytes:
    require(name in files, f"{name} is missing")
    return files[name]


def check_hashes(files: Mapping[str, bytes]) -> Mapping[str, Any] | None:
    """Every file has the hash that the data package states, which its digest covers; the signature, if there is one."""
    package, digest = _file(files, PACKAGE), read_json(_file(files, DIGEST), DIGEST)
    require(get(digest, "path", str) == PACKAGE, f"{DIGEST} is of another file")
    require(digest.get("hash") == f"sha256:{sha256(package)}", f"{PACKAGE} is not what {DIGEST} says")
    described = read_json(package, PACKAGE)
    require(get(described, "profile", str) == PROFILE, f"{PACKAGE} is not that of a WACZ")
    listed = {get(one, "path", str): one for one in dicts(described, "resources")}
    others = files.keys() - {PACKAGE, DIGEST}
    require(listed.keys() == others, f"{PACKAGE} lists other files than there are")
    for name, one in listed.items():
        same = one.get("hash") == f"sha256:{sha256(files[name])}" and one.get("bytes") == len(files[name])
        require(same, f"{name} is not what {PACKAGE} says")
    foreign = {name for name in files if name.split("/")[0] in {"archive", "indexes", "pages"}}
    require(foreign == {WARC, INDEX, INDEX_OF_INDEX, PAGES}, "there are foreign files in the folders of a WACZ")
    signed = digest.get("signedData")
    require(signed is None or get(signed, "hash", str) == digest["hash"], "the signature is of another package")
    return signed if isinstance(signed, dict) else None


def check_description(files: Mapping[str, bytes], certificate: Mapping[str, Any]) -> None:
    """The data package says nothing but what follows from certificate and files, and when and by what it was made."""
    package, digest = read_json(files[PACKAGE], PACKAGE), read_json(files[DIGEST], DIGEST)
    created, software = get(package, "created", str), get(package, "software", str)
    is_plain = re.fullmatch(r"[\d:T.-]{19,26}Z", created) and re.fullmatch(r"paperlake [\w.+-]{1,40}", software)
    same = package == package_of(certificate, files, created, software)
    require(bool(is_plain) and same, f"{PACKAGE} describes something else than what is there")
    require(digest.keys() <= {"path", "hash", "signedData"}, f"{DIGEST} has fields of its own")


def check_records(files: Mapping[str, bytes], certificate: Mapping[str, Any]) -> dict[int, Member]:
    """The records by where they begin: those certified, our view of each, no others; index and pages are of these."""
    members = {one.offset: one for one in members_of(_file(files, WARC))}
    needed = {0}
    require(members[0].kind == "warcinfo" if members else False, f"{WARC} does not begin with a warcinfo record")
    for record in get(certificate, "records", list):
        places = [get(record, "record", dict), *([record["original"]] if record.get("original") else [])]
        for place in places:
            member = members.get(get(place, "offset", int))
            same = member is not None and (member.length, member.sha256) == (place.get("length"), place.get("sha256"))
            require(same, f"the record at byte {place.get('offset')} of {WARC} is not the one that was certified")
            needed.add(place["offset"])
        check_record(record, members[places[0]["offset"]], members[places[-1]["offset"]])
    views = {one.headers["warc-target-uri"]: one for one in members.values() if _target(one).startswith(VIEW)}
    wanted = {VIEW + record["capture_id"]: view_page(certificate, record) for record in viewed(certificate)}
    require({url: one.block for url, one in views.items()} == wanted, "a page made for people shows something else")
    needed |= {one.offset for one in views.values()}
    require(needed == members.keys(), f"{WARC} has a record that the fact does not need")
    _check_index(files, [one for one in members.values() if one.offset])
    require(_file(files, PAGES) == pages_of(certificate), f"{PAGES} lists other pages, or by other names")
    return members


def _target(member: Member) -> str:
    return member.headers.get("warc-target-uri", "")


def check_record(record: Mapping[str, Any], member: Member, holder: Member) -> None:
    """A captured page has the address, time, status and bytes that were certified, and the id that follows from them.

    `holder` is the record that has its bytes: another one where the page had not changed.
    """
    name, url, at = get(record, "capture_id", str), record.get("url"), record.get("fetched_at")
    payload, headers = holder.payload, member.headers
    found = sha256(payload)
    require(
        (found, len(payload)) == (record.get("payload_sha256"), record.get("payload_bytes")),
        f"the bytes of page {name} are not those that were certified",
    )
    for one in (member, holder):
        require(
            one.headers.get("warc-payload-digest") in {None, f"sha256:{found}"}, f"the digest of page {name} is wrong"
        )
    known = "paperlake-url" not in headers, "paperlake-fetched-at" not in headers
    require(url == (_target(member) if known[0] else None), f"page {name} is of another address")
    require(at == (headers.get("warc-date") if known[1] else None), f"page {name} is of another time")
    require(str(record.get("http_status")) == str(member.status), f"page {name} had another HTTP status")
    require(record.get("content_type") == member.content_type, f"page {name} was of another type")
    erased = record.get("erased")
    require(erased == headers.get("paperlake-erased"), f"page {name} tells another erasure")
    facts = "\n".join([url or "", (at or "").removesuffix("Z"), found]).encode("utf-8", "surrogateescape")
    own = erased[:20] if isinstance(erased, str) else sha256(facts)[:20]
    require(own == name, f"page {name} is another page: its id does not follow from address, time and bytes")


def _check_index(files: Mapping[str, bytes], members: Sequence[Member]) -> None:
    packed, lines, stream = _file(files, INDEX), sorted(map(index_line, members)), zlib.decompressobj(31)
    expected = "".join(f"{line}\n" for line in lines).encode()
    try:
        found = stream.decompress(packed, len(expected) + 1)
    except zlib.error as error:
        raise Wrong(f"{INDEX} cannot be read: {error}") from error
    is_whole = stream.eof and not stream.unused_data
    require(is_whole and found == expected, f"{INDEX} is not the index of the records that are there")
    require(_file(files, INDEX_OF_INDEX) == index_of_index(packed, lines), f"{INDEX_OF_INDEX} is wrong")


def index_of_index(packed: bytes, lines: Sequence[str]) -> bytes:
    """The index of an index of these lines, as it is packed."""
    place = {"offset": 0, "length": len(packed), "digest": f"sha256:{sha256(packed)}", "filename": "index.cdx.gz"}
    first = " ".join([*lines[0].split(" ", 2)[:2], json.dumps(place)]) if lines else ""
    return f'!meta 0 {{"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}}\n{first}\n'.encode()


def index_line(member: Member) -> str:
    """The line of a record in a CDXJ index."""
    url, headers = _target(member), member.headers
    mime = (member.content_type or "").split(";")[0].strip()
    fields = {"url": url, "mime": "warc/revisit" if member.kind == "revisit" else mime, "status": member.status or ""}
    fields["digest"] = headers.get("warc-payload-digest", "")
    fields |= {"length": str(member.length), "offset": str(member.offset), "filename": WARC.split("/")[1]}
    stamp = "".join(one for one in headers.get("warc-date", "") if one.isdigit())[:14]
    return f"{url_key(url)} {stamp} {json.dumps({name: value for name, value in fields.items() if value})}"


def url_key(url: str) -> str:
    """An address as an index sorts it: the host backwards, the query in order, lower case."""
    printable = "".join(map(chr, range(0x21, 0x7F)))
    try:
        parts = urlsplit(url)
        host, number = parts.hostname, parts.port
    except ValueError:  # an address as http://[x/
        host = None
    if not host:
        return quote(url, safe=printable, errors="surrogateescape")
    port = f":{number}" if number else ""
    query = "&".join(sorted(parts.query.split("&")))
    tail = f"{parts.path or '/'}{'?' if query else ''}{query}"
    key = f"{','.join(reversed(host.split('.')))}{port}){tail}".lower()
    return quote(key, safe=printable, errors="surrogateescape")


# --- what is made for people, of the certificate alone ---


def statement_of(certificate: Mapping[str, Any]) -> str:
    """The fact in words, made of its values."""
    fact = get(certificate, "fact", dict)
    key = get(fact, "key", dict)
    values = {get(one, "column", str): one.get("value") for one in get(certificate, "values", list)}
    kind, paper = get(fact, "kind", str), key.get("paper_id")
    if kind == "listing":
        rank = "at no known place" if values.get("rank") is None else f"number {values['rank']}"
        count = values.get("upvote_count")
        votes = "with upvotes unknown" if count is None else f"with {count} upvote{'' if count == 1 else 's'}"
        seen = values.get("observed_at") or "an unknown time"
        return f"Paper {paper} was {rank} on the daily list of {key.get('listed_on')}, {votes}, seen at {seen}"
    if kind == "count":
        counted = ", ".join(f"{name} {shown(value)}" for name, value in values.items() if name.endswith("_count"))
        return f"Paper {paper} at {key.get('observed_at')}: {counted}"
    if kind == "claim":
        return f"The abstract of paper {paper} says: {values.get('sentence')}"
    named = ", ".join(f"{name} {shown(value)}" for name, value in key.items())
    others = ", ".join(f"{name} {shown(value)}" for name, value in values.items() if name not in key)
    return f"{fact.get('table')} ({named}): {others}"


def shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def viewed(certificate: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The captured pages of which a browser would show bare text."""
    return [one for one in get(certificate, "records", list) if "html" not in str(one.get("content_type"))]


def view_page(certificate: Mapping[str, Any], record: Mapping[str, Any]) -> bytes:
    """A page for people of what a captured page of data says of the fact; it says itself that it was not captured."""
    rows = [
        (one["column"], shown(one.get("value")), words_of(one))
        for one in get(certificate, "values", list)
        if one.get("capture_id") == record.get("capture_id")
    ]
    cells = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    facts = ", ".join(f"{name} {shown(record.get(name))}" for name in ("url", "fetched_at", "payload_sha256"))
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">\n'
        f"<title>Made by paperlake: {html.escape(statement_of(certificate))}</title>\n"
        f"<h1>{html.escape(statement_of(certificate))}</h1>\n"
        "<p><b>This page was made by paperlake, and not captured.</b> It shows what a captured page says, which stands "
        f"beside it byte for byte: {html.escape(facts)}.</p>\n"
        f"<table border><tr><th>what</th><th>value</th><th>where it stands</th></tr>\n{cells}</table>\n</html>\n"
    ).encode("utf-8", "replace")


def pages_of(certificate: Mapping[str, Any]) -> bytes:
    """The list of pages: ours first, then those that were captured."""
    lines: list[dict[str, str]] = [{"format": "json-pages-1.0", "id": "pages", "title": "Pages"}]
    statement = statement_of(certificate)
    for record in viewed(certificate):
        title = f"Made by paperlake: {statement}"
        lines += [{"url": VIEW + record["capture_id"], "ts": stamp_of(record), "title": title}]
    for record in get(certificate, "records", list):
        url = record.get("url") or f"urn:sha256:{record.get('payload_sha256')}"
        lines += [{"url": url, "ts": stamp_of(record), "title": f"Captured: {url}"}]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def package_of(
    certificate: Mapping[str, Any], files: Mapping[str, bytes], created: str, software: str
) -> dict[str, Any]:
    """The data package: each file with its hash, and the page that is opened first."""
    first = read_json(b"".join(pages_of(certificate).splitlines()[1:2]) or b"{}", PAGES)
    described = [
        {"name": name.rpartition("/")[2], "path": name, "hash": f"sha256:{sha256(data)}", "bytes": len(data)}
        | ({"type": "file"} if name.startswith("lake/") else {})  # else frictionless takes them for its own documents
        for name, data in files.items()
        if name not in {PACKAGE, DIGEST}
    ]
    return {
        "profile": PROFILE,
        "wacz_version": WACZ_VERSION,
        "title": statement_of(certificate),
        "description": f"The captured pages behind a fact, and `{CERTIFICATE}`, which says how to check it.",
        "created": created,
        "modified": created,
        "software": software,
        "home": {name: first.get(name) for name in ("url", "ts")},
        "resources": described,
    }


def stamp_of(record: Mapping[str, Any]) -> str:
    """When a page was captured; the beginning of time where nobody knows."""
    return str(record.get("fetched_at") or "1970-01-01T00:00:00Z")


# --- the values, read again out of the captured bytes ---

# Where the Hub's answers have what a column says, as the data dictionary tells it
SOURCES: Final[Mapping[str, Sequence[str]]] = {
    "paper_id": ("paper.id",),
    "arxiv_id": ("paper.id",),
    "title": ("paper.title", "title"),
    "abstract": ("paper.summary", "summary"),
    "ai_summary": ("paper.ai_summary",),
    "ai_summary_model": ("paper.ai_summary_model",),
    "published_on": ("paper.publishedAt",),
    "published_at": ("paper.publishedAt",),
    "submitted_at": ("publishedAt",),
    "listed_on": ("paper.submittedOnDailyAt",),
    "submitter_login": ("paper.submittedOnDailyBy.user", "submittedBy.name"),
    "submitter_name": ("paper.submittedOnDailyBy.fullname", "submittedBy.fullname"),
    "organization_login": ("paper.organization.name", "organization.name", "submitterOrganization.name"),
    "organization_name": ("paper.organization.fullname", "organization.fullname", "submitterOrganization.fullname"),
    "upvote_count": ("paper.upvotes",),
    "comment_count": ("numComments",),
    "github_star_count": ("paper.githubStars",),
    "model_count": ("paper.numTotalModels",),
    "dataset_count": ("paper.numTotalDatasets",),
    "space_count": ("paper.numTotalSpaces",),
    "github_url": ("paper.githubRepo",),
    "github_added_by": ("paper.githubRepoAddedBy",),
    "project_url": ("paper.projectPage",),
    "discussion_id": ("paper.discussionId",),
    "sentence": ("paper.summary", "summary"),
    "text": ("paper.summary", "summary"),
    "comparator": ("paper.summary", "summary"),
}
# Layouts: the part of a page of HTML that has the JSON, where its items are, and whether an item is a bare paper
LAYOUTS: Final[Mapping[str, tuple[str, Sequence[str], bool]]] = {
    "api_list": ("", (), False),
    "api_paper": ("", (), True),
    "list_page": ("DailyPapers", ("dailyPapers",), False),
    "paper_page": ("PaperContent", ("paper",), True),
}
RULES: Final[Mapping[str, str]] = {
    "same": "as it stands at {source}",
    "line": "the text at {source}, each run of spaces one space",
    "day": "the day of the instant at {source}",
    "instant": "the instant at {source}",
    "span": "letters {start} to {end} of the text at {source}, each run of spaces one space",
    "absent": "the page has no {source}",
    "place": "place {position} on the page",
    "asked": "the day in the page's address",
    "fetched": "when the page was fetched",
    "record": "a fact of the captured page itself",
    "in_text": "stands in the text of the page",
    "computed": "paperlake made it: {how}",
}


def words_of(value: Mapping[str, Any]) -> str:
    """The rule of a value, in words."""
    rule = get(value, "rule", str)
    require(rule in RULES, f"there is no rule {rule}")
    return RULES[rule].format_map(value)


def check_values(members: Mapping[int, Member], certificate: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Each value, and whether it can be read again in the captured bytes; Wrong where these say something else."""
    records = {get(one, "capture_id", str): one for one in get(certificate, "records", list)}
    values = get(certificate, "values", list)
    items = {(one.get("capture_id"), one.get("position")) for one in values if one.get("column") == "paper_id"}
    key = get(get(certificate, "fact", dict), "key", dict)
    for value in values:
        column, rule = get(value, "column", str), get(value, "rule", str)
        same = column not in key or key[column] == value.get("value")
        require(same, f"{column} is not that of the row that the fact is about")
        line = f"{column} is {shown(value.get('value'))}: {words_of(value)}"
        if rule in {"computed", "in_text"}:
            _require_not_denied(members, certificate, value)
        if rule == "computed":
            yield f"that {line}", False
            continue
        record = records.get(get(value, "capture_id", str))
        if record is None:
            raise Wrong(f"the page behind {column} is not there")
        place = record.get("original") or record["record"]
        page = CheckedPage(record, members[place["offset"]].payload)
        if "position" in value and "paper_id" in key and column != "paper_id":
            require((value["capture_id"], value["position"]) in items, f"{column} is of an item of another paper")
        require(agrees(page, value), f"the page does not say that {line}")
        yield f"{line} ({record.get('url')}, {record.get('fetched_at')})", True


OF_ONE_PAGE: Final = ("daily_listings", "paper_observations", "paper_claims", "sightings")  # what a row of it is


def _require_not_denied(
    members: Mapping[int, Member], certificate: Mapping[str, Any], value: Mapping[str, Any]
) -> None:
    """Of a fact of one page: the page does not say something else of the paper, whatever is said of its layout."""
    fact, records = certificate["fact"], certificate["records"]
    column, wanted, paper = value["column"], value.get("value"), fact["key"].get("paper_id")
    paper = next((one.get("value") for one in certificate["values"] if one["column"] == "paper_id"), paper)
    for record in records if fact.get("table") in OF_ONE_PAGE else ():
        payload = members[(record.get("original") or record["record"])["offset"]].payload
        for position, item in ((at, item) for name in LAYOUTS for at, item in enumerate(items_of(payload, name), 1)):
            named = found_at(item, "paper.id")
            if column == "paper_id" and (value.get("position"), value.get("capture_id")) == (
                position,
                record["capture_id"],
            ):
                require(named in (None, wanted), f"item {position} of the page is of {shown(named)}, another paper")
            if named == paper:
                require(
                    not _denied(item, position, column, wanted),
                    f"the page does not say that {column} is {shown(wanted)}",
                )


def _denied(item: Mapping[str, Any], position: int, column: str, wanted: object) -> bool:
    if column == "rank":
        return wanted not in (None, position)
    found = next((one for one in (found_at(item, name) for name in SOURCES.get(column, ())) if one is not None), None)
    if column in {"sentence", "text"} and isinstance(found, str):
        return str(wanted) not in " ".join(found.split())
    return column.endswith("_count") and isinstance(found, int) and found != wanted


class CheckedPage(NamedTuple):
    """A captured page: what is certified of it, and its bytes."""

    record: Mapping[str, Any]
    payload: bytes

    def item(self, position: int) -> Mapping[str, Any] | None:
        """The n-th item of the page, from 1, as its JSON has it; None where there is none."""
        items = items_of(self.payload, str(self.record.get("layout")))
        return items[position - 1] if 1 <= position <= len(items) else None


def items_of(payload: bytes, layout: str) -> list[Mapping[str, Any]]:
    """The items of a page of this layout, each with its `paper`; none where it is of another."""
    if layout not in LAYOUTS:
        return []
    target, names, is_bare = LAYOUTS[layout]
    found = document_in(payload, target)
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    items = ([{"paper": found}] if isinstance(found, dict) else []) if is_bare else found
    return [one if isinstance(one, dict) else {} for one in items] if isinstance(items, list) else []


@lru_cache(maxsize=2)
def document_in(payload: bytes, target: str) -> Any:  # noqa: ANN401 - whatever the source answered
    """The JSON of a page, or of a part of a page of HTML; None where there is none."""
    try:
        return json.loads(_props(payload, target) if target else payload)
    except (ValueError, RecursionError):
        return None


class _Finder(HTMLParser):
    def __init__(self, target: str) -> None:
        super().__init__()
        self.target, self.props = target, ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - as HTMLParser calls it
        given = dict(attrs)
        if given.get("data-target") == self.target and not self.props:
            self.props = given.get("data-props") or ""


def _props(payload: bytes, target: str) -> str:
    finder = _Finder(target)
    finder.feed(_text_of(payload))
    return finder.props


def _text_of(payload: bytes) -> str:
    """A page in UTF-8, or in UTF-16 where it begins with the mark of that."""
    return payload.decode("utf-16" if payload[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8", "replace")


def found_at(item: Mapping[str, Any], source: str) -> Any:  # noqa: ANN401 - whatever the source answered
    """The value at a path of an item (`paper.upvotes`); None where there is none."""
    found: Any = item
    for name in source.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def agrees(page: CheckedPage, value: Mapping[str, Any]) -> bool:
    """Whether a page says what the value says, by its rule."""
    rule, wanted, column = value["rule"], value.get("value"), value["column"]
    if rule in OF_THE_WHOLE:
        return column in OF_THE_WHOLE[rule] and _says(page, rule, column, wanted)
    position, sources = get(value, "position", int), SOURCES.get(column, ())
    item = page.item(position)
    if item is None:
        return False
    if rule == "place":
        return column in {"rank", "position"} and wanted == position
    if rule == "absent":
        return bool(sources) and wanted is None and all(found_at(item, one) is None for one in sources)
    source = get(value, "source", str)
    return source in sources and _follows(rule, found_at(item, source), wanted, value)


# Rules of which no item is needed, and the columns that each may be of
OF_THE_WHOLE: Final[Mapping[str, Sequence[str]]] = {
    "fetched": ("observed_at", "fetched_at"),
    "record": ("capture_id", "url", "http_status", "content_type", "payload_bytes", "payload_sha256"),
    "asked": ("listed_on",),
    "in_text": ("title", "abstract", "description", "ai_summary", "sentence"),
}


def _says(page: CheckedPage, rule: str, column: str, wanted: object) -> bool:
    """Whether the page as a whole says it: what is certified of it, its address, or the text of one without items."""
    if rule == "asked":
        asked = re.search(r"[?&/]date[=/]([0-9]{4}-[0-9]{2}-[0-9]{2})", str(page.record.get("url")))
        return asked is not None and asked[1] == wanted
    if rule == "in_text":
        text = " ".join(_text_of(page.payload).split())
        is_long = isinstance(wanted, str) and len(wanted) >= 8  # noqa: PLR2004 - a shorter one stands there by chance
        return page.record.get("layout") is None and is_long and str(wanted) in text
    return wanted == page.record.get("fetched_at" if rule == "fetched" else column)


def _follows(rule: str, found: object, wanted: object, value: Mapping[str, Any]) -> bool:
    if rule == "same":
        return found is not None and type(found) is type(wanted) and found == wanted
    if not isinstance(found, str) or not isinstance(wanted, str):
        return False
    line = " ".join(found.split())
    if rule == "span":
        return line[get(value, "start", int) : get(value, "end", int)] == wanted
    return {"line": line, "day": found[:10], "instant": _instant(found)}.get(rule) == wanted


def _instant(text: str) -> str | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


# --- the release that the fact is in, and the log of the lake ---


def check_release(files: Mapping[str, bytes], certificate: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """The release has the files that the fact is in, was made of the captured pages, and stands in the log."""
    release = get(certificate, "release", dict)
    version = get(release, "version", str)
    folder = f"lake/releases-{version}-"
    data = _file(files, f"{folder}manifest.json")
    manifest = read_json(data, "manifest.json")
    for name in ("version", "code_version", "code_sha256", "schema_version", "captures_sha256"):
        require(release.get(name) == manifest.get(name, ""), f"the manifest has another {name}")
    require(release.get("manifest_sha256") == sha256(data), "the manifest is not the one that was certified")
    held = {get(one, "key", str): one for one in dicts(manifest, "files")}
    for row in get(certificate, "tables", list):
        file = held.get(get(row, "file", str), {})
        require(file.get("sha256") == row.get("sha256"), f"the manifest has another {row['file']}")
        words = f"that the row is in {row['file']} of release {version}, whose hash is here"
        yield f"{words}: any reader of Parquet shows it", False
    yield from _check_log(files, certificate, sha256(data))
    if (rank := certificate.get("rank")) is not None:
        _check_rank_fact(certificate, rank)
    if f"{folder}roots.json" not in files:
        require(rank is None and not any(one.get("proof") for one in certificate["records"]), "the roots are missing")
        yield f"that release {version} was made of this page: it is older than such proofs", False
        yield from _erased(certificate)
        return
    stored = files[f"{folder}roots.json"]
    require(held.get("roots.json", {}).get("sha256") == sha256(stored), "roots.json is not the release's")
    roots = read_json(stored, "roots.json")
    yield from _check_pages(certificate["records"], get(roots, "captures", dict), version)
    yield from _erased(certificate)
    if rank is not None:
        check_rank_proof(rank, roots)
        yield (
            f"release {version} has this place and these upvotes on the list of {rank['listed_on']} (Merkle proof)",
            True,
        )


def _check_pages(records: Sequence[Any], tree: Mapping[str, Any], version: str) -> Iterator[tuple[str, bool]]:
    """The pages are of those that the release was made of, which its tree has."""
    for record in records:
        proof = get(record, "proof", dict)
        require(proof.get("size") == tree.get("pages"), "a page's proof is of another tree")
        leaf = f"{record['capture_id']} {record['payload_sha256']}".encode()
        root = root_from(leaf, proof.get("index"), proof.get("size"), proof.get("path"))
        require(root == tree.get("root"), f"release {version} was not made of page {record['capture_id']}")
        yield f"release {version} was made of page {record['capture_id']} with these bytes (Merkle proof)", True


def _erased(certificate: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """The facts that nobody can know of a page that is not as it was captured."""
    for one in certificate["records"]:
        if one.get("erased"):
            yield f"what page {one['capture_id']} had before a person was erased from it ({one['erased'][21:]})", False


def _check_rank_fact(certificate: Mapping[str, Any], rank: object) -> None:
    """The rank certificate is of the same paper, day and numbers."""
    values = {one["column"]: one.get("value") for one in certificate["values"]}
    facts = values | certificate["fact"]["key"] | {"release": certificate["release"]["version"]}
    for name in ("release", "listed_on", "paper_id", "rank", "upvote_count", "observed_at"):
        require(
            not isinstance(rank, dict) or rank.get(name) == facts.get(name), f"the rank certificate has another {name}"
        )


def _check_log(files: Mapping[str, bytes], certificate: Mapping[str, Any], manifest: str) -> Iterator[tuple[str, bool]]:
    """The moves of the lake's log from the newest back to that of the release, each tied to the one before."""
    log, version = get(certificate, "log", dict), certificate["release"]["version"]
    number, data = get(log, "move", int), _file(files, LATEST)
    move = head = read_json(data, LATEST)
    at, renewed = get(head, "number", int), _renewed(files, head)
    require((log.get("head"), log.get("head_sha256")) == (at, sha256(data)), "the newest move is not the certified one")
    used = {LATEST}
    while at > number:
        at -= 1
        key = f"lake/log-moves-{at:06}.json"
        data, expected = _file(files, key), get(move, "previous_sha256", str)
        while expected in renewed and expected != sha256(data):
            expected = renewed.pop(expected)
        require(sha256(data) == expected, f"{key} is not the move that the next one follows")
        move, used = read_json(data, key), {*used, key}
        require(get(move, "number", int) == at, f"{key} is another move")
    named = get(move, "manifest_sha256", str)
    while named in renewed and named != manifest:
        named = renewed.pop(named)
    require(at == number and (move.get("version"), named) == (version, manifest), f"move {at} is of another release")
    require(log.get("moved_at") == move.get("moved_at"), f"move {number} is of another time")
    logged = {name for name in files if name.startswith("lake/log-moves-")}
    require(logged | {LATEST} == used, "there are moves that nothing leads to")
    yield f"move {number} of the lake's log names release {version}; the newest move here is {log['head']}", True
    for erratum in dicts(head, "errata"):
        if erratum.get("version") == version:
            yield f"release {version} WAS RETRACTED at {erratum.get('retracted_at')}: {erratum.get('why')}", False


def _renewed(files: Mapping[str, bytes], head: Mapping[str, Any]) -> dict[str, str]:
    """Which hash took the place of which when somebody was erased, by the records that the newest move names."""
    found: dict[str, str] = {}
    for note in dicts(head, "erasures"):
        key = f"lake/log-erasures-{get(note, 'name', str)}.json"
        if key in files:
            require(sha256(files[key]) == note.get("sha256"), f"{key} is not the record of the erasure")
            for one in dicts(read_json(files[key], key), "renewed"):
                found[get(one, "before", str)] = get(one, "after", str)
    return found


def root_from(leaf: bytes, index: object, size: object, path: object) -> str:
    """The root of a Merkle tree (RFC 9162, 2.1.3.2) that has this leaf; Wrong for a path that leads nowhere."""
    if not (isinstance(index, int) and isinstance(size, int) and isinstance(path, list) and 0 <= index < size):
        raise Wrong("a Merkle proof is broken")
    found, last = hashlib.sha256(b"\x00" + leaf).digest(), size - 1
    for step in path:
        require(isinstance(step, str) and re.fullmatch("[0-9a-f]{64}", step) is not None, "a Merkle proof is broken")
        require(last > 0, "a Merkle proof is too long")
        other = bytes.fromhex(step)
        is_right = index & 1 or index == last
        found = hashlib.sha256(b"\x01" + (other + found if is_right else found + other)).digest()
        while is_right and index and not index & 1:
            index, last = index >> 1, last >> 1
        index, last = index >> 1, last >> 1
    require(last == 0, "a Merkle proof is too short")
    return found.hex()


def check_rank_proof(rank: Mapping[str, Any], roots: Mapping[str, Any] | None) -> str:
    """The root of the list that a rank certificate leads to; Wrong where it, or `roots`, says another."""
    require(get(rank, "format", str) == RANK_FORMAT, f"this program knows {RANK_FORMAT} alone")
    require_fields(rank, "rank")
    names = ("listed_on", "paper_id", "rank", "upvote_count", "observed_at")
    leaf = json.dumps([rank.get(name) for name in names], separators=(",", ":")).encode()
    root = root_from(leaf, rank.get("index"), rank.get("papers"), rank.get("path"))
    require(root == rank.get("root"), "the rank certificate does not lead to the root that it states")
    if roots is not None:
        day = get(get(roots, "daily_lists", dict), get(rank, "listed_on", str), dict)
        require(
            (root, rank.get("papers")) == (day.get("root"), day.get("papers")),
            "the release has another root for the day",
        )
    return root


def check_rank(data: bytes, anchors: Anchors) -> Findings:
    """A rank certificate alone."""
    rank = read_json(data, "the rank certificate")
    roots = read_json(anchors.roots, "roots.json") if anchors.roots is not None else None
    root = check_rank_proof(rank, roots)
    named = {"kind": "listing", "key": {name: rank.get(name) for name in ("paper_id", "listed_on")}}
    values = [{"column": name, "value": rank.get(name)} for name in ("rank", "upvote_count", "observed_at")]
    statement = statement_of({"fact": named, "values": values})
    place, papers = f"in a list whose root is {root}", f"{rank['papers']} papers"
    if roots is None:
        version = shown(rank.get("release"))
        left = (
            f"that release {version} has this root, of {papers}: compare both with its roots.json (--roots), which the "
            "manifest lists"
        )  # several counts of papers lead to one root
        return Findings(statement, [f"it is {place}"], [left, HUB_SIGNED_NOTHING])
    return Findings(statement, [f"it is one of {papers} {place}, as roots.json says"], [HUB_SIGNED_NOTHING])


# --- whose word it is ---


def check_signatures(
    files: Mapping[str, bytes], certificate: Mapping[str, Any], signed: Mapping[str, Any] | None, anchors: Anchors
) -> Iterator[tuple[str, bool]]:
    """Who signed, and whether the log is the one of which the reader holds a checkpoint."""
    public = check_ecdsa(signed) if signed is not None else None
    if anchors.signers is not None:
        trusted = set(ecdsa_keys(anchors.signers, _signed_at(signed)))
        require(not trusted or public in trusted, "the package is not signed by a key of the allowed signers")
        by_ssh = _check_ssh(files, certificate, anchors.signers)
        require(public in trusted or by_ssh, "nothing in the package is signed by anybody of the allowed signers")
        if public in trusted:
            yield "the whole package, with what paperlake computed, is signed by a key of the allowed signers", True
        if by_ssh:
            yield "the newest move of the log, and so the release, is signed by somebody of the allowed signers", True
    elif public is not None:
        yield f"whose key signed the package ({sha256(public)[:16]}…): compare it (--signed-by)", False
    log = certificate["log"]
    if anchors.since is None and anchors.signers is None:
        yield (
            "that the lake really has this log: whoever writes such a file can write another (--signed-by, --since)",
            False,
        )
    elif anchors.since is not None:
        yield _compared(files, log, *anchors.since)


def _compared(files: Mapping[str, bytes], log: Mapping[str, Any], number: int, expected: str) -> tuple[str, bool]:
    key = LATEST if number == log["head"] else f"lake/log-moves-{number:06}.json"
    if key not in files:
        return f"that this log continues the checkpoint: move {number} is not among those that are here", False
    if sha256(files[key]) == expected:
        return f"move {number} is that of the checkpoint", True
    renewed = _renewed(files, read_json(files[LATEST], LATEST))
    require(
        renewed.get(expected) == sha256(files[key]), f"move {number} is not that of the checkpoint: another history"
    )
    return f"move {number} is that of the checkpoint, written anew when somebody was erased", True


def _check_ssh(files: Mapping[str, bytes], certificate: Mapping[str, Any], signers: str) -> bool:
    """Whether ssh-keygen finds the newest move signed; Wrong where a signature is there that is not good."""
    head = files[LATEST]
    folder = f"lake/releases-{certificate['release']['version']}-"
    pairs = (
        (f"lake/log-signatures-{sha256(head)}.sig", head),
        (f"{folder}manifest.json.sig", files[f"{folder}manifest.json"]),
    )
    there = [(files[key], data) for key, data in pairs if key in files]
    if not there:
        return False
    program = shutil.which("ssh-keygen")
    if program is None:
        raise Wrong("ssh-keygen is not on this machine; install OpenSSH's client to check --signed-by")
    with tempfile.TemporaryDirectory() as folder_name:
        place, allowed = Path(folder_name) / "signature", Path(folder_name) / "signers"
        allowed.write_text(signers, "utf-8")
        for signature, data in there:
            place.write_bytes(signature)
            find = [program, "-Y", "find-principals", "-s", str(place), "-f", str(allowed)]
            names = _run(find, b"").stdout.decode("utf-8", "replace").splitlines()
            verify = [program, "-Y", "verify", "-n", "paperlake", "-f", str(allowed), "-s", str(place), "-I"]
            require(
                any(_run([*verify, name], data).returncode == 0 for name in names),
                "a signature of the lake is not good",
            )
    return pairs[0][0] in files


def _run(command: Sequence[str], given: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, input=given, capture_output=True, check=False, timeout=60)  # noqa: S603 - no shell


class Curve(NamedTuple):
    """An elliptic curve y² = x³ - 3x + b of NIST, with a point of order n; `head` begins a public key in DER."""

    p: int
    b: int
    n: int
    x: int
    y: int
    head: bytes


CURVES: Final = (
    Curve(
        2**256 - 2**224 + 2**192 + 2**96 - 1,
        0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
        0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
        bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004"),
    ),
    Curve(
        2**384 - 2**128 - 2**96 + 2**32 - 1,
        0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
        0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
        0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
        0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
        bytes.fromhex("3076301006072a8648ce3d020106052b8104002203620004"),
    ),
)
Point = tuple[int, int]


def check_ecdsa(signed: Mapping[str, Any]) -> bytes:
    """The public key that signed a package; Wrong where it did not."""
    allowed = {"hash", "created", "software", "version", "signature", "publicKey"}
    require(signed.keys() <= allowed, "the signature says more than one may say")
    try:
        public, signature = (
            base64.b64decode(get(signed, name, str), validate=True) for name in ("publicKey", "signature")
        )
    except ValueError as error:
        raise Wrong(f"the signature is no base64: {error}") from error
    require(
        is_signed(public, signature, get(signed, "hash", str).encode()),
        "the package was not signed by the key it names",
    )
    return public


def is_signed(public: bytes, signature: bytes, data: bytes) -> bool:
    """Whether the key signed the data by ECDSA with SHA-256; the signature is r and s, one after the other."""
    curve = next((one for one in CURVES if public.startswith(one.head)), None)
    size = (curve.p.bit_length() + 7) // 8 if curve else 0
    if curve is None or len(public) != len(curve.head) + 2 * size or len(signature) != 2 * size:
        return False
    x, y = (int.from_bytes(one, "big") for one in (public[-2 * size : -size], public[-size:]))
    r, s = (int.from_bytes(one, "big") for one in (signature[:size], signature[size:]))
    is_on_it = max(x, y) < curve.p and (y * y - x**3 + 3 * x - curve.b) % curve.p == 0
    if not (is_on_it and 0 < r < curve.n and 0 < s < curve.n):
        return False
    inverse, digest = pow(s, -1, curve.n), int(sha256(data), 16)
    found = _sum(curve, _times(curve, digest * inverse, (curve.x, curve.y)), _times(curve, r * inverse, (x, y)))
    return found is not None and found[0] % curve.n == r


def _sum(curve: Curve, one: Point | None, other: Point | None) -> Point | None:
    if one is None or other is None:
        return one or other
    if one[0] == other[0] and (one[1] + other[1]) % curve.p == 0:
        return None
    if one == other:
        slope = (3 * one[0] ** 2 - 3) * pow(2 * one[1], -1, curve.p)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, curve.p)
    x = (slope**2 - one[0] - other[0]) % curve.p
    return x, (slope * (one[0] - x) - one[1]) % curve.p


def _times(curve: Curve, count: int, point: Point) -> Point | None:
    found: Point | None = None
    power: Point | None = point
    count %= curve.n
    while count:
        found = _sum(curve, found, power) if count & 1 else found
        power, count = _sum(curve, power, power), count >> 1
    return found


SIGNER: Final = re.compile(
    r"""\s*(?:"[^"]*"|[^\s"#][^\s"]*)\s+(?:((?:[^\s"]|"[^"]*")+)\s+)?ecdsa-sha2-nistp(256|384)\s+([A-Za-z0-9+/=]+)"""
)
OPTION: Final = re.compile(r'([^=,"]+)(?:="([^"]*)")?(?:,|$)')
TIMES: Final = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}


def ecdsa_keys(signers: str, at: datetime) -> Iterator[bytes]:
    """The ECDSA keys of a file of allowed signers that sign for paperlake at this time, as DER has them."""
    for line in signers.split("\n"):
        if (found := SIGNER.match(line)) and _is_allowed(found[1] or "", at):
            curve = CURVES[found[2] == "384"]
            try:
                key = base64.b64decode(found[3] + "==")
            except ValueError as error:
                raise Wrong(f"a key of the allowed signers is no base64: {found[3]}") from error
            yield curve.head + key[-2 * ((curve.p.bit_length() + 7) // 8) :]


def _is_allowed(options: str, at: datetime) -> bool:
    """Whether a signer's options let the key sign for paperlake at this time; Wrong for one that is not known."""
    allowed, place = True, 0
    while place < len(options):
        option = OPTION.match(options, place)
        name = option[1].lower() if option else ""
        if option is None or name not in {"cert-authority", "namespaces", "valid-after", "valid-before"}:
            raise Wrong(f"the allowed signers have an option that this program does not know: {options[place:]}")
        given, place = option[2] or "", option.end()
        if name == "cert-authority":
            allowed = False
        elif name == "namespaces":
            named = [one for one in given.split(",") if fnmatchcase("paperlake", one.lstrip("!").replace("[", "[[]"))]
            allowed &= bool(named) and not any(one.startswith("!") for one in named)
        else:
            allowed &= _time(given) <= at if name == "valid-after" else at <= _time(given)
    return allowed


def _time(text: str) -> datetime:
    """A time as the allowed signers have it: of UTC with a Z, else of where this program runs."""
    plain = text.removesuffix("Z")
    try:
        found = datetime.strptime(plain, TIMES[len(plain)])  # noqa: DTZ007 - the zone is given in the next line
        return found.replace(tzinfo=UTC) if text.endswith("Z") else found.astimezone()
    except (KeyError, ValueError, OverflowError) as error:
        raise Wrong(f"the allowed signers have a time that is none: {text}") from error


def _signed_at(signed: Mapping[str, Any] | None) -> datetime:
    """When the package was signed, by its own word; now where it does not say."""
    if signed is None or "created" not in signed:
        return datetime.now(UTC)
    try:
        found = datetime.fromisoformat(get(signed, "created", str))
    except ValueError as error:
        raise Wrong(f"created of the signature is no time: {signed['created']}") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def main() -> int:
    """The command line of this file alone."""
    asked = argparse.ArgumentParser(description="Check evidence that paperlake made.")
    asked.add_argument("file", type=Path)
    asked.add_argument("--signed-by", type=Path, help="allowed signers, as ssh-keygen has them")
    asked.add_argument("--since", help="a checkpoint: a number, a colon and 64 hex digits")
    asked.add_argument("--roots", type=Path, help="the roots.json of the release, for a rank certificate")
    given = asked.parse_args()
    number, _, expected = (given.since or "").partition(":")
    anchors = Anchors(
        given.signed_by.read_text("utf-8") if given.signed_by else None,
        (int(number), expected) if number.isdecimal() else None,
        given.roots.read_bytes() if given.roots else None,
    )
    try:
        found = check(given.file.read_bytes(), anchors)
    except Wrong as wrong:
        sys.stderr.write(f"NOT GOOD: {wrong}\n".encode("ascii", "backslashreplace").decode())
        return 1
    sys.stdout.write(f"{found}".encode("ascii", "backslashreplace").decode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
