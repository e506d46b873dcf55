"""Finds where a lake and this machine hold data of a person: for the dry run, and for the proof at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from flows.erasing.prefect_rows import prefect_hits
from flows.runtime.lake import journal_folder
from warehouse.archive.erased_records import ErasedFile, erase_raw
from warehouse.archive.journal_file import NAMES
from warehouse.erasing.person import Person
from warehouse.errors import Damaged, NothingThere
from warehouse.release import moves
from warehouse.release.erasing.left_over import Places, places_in, text_without
from warehouse.release.latest import CITATIONS, DRAFTS, RELEASES
from warehouse.release.manifest import Latest, Manifest
from warehouse.store.local_files import LocalFiles
from warehouse.store.store import Store

TEXTS: Final = (moves.LOG, CITATIONS)  # records of ours, each of which may quote somebody


class Found(Struct, frozen=True):
    """Where a person's data was found: WARC files, places in each release, texts beside them, the rest of the lake."""

    warcs: tuple[ErasedFile, ...]
    releases: tuple[tuple[str, Places], ...]
    texts: tuple[str, ...]
    drafts: tuple[str, ...]
    journal_count: int
    prefect_rows: int

    @property
    def is_nothing(self) -> bool:
        """Whether nothing was found, drafts aside, which are all removed anyway."""
        at_hand = self.warcs or self.texts or self.journal_count or self.prefect_rows
        return not (at_hand or any(places.keys for _, places in self.releases))

    @property
    def words(self) -> int:
        return sum(places.words for _, places in self.releases)


def find(files: LocalFiles, person: Person, *, prefect: Path | None) -> Found:
    """Search the whole lake, and Prefect's folder; nothing is changed."""
    store = files.store
    manifests = kept_releases(store)
    return Found(
        tuple(erase_raw(store, person, str, apply=False)),
        tuple((one.version, places_in(files, one, person)) for one in manifests),
        tuple(key for key, _, _ in texts_of(store, person)),
        tuple(store.list(DRAFTS)),
        sum(1 for _ in journal_folder(store).glob(NAMES)),
        prefect_hits(prefect, person) if prefect else 0,
    )


def kept_releases(store: Store, past: Sequence[Latest] | None = None) -> list[Manifest]:
    """Every release that was not dropped, the oldest first; Damaged where a manifest is not what was published."""
    past = moves.moves(store) if past is None else past
    kept = []
    for version in dict.fromkeys(move.version for move in past):
        with suppress(NothingThere):
            kept.append(moves.published(store, version, past))
    return kept


def texts_of(store: Store, person: Person) -> Iterator[tuple[str, bytes, bytes]]:
    """The records beside the releases that change: key, bytes before, bytes after."""
    keys = [key for folder in TEXTS for key in store.list(folder)]
    keys += [key for key in store.list(RELEASES) if key.count("/") == 1 or key.startswith(f"{RELEASES}/latest/")]
    for key in keys:
        before = store.read(key)
        text = before.decode("utf-8", "surrogateescape")
        after = text_without(person, key, text).encode("utf-8", "surrogateescape")
        if after != before:
            yield key, before, after


def require_none(found: Found) -> None:
    """Raise Damaged, which names each place, where data of the person is left."""
    left = [f"raw/warc/{one.filename}" for one in found.warcs]
    left += [f"{RELEASES}/{version}/{key}" for version, places in found.releases for key in places.keys]
    left += [*found.texts, *(["Prefect's database"] if found.prefect_rows else [])]
    left += ["the journal of this machine"] if found.journal_count else []
    if left:
        step = "run the same command again; if it stays, report to paperlake's maintainers which place it is"
        raise Damaged("\n".join([f"data of the person is left in {len(left)} places: {step}", *left]))
