"""Evidence that somebody changed: the checker finds every change, also where all hashes were made to fit again.

A forger here knows the format, and makes every hash, index and page fit; the key of the publisher, and the checkpoint
that the reader holds, are not the forger's.
"""

import base64
import gzip
import io
import json
import sys
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from hashlib import sha1
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from paperlake.cli.app import app
from paperlake.evidence import check_evidence as checker
from paperlake.evidence.check_evidence import Anchors, Wrong, check
from paperlake.evidence.facts import claim_fact, count_fact, listing_fact, rank_certificate
from paperlake.evidence.package import signed
from tests.flows.evidence_source import DAY, PAPER, Source, made_ecdsa, unzipped
from tests.processes import finished
from warehouse.release.manifest import digest

pytestmark = pytest.mark.usefixtures("let_go")


class Forger:
    """The files of a package, which are changed; `sealed` makes all hashes fit again."""

    def __init__(self, data: bytes) -> None:
        self.files = unzipped(data)
        self.certificate = json.loads(self.files[checker.CERTIFICATE])
        self.version = self.certificate["release"]["version"]
        self.is_restated = True

    def value(self, column: str) -> dict[str, Any]:
        return next(one for one in self.certificate["values"] if one["column"] == column)

    @property
    def page(self) -> dict[str, Any]:
        return self.certificate["records"][0]

    def say(self, column: str, value: object) -> None:
        """Say another value wherever the evidence states it, in the row's key and the rank certificate too."""
        self.value(column)["value"] = value
        for told in (self.certificate["fact"]["key"], self.certificate["rank"] or {}):
            if column in told:
                told[column] = value

    def json_of(self, name: str) -> Any:
        return json.loads(self.files[name])

    def put_json(self, name: str, value: object) -> None:
        self.files[name] = json.dumps(value, indent=1).encode()

    def release_file(self, name: str) -> str:
        return f"lake/releases-{self.version}-{name}"

    def capture(self, change: Callable[[bytes], bytes], *, with_id: bool = False, head: Mapping[str, str] = {}) -> None:
        """Put another page in place of the captured one, with digests, places and index that fit."""
        members = list(checker.members_of(self.files[checker.WARC]))
        made = []
        for member in members[:2]:
            headers, block = dict(member.headers), member.block
            if member is members[1]:
                before, _, payload = block.partition(b"\r\n\r\n")
                payload = change(payload)
                block = before + b"\r\n\r\n" + payload
                headers |= {"warc-payload-digest": f"sha256:{digest(payload)}", **head}
                self.page.update(payload_sha256=digest(payload), payload_bytes=len(payload))
            headers |= {"content-length": str(len(block))}
            headers["warc-block-digest"] = "sha1:" + base64.b32encode(sha1(block).digest()).decode()
            made.append(packed_record(headers, block))
        self.page["record"] = {"offset": len(made[0]), "length": len(made[1]), "sha256": digest(made[1])}
        if with_id:
            facts = "\n".join(
                [self.page["url"], self.page["fetched_at"].removesuffix("Z"), self.page["payload_sha256"]]
            )
            self.rename(digest(facts.encode())[:20])
        self.files[checker.WARC] = b"".join(made)

    def rename(self, name: str) -> None:
        before = self.page["capture_id"]
        for one in (*self.certificate["values"], self.page):
            if one.get("capture_id") == before:
                one["capture_id"] = name

    def restate(self) -> None:
        """Make title, pages, our views and the index of all that the certificate now says."""
        self.certificate["statement"] = checker.statement_of(self.certificate)
        captured = [
            one
            for one in checker.members_of(self.files[checker.WARC])
            if not checker._target(one).startswith(checker.VIEW)
        ]
        warc = b"".join(self.files[checker.WARC][one.offset :][: one.length] for one in captured)
        for record in checker.viewed(self.certificate):
            block = checker.view_page(self.certificate, record)
            headers = {"warc-type": "resource", "warc-target-uri": checker.VIEW + record["capture_id"]}
            headers |= {"warc-date": checker.stamp_of(record), "content-type": "text/html"}
            headers |= {"warc-payload-digest": f"sha256:{digest(block)}", "content-length": str(len(block))}
            warc += packed_record(headers, block)
        self.files[checker.WARC] = warc
        self.files[checker.PAGES] = checker.pages_of(self.certificate)
        self.index(sorted(checker.index_line(one) for one in checker.members_of(warc) if one.offset))

    def index(self, lines: list[str]) -> None:
        data = gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0)
        self.files[checker.INDEX] = data
        head, first = self.files[checker.INDEX_OF_INDEX].decode().splitlines()
        place = json.loads(first[first.index("{") :]) | {"length": len(data), "digest": f"sha256:{digest(data)}"}
        begin = " ".join([*lines[0].split(" ", 2)[:2], json.dumps(place)])
        self.files[checker.INDEX_OF_INDEX] = f"{head}\n{begin}\n".encode()

    def head(self, change: Mapping[str, Any]) -> None:
        """Another newest move, which the certificate names."""
        self.put_json(checker.LATEST, self.json_of(checker.LATEST) | change)
        self.certificate["log"] |= {"head_sha256": digest(self.files[checker.LATEST])}
        self.certificate["log"]["head"] = self.json_of(checker.LATEST)["number"]

    def move(self, change: Mapping[str, Any]) -> None:
        """Another move of the release, which the newest one follows."""
        key = "lake/log-moves-000001.json"
        self.put_json(key, self.json_of(key) | change)
        self.head({"previous_sha256": digest(self.files[key])})

    def manifest(self, change: Mapping[str, Any]) -> None:
        """Another manifest, which move and certificate name."""
        key = self.release_file("manifest.json")
        self.put_json(key, self.json_of(key) | change)
        self.certificate["release"]["manifest_sha256"] = digest(self.files[key])
        self.move({"manifest_sha256": digest(self.files[key])})

    def roots(self, root: str) -> None:
        """Another root of the day, which the manifest lists."""
        key = self.release_file("roots.json")
        document = self.json_of(key)
        document["daily_lists"][DAY]["root"] = root
        self.put_json(key, document)
        listed = self.json_of(self.release_file("manifest.json"))["files"]
        for one in listed:
            if one["key"] == "roots.json":
                one.update(sha256=digest(self.files[key]), bytes=len(self.files[key]))
        self.manifest({"files": listed})

    def sealed(self, key: Path | None = None) -> bytes:
        if self.is_restated:
            self.restate()
        self.put_json(checker.CERTIFICATE, self.certificate)
        described = checker.package_of(self.certificate, self.files, "2026-11-26T12:00:00Z", "paperlake 0.2.0")
        self.put_json(checker.PACKAGE, described)
        stated = f"sha256:{digest(self.files[checker.PACKAGE])}"
        signature = {}
        if key is not None:
            public, made = signed(key, stated.encode())
            told = {"hash": stated, "created": "2026-11-26T12:00:00Z", "software": "paperlake", "version": "0.2.0"}
            told |= {"signature": base64.b64encode(made).decode(), "publicKey": base64.b64encode(public).decode()}
            signature = {"signedData": told}
        self.put_json(checker.DIGEST, {"path": checker.PACKAGE, "hash": stated, **signature})
        return zipped(self.files)


