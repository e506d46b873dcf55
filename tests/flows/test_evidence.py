"""Evidence: made of facts of all kinds, read by other tools, checked by code that knows nothing of paperlake."""

import ast
import gzip
import io
import json
import shutil
import sys
import zipfile
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator

from flows.documents.roots import ROOTS, rank_rows, roots
from flows.runtime.lake import database_at, open_lake
from paperlake.cli.app import app
from paperlake.evidence import check_evidence
from paperlake.evidence.check_evidence import Anchors, Findings, Wrong, check, check_rank
from paperlake.evidence.facts import Fact, claim_fact, count_fact, listing_fact, rank_certificate, row_fact
from paperlake.evidence.package import evidence_package
from tests.flows import steps
from tests.flows.evidence_source import DAY, NOW, PAPER, Source, made_ecdsa, unzipped
from tests.flows.test_signing import made_key, signers
from tests.processes import finished
from warehouse.archive.captured import Limits
from warehouse.archive.folder_import import captures_from
from warehouse.archive.index import url_key
from warehouse.errors import Damaged, NothingThere, UsageError
from warehouse.release.chain import read_chain
from warehouse.release.latest import release_key, require_latest
from warehouse.release.manifest import Parent, digest
from warehouse.release.moves import published as published_release
from warehouse.release.query import Database, opened
from warehouse.release.snapshot import open_snapshot
from warehouse.schema.core.sightings import SIGHTINGS


def rows(database: Database, sql: str) -> list[tuple]:
    return list(database.rows(sql).rows)


def facts_of(database: Database) -> list[Fact]:
    """Facts of all kinds: places, counts, claims, and rows of every table that names the page of a row."""
    listed = rows(database, "SELECT paper_id, listed_on::VARCHAR FROM daily_listings ORDER BY hash(paper_id) LIMIT 4")
    seen = rows(
        database, "SELECT paper_id, observed_at::VARCHAR FROM paper_observations ORDER BY hash(paper_id) LIMIT 3"
    )
    claims = rows(database, "SELECT paper_id, position FROM paper_claims ORDER BY hash(paper_id) LIMIT 3")
    made = [listing_fact(database, *one) for one in listed] + [count_fact(database, *one) for one in seen]
    made += [claim_fact(database, *one) for one in claims]
    for table in (
        "captures",
        "coverage",
        "list_appearances",
        "organizations",
        "paper_aliases",
        "paper_authors",
        "paper_keywords",
        "paper_links",
        "paper_systems",
        "paper_texts",
        "paper_versions",
        "papers",
        "quarantine",
        "sightings",
    ):
        key = rows(database, f"SELECT * FROM (DESCRIBE core.{table})") and row_keys(database, table)[:1]
        made += [row_fact(database, table, one) for one in key]
    return made


def row_keys(database: Database, table: str) -> list[dict[str, str]]:
    from paperlake.evidence.facts import TABLES

    names = ", ".join(f"{name}::VARCHAR AS {name}" for name in TABLES[table].key)
    found = database.rows(
        f"SELECT {names} FROM core.{table} WHERE capture_id IS NOT NULL ORDER BY hash({names.split('::')[0]}) LIMIT 2"
    )
    return list(found.dicts())


def proved(found: Findings) -> str:
    return "\n".join(found.proved)


def test_facts_of_all_kinds_are_proved_and_small(source: Source) -> None:
    facts = facts_of(source.database)
    assert len(facts) == 24
    for fact in facts:
        data = source.package(fact, is_signed=False)
        found = check(data, Anchors(since=source.anchors.since))
        assert len(data) < 90_000
        assert f"release {source.release.of.version} was made of page" in proved(found)
        assert any("the Hub gave this answer" in line for line in found.not_proved)


def test_a_package_is_signed_and_the_same_each_time(source: Source) -> None:
    fact = listing_fact(source.database, PAPER, DAY)
    data = source.package(fact)
    assert "is signed by a key of the allowed signers" in proved(check(data, source.anchors))
    assert data == source.package(fact), "the same fact, moment and key give the same bytes"
    assert len(data) - len(source.package(fact, is_signed=False)) < 10_000


