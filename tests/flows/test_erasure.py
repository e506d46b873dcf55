"""`paperlake erase`: no file of a lake holds anything of the person, and all else is as it was.

That raw gives the release then, and that the next day is built upon it: tests/laws/test_after_commands.py.
"""

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from unittest.mock import Mock

import httpx
import polars as pl
import pytest

from flows.documents.citation_record import CitedQuery
from flows.people.erase import Machine, Wish, erase, look
from flows.people.prefect_history import prefect_rows
from flows.runtime.lake import open_lake
from flows.steps.copy_lake import copy_lake
from flows.steps.corrections_file import corrections_of
from flows.steps.make_draft import make_draft
from flows.steps.read_back import verify_raw, verify_release
from flows.steps.signing import sign_release
from flows.steps.standing import decided
from paperlake.answers.user_query import require_same
from paperlake.cli.lake_texts import dry_run_text
from paperlake.explore import HASHED, ReleaseServer
from paperlake.mcp.answer_shape import explained
from paperlake.reading.lakes import Lake
from paperlake.sql.questions import Fingerprint
from tests import invented
from tests.flows import steps
from tests.flows.conftest import PERSON
from tests.flows.test_signing import made_key, signers
from tests.processes import PAPERLAKE, paperlake
from tests.scanner import places_of
from tests.serving import serving
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits
from warehouse.archive.journal import Journal
from warehouse.archive.warc_import import read_warc
from warehouse.errors import BeingErased, Damaged, NothingThere, StoreFailed, Superseded, UsageError
from warehouse.page_text import in_utf8
from warehouse.people.ledger import BEING_ERASED, Ledger
from warehouse.people.person import MASK, Person
from warehouse.release import moves
from warehouse.release.cache import cached
from warehouse.release.draft import name_current
from warehouse.release.latest import (
    CURRENT,
    erasures,
    latest_manifest,
    manifest_of,
    release_key,
    require_latest,
)
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.store.lease import LEASE
from warehouse.store.local import LocalStore
from warehouse.store.local_files import local_files
from warehouse.store.store import Store

pytestmark = [pytest.mark.usefixtures("forks_apart"), pytest.mark.slow]

LOGIN, NAME = "zora-quill7", "Zora Quill"
HUB_ID, RENAMED = "5f0c" * 6, "quill-of-looms"  # of the same account, which media of its papers tell too
WISH = Wish(LOGIN, "GDPR art. 17")
DAYS = (date(2026, 9, 30), date(2026, 10, 1))


class Drafted(LocalStore):
    """A lake in which a build that began before writes a draft until the ledger says that all is rewritten; `waiting`
    is what a kill leaves there then, `left` once it says that all is done. `unread` are the releases that cannot be
    read at the first change of one of their files.
    """

    waiting: Sequence[str] = ("never rewritten",)
    left: Sequence[str] = ("never done",)
    unread: Sequence[str] = ()

    def put(self, key: str, data: bytes) -> None:
        if key.startswith("releases/2") and (version := key.split("/")[1]) not in self.unread:
            with pytest.raises(BeingErased, match="a person is being erased") as told:
                moves.published(open_lake(str(self.folder)), version)
            assert told.value.exit_code == 8
            assert "ask again in a moment" in explained(told.value, None, None, str(self.folder))  # to a model
            self.unread = [*self.unread, version]
        if b'"is_rewritten": true' in data and b'"is_done": false' in data:
            self.waiting = [key for key in self.list("drafts") if key != CURRENT]
            super().put("drafts/first-0a/data/papers.parquet", LOGIN.encode())
        super().put(key, data)
        if b'"is_done": true' in data:
            self.left = [key for key in self.list("drafts") if key != CURRENT]


def list_of(day: date) -> Capture:
    """A list on which the person submitted, under two logins too, wrote a paper and has a repository."""
    fetched_at = datetime.combine(day, datetime.min.time()) + timedelta(hours=18)
    shown = [invented.paper(number, day) for number in range(1, 5)]
    media = {"mediaUrls": [f"https://cdn-uploads.hub.example/production/uploads/{HUB_ID}/1.mp4"]}
    shown[0] = replace(shown[0], submitter=LOGIN, authors=(NAME, *shown[0].authors), extra=media)
    link = f"https://github.com/{LOGIN}/looms"
    shown[1] = replace(
        shown[1], repository=link, abstract=f"{shown[1].abstract} Code: {link.upper()}", submitter="annotation"
    )
    shown[2] = replace(shown[2], title=f"{shown[2].title} for Quills", submitter=LOGIN)
    shown[3] = replace(shown[3], submitter=RENAMED, extra=media)
    payload = invented.as_json(invented.daily_answer(shown, fetched_at)).decode()
    payload = payload.replace('"Zora-Quill7"', f'"{NAME}"').replace('"user": "zora"', f'"user": "{LOGIN}"')
    for login in (LOGIN, RENAMED):
        payload = payload.replace(f'"name": "{login}"', f'"_id": "{HUB_ID}", "name": "{login}"')
    return Capture(
        payload=payload.encode(),
        url=f"{invented.HUB}/api/daily_papers?date={day}",
        fetched_at=fetched_at,
        http_status=200,
        content_type="application/json",
        headers=(("ETag", '"1"'),),
        etag='"1"',
    )