def packed_record(headers: Mapping[str, str], block: bytes) -> bytes:
    head = "WARC/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    stream = zlib.compressobj(6, zlib.DEFLATED, 31)
    return stream.compress(head.encode() + b"\r\n" + block + b"\r\n\r\n") + stream.flush()


def zipped(files: Mapping[str, bytes], *, comment: bytes = b"", extra: bytes = b"") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as package:
        package.comment = comment
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.extra = extra
            package.writestr(entry, data)
    return made.getvalue()


def drop(name: str) -> Callable[[Forger], None]:
    def change(forger: Forger) -> None:
        del forger.files[name]

    return change


def raw(forger: Forger, name: str, data: bytes) -> None:
    forger.files[name] = data
    forger.is_restated = False


def more_votes(payload: bytes) -> bytes:
    return payload.replace(b'"upvotes": 119', b'"upvotes": 919')


def forge_page(forger: Forger, *, with_id: bool) -> None:
    forger.capture(more_votes, with_id=with_id)
    forger.say("upvote_count", 919)


def index_lines(forger: Forger, change: Callable[[list[str]], list[str]]) -> None:
    forger.restate()
    forger.is_restated = False
    forger.index(change(gzip.decompress(forger.files[checker.INDEX]).decode().splitlines()))


def in_view(forger: Forger, before: bytes, after: bytes) -> None:
    """Change our view of the page, in the WARC alone."""
    members = list(checker.members_of(forger.files[checker.WARC]))
    headers, block = dict(members[-1].headers), members[-1].block.replace(before, after)
    headers |= {"content-length": str(len(block)), "warc-payload-digest": f"sha256:{digest(block)}"}
    headers["warc-block-digest"] = "sha1:" + base64.b32encode(sha1(block).digest()).decode()
    raw(forger, checker.WARC, forger.files[checker.WARC][: members[-1].offset] + packed_record(headers, block))
    forger.index(
        sorted(checker.index_line(one) for one in checker.members_of(forger.files[checker.WARC]) if one.offset)
    )