def test_numbers_are_read_again_in_the_bytes(source: Source) -> None:
    """Of a page of the API each number has its place; a saved text has none, and its numbers are said to be ours."""
    found = check(source.package(listing_fact(source.database, PAPER, DAY)), source.anchors)
    assert found.statement == (
        f"Paper {PAPER} was number 1 on the daily list of {DAY}, with 119 upvotes, seen at 2026-04-08T08:05:00Z"
    )
    for line in ("rank is 1: place 1 on the page", "upvote_count is 119: as it stands at paper.upvotes"):
        assert line in proved(found)
    assert f"has this place and these upvotes on the list of {DAY} (Merkle proof)" in proved(found)
    sentence = check(
        source.package(
            claim_fact(source.database, *rows(source.database, "SELECT paper_id, position FROM paper_claims")[0])
        )
    )
    assert "sentence is " in proved(sentence)
    assert "of the text at paper.summary" in proved(sentence)
    [(capture_id, position)] = rows(
        source.database,
        "SELECT capture_id, position FROM sightings JOIN captures USING (capture_id) WHERE reader = 'text_list' LIMIT 1",
    )
    saved = check(
        source.package(row_fact(source.database, "sightings", {"capture_id": capture_id, "position": str(position)}))
    )
    assert "stands in the text of the page" in proved(saved)
    assert any(line.startswith("that upvote_count is") for line in saved.not_proved)


def test_other_tools_read_it(source: Source) -> None:
    """warcio finds every record sound, at the places of an index whose keys are those of web archives."""
    files = unzipped(source.package(listing_fact(source.database, PAPER, DAY)))
    warc = files[check_evidence.WARC]
    lines = gzip.decompress(files[check_evidence.INDEX]).decode().splitlines()
    indexed = [(line.split(" ")[0], json.loads(line.split(" ", 2)[2])) for line in lines]
    assert lines == sorted(lines)
    shown = {}
    for key, entry in indexed:
        assert key == url_key(entry["url"])
        member = warc[int(entry["offset"]) :][: int(entry["length"])]
        record = next(iter(ArchiveIterator(io.BytesIO(member), check_digests="raise")))
        assert record.rec_headers.get_header("WARC-Target-URI") == entry["url"]
        shown[entry["url"]] = (record.rec_type, record.content_stream().read())
    page = next(url for url in shown if url.startswith("https:"))
    assert shown[page][0] == "response"
    assert json.loads(shown[page][1])[0]["paper"]["upvotes"] == 119
    kind, view = shown[next(url for url in shown if url.startswith("urn:paperlake:view:"))]
    assert kind == "resource"
    assert b"<td>119</td>" in view
    assert b"made by paperlake, and not captured" in view
    assert len(list(ArchiveIterator(io.BytesIO(warc)))) == 3, "warcinfo, the page, ours of it, and nothing more"


def test_its_pages_can_be_landed_without_ours(source: Source, tmp_path: Path) -> None:
    (file := tmp_path / "evidence.wacz").write_bytes(source.package(listing_fact(source.database, PAPER, DAY)))
    page, notice = captures_from([file], Limits())
    [certified] = json.loads(unzipped(file.read_bytes())[check_evidence.CERTIFICATE])["records"]
    assert (page.capture_id, page.url) == (certified["capture_id"], certified["url"])
    assert "1 record without a page (1 view)" in notice.text


def test_it_has_the_form_of_a_wacz(source: Source) -> None:
    """With the profile, the folders and the depth of files that ReplayWeb.page 2.5.3 and py-wacz 0.6.0 take."""
    import frictionless

    data = source.package(listing_fact(source.database, PAPER, DAY))
    files = unzipped(data)
    assert frictionless.Package.validate_descriptor(json.loads(files["datapackage.json"])).valid
    package, signed = json.loads(files["datapackage.json"]), json.loads(files["datapackage-digest.json"])
    assert (package["profile"], package["wacz_version"]) == ("data-package", "1.1.1")
    assert {one["path"] for one in package["resources"]} == files.keys() - {
        "datapackage.json",
        "datapackage-digest.json",
    }
    assert {len(name.split("/")) for name in files.keys() - {"datapackage.json", "datapackage-digest.json"}} == {2}
    head, *pages = map(json.loads, files["pages/pages.jsonl"].splitlines())
    assert head == {"format": "json-pages-1.0", "id": "pages", "title": "Pages"}
    assert package["home"] == {"url": pages[0]["url"], "ts": pages[0]["ts"]}
    assert signed.keys() == {"path", "hash", "signedData"}
    assert signed["signedData"].keys() == {"hash", "created", "software", "version", "signature", "publicKey"}
    with zipfile.ZipFile(io.BytesIO(data)) as opened_zip:
        stored = {one.filename for one in opened_zip.infolist() if one.compress_type == zipfile.ZIP_STORED}
    assert {"archive/evidence.warc.gz", "indexes/index.cdx.gz"} <= stored


