"""An archive after an erasure: the same captures and ids, and revisits that find their pages, even after a kill."""

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from warehouse.archive import writer
from warehouse.archive.archive import Archive, Damage
from warehouse.archive.captured import Capture, Unchanged
from warehouse.archive.erased_records import erase_raw
from warehouse.errors import Damaged, Superseded
from warehouse.people.ledger import Ledger, new_entry
from warehouse.people.person import Person
from warehouse.store.local import LocalStore

NOW = datetime(2026, 11, 22)
ANN = Person("erased0badcafe", frozenset({"ann-7"}))


def note(capture_id: str) -> str:
    return f"{capture_id} 2026-11-22T00:00:00Z art. 17"


def pages() -> Iterator[Capture | Unchanged]:
    """A page of the person, pages of others, the first page again, and a 304 of it."""
    for day in range(3):
        moment = datetime(2026, 11, 1) + timedelta(days=day)
        for name in ("ann-7", "annotation"):
            payload = f'[{{"submittedBy": {{"name": "{name}", "fullname": "A"}}}}]'.encode()
            url = f"https://hub.example/{len(name)}"
            yield Capture(payload=payload, url=url, fetched_at=moment, http_status=200, etag=f'"{name}"')
    yield Unchanged("https://hub.example/5", datetime(2026, 11, 9), '"ann-7"')


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalStore:
    """Files of one record or two, so that revisits lie in other files than their pages."""
    monkeypatch.setattr(writer, "FILE_BYTES", 700)
    store = LocalStore(tmp_path, str(tmp_path))
    Archive(store).write(pages(), now=NOW)
    return store


def ids(store: LocalStore) -> set[str]:
    assert [str(one) for one in Archive(store).verify() if isinstance(one, Damage)] == []
    return {entry.capture_id for entry in Archive(store).index()}


def names(store: LocalStore) -> list[str]:
    """The submitter in every capture; a revisit counts as its page."""
    archive = Archive(store)
    pages = (json.loads(capture.payload) for capture in archive.captures(archive.index()))
    return sorted(item["submittedBy"]["name"] for [item] in pages)


def test_captures_keep_their_ids_and_revisits_their_pages(store: LocalStore) -> None:
    before = ids(store)
    found = erase_raw(store, ANN, note, apply=True)
    assert sum(one.record_count for one in found) == 4
    assert ids(store) == before
    assert names(store) == ["annotation"] * 3 + ["erased0badcafe"] * 4
    assert erase_raw(store, ANN, note, apply=True) == []
    assert {entry.erased for entry in Archive(store).index()} - {None} <= {note(one) for one in before}


def test_records_of_others_keep_their_bytes(store: LocalStore) -> None:
    before = {key: store.read(key) for key in store.list("raw/warc")}
    assert erase_raw(store, Person("erased0badcafe", frozenset({"anno"})), note, apply=True) == []
    assert {key: store.read(key) for key in store.list("raw/warc")} == before


@pytest.mark.parametrize("moment", range(9))
def test_a_killed_erasure_is_resumed(store: LocalStore, monkeypatch: pytest.MonkeyPatch, moment: int) -> None:
    before, left = ids(store), [moment]

    def dying(name: str) -> object:
        whole = getattr(store, name)

        def write(*arguments: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return whole(*arguments)

        return write

    with monkeypatch.context() as patch:
        for name in ("put_new", "swap", "delete"):
            patch.setattr(store, name, dying(name), raising=False)
        with pytest.raises(KeyboardInterrupt):
            erase_raw(store, ANN, note, apply=True)
    erase_raw(store, ANN, note, apply=True)
    assert ids(store) == before
    assert names(store).count("erased0badcafe") == 4
    indexed = {f"raw/warc/{entry.filename}" for entry in Archive(store).index()}
    assert set(store.list("raw/warc")) == indexed


def test_a_damaged_file_is_an_error(store: LocalStore) -> None:
    key = store.list("raw/warc")[0]
    store.put(key, store.read(key)[:-1] + b"x")
    with pytest.raises(Damaged, match=key):
        erase_raw(store, ANN, note, apply=True)


def test_a_run_that_lands_during_an_erasure_is_an_error(store: LocalStore) -> None:
    before = store.list("raw/warc")

    def outcomes() -> Iterator[Capture]:
        yield Capture(payload=b'{"user": "ann-7"}', url="https://hub.example/new", http_status=200)
        Ledger(store).begin(new_entry("2026-11-22T00:00:00Z", "art. 17"), ["ann-7"], [])

    with pytest.raises(Superseded, match="a person is being erased"):
        Archive(store).write(outcomes(), now=NOW)
    with pytest.raises(Superseded, match="where it was killed, give the same command again"):
        Archive(store).write([], now=NOW)
    assert store.list("raw/warc") == before


def test_a_flipped_bit_of_the_ledger_is_found(store: LocalStore) -> None:
    """Else the person would be landed again. One in its white space changes nothing."""
    Ledger(store).begin(new_entry("2026-11-22T00:00:00Z", "art. 17"), ["ann-7"], [])
    entries, passed = Ledger(store).entries, []
    for key in store.list("raw/erased"):
        before = store.read(key)
        for place in range(len(before)):
            store.put(key, before[:place] + bytes([before[place] ^ 1]) + before[place + 1 :])
            with suppress(Damaged):
                passed += [replace(one, check="") for one in Ledger(store).entries]
        store.put(key, before)
    assert {*passed} <= {replace(one, check="") for one in entries}


def test_what_is_landed_afterwards_is_landed_without_them(store: LocalStore) -> None:
    ledger = Ledger(store)
    ledger.end(ledger.begin(new_entry("2026-11-22T00:00:00Z", "art. 17"), ["ann-7"], []))
    page = Capture(payload=b'{"user": "Ann-7", "x": 1}', url="https://hub.example/?submitter=ann-7", http_status=200)
    [capture_id] = Archive(store).write([page], now=NOW).capture_ids
    landed = Archive(store).read(Archive(store).find(capture_id))
    assert (landed.capture_id, b"nn-7" in landed.payload, "ann-7" in str(landed.url)) == (page.capture_id, False, False)
    assert Archive(store).write([page], now=NOW).skipped_count == 1