def computed(forger: Forger, column: str, value: object) -> None:
    forger.say(column, value)
    one = forger.value(column)
    one.update(rule="computed", how="by us")
    for name in ("position", "source", "start", "end"):
        one.pop(name, None)


def without_roots(forger: Forger) -> None:
    """Say that the release is too old for roots, so that nothing of the rank need be proved."""
    listed = [
        one for one in forger.json_of(forger.release_file("manifest.json"))["files"] if one["key"] != "roots.json"
    ]
    del forger.files[forger.release_file("roots.json")]
    forger.manifest({"files": listed})
    forger.certificate["rank"] = forger.page["proof"] = None
    computed(forger, "rank", 7)


# What is changed in evidence of a place on a list, all hashes made to fit; the reader holds a checkpoint alone
FORGED: Mapping[str, Callable[[Forger], object]] = {
    "record: another count": lambda it: forge_page(it, with_id=False),
    "record: another count, and the id that follows": lambda it: forge_page(it, with_id=True),
    "record: another count, with the note of an erasure": lambda it: (
        it.capture(more_votes, head={"paperlake-erased": f"{it.page['capture_id']} 2026-11-26 rule"}),
        it.page.update(erased=f"{it.page['capture_id']} 2026-11-26 rule"),
        it.say("upvote_count", 919),
    ),
    "record: the note of an erasure in the certificate": lambda it: it.page.update(erased=f"{it.page['capture_id']} x"),
    "record: another time in the certificate": lambda it: it.page.update(fetched_at="2026-04-08T09:05:00Z"),
    "record: another address": lambda it: it.page.update(url="https://hub.example/api/daily_papers?date=2026-04-06"),
    "record: another status": lambda it: it.page.update(http_status=404),
    "record: another type": lambda it: it.page.update(content_type="text/html"),
    "record: another size": lambda it: it.page.update(payload_bytes=1),
    "record: cut": lambda it: raw(it, checker.WARC, it.files[checker.WARC][:-7]),
    "record: twice": lambda it: raw(it, checker.WARC, it.files[checker.WARC] * 2),
    "record: another place": lambda it: it.page["record"].update(offset=0),
    "record: none": lambda it: it.certificate.update(records=[]),
    "index: a line less": lambda it: index_lines(it, lambda lines: lines[1:]),
    "index: another offset": lambda it: index_lines(
        it, lambda lines: [lines[0].replace('"offset": "', '"offset": "1'), *lines[1:]]
    ),
    "index: no index": lambda it: raw(it, checker.INDEX, b"none"),
    "index: of the index": lambda it: raw(it, checker.INDEX_OF_INDEX, b"!meta 0 {}\n"),
    "page: another number shown": lambda it: in_view(it, b"<td>119</td>", b"<td>919</td>"),
    "page: one more": lambda it: raw(it, checker.PAGES, it.files[checker.PAGES] + b'{"url": "https://x", "ts": ""}\n'),
    "certificate: another count": lambda it: it.say("upvote_count", 919),
    "certificate: another count, said to be computed": lambda it: computed(it, "upvote_count", 919),
    "certificate: another place": lambda it: it.say("rank", 2),
    "certificate: another paper": lambda it: it.say("paper_id", "2604.00001"),
    "certificate: another day": lambda it: it.say("listed_on", "2026-04-06"),
    "certificate: another statement": lambda it: (it.certificate.update(statement="x"), raw(it, "x", b"")),
    "certificate: another item": lambda it: it.value("upvote_count").update(position=2),
    "certificate: another key of the item": lambda it: it.value("upvote_count").update(source="numComments"),
    "certificate: another rule": lambda it: it.value("rank").update(rule="fetched"),
    "certificate: a rule that is none": lambda it: it.value("rank").update(rule="trust me"),
    "certificate: of another row": lambda it: it.certificate["fact"]["key"].update(paper_id="2604.00001"),
    "certificate: no layout": lambda it: (it.page.update(layout=None), computed(it, "upvote_count", 919)),
    "certificate: another release": lambda it: it.certificate["release"].update(version="2026.11.21.9"),
    "certificate: another code": lambda it: it.certificate["release"].update(code_sha256="0" * 64),
    "certificate: another file": lambda it: it.certificate["tables"][0].update(sha256="0" * 64),
    "certificate: another proof": lambda it: it.page["proof"].update(index=0),
    "certificate: no proof": lambda it: it.page.update(proof=None),
    "certificate: a value twice": lambda it: it.certificate["values"].append(it.value("rank")),
    "certificate: a field more": lambda it: it.certificate.update(note="signed by the Hub"),
    "certificate: a field more of a page": lambda it: it.page.update(note="signed by the Hub"),
    "certificate: another way to check it": lambda it: it.certificate["how_to_check"].append("Ask x.example"),
    "certificate: values of no type": lambda it: it.certificate.update(values={"rank": 1}),
    "log: another reason": lambda it: it.move({"why": "something else"}),
    "log: another manifest": lambda it: it.manifest({"capture_count": 1}),
    "log: a gap": lambda it: it.head({"number": 3}),
    "log: another move": lambda it: it.certificate["log"].update(move=2),
    "log: another time": lambda it: it.certificate["log"].update(moved_at="2026-11-20T06:00:00Z"),
    "log: one move more": lambda it: it.files.update({"lake/log-moves-000007.json": b"{}"}),
    "rank: another place": lambda it: it.certificate["rank"].update(rank=2),
    "rank: another count": lambda it: it.certificate["rank"].update(upvote_count=919),
    "rank: another leaf": lambda it: it.certificate["rank"].update(index=3),
    "rank: another tree": lambda it: it.certificate["rank"].update(papers=8),
    "rank: a step less": lambda it: it.certificate["rank"]["path"].pop(),
    "rank: a step more": lambda it: it.certificate["rank"]["path"].append("0" * 64),
    "rank: another root in the release": lambda it: it.roots("0" * 64),
    "rank: no roots": without_roots,
}