@pytest.mark.parametrize("bits", ["256", "384"])
def test_another_implementation_agrees_on_signatures(tmp_path: Path, bits: str) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    from paperlake.evidence.package import signed

    key = tmp_path / "key"
    made_ecdsa(key, bits)
    public, signature = signed(key, b"sha256:abc")
    assert public in set(check_evidence.ecdsa_keys(signers(key).read_text(), datetime.now(UTC)))
    half = len(signature) // 2
    broken = [bytes(one ^ (at == place) for at, one in enumerate(signature)) for place in range(0, len(signature), 21)]
    for made in (signature, *broken):
        r, s = (int.from_bytes(one, "big") for one in (made[:half], made[half:]))
        theirs = load_der_public_key(public)
        try:
            theirs.verify(utils.encode_dss_signature(r, s), b"sha256:abc", ec.ECDSA(hashes.SHA256()))
            agreed = True
        except InvalidSignature:
            agreed = False
        assert check_evidence.is_signed(public, made, b"sha256:abc") is agreed is (made == signature)
    assert not check_evidence.is_signed(public, signature, b"sha256:abd")


def test_the_checker_stands_alone(source: Source, tmp_path: Path) -> None:
    """It imports the standard library alone, and runs where nothing else is installed."""
    own = Path(check_evidence.__file__)
    named = {
        (node.module or "").split(".")[0] if isinstance(node, ast.ImportFrom) else node.names[0].name.split(".")[0]
        for node in ast.walk(ast.parse(own.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert named - {"__future__"} <= sys.stdlib_module_names
    program, file = shutil.copy(own, tmp_path / "alone.py"), tmp_path / "fact.wacz"
    file.write_bytes(source.package(listing_fact(source.database, PAPER, DAY)))
    number, sha256 = source.anchors.since or (0, "")
    given = ["--signed-by", str(signers(source.key)), "--since", f"{number}:{sha256}"]
    command = [sys.executable, "-I", "-S", str(program), str(file)]
    done = finished(*command, *given, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"move {number} is that of the checkpoint" in done.stdout
    file.write_bytes(file.read_bytes()[:-9])
    done = finished(*command, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("NOT GOOD: the package cannot be unpacked")


def test_where_the_checker_looks_is_what_the_columns_declare() -> None:
    for column, sources in check_evidence.SOURCES.items():
        if column in SIGHTINGS.column_names and column != "paper_id":
            declared = [one.replace("numTotal", "paper.numTotal") for one in SIGHTINGS.column(column).sources]
            assert set(sources) <= set(declared), column


@pytest.mark.parametrize(
    ("count", "told"), [(1, "with 1 upvote, "), (0, "with 0 upvotes, "), (None, "upvotes unknown, ")]
)
def test_upvotes_are_counted_in_words(count: int | None, told: str) -> None:
    fact = {"kind": "listing", "key": {"paper_id": PAPER, "listed_on": DAY}}
    values = [{"column": "rank", "value": 1}, {"column": "upvote_count", "value": count}]
    assert told in check_evidence.statement_of({"fact": fact, "values": values})


@pytest.mark.parametrize("coding", ["utf-8-sig", "utf-16"])
def test_a_saved_text_says_it_however_it_is_coded(coding: str) -> None:
    page = check_evidence.CheckedPage({}, "Looms\r\nof Fog".encode(coding))
    value = {"column": "title", "value": "Looms of Fog", "rule": "in_text"}
    assert check_evidence.agrees(page, value)
    assert not check_evidence.agrees(page, value | {"value": "Looms of Mist"})


def test_every_place_on_a_list_has_a_certificate(source: Source, tmp_path: Path) -> None:
    """Of all listings, checked against the roots in the release; a certificate is a few hundred bytes."""
    stored = open_lake(source.lake).read(release_key(source.release.of.version, ROOTS))
    listed = rank_rows(source.release.scan).rows()
    assert len(listed) == 70
    for day, paper_id, rank, upvotes, _ in listed:
        made = json.dumps(rank_certificate(source.release, paper_id, day), separators=(",", ":")).encode()
        assert len(made) < 1000
        found = check_rank(made, Anchors(roots=stored))
        assert "as roots.json says" in proved(found)
        assert (
            f"number {rank} on" in found.statement,
            f"{upvotes} upvote{'s' * (upvotes != 1)}," in found.statement,
        ) == (rank is not None, upvotes is not None)
    with pytest.raises(NothingThere, match=f"{PAPER} is not on the daily list of 2026-10-01"):
        rank_certificate(source.release, PAPER, date(2026, 10, 1))


def test_commands_make_and_check_it(published: str, tmp_path: Path) -> None:
    def run(*words: str) -> str:
        return CliRunner().invoke(app, ["evidence", *words], catch_exceptions=False).stdout

    lake, file = ["--lake", published], tmp_path / "a.wacz"
    (claim,) = rows_of(published, "SELECT paper_id, position FROM paper_claims LIMIT 1")
    made = {
        "listing": (PAPER, DAY),
        "count": (PAPER, "2026-04-08T12:00"),
        "claim": tuple(map(str, claim)),
        "row": ("papers", f"paper_id={PAPER}", "--column", "title"),
    }
    for kind, words in made.items():
        said = run(kind, *words, *lake, "-o", str(file))
        statement = said.strip().partition(" kB: ")[2]
        checked = run("check", str(file))
        assert checked.startswith(f"{statement}\n\nIt proves:\n  * ")
        assert "whoever writes such a file can write another (--signed-by, --since)" in checked
    certificate = tmp_path / "rank.json"
    certificate.write_text(run("rank", PAPER, DAY, *lake))
    latest = require_latest(open_lake(published)).version
    assert "as roots.json says" in run(
        "check", str(certificate), "--roots", f"{published}/{release_key(latest, ROOTS)}"
    )
    certificate.write_text(certificate.read_text().replace('"rank":1', '"rank":2'))
    with pytest.raises(Damaged, match="is no good evidence: the rank certificate does not lead to the root"):
        run("check", str(certificate))


def rows_of(lake: str, sql: str) -> list[tuple]:
    store = open_lake(lake)
    with opened(database_at(store, require_latest(store))) as database:
        return rows(database, sql)


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda base: row_fact(base, "paper", {}), UsageError, "'paper' is no table whose rows name the page"),
        (lambda base: row_fact(base, "papers", {"title": "x"}), UsageError, "a row of papers is named by paper_id=…"),
        (
            lambda base: row_fact(base, "papers", {"paper_id": PAPER}, ["upvote"]),
            UsageError,
            "papers has no column 'upvote'",
        ),
        (lambda base: row_fact(base, "papers", {"paper_id": "x"}), NothingThere, "papers has no row with paper_id x"),
        (
            lambda base: row_fact(base, "coverage", {"listed_on": "2026-09-01", "source": "api"}),
            NothingThere,
            "no page is behind this row of coverage",
        ),
        (
            lambda base: listing_fact(base, PAPER, "yesterday"),
            UsageError,
            "'yesterday' is no day; write 2026-10-01",
        ),
        (
            lambda base: listing_fact(base, PAPER, "2026-10-01"),
            NothingThere,
            "daily_listings has no row with listed_on",
        ),
        (
            lambda base: count_fact(base, PAPER, "2020-01-01"),
            NothingThere,
            "no page that was fetched by 2020-01-01 UTC",
        ),
        (lambda base: claim_fact(base, PAPER, 99), NothingThere, "paper_claims has no row with paper_id"),
    ],
)
def test_what_is_no_fact_is_named(source: Source, ask, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ask(source.database)


@pytest.mark.slow
def test_of_a_corrected_value_no_page_is_evidence(tmp_path: Path) -> None:
    """A row says what the page has in its place; a count or a claim is refused, but of what was not corrected."""
    lake, listed = str(tmp_path / "lake"), steps.list_of(date(2026, 10, 1))
    two = "Our system reaches 95.0% accuracy on GSM8K. It reaches 78.1% accuracy on MMLU."
    answer = json.loads(listed.payload)
    for item in answer:
        item["paper"]["summary"] = f"{two} {item['paper']['summary']}"
        item["summary"] = item["paper"]["summary"]
    assert steps.run_captures(lake, [replace(listed, payload=json.dumps(answer).encode())], is_bare=True) is not None
    query = """
        SELECT paper_id, observed_at, upvote_count, abstract, listed_on, rank
        FROM paper_observations JOIN paper_texts USING (paper_id) JOIN daily_listings USING (paper_id)
        ORDER BY paper_id LIMIT 1
    """
    [(paper, at, count, abstract, day, rank)] = rows_of(lake, query)
    listing = {"listed_on": str(day), "paper_id": paper}
    cells = [
        ("paper_texts", {"paper_id": paper}, "abstract", abstract, abstract.replace("95.0%", "all but 59.0%")),
        ("paper_observations", {"paper_id": paper, "observed_at": at.isoformat()}, "upvote_count", count, count + 1),
        ("daily_listings", listing, "rank", rank, rank + 1),
    ]
    names = ("table", "key", "column", "seen", "right")
    told = {"reason": "digits swapped", "source": "https://arxiv.example/abs/1"}
    declared = tmp_path / "corrections.yaml"
    declared.write_text(json.dumps([dict(zip(names, cell, strict=True)) | told for cell in cells]))
    assert steps.publish_new(lake, corrections=declared, is_bare=True) is not None
    store = open_lake(lake)
    named = require_latest(store)
    with (
        opened(database_at(store, named)) as database,
        open_snapshot(store, published_release(store, named.version)) as release,
    ):

        def found(fact: Fact) -> Findings:
            return check(evidence_package(database, release, fact, now=NOW))

        row = found(row_fact(database, "paper_texts", {"paper_id": paper}))
        how = "paperlake made it: corrected by the publisher: the page says Our system reaches 95.0% "
        assert any(how in line and line.endswith(", reason digits swapped") for line in row.not_proved)
        assert "abstract is" not in proved(row)
        refused = r"this value of {} was corrected \(digits swapped\): the page says {}.*; there is no evidence of"
        with pytest.raises(NothingThere, match=refused.format("sentence", "Our system reaches 95.0% ")):
            found(claim_fact(database, paper, 1))
        assert "It reaches 78.1% accuracy on MMLU." in found(claim_fact(database, paper, 2)).statement
        moment = at.isoformat()
        with pytest.raises(NothingThere, match=refused.format("upvote_count", count)):
            found(count_fact(database, paper, moment))
        with pytest.raises(NothingThere, match=refused.format("rank", rank)):
            rank_certificate(release, paper, day)
        key = {"paper_id": paper, "observed_at": moment}
        assert "observed_at is" in proved(found(row_fact(database, "paper_observations", key, ("observed_at",))))


def test_a_key_that_wacz_does_not_take_is_named(source: Source, tmp_path: Path) -> None:
    fact = listing_fact(source.database, PAPER, DAY)
    for key, words in (
        (made_key(tmp_path / "ed"), "is no ECDSA key .* ssh-keygen -t ecdsa"),
        (tmp_path / "none", "cannot be read"),
    ):
        with pytest.raises(UsageError, match=words):
            source._replace(key=key).package(fact)


def test_what_a_reader_has_of_the_publisher_decides(source: Source, tmp_path: Path) -> None:
    """Other signers, an unsigned package where one is asked for, another history."""
    fact = listing_fact(source.database, PAPER, DAY)
    signed, plain = source.package(fact), source.package(fact, is_signed=False)
    other = signers(made_key(tmp_path / "other")).read_text()
    number, sha256 = source.anchors.since or (0, "")
    for data, anchors in (
        (plain, source.anchors),
        (signed, Anchors(other)),
        (plain, Anchors(other)),
        (plain, Anchors(since=(number, digest(b"other")))),
        (plain, Anchors(since=(1, sha256))),
    ):
        with pytest.raises(Wrong):
            check(data, anchors)
    assert "move 2 is that of the checkpoint" in proved(check(plain, Anchors(since=(number, sha256))))
    later = check(plain, Anchors(since=(9, sha256)))
    assert any("move 9 is not among those that are here" in line for line in later.not_proved)


@pytest.mark.slow
@pytest.mark.usefixtures("forks_apart")
def test_an_erased_person_has_no_trace_in_it(tmp_path: Path) -> None:
    """Of what is made after an erasure; the log in it shows that somebody was erased, and the page that it was masked."""
    from flows.people.erase import Machine, erase
    from tests.flows.test_erasure import DAYS, LOGIN, WISH, list_of

    lake = str(tmp_path / "lake")
    with steps.bare_releases(more=lambda given: {ROOTS: roots(given.read)}):
        assert steps.run_captures(lake, [list_of(DAYS[0])]) is not None
    since = read_chain(open_lake(lake)).head
    erase(open_lake(lake), WISH, Machine())
    store = open_lake(lake)
    assert since is not None
    for version in {move.version for move in read_chain(store).moves}:
        manifest = published_release(store, version)
        named = Parent(version, digest(store.read(release_key(version, "manifest.json"))))
        with opened(database_at(store, named)) as database, open_snapshot(store, manifest) as release:
            listed = rows(database, "SELECT paper_id, listed_on::VARCHAR FROM daily_listings")
            facts = [listing_fact(database, *one) for one in listed]
            facts += [row_fact(database, "sightings", one) for one in row_keys(database, "sightings")]
            for fact in facts:
                data = evidence_package(database, release, fact, now=NOW)
                found = check(data, Anchors(since=tuple(since)))
                assert any("before a person was erased from it" in line for line in found.not_proved)
                files = unzipped(data)
                warc = b"".join(one.block for one in check_evidence.members_of(files[check_evidence.WARC]))
                for told in (*files.values(), warc, gzip.decompress(files[check_evidence.INDEX])):
                    assert LOGIN.encode() not in told.lower()
            assert roots(release.scan) == store.read(release_key(version, ROOTS))
