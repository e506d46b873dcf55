"""Releases: listed, compared, rolled back and forward, dropped by rule; a changed byte is found."""

import hashlib
from contextlib import ExitStack
from datetime import date, datetime, timedelta
from pathlib import Path
from threading import Timer

import msgspec
import pytest
from msgspec.structs import replace
from prefect.settings import temporary_settings

from flows.documents.release_index import lead_to_latest, leading_faults, summaries, tombstone
from flows.retain import retain as retain_by_itself
from flows.running.how import How
from flows.running.prefect_server import OwnServer
from flows.runtime.lake import open_lake, sole_writer
from flows.runtime.settings import load
from flows.steps.drop_releases import retain
from flows.steps.read_back import require_sound, verify_raw, verify_release
from flows.steps.write_release import publish_waiting
from paperlake.cli import release_commands, release_texts
from paperlake.cli.app import app
from paperlake.cli.release_texts import retained_text, two_releases
from tests.flows import steps
from tests.flows.steps import NOW
from warehouse.archive.archive import Archive
from warehouse.changes.diff import ColumnDiff, ReleaseDiff, Side, TableDiff, diff
from warehouse.errors import Damaged, NothingThere, Superseded, UsageError
from warehouse.inventory import retention
from warehouse.inventory.keep_rule import KeepRule, rule_of
from warehouse.release import moves
from warehouse.release.latest import LATEST, latest_manifest, require_latest
from warehouse.release.manifest import Latest, Manifest, decode, digest, encode
from warehouse.store.lease import InUse
from warehouse.store.local import LocalStore
from warehouse.store.store import Store


def versions(store: Store, *, present: bool = False) -> list[str]:
    return [one.version for one in summaries(store) if not (present and one.dropped_at)]


def bytes_of(store: Store, prefix: str = "releases") -> dict[str, str]:
    """SHA-256 of everything in the releases but the pointer."""
    keys = [key for key in store.list(prefix) if not key.endswith("latest.json")]
    return {key: hashlib.sha256(store.read(key)).hexdigest() for key in keys}


def test_releases_are_listed_with_what_they_hold(published_twice: str) -> None:
    listed = summaries(open_lake(published_twice))
    assert [(one.version, one.capture_count, one.is_latest) for one in listed] == [
        ("2026.11.21.1", 26, False),
        ("2026.11.21.2", 27, True),
    ]
    assert all(one.failed_check_count == 0 and one.check_count and one.bytes for one in listed)
    lines = release_texts.summaries_text(listed).splitlines()
    assert lines[1].startswith("2026.11.21.2  2026-11-21T06:00:00Z")
    assert lines[1].endswith("latest")
    assert lines[0].split()[-2:] == ["checks", "quarantined"]
    assert [one.quarantined_count for one in listed] == [2, 2]


def test_the_last_two_are_compared_by_default(store: Store) -> None:
    found = diff(store, *two_releases(store, None, None))
    assert (found.before, found.after) == ("2026.11.21.2", "2026.11.21.3")
    changes = {table.name: (table.added_count, table.removed_count, table.changed_count) for table in found.tables}
    assert changes["captures"] == (1, 0, 0)
    assert changes["daily_listings"] == changes["papers"] == (3, 0, 0)
    text = release_texts.diff_text(found)
    assert "\ndaily_listings\n  listed_on  highest  2026-10-01 → 2026-10-02\n" in text
    assert max(map(len, text.splitlines())) <= 80
    same = diff(store, *two_releases(store, "2026.11.21.3", "2026.11.21.3"))
    assert release_texts.diff_text(same).splitlines()[1] == "no table changed"
    with pytest.raises(NothingThere, match="paperlake releases"):
        two_releases(store, "2026.11.21.9", None)


def test_a_table_that_was_empty_has_no_range_to_compare() -> None:
    column = ColumnDiff("position", 0, Side(0), Side(0, "1", "9"))
    table = TableDiff("list_appearances", 0, 9, 9, 0, 0, columns=(column,))
    text = release_texts.diff_text(ReleaseDiff("1", "2", (table,), ()))
    assert text.splitlines()[-3:] == [
        "list_appearances",
        "  position  lowest   none → 1",
        "  position  highest  none → 9",
    ]