@pytest.fixture(scope="module")
def placed(source: Source) -> bytes:
    return source.package(listing_fact(source.database, PAPER, DAY), is_signed=False)


@pytest.fixture
def checkpoint(source: Source) -> Anchors:
    return Anchors(since=source.anchors.since)


def test_the_forger_changes_nothing_but_what_is_asked(placed: bytes, checkpoint: Anchors) -> None:
    forger = Forger(placed)
    forger.capture(bytes)
    assert check(forger.sealed(), checkpoint).statement == check(placed).statement


@pytest.mark.parametrize("name", FORGED)
def test_a_change_to_which_all_hashes_fit_is_found(placed: bytes, checkpoint: Anchors, name: str) -> None:
    forger = Forger(placed)
    FORGED[name](forger)
    with pytest.raises(Wrong):
        check(forger.sealed(), checkpoint)


def test_another_key_is_found(source: Source, tmp_path: Path) -> None:
    """Of the package, its signature, and the signatures of the lake; the reader has the signers alone."""
    fact = listing_fact(source.database, PAPER, DAY)
    data, anchors = source.package(fact), Anchors(source.anchors.signers)
    own, other = Forger(data), Forger(data)
    assert check(own.sealed(source.key), anchors)
    changes: list[Callable[[dict[str, Any]], object]] = [
        lambda digests: digests.pop("signedData"),
        lambda digests: digests["signedData"].update(signature=base64.b64encode(bytes(96)).decode()),
        lambda digests: digests["signedData"].update(signature="AAAA"),
        lambda digests: digests["signedData"].update(signature="no base64 *"),
        lambda digests: digests["signedData"].update(publicKey=base64.b64encode(bytes(120)).decode()),
        lambda digests: digests["signedData"].update(hash="sha256:0"),
        lambda digests: digests["signedData"].update(domain="huggingface.co"),
        lambda digests: digests.update(signedData=7),
    ]
    forged = [other.sealed(made_ecdsa(tmp_path / "other"))]
    for change in changes:
        forger = Forger(data)
        forger.sealed(source.key)
        digests = forger.json_of(checker.DIGEST)
        change(digests)
        forger.put_json(checker.DIGEST, digests)
        forged.append(zipped(forger.files))
    for name in [one for one in own.files if one.endswith(".sig")]:
        forger = Forger(data)
        forger.files[name] = forger.files[name].replace(b"A", b"B", 1)
        forged.append(forger.sealed(source.key))
    assert len(forged) >= 10
    for one in forged:
        with pytest.raises(Wrong):
            check(one, anchors)