def again(capture: Capture, hours: int = 5) -> Capture:
    """The same bytes, seen later."""
    return replace(capture, fetched_at=capture.fetched_at + timedelta(hours=hours))


PAGE = Capture(
    payload=f"""# Paper page\n\nSubmitted by\n\n{LOGIN}\n\non Oct 1\n\n[{NAME}](https://huggingface.co/{LOGIN})\n\nThanks to {LOGIN} for this.\n""".encode(),
    url="https://hub.example/papers/2609.01408",
    fetched_at=datetime(2026, 10, 1, 9),
    http_status=200,
    content_type="text/plain",
)
OF_THEIRS = Capture(
    payload=b"[]",
    url=f"{invented.HUB}/api/daily_papers?submitter={LOGIN}",
    fetched_at=datetime(2026, 10, 1, 9),
    http_status=200,
    content_type="application/json",
)


@pytest.fixture(scope="module")
def with_person(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A lake of two releases that has the person in every way; tests only read it."""
    folder = tmp_path_factory.mktemp("with_person")
    lake = str(folder / "lake")
    later = [list_of(DAYS[1]), again(list_of(DAYS[0]), 9), steps.list_of(DAYS[1] + timedelta(days=1))]
    with steps.little_explorer(folder / "explorer"), steps.open_gate():
        steps.run_captures(lake, [list_of(DAYS[0]), again(list_of(DAYS[0])), PAGE, OF_THEIRS])
        steps.run_captures(lake, later)
    return lake


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One release that has the person, without documents; tests only read it."""
    lake = str(tmp_path_factory.mktemp("small") / "lake")
    steps.run_captures(lake, [list_of(DAYS[0]), PAGE], is_bare=True)
    return lake


@pytest.fixture(scope="module")
def erased(with_person: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same without the person; tests only read it."""
    lake = shutil.copytree(with_person, tmp_path_factory.mktemp("erased") / "lake")
    erase(open_lake(str(lake)), WISH, Machine())
    return str(lake)


def mask_beside(frame: pl.DataFrame, name: str) -> Iterator[dict[str, object]]:
    """The rows, and the structs in lists, that hold a mask and the name: where a join on the mask would lead."""
    for row in frame.to_dicts():
        structs = [one for value in row.values() if isinstance(value, list) for one in value if isinstance(one, dict)]
        flat = {key: value for key, value in row.items() if isinstance(value, str)}
        for values in (flat, *structs):
            texts = [value for value in values.values() if isinstance(value, str)]
            if name in texts and any(map(MASK.fullmatch, texts)):
                yield values


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def counts(lake: str) -> dict[str, int]:
    manifest = latest_manifest(open_lake(lake))
    tables = (*manifest.tables, *manifest.marts)
    fewer = ("search_", "submitters")  # words go, and two logins are one
    return {table.name: table.row_count for table in tables if not table.name.startswith(fewer)}


def require_sound(lake: str) -> None:
    assert verify_raw(open_lake(lake))[1] == []
    assert verify_release(open_lake(lake), every=True)[1] == []


def test_no_file_has_the_login_any_more(with_person: str, erased: str) -> None:
    assert len(places_of(with_person, LOGIN)) > 10
    assert places_of(erased, LOGIN, LOGIN.replace("-", ""), RENAMED, HUB_ID) == []  # one of them is a word of the index


def test_counts_stay_and_everything_is_sound(with_person: str, erased: str) -> None:
    assert counts(erased) == counts(with_person)
    require_sound(erased)
    votes = "paper_id", "upvote_count", "comment_count"
    before, after = (steps.table(lake, "sightings").select(votes).sort(votes) for lake in (with_person, erased))
    assert after.equals(before)
    assert {entry.capture_id for entry in Archive(open_lake(erased)).index()} == {
        entry.capture_id for entry in Archive(open_lake(with_person)).index()
    }


def test_the_lists_of_files_say_what_the_files_are(with_person: str, erased: str) -> None:
    """Of tables and marts, by each standard; every list is another one than before."""
    for folder in Path(erased, "releases").glob("2*"):
        before = Path(with_person, "releases", folder.name)
        for key in ("croissant.json", "datapackage.json", "dcat.jsonld"):
            text = (folder / key).read_text()
            assert text != (before / key).read_text()
            for path in (*folder.glob("data/**/*.parquet"), *folder.glob("marts/**/*.parquet")):
                assert f'"{path.relative_to(folder)}"' in text
                assert hashlib.sha256(path.read_bytes()).hexdigest() in text, (key, path)


def test_a_server_that_knows_the_release_from_before_gives_the_new_files(with_person: str, erased: str) -> None:
    before, store = open_lake(with_person), open_lake(erased)
    server = ReleaseServer(store, manifest_of(before, require_latest(before)), 0, follows=True)
    with serving(server), httpx.Client() as client:
        for table in manifest_of(store, require_latest(store)).tables:  # by pages that were loaded before
            for file in table.files:
                address = f"http://{server.host}/{server.version}/{file.key}"
                part = client.get(address, headers={"Range": "bytes=0-0"})
                assert part.headers["Content-Range"] == f"bytes 0-0/{file.bytes}"
        for file in manifest_of(store, require_latest(store)).files:
            answer = client.get(f"http://{server.host}/{server.version}/{file.key}")
            sha256 = hashlib.sha256(answer.content).hexdigest()
            assert answer.headers["ETag"].removeprefix("W/") == f'"{sha256}"', file.key  # weak where it was packed
            assert (answer.headers["Cache-Control"] == "no-cache") == (not HASHED.fullmatch(file.key)), file.key


def test_a_server_of_a_folder_knows_at_once_that_a_file_is_new(with_person: str, erased: str, tmp_path: Path) -> None:
    lake = shutil.copytree(with_person, tmp_path / "lake")
    store, after = open_lake(str(lake)), open_lake(erased)
    manifest, now = manifest_of(store, require_latest(store)), manifest_of(after, require_latest(after))
    old, new = next(pair for pair in zip(manifest.files, now.files, strict=True) if pair[0] != pair[1])
    server = ReleaseServer(store, manifest, 0, follows=True)
    with serving(server), httpx.Client(headers={"Range": "bytes=0-0"}) as client:
        address = f"http://{server.host}/{server.version}/{old.key}"
        assert client.get(address).headers["ETag"] == f'"{old.sha256}"'
        shutil.copytree(erased, lake, dirs_exist_ok=True)
        assert (client.get(address).headers["ETag"], new.key) == (f'"{new.sha256}"', old.key)


def test_the_printed_author_stays_and_the_submitter_goes(erased: str) -> None:
    assert NAME in steps.table(erased, "paper_authors")["name"].to_list()
    assert NAME not in steps.table(erased, "daily_listings")["submitter_name"].to_list()
    assert "annotation" in steps.table(erased, "daily_listings")["submitter_login"].to_list()


def test_manifests_and_the_record_say_so_without_the_name(erased: str) -> None:
    store = open_lake(erased)
    [record] = erasures(store)
    manifest = latest_manifest(store)
    assert [note.why for note in manifest.erasures] == ["GDPR art. 17"]  # type: ignore[union-attr]
    changed = {(cell.version, cell.table, cell.column) for cell in record.cells}
    assert (manifest.version, "sightings", "submitter_login") in changed
    assert record.record_count >= 5


def test_no_row_has_a_mask_beside_the_name(erased: str) -> None:
    authors = steps.table(erased, "paper_authors")
    assert authors.filter(name=NAME)["login"].to_list() == [None] * authors.filter(name=NAME).height
    for table in CORE_TABLES:
        assert list(mask_beside(steps.table(erased, table.name), NAME)) == [], table.name


def test_what_is_erased_leaves_the_words_and_the_accounts_that_read_alike(lake: str) -> None:
    """Of a login that is a word, the word; of a name in print that is one word, an account that shows nowhere, as far
    as is known: the address may be of anybody.
    """
    word, link = "quills", "https://github.com/Plato/looms"
    payload = list_of(DAYS[1]).payload.replace(f"https://github.com/{LOGIN}/looms".encode(), link.encode())
    payload = payload.replace(f'"name": "{NAME}"'.encode(), b'"name": "Plato"').replace(LOGIN.encode(), word.encode())
    payload = payload.replace(RENAMED.encode(), b"bo").replace(HUB_ID.encode(), b"77ee" * 6)
    payload = payload.replace(b'"Annotation"', b'"QUILLS"')  # another account's name, the lowest of its column
    steps.run_captures(lake, [replace(list_of(DAYS[1]), payload=payload)], is_bare=True)
    derived = [table for table in CORE_TABLES if table.name.startswith(("search_", "paper_claims", "paper_sys"))]
    before = {table.name: table.conform(steps.table(lake, table.name)) for table in derived}
    erase(open_lake(lake), Wish(word, "GDPR art. 17"), Machine())
    assert word not in steps.table(lake, "daily_listings")["submitter_login"].to_list()
    after = {table.name: table.conform(steps.table(lake, table.name)) for table in derived}
    assert [name for name in before if not after[name].equals(before[name])] == []
    assert steps.make_draft(lake, from_raw=True) is None
    assert "Plato" in steps.table(lake, "paper_authors")["name"].to_list()
    erase(open_lake(lake), Wish("Plato", "GDPR art. 17", authorship=True), Machine())
    assert "Plato" not in steps.table(lake, "paper_authors")["name"].to_list()
    assert link.lower() in {str(one).lower() for one in steps.table(lake, "paper_links")["url"]}
    require_sound(lake)


def test_neither_landing_again_nor_a_correction_brings_them_back(with_person: str, erased: str, tmp_path: Path) -> None:
    lake, path = str(shutil.copytree(erased, tmp_path / "lake")), tmp_path / "corrections.yaml"
    store = open_lake(lake)
    assert Archive(store).write([list_of(DAYS[0]), PAGE, OF_THEIRS], now=steps.NOW).skipped_count == 3
    landed = Archive(store).write([again(list_of(DAYS[1]), 30), again(PAGE, 30)], now=steps.NOW)
    assert landed.landed_count == 2
    assert Archive(store).write([again(PAGE, 30)], now=steps.NOW).skipped_count == 1
    for warc in (Path(with_person) / "raw" / "warc").rglob("*.gz"):
        landed = Archive(store).write(read_warc(warc, Limits()), now=steps.NOW)
        assert (landed.landed_count, landed.refused) == (0, ())
    rows = steps.table(lake, "daily_listings").filter(pl.col("submitter_login").str.contains(MASK.pattern))
    key = {name: str(rows[name][0]) for name in DAILY_LISTINGS.key}
    entry = {"table": "daily_listings", "key": key, "column": "submitter_login", "source": "d"}
    path.write_text(json.dumps([entry | {"seen": LOGIN, "right": "bo", "reason": f"@{LOGIN} is not bo"}]), "utf-8")
    assert steps.publish_new(lake, corrections=path, is_bare=True) is not None
    assert steps.table(lake, "corrections").height == 1
    assert places_of(lake, LOGIN) == []
    require_sound(lake)


def test_who_was_corrected_is_erased_by_name_and_later_as_an_author(small: str, lake: str, tmp_path: Path) -> None:
    """A submitter, whose right name no page has; an author's account, which the pages no longer have then.

    Each time is recorded with its own reason, and a query that was cited before says why its answer is another. A signed
    release is signed anew, or it is said that it has to be.
    """
    store, path, right, key = (
        open_lake(lake),
        tmp_path / "corrections.yaml",
        "Zora B. Quill",
        made_key(tmp_path / "key"),
    )
    claims = steps.table(small, "paper_authors").drop_nulls("login").sort(pl.col("login") != LOGIN)
    theirs, other = claims.head(2).to_dicts()
    [row, *_] = steps.table(small, "daily_listings").filter(submitter_login=LOGIN).to_dicts()
    [link, *_] = steps.table(small, "paper_links").filter(pl.col("url").str.contains(LOGIN)).to_dicts()
    entries = (
        ("daily_listings", row, "listed_on paper_id", "submitter_name", right),
        ("paper_authors", theirs, "paper_id position", "name", right),
        ("paper_authors", theirs, "paper_id position", "login", "bobtides"),
        ("paper_authors", theirs, "paper_id position", "claim_status", "admin_assigned"),
        ("paper_authors", other, "paper_id position", "login", LOGIN),
        ("paper_links", link, "paper_id kind url", "added_by", "admin"),
    )
    said = {"reason": f"{LOGIN} says so", "source": "d"}
    declared = [
        {"table": table, "key": {name: str(of[name]) for name in key.split()}, "column": column, "right": value}
        | {"seen": of[column], **said}
        for table, of, key, column, value in entries
    ]
    path.write_text(json.dumps(declared), "utf-8")
    Archive(store).write([list_of(DAYS[0]), PAGE], now=steps.NOW)
    assert steps.publish_new(lake, corrections=path, is_bare=True) is not None
    named = require_latest(store)
    sign_release(store, latest_manifest(store), key)
    assert "sign" not in "".join(erase(store, Wish(NAME, "GDPR art. 17"), Machine(signing_key=key)).left)
    assert verify_release(store, signed_by=signers(key))[1] == []
    assert places_of(lake, LOGIN) == []
    for table in CORE_TABLES:
        frame = steps.table(lake, table.name)
        assert [*mask_beside(frame, NAME), *mask_beside(frame, right)] == [], table.name
    assert right not in steps.table(lake, "daily_listings")["submitter_name"].to_list()
    assert right in steps.table(lake, "paper_authors")["name"].to_list()
    assert steps.make_draft(lake, from_raw=True) is None
    assert steps.make_draft(lake, corrections=path) is None, "the file, which still has them, stops no build"
    require_sound(lake)
    done = erase(store, Wish(NAME, "asked for", authorship=True), Machine())
    assert "sign" in "".join(done.left)
    assert verify_release(store, signed_by=signers(key))[1]
    assert [one.why for one in erasures(store)] == ["GDPR art. 17", "asked for"]
    assert "erase each by itself" in "".join(done.left)
    assert done.record == erasures(store)[-1]
    assert places_of(lake, LOGIN, NAME, right) == []
    cited = CitedQuery("a query", "", named.version, named.manifest_sha256, "", "", 1, (), "")
    with pytest.raises(Damaged, match=f"; since then a person was erased from release {named.version}$"):
        require_same(store, cited, Fingerprint("", (), 2, ""))


def test_a_dry_run_changes_nothing_and_lines_up(with_person: str) -> None:
    before = {str(path): path.stat().st_mtime_ns for path in Path(with_person).rglob("*") if path.is_file()}
    _, _, found = look(open_lake(with_person), WISH, Machine())
    assert "rows, sightings.submitter_login" in (said := dry_run_text(found, words=False))
    assert f"the logins {RENAMED}, {LOGIN}: all go" in said
    assert {str(path): path.stat().st_mtime_ns for path in Path(with_person).rglob("*") if path.is_file()} == before


def claimed(lake: str) -> list[tuple[str, str]]:
    """Authors who claimed a paper, by login and by the name in print."""
    rows = steps.table(lake, "paper_authors").drop_nulls("login").select("login", "name").unique().sort("name")
    return rows.rows()


def test_a_login_and_the_names_in_print_beside_it_are_erased_in_any_order(small: str, tmp_path: Path) -> None:
    store = open_lake(lake := str(shutil.copytree(small, tmp_path / "lake")))
    (by_login, printed), (account, first), (_, other), *_ = claimed(lake)

    erase(store, Wish(by_login, "asked"), Machine())
    with pytest.raises(UsageError, match="give the name as papers print it"):  # the login leads to none any more
        look(store, Wish(by_login, "asked", authorship=True), Machine())
    assert places_of(lake, printed)
    erase(store, Wish(printed, "asked", authorship=True), Machine())
    assert places_of(lake, printed) == []

    done = erase(store, Wish(first, "asked", authorship=True), Machine())
    assert "accounts that stand beside the name" in "".join(done.left)
    masks = masked_names(lake)
    assert places_of(lake, other)
    assert "beside" not in "".join(erase(store, Wish(account, "asked", authorship=True), Machine()).left)
    assert masks < masked_names(lake), "the mask of the first erasure is no name of the second"
    assert account not in steps.table(lake, "paper_authors")["login"].to_list()
    assert places_of(lake, other) == [], "who submits nothing has no other name than those of the papers"
    require_sound(lake)


def masked_names(lake: str) -> set[str]:
    return {one for one in steps.table(lake, "paper_authors")["name"].to_list() if MASK.fullmatch(one)}


def test_a_damaged_byte_is_still_found_after_an_erasure(erased: str, tmp_path: Path) -> None:
    lake = shutil.copytree(erased, tmp_path / "lake")
    path = next(lake.glob("releases/*/data/sightings/*.parquet"))
    path.write_bytes(flipped(path.read_bytes(), 200))
    warc = next(lake.glob("raw/warc/*/*.gz"))
    warc.write_bytes(flipped(warc.read_bytes(), 200))
    assert verify_release(open_lake(str(lake)), every=True)[1]
    assert verify_raw(open_lake(str(lake)))[1]


def test_damage_is_not_written_anew_as_if_it_were_right(small: str, tmp_path: Path) -> None:
    lake = shutil.copytree(small, tmp_path / "lake")
    for path in lake.glob("releases/*/data/sightings/*.parquet"):
        pl.read_parquet(path).head(1).write_parquet(path)
    with pytest.raises(Damaged, match="restore it from a copy"):
        erase(open_lake(str(lake)), WISH, Machine())


def test_nobody_a_mask_and_a_reason_that_names_somebody_are_refused(small: str, erased: str) -> None:
    with pytest.raises(NothingThere):
        look(open_lake(small), Wish("annotatio", "asked"), Machine())
    with pytest.raises(UsageError, match="names the person"):
        look(open_lake(small), Wish(LOGIN, f"{LOGIN} asked"), Machine())
    for nobody in ("", " ", "-", "@", "\u200b"):
        with pytest.raises(UsageError, match="is no login"):
            look(open_lake(small), Wish(nobody, "asked"), Machine())
    [mask] = {one.mask for one in Ledger(open_lake(erased)).entries}
    with pytest.raises(UsageError, match="erased already"):
        look(open_lake(erased), Wish(mask.upper(), "asked"), Machine())


def test_nothing_is_made_or_sent_before_an_erasure_that_was_killed_is_finished(two_bare: str, tmp_path: Path) -> None:
    """It was killed when it had said whom it erases, and a draft that waits has them. Of what killed commands left in
    the temporary folder, without a lock (tests/unit/test_temporary.py), nothing is there after the next that writes.
    """
    store, left = open_lake(two_bare), tmp_path / "paperlake-tmp-killed"
    left.mkdir()
    first, last = (move.version for move in moves.moves(store))
    steps.build_unchecked(two_bare, [list_of(DAYS[1])])
    page, paper = (
        steps.table(two_bare, name)[key][0] for name, key in (("captures", "capture_id"), ("papers", "paper_id"))
    )
    why = ("--why", "asked for")
    person, entry, _ = look(store, WISH, Machine())
    Ledger(store).begin(entry, person.logins, person.names)
    kept = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PAPERLAKE_LAKE": two_bare}
    before = {key for key in store.list() if key != LEASE}
    for words in (
        ("publish",),
        ("build",),
        ("rollback", first),
        ("retract", last, *why),
        ("keep", first, *why),
        ("retain", "--keep-last", "1", "--apply"),
        ("captures", "disown", page, "--because", "a copy"),
        ("copy", two_bare, sent := str(tmp_path / "sent")),
        ("export", "delta", sent),
        ("deposit", last, "-o", sent),
        ("materialize", last, "-o", sent),
        ("evidence", "row", "papers", f"paper_id={paper}", "-o", sent),
    ):
        done = paperlake(*words, environment=kept, has_gate=False)
        assert (done.returncode, BEING_ERASED.format(two_bare) in done.stderr) == (8, True), (words, done)
    assert {key for key in store.list() if key != LEASE} == before
    assert places_of(sent, LOGIN) == []
    assert not left.exists()
    erase(store, WISH, Machine())
    for words in (
        ("rollback", first, "--why", f"asked for by {LOGIN}"),
        ("keep", first, "--why", f"asked for by {LOGIN}"),
        ("captures", "disown", page, "--because", f"asked for by {LOGIN}"),
        ("sql", f"FROM submitters WHERE submitter_login = '{LOGIN}'", "--cite"),
    ):
        done = paperlake(*words, environment=kept, has_gate=False)
        assert (done.returncode, "names a person who was erased" in done.stderr) == (2, True), (words, done)
    assert places_of(two_bare, LOGIN) == []
    assert paperlake("rollback", first, environment=kept).returncode == 0


@pytest.mark.slow
def test_an_erasure_that_is_killed_leaves_no_process_that_has_read_the_lake(two_bare: str, tmp_path: Path) -> None:
    """That which writes databases held the output open, too: whoever reads it to its end does so."""
    words = ("erase", PERSON, "--why", "asked for", "--really", "--lake", two_bare)
    at = {"PREFECT_HOME": str(tmp_path), "PAPERLAKE_STATE": str(tmp_path)}
    with subprocess.Popen([PAPERLAKE, *words], env=os.environ | at, stdout=-1, stderr=-1, text=True) as erasing:
        children = Path(f"/proc/{erasing.pid}/task/{erasing.pid}/children")
        while erasing.poll() is None and len(children.read_text().split()) < 2:  # Python's tracker, and that one
            time.sleep(0.01)
        time.sleep(0.2)  # it imports
        erasing.kill()
        erasing.communicate(timeout=20)
    assert erasing.returncode == -signal.SIGKILL


def test_a_page_that_is_indexed_while_somebody_is_erased_is_landed_by_the_next_call(small: str, tmp_path: Path) -> None:
    """The erasure comes whole between the file and its lines, and replaces the file."""
    lake, waits = shutil.copytree(small, tmp_path / "lake"), [WISH]

    class Erasing(LocalStore):
        def swap(self, key: str, data: bytes, expected: bytes | None) -> bool:
            if key.startswith("raw/index") and waits:
                erase(open_lake(str(lake)), waits.pop(), Machine())
            return super().swap(key, data, expected)

    late = [again(PAGE, 30)]
    with pytest.raises(Superseded, match="run again when that is done"):
        Archive(Store(Erasing(lake, str(lake)))).write(late, now=steps.NOW)
    assert places_of(str(lake), LOGIN) == []
    require_sound(str(lake))
    assert Archive(open_lake(str(lake))).write(late, now=steps.NOW).skipped_count == 1  # the erasure indexed it
    assert places_of(str(lake), LOGIN) == []


def test_a_copy_of_before_is_refused_and_one_of_after_is_sound(with_person: str, erased: str, tmp_path: Path) -> None:
    before, source, old, new = map(open_lake, (with_person, erased, str(tmp_path / "old"), str(tmp_path / "new")))
    copy_lake(before, old)
    with pytest.raises(UsageError, match="was copied before a person was erased"):
        copy_lake(source, old)
    copy_lake(source, new)
    require_sound(str(tmp_path / "new"))
    assert places_of(str(tmp_path / "new"), LOGIN) == []
    assert Archive(new).write([again(PAGE, 30)], now=steps.NOW).landed_count == 1
    assert places_of(str(tmp_path / "new"), LOGIN) == []


def test_a_copy_of_releases_alone_takes_nothing_that_may_bring_them_back(erased: str, tmp_path: Path) -> None:
    copied, corrections = open_lake(str(tmp_path / "copy")), tmp_path / "corrections.yaml"
    copy_lake(open_lake(erased), copied, releases_only=True)
    corrections.write_text("[]")
    journal = Journal(Archive(copied), tmp_path / "journal", now=lambda: steps.NOW)
    for add in (
        lambda: Archive(copied).write([again(PAGE, 30)], now=steps.NOW),
        lambda: journal.add([again(PAGE, 30)]),
        lambda: corrections_of(corrections, None, copied),
    ):
        with pytest.raises(UsageError, match="would bring them back"):
            add()
    assert copied.list("raw") == []
    assert not any((tmp_path / "journal").glob("*"))
    other = steps.table(erased, "daily_listings").filter(~pl.col("submitter_login").str.contains(MASK.pattern))
    assert erase(copied, Wish(other["submitter_login"][0], "GDPR art. 17"), Machine()).record


def test_records_beside_the_releases_drafts_and_caches_are_cleared(small: str, tmp_path: Path) -> None:
    """Drafts of a build that began before are gone when the ledger says that all is done. Pages and files in UTF-16 are
    searched, too, and what is not paperlake's is named.
    """
    lake = str(shutil.copytree(small, tmp_path / "lake"))
    in_utf_16 = list_of(DAYS[1]).payload.decode().encode("utf-16")
    steps.run_captures(
        lake, [steps.list_of(date(2026, 10, 5)), replace(list_of(DAYS[1]), payload=in_utf_16)], is_bare=True
    )
    steps.build_unchecked(lake, [again(list_of(DAYS[1]))])
    drafted = Drafted(Path(lake), lake)
    store = Store(drafted)
    moves.retract(store, require_latest(store).version, at=steps.NOW, why=f"asked for by {LOGIN} @{LOGIN}")
    moves.keep(store, require_latest(store).version, at=steps.NOW, why=f"asked for by {LOGIN} @{LOGIN}")
    store.put(
        f"citations/{require_latest(store).version}-0123456789abcdef.json",
        f'{{"sql": "FROM submitters WHERE submitter_login = \'{LOGIN}\'"}}'.encode(),
    )
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / f"{'0' * 64}.duckdb").write_text(LOGIN)
    (strange := Path(lake) / "notes.txt").write_bytes(LOGIN.encode("utf-16"))
    with pytest.raises(Damaged, match=r"notes\.txt, which is not paperlake's"):
        erase(store, WISH, Machine())
    strange.unlink()
    erase(store, WISH, Machine(cache=tmp_path / "cache"))
    texts = [in_utf8(Archive(store).read(entry).payload).decode() for entry in Archive(store).index()]
    assert [text for text in texts if LOGIN in text] == []
    assert len([text for text in texts if text.startswith("\ufeff")]) == 1
    assert (drafted.waiting, drafted.left) == ([], [])
    assert len(set(drafted.unread)) == 2, "once it is announced no release is read as it was"
    assert all(moves.published(store, version).erasures for version in drafted.unread)
    assert [path for path in places_of(str(tmp_path), LOGIN) if "/small" not in path] == []
    require_sound(lake)


def test_a_first_release_that_was_begun_goes_and_another_can_be_published(lake: str) -> None:
    """A publish was killed before its release became the latest."""
    steps.build_unchecked(lake, [list_of(DAYS[0])])
    with steps.bare_releases():
        steps.write(lake)
    erase(open_lake(lake), WISH, Machine())
    assert places_of(lake, LOGIN) == []
    steps.publish_unchecked(lake)
    require_sound(lake)


def test_names_in_print_are_known_of_pages_that_no_release_has(small: str, lake: str) -> None:
    (account, printed), *_ = claimed(small)
    Archive(open_lake(lake)).write([list_of(DAYS[0])], now=steps.NOW)
    assert places_of(lake, printed)
    erase(open_lake(lake), Wish(account, "asked", authorship=True), Machine())
    assert places_of(lake, account, printed) == []


def test_a_reason_for_a_page_is_searched_in_a_release_that_has_nothing_else(lake: str) -> None:
    store = open_lake(lake)
    page = steps.list_of(date(2026, 9, 28))
    Archive(store).write([page], now=steps.NOW)
    with steps.bare_releases(), local_files(store) as files:
        because = decided((), page.capture_id, "confirmed", f"{LOGIN} says so", steps.NOW)
        name_current(store, make_draft(files, from_raw=False, decisions=because), b'{"results":[]}')
        steps.publish(lake)
        steps.run_captures(lake, [list_of(DAYS[0])])
    erase(store, WISH, Machine())
    assert places_of(lake, LOGIN) == []
    require_sound(lake)


def test_who_has_read_a_release_that_somebody_was_erased_from_reads_it_anew(two_bare: str, tmp_path: Path) -> None:
    """What another machine had fetched before goes with what it fetches next; a release that is open is opened again."""
    store, [*_, login] = open_lake(two_bare), steps.table(two_bare, "daily_listings")["submitter_login"].sort()
    before = tmp_path / f"{'0' * 64}.duckdb"

    def is_left() -> bool:
        """Whether what was fetched before is still there when another file is fetched."""
        before.write_text(login)
        files = (one for one in latest_manifest(store).files if one.key.endswith(".parquet"))
        file = next(one for one in files if not (tmp_path / f"{one.sha256}.parquet").exists())
        assert cached(store, release_key(require_latest(store).version, file.key), file, tmp_path).exists()
        return before.exists()

    assert is_left()
    release = Lake.at(two_bare, verify=True).latest()
    file = next(one for one in release.manifest.files if one.key.startswith("data/daily_listings/"))
    erase(store, Wish(login, "GDPR art. 17"), Machine())
    assert not is_left()
    assert is_left()
    key = release_key(release.version, file.key)
    with pytest.raises(BeingErased, match="open it again"):
        release.table("daily_listings")
    with pytest.raises(BeingErased, match="open it again"):
        cached(store, key, file, tmp_path)
    store.put(key, b"vandals were here")
    with pytest.raises(Damaged, match="is not what was written"):
        Lake.at(two_bare, verify=True).latest().table("daily_listings")


def test_prefects_database_that_cannot_be_read_is_named_before_anything_is_erased(
    small: str, lake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    (tmp_path / "prefect.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreFailed, match=r"prefect\.db: Prefect's own server ended as it started"):
        erase(store := open_lake(shutil.copytree(small, lake)), WISH, Machine(prefect=tmp_path))
    assert Ledger(store).entries == []


def test_prefects_database_is_written_anew_by_the_next_run_where_one_could_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk, or killed before: what was deleted stands in its free pages until then."""
    client, answers = Mock(), iter([[{"id": "1", "name": LOGIN}]])
    client.request.return_value.json.side_effect = lambda: next(answers, [])
    monkeypatch.setattr("flows.running.prefect_server.prefect_session", lambda **_: nullcontext())
    monkeypatch.setattr("prefect.client.orchestration.get_client", lambda **_: nullcontext(client))
    (path := tmp_path / "prefect.db").write_bytes(b"not a database" * 100)
    person = Person("x", frozenset({LOGIN}), frozenset())
    with pytest.raises(StoreFailed, match=r"prefect\.db: file is not a database; .* erase again"):
        prefect_rows(tmp_path, person, delete=True)
    path.unlink()
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.executescript("PRAGMA secure_delete = OFF; CREATE TABLE log (text)")
        file.execute("INSERT INTO log VALUES (?)", [LOGIN])
        file.execute("DELETE FROM log")
    assert LOGIN.encode() in path.read_bytes()
    assert prefect_rows(tmp_path, person, delete=True) == 0
    assert LOGIN.encode() not in path.read_bytes()