def test_going_back_and_forward_changes_no_byte(store: Store) -> None:
    before = bytes_of(store)
    moves.go_to(store, "2026.11.21.1", at=NOW, why="the stars of the second are wrong")
    assert steps.table(store.url, "captures").height == 1
    with pytest.raises(UsageError, match="the latest already"):
        moves.go_to(store, "2026.11.21.1", at=NOW, why="again")
    moves.go_to(store, "2026.11.21.3", at=NOW, why="they were right")
    assert bytes_of(store) == before
    assert [(move.number, move.version) for move in moves.moves(store)][2:] == [
        (3, "2026.11.21.3"),
        (4, "2026.11.21.1"),
        (5, "2026.11.21.3"),
    ]
    assert moves.moves(store)[3].why == "the stars of the second are wrong"
    assert verify_release(store)[1] == []


def test_what_is_published_after_going_back_follows_that_release_under_a_new_name(store: Store) -> None:
    moves.go_to(store, "2026.11.21.1", at=NOW, why="back")
    manifest = steps.publish_new(store.url, is_bare=True)
    assert (manifest.version, manifest.parent and manifest.parent.version) == ("2026.11.21.4", "2026.11.21.1")
    assert verify_release(store)[1] == []


def test_of_two_moves_from_one_release_one_wins(store: Store) -> None:
    manifest = moves.published(store, "2026.11.21.2")
    with pytest.raises(Superseded):
        moves.publish(store, manifest, at=NOW)


@pytest.mark.parametrize(
    "words",
    [
        "rollback 2026.11.21.1",
        "retract 2026.11.21.3 --why wrong",
        "keep 2026.11.21.1 --why cited",
        "retain --keep-last 1 --apply",
        "erase priya --why asked --really",
        "publish",
    ],
)
def test_who_writes_in_several_steps_ends_with_8_while_another_is_at_work(store: Store, words: str) -> None:
    if words == "publish":
        steps.build_unchecked(store.url, [steps.list_of(date(2026, 10, 5))])
    before = require_latest(store)
    with sole_writer(store, "copy"), pytest.raises(InUse, match="`paperlake copy`") as told:
        app([*words.split(), "--lake", store.url], standalone_mode=False)
    assert (told.value.exit_code, require_latest(store)) == (8, before)


def test_a_rule_drops_old_releases_and_nothing_else(store: Store) -> None:
    before = bytes_of(store, "raw")
    told = retained_text(retain(store, KeepRule(1), apply=False, at=NOW))
    assert told.startswith("would drop 2 of 3 releases; nothing is dropped without --apply\n")
    assert versions(store) == [one.version for one in summaries(store) if one.dropped_at is None]
    retain(store, KeepRule(1), apply=True, at=NOW)
    left = [one.version for one in summaries(store) if one.dropped_at is None]
    assert left == ["2026.11.21.3"]
    stay = ["draft.json", "dropped.json", "index.html"]
    assert list(store.list("releases/2026.11.21.1")) == [f"releases/2026.11.21.1/{key}" for key in stay]
    assert bytes_of(store, "raw") == before
    assert verify_release(store)[1] == []
    assert retained_text(retain(store, KeepRule(1), apply=True, at=NOW)).startswith("dropped 0 of 1")


@pytest.mark.parametrize(
    ("text", "stay"),
    [
        ("1", ["2026.11.23.1"]),
        ("2d", ["2026.11.21.2", "2026.11.23.1"]),
        ("2w", ["2026.11.21.2", "2026.11.23.1"]),
        ("3m", ["2026.06.30.1", "2026.10.01.1", "2026.11.23.1"]),
        ("3q,2", ["2026.02.01.1", "2026.06.30.1", "2026.11.21.2", "2026.11.23.1"]),
        ("1d, 9w", ["2026.02.01.1", "2026.06.30.1", "2026.10.01.1", "2026.11.21.2", "2026.11.23.1"]),
    ],
)
def test_of_each_period_the_last_release_stays(text: str, stay: list[str]) -> None:
    """2026-11-21 is a Saturday, and 23 the Monday after it."""
    there = ["2026.02.01.1", "2026.06.30.1", "2026.10.01.1", "2026.11.21.1", "2026.11.21.2", "2026.11.23.1"]
    dropped = retention.droppable(there, there[-1], rule_of(text))
    assert dropped == [version for version in there if version not in stay]


@pytest.mark.parametrize("text", ["", "d", "0d", "30x", "30d,30d", "-1", "1,2", "30d;2w", "99999d"])
def test_a_rule_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    with pytest.raises(ValueError, match="for example 30d,26w,20q"):
        rule_of(text)
    monkeypatch.setenv("PAPERLAKE_KEEP", text or "d")
    with pytest.raises(UsageError, match="PAPERLAKE_KEEP"):
        load()