@pytest.fixture(scope="module")
def signed_alone(source: Source) -> bytes:
    """A package that is signed, without the signatures of the lake."""
    without = Forger(source.package(listing_fact(source.database, PAPER, DAY)))
    without.files = {name: one for name, one in without.files.items() if not name.endswith(".sig")}
    return without.sealed(source.key)


@pytest.mark.parametrize(
    ("before", "is_trusted"),
    [
        ("a@x ", True),
        ('"a@x b@x" ', True),
        ('a@x namespaces="git,paper*" ', True),
        ('a@x namespaces="paperlake",valid-after="20260101Z",valid-before="20270101000000Z" ', True),
        ("#a@x ", False),
        ("  # a@x ", False),
        ("# old\u2028a@x ", False),
        ("", False),
        ("a@x cert-authority ", False),
        ('a@x namespaces="git" ', False),
        ('a@x namespaces="*,!paperlake" ', False),
        ('a@x valid-before="20261125" ', False),
        ('a@x Valid-After="202612010000Z" ', False),
    ],
)
def test_a_key_counts_as_its_line_says(source: Source, signed_alone: bytes, before: str, is_trusted: bool) -> None:
    """In a file of allowed signers; the package was signed on 2026-11-26."""
    signers = before + source.key.with_suffix(".pub").read_text()
    if is_trusted:
        assert "signed by a key of the allowed signers" in str(check(signed_alone, Anchors(signers)))
    else:
        with pytest.raises(Wrong, match="nothing in the package is signed by anybody of the allowed signers"):
            check(signed_alone, Anchors(signers))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("no-touch-required", "does not know: no-touch-required"),
        ('namespaces="paperlake",until="2027"', 'does not know: until="2027"'),
        ('valid-before="soon"', "a time that is none: soon"),
    ],
)
def test_an_option_of_a_signer_that_is_not_known_is_named(options: str, words: str) -> None:
    with pytest.raises(Wrong, match=words):
        list(checker.ecdsa_keys(f"a@x {options} ecdsa-sha2-nistp256 AAAA", datetime.now(UTC)))