@pytest.mark.slow
def test_the_flow_drops_by_the_setting(store: Store, own_prefect: OwnServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself it drops nothing; a release that a query cites stays. It waits for a command that holds the lake."""
    with temporary_settings(own_prefect.settings):
        retain_by_itself(store.url)
    assert len(versions(store, present=True)) == 3
    monkeypatch.setenv("PAPERLAKE_KEEP", "1d")
    release_commands.keep.main(["2026.11.21.1", "--why", "of ours", "--lake", store.url], standalone_mode=False)
    with ExitStack() as other, temporary_settings(own_prefect.settings):
        other.enter_context(sole_writer(store, "copy"))
        with pytest.raises(InUse), sole_writer(store, "retain"):
            pass
        ended = Timer(3, other.close)
        ended.start()
        retain_by_itself(store.url)
        ended.join()
    assert versions(store, present=True) == ["2026.11.21.1", "2026.11.21.3"]
    assert verify_release(store)[1] == []


def leads_to(store: Store, version: str) -> bool:
    link = f'<a href="{version}/index.html">'.encode()
    return link in store.read("releases/index.html") and list(leading_faults(store)) == []


def test_pages_lead_to_the_latest_release_whoever_moves_it(store: Store) -> None:
    assert leads_to(store, "2026.11.21.3")
    release_commands.rollback.main(["2026.11.21.1", "--lake", store.url], standalone_mode=False)
    assert leads_to(store, "2026.11.21.1")
    release_commands.rollback.main(["2026.11.21.3", "--lake", store.url], standalone_mode=False)
    assert leads_to(store, "2026.11.21.3")


def test_what_was_killed_between_a_move_and_its_pages_the_next_run_mends(store: Store) -> None:
    moves.go_to(store, "2026.11.21.1", at=NOW, why="killed after this")
    line = "releases/index.html does not lead to the latest release, 2026.11.21.1"
    assert line in require_sound(store.url, verify_release(store))
    assert publish_waiting(store, How(store.url)) is None
    assert leads_to(store, "2026.11.21.1")
    assert verify_release(store)[1] == []


def test_what_becomes_the_latest_meanwhile_is_not_dropped(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody goes back to the first release after `retain` chose it, before anything is dropped, without a lease."""
    proving, went = retention.require_landed, []

    def prove(store: Store, manifest: Manifest) -> None:
        proving(store, manifest)
        if not went:
            went.append(moves.go_to(store, "2026.11.21.1", at=NOW, why="meanwhile"))

    monkeypatch.setattr("flows.steps.drop_releases.require_landed", prove)
    with pytest.raises(Superseded, match="run the same one again"):
        retain(store, KeepRule(1), apply=True, at=NOW)
    assert len(versions(store, present=True)) == 3
    text = retained_text(retain(store, KeepRule(1), apply=True, at=NOW))
    assert text.startswith("dropped 1 of 3 releases\n")
    assert versions(store, present=True) == ["2026.11.21.1", "2026.11.21.3"]
    assert verify_release(store)[1] == []
    assert steps.table(store.url, "captures").height == 1


@pytest.mark.parametrize("is_published", [False, True], ids=["retain", "publish"])
def test_a_drop_that_was_killed_is_finished_by_the_next_and_the_release_is_gone_for_good(
    store: Store, monkeypatch: pytest.MonkeyPatch, *, is_published: bool
) -> None:
    """By the next release, which is the first of its quarter, and so kept by rule."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(LocalStore, "delete", killed)
        with pytest.raises(KeyboardInterrupt):
            retain(store, KeepRule(1), apply=True, at=NOW)
    assert store.exists("releases/2026.11.21.1/manifest.json")
    with pytest.raises(NothingThere, match=r"2026\.11\.21\.1 was dropped 2026-11-21T06:00:00Z"):
        moves.go_to(store, "2026.11.21.1", at=NOW, why="back")
    assert versions(store, present=True) == ["2026.11.21.3"]
    if is_published:
        Archive(store).write([steps.list_of(date(2027, 1, 4))], now=NOW)
        manifest = steps.publish_new(store.url, now=datetime(2027, 1, 5, 6), is_bare=True)
        assert (manifest.version, manifest.kind, manifest.kept_until) == ("2027.01.05.1", "data", "2032-01-06")
        assert [one.kept_until for one in summaries(store)] == ["", "", "", "2032-01-06"]
    else:
        text = retained_text(retain(store, KeepRule(1), apply=True, at=NOW))
        assert "2026.11.21.1  (recorded earlier, removed now)" in text
    there = {f"releases/{version}/" for version in versions(store, present=True)}
    assert [key for key in store.list("releases") if not key.startswith(tuple(there))] == [
        *(f"releases/2026.11.21.{number}/{key}" for number in (1, 2) for key in sorted(retention.STAY)),
        "releases/index.html",
        "releases/index.json",
        "releases/latest.json",
        "releases/latest/explore/index.html",
        "releases/latest/index.html",
    ]
    assert verify_release(store)[1] == []


def test_what_is_left_of_a_dropped_release_answers_at_its_address(store: Store) -> None:
    retain(store, KeepRule(2), apply=True, at=NOW)
    page = store.read("releases/2026.11.21.1/index.html").decode()
    assert 'It was dropped on <span class="whole">2026-11-21</span>' in page
    assert "kept the last 2 releases" in page
    assert moves.moves(store)[0].manifest_sha256 in page
    record = store.read("releases/2026.11.21.1/dropped.json")
    store.put("releases/2026.11.21.1/index.html", b"of a copy from before the drop")
    store.delete("releases/2026.11.21.1/dropped.json")  # a kill, or an older paperlake
    assert retention.finish_drops(store, tombstone) == []
    assert store.read("releases/2026.11.21.1/index.html").decode() == page
    assert store.read("releases/2026.11.21.1/dropped.json") == record


def test_a_release_that_somebody_keeps_is_not_dropped(store: Store) -> None:
    release_commands.keep.main(
        ["2026.11.21.1", "--why", "the figures of our paper", "--lake", store.url], standalone_mode=False
    )
    [kept] = require_latest(store).kept
    assert (kept.version, kept.why) == ("2026.11.21.1", "the figures of our paper")
    told = retained_text(retain(store, KeepRule(1), apply=True, at=NOW))
    assert told.startswith("dropped 1 of 3 releases")
    assert f"2026.11.21.1  (kept long-term, until {kept.kept_until})" in told
    moves.go_to(store, "2026.11.21.1", at=NOW, why="back")  # every move hands it on
    assert require_latest(store).kept == (kept,)
    with pytest.raises(UsageError, match=f"is kept already, until {kept.kept_until}"):
        moves.keep(store, "2026.11.21.1", at=NOW, why="again")
    moves.go_to(store, "2026.11.21.3", at=NOW, why="forward")
    later = datetime.fromisoformat(kept.kept_until) + timedelta(days=1)  # kept from the day of this run on
    again = moves.keep(store, "2026.11.21.1", at=later, why="our second paper")
    assert [one.why for one in again.kept] == ["the figures of our paper", "our second paper"]
    assert retain(store, KeepRule(1), apply=False, at=later).dropped == []
    later = datetime.fromisoformat(again.kept[-1].kept_until) + timedelta(days=1)
    assert retained_text(retain(store, KeepRule(1), apply=True, at=later)).startswith("dropped 1 of 2")
    assert verify_release(store)[1] == []


def test_the_index_grows_by_a_move_and_is_the_one_made_of_all(store: Store) -> None:
    lead_to_latest(store)
    moves.retract(store, "2026.11.21.3", at=NOW, why="wrong stars")
    lead_to_latest(store)
    retain(store, KeepRule(2), apply=True, at=NOW)
    grown = store.read("releases/index.json")
    index = msgspec.json.decode(grown)
    assert (index["move"], index["latest"]) == (5, "2026.11.21.2")
    told = [(one["version"], one["kind"], one["dropped_at"], bool(one["erratum"])) for one in index["releases"]]
    assert told == [
        ("2026.11.21.1", "", "2026-11-21T06:00:00Z", False),
        ("2026.11.21.2", "data", None, False),
        ("2026.11.21.3", "data", None, True),
    ]
    store.delete("releases/index.json")
    lead_to_latest(store)
    assert store.read("releases/index.json") == grown
    store.put("releases/index.json", grown.replace(b"wrong stars", b"right stars"))
    assert "releases/index.json does not say what the releases are" in verify_release(store)[0]


@pytest.mark.parametrize("count", [1, 3])
def test_a_lake_with_releases_and_no_latest_is_damaged(store: Store, count: int) -> None:
    if count == 1:
        for key in [*store.list("log"), *store.list("releases/2026.11.21.2"), *store.list("releases/2026.11.21.3")]:
            store.delete(key)
    store.delete("releases/latest.json")
    for ask in (versions, verify_release, lambda lake: steps.make_draft(lake.url)):
        with pytest.raises(Damaged, match=r"releases/latest\.json is missing"):
            ask(store)


def test_a_release_whose_captures_the_archive_lacks_is_not_dropped(store: Store) -> None:
    store.delete_prefix("raw")
    with pytest.raises(Damaged, match="it was not dropped"):
        retain(store, KeepRule(1), apply=True, at=NOW)
    assert store.exists("releases/2026.11.21.1/manifest.json")


@pytest.mark.parametrize("key", ["log/moves/000002.json", "releases/latest.json"])
def test_a_record_of_a_move_that_names_no_version_is_named(store: Store, key: str) -> None:
    path = store.local_path(key)
    right = path.read_bytes()
    for version in (b"2\xb026", b"../../2026", b"2026.13.x", b""):
        path.write_bytes(right.replace(b"2026.11.21", version))
        with pytest.raises(Damaged, match=f"{key} is not what paperlake wrote"):
            require_sound(store.url, verify_release(store))
        with pytest.raises(Damaged, match=f"{key} is not what paperlake wrote"):
            versions(store)


def test_a_flipped_bit_of_the_log_is_found_and_the_rest_is_still_read(store: Store) -> None:
    retain(store, KeepRule(2), apply=True, at=NOW)
    damaged = store.local_path("releases/2026.11.21.2/README.md")
    damaged.write_bytes(b"")
    for key in store.list("log"):
        path = store.local_path(key)
        data = path.read_bytes()
        path.write_bytes(data.replace(b"published", b"publishee").replace(b"kept the", b"lept the"))
        wrong = verify_release(store, every=True)[1]
        assert [line.split()[0] for line in wrong] == [key, "2026.11.21.2:"]
        assert "README.md" in wrong[1]
        path.write_bytes(data)
    store.delete("log/moves/000002.json")
    wrong = verify_release(store, every=True)[1]
    assert wrong[0] == "log/moves/000002.json is missing; restore it from a copy"
    with pytest.raises(Damaged, match=r"log/moves/000002\.json is missing"):
        moves.go_to(store, "2026.11.21.2", at=NOW, why="back")


def test_an_archive_that_is_not_there_is_not_sound(tmp_path: Path) -> None:
    with pytest.raises(NothingThere, match="nothing has been landed"):
        verify_raw(open_lake(str(tmp_path / "none")))


def test_every_release_is_read_back(store: Store) -> None:
    sound, wrong = verify_release(store, every=True)
    assert (sound[:21], wrong) == ("3 releases are sound:", [])
    for version in ("2026.11.21.1", "2026.11.21.2"):
        store.local_path(f"releases/{version}/data/papers/all.parquet").write_bytes(b"PAR1")
    assert [line[:12] for line in verify_release(store, every=True)[1]] == ["2026.11.21.1", "2026.11.21.2"]
    assert verify_release(store)[1] == []


@pytest.mark.parametrize("version", ["2026.11.21.1", "2026.11.21.3"])
def test_a_flipped_byte_anywhere_is_found_and_named(store: Store, version: str) -> None:
    for name in ("data/papers/all.parquet", "paperlake.duckdb", "README.md", "manifest.json", "draft.json"):
        path = store.local_path(f"releases/{version}/{name}")
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        try:
            wrong = "\n".join(verify_release(store, version)[1])
        except Damaged as error:
            wrong = str(error)
        assert name in wrong
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    assert verify_release(store)[1] == []


def test_an_altered_manifest_of_an_older_release_is_found(store: Store) -> None:
    path = store.local_path("releases/2026.11.21.1/manifest.json")
    path.write_bytes(path.read_bytes().replace(b'"capture_count":1', b'"capture_count":2'))
    wrong = verify_release(store)[1]
    assert len(wrong) == 1
    assert "2026.11.21.1/manifest.json" in wrong[0]


def test_a_release_of_another_paperlake_can_be_gone_back_to(store: Store) -> None:
    """Its manifest has a field of 0.1.0; it is named by the hash that it was published with."""
    key, move = "releases/2026.11.21.1/manifest.json", "log/moves/000001.json"
    theirs = store.read(key).replace(b"{", b'{ "schema_sha256": "00",', 1)
    store.put(key, theirs)
    store.put(move, encode(replace(decode(store.read(move), Latest, move), manifest_sha256=digest(theirs))))
    for later in ("log/moves/000002.json", LATEST):  # nor do its moves say what the one before was
        store.put(later, encode(replace(decode(store.read(later), Latest, later), previous_sha256="")))
    moves.go_to(store, "2026.11.21.1", at=NOW, why="to look")
    manifest = latest_manifest(store)
    assert manifest.version == "2026.11.21.1"