def test_no_text_of_a_file_steers_a_terminal_or_adds_a_line(source: Source, tmp_path: Path) -> None:
    """Of a certificate that is good, and of one that is not."""
    day = rank_certificate(source.release, PAPER, date.fromisoformat(DAY))
    hostile = "x\n\nIt proves:\n  * \x1b[32msigned\x1b[0m\u2028\u202e\udc9b"
    good = day | {"paper_id": hostile, "path": [], "papers": 1, "index": 0}
    names = ("listed_on", "paper_id", "rank", "upvote_count", "observed_at")
    leaf = json.dumps([good[name] for name in names], separators=(",", ":")).encode()
    good["root"] = digest(b"\x00" + leaf)
    file = tmp_path / "rank.json"
    for one in (good, good | {"format": hostile, "listed_on": hostile}, good | {"path": [hostile]}):
        file.write_text(json.dumps(one))
        done = finished(sys.executable, checker.__file__, file)
        told = CliRunner().invoke(app, ["evidence", "check", str(file)])
        for text in (done.stdout + done.stderr, told.stdout + str(told.exception or "")):
            assert text
            assert text.replace("\n", "").isprintable()
            assert text.count("\nIt proves:") == (one is good)


def test_how_many_papers_a_list_has_is_proved_by_the_roots_alone(source: Source) -> None:
    """Trees of five to eight leaves lead from the first one to the same root."""
    day = rank_certificate(source.release, PAPER, date.fromisoformat(DAY))
    for papers in {5, 6, 7, 8} - {day["papers"]}:
        found = check(json.dumps(day | {"papers": papers}).encode(), Anchors())
        assert not any(f"{papers} papers" in line for line in found.proved)


def test_a_count_and_a_sentence_cannot_be_said_to_be_computed(source: Source, checkpoint: Anchors) -> None:
    [claim] = list(source.database.rows("SELECT paper_id, position FROM paper_claims ORDER BY ALL LIMIT 1").rows)
    facts = {
        "upvote_count": (count_fact(source.database, PAPER, "2026-04-08T12:00"), 919),
        "sentence": (claim_fact(source.database, *claim), "It is twice as fast."),
    }
    for column, (fact, value) in facts.items():
        forger = Forger(source.package(fact, is_signed=False))
        computed(forger, column, value)
        with pytest.raises(Wrong, match=f"the page does not say that {column} is {value}"):
            check(forger.sealed(), checkpoint)


@pytest.mark.parametrize("name", ["description", "home", "created", "modified", "software", "note"])
def test_the_data_package_says_what_follows(placed: bytes, name: str) -> None:
    """Also what a replayer opens first."""
    forger = Forger(placed)
    forger.put_json(checker.PACKAGE, forger.json_of(checker.PACKAGE) | {name: {"url": "https://x.example", "ts": ""}})
    with pytest.raises(Wrong):
        check(sealed_as_it_is(forger))


def test_every_file_is_needed_and_every_byte_of_it(placed: bytes) -> None:
    for name in unzipped(placed):
        for change in (drop(name), lambda it, name=name: raw(it, name, it.files[name] + b"x")):
            forger = Forger(placed)
            change(forger)
            with pytest.raises(Wrong):
                check(zipped(forger.files))


def test_nothing_hides_in_the_zip_file(placed: bytes) -> None:
    files, made = unzipped(placed), Forger(placed)
    made.files["pages/more.jsonl"] = b"{}"
    forged = [
        made.sealed(),
        zipped(files, comment=b"hidden"),
        zipped(files, extra=b"\x99\x99\x04\x00abcd"),
        zipped(files | {"more": b""}),
        b"PK\x03\x04" + placed,
        placed + b"more",
        placed[:-30],
        b"PK",
        b"{}",
        b"",
        b"[" * 100_000,
    ]
    for data in forged:
        with pytest.raises(Wrong):
            check(data)


def test_what_is_unpacked_has_a_limit(placed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a file of the package, of the index, and of all records of the archive together."""
    zeros = bytes(64 << 20)
    many = Forger(placed)
    many.files[checker.WARC] += packed_record({"content-length": "900000"}, bytes(900_000)) * 6
    index = Forger(placed)
    index.restate()
    raw(index, checker.INDEX, gzip.compress(zeros))
    less = bytearray(packed_entry(zeros, zipfile.ZIP_DEFLATED))
    for place in (22, less.rfind(b"PK\x01\x02") + 24):  # the size that is stated
        less[place : place + 4] = (100).to_bytes(4, "little")
    cases = [
        (packed_entry(b"x", zipfile.ZIP_BZIP2), "a is packed in an unusual way"),
        (packed_entry(b"x", zipfile.ZIP_LZMA), "a is packed in an unusual way|has hidden fields"),
        (bytes(less), "cannot be unpacked"),
        (index.sealed(), "cdx.gz is not the index"),
        (sealed_as_it_is(many), "is too large, at byte"),
    ]
    monkeypatch.setattr(checker, "LIMIT", 5_000_000)
    for data, words in cases:
        tracemalloc.start()
        with pytest.raises(Wrong, match=words):
            check(data)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000, words
        tracemalloc.stop()


def packed_entry(data: bytes, kind: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as package:
        package.writestr(zipfile.ZipInfo("a"), data, compress_type=kind)
    return made.getvalue()


@pytest.mark.parametrize("url", ["http://[x/", "http://a:b/", "http://a:99999/"])
def test_an_address_that_is_none_has_a_place_in_the_index(placed: bytes, url: str) -> None:
    """The key is the whole address, and the checker goes on to what else is wrong."""
    forger = Forger(placed)
    forger.capture(bytes, head={"warc-target-uri": url})
    forger.page.update(url=url)
    with pytest.raises(Wrong, match="is another page: its id does not follow"):
        check(forger.sealed())
    assert checker.url_key(url) == url
    assert checker.url_key("http://x/\udcff") == "x)/%FF", "a byte that is no UTF-8"


def test_single_changed_bytes_are_found_or_change_nothing_that_is_said(placed: bytes, checkpoint: Anchors) -> None:
    """Of the zip file itself a few fields, as the time of a file, say nothing."""
    said, places = check(placed, checkpoint), range(0, len(placed), 211)
    found = 0
    for place in places:
        data = bytearray(placed)
        data[place] ^= 0x20
        try:
            assert check(bytes(data), checkpoint) == said
        except Wrong:
            found += 1
    assert found > len(places) * 0.95


def test_no_shape_of_a_document_breaks_the_checker(placed: bytes, checkpoint: Anchors) -> None:
    """Any value of any document of another type: it is no good evidence, or proves the same or less; never a traceback."""
    said = check(placed, checkpoint)
    names = [name for name in unzipped(placed) if name.endswith(".json") and "manifest" not in name]
    names.remove(checker.DIGEST)
    tried, junk = 0, cycle(([], "x", 7))
    for name in names:
        for path in list(paths_in(json.loads(unzipped(placed)[name])))[:150]:
            forger = Forger(placed)
            document = forger.json_of(name)
            put_at(document, path, next(junk))
            forger.put_json(name, document)
            try:
                found = check(sealed_as_it_is(forger), checkpoint)
            except Wrong:
                tried += 1
                continue
            assert found.statement == said.statement
            assert set(found.proved) <= set(said.proved)
    assert tried > 170


def paths_in(document: Any, path: tuple[Any, ...] = ()) -> Any:
    """The places of all values in a document, itself the first."""
    yield path
    named = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for name, value in named:
        yield from paths_in(value, (*path, name))


def put_at(document: Any, path: tuple[Any, ...], value: object) -> None:
    if not path:
        document.clear()
        return
    *above, last = path
    for name in above:
        document = document[name]
    document[last] = value


def sealed_as_it_is(forger: Forger) -> bytes:
    """The package with fitting hashes, of whatever documents it has."""
    package = forger.json_of(checker.PACKAGE)
    listed = package.get("resources")
    for one in listed if isinstance(listed, list) else ():
        name = one.get("path") if isinstance(one, dict) else None
        if isinstance(name, str) and name in forger.files:
            one.update(hash=f"sha256:{digest(forger.files[name])}", bytes=len(forger.files[name]))
    forger.put_json(checker.PACKAGE, package)
    forger.put_json(
        checker.DIGEST, {"path": checker.PACKAGE, "hash": f"sha256:{digest(forger.files[checker.PACKAGE])}"}
    )
    return zipped(forger.files)
