"""`releases/index.json`: every release there was, for readers who cannot list a folder.

Each move of `latest.json` is added to the index before it, so that a lake of many releases costs no more than one of
few. The counts of a release stay until it is dropped; a retraction or a longer retention shows at once.

The pages at the addresses of dropped releases and of the latest one lead to it, for browsers. Where a run was killed
after a move of `latest.json`, they lead to the previous release until the next run mends them.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from flows.documents.edition import DESCRIPTION
from flows.documents.rendering import inlined, render
from flows.runtime.progress import log
from warehouse.errors import Damaged, NothingThere, StoreFailed
from warehouse.release import moves
from warehouse.release.about import followed
from warehouse.release.latest import (
    EXPLORER,
    INDEX,
    LEADING,
    PAGE,
    RECORD,
    RELEASES,
    latest,
    manifest_of,
    release_key,
    require_latest,
)
from warehouse.release.manifest import Dropped, Erratum, Latest, ReleaseKind, decode, encode, long_term
from warehouse.store.store import Store, read_if_there


class ReleaseSummary(Struct, frozen=True):
    """A published release: when it was first the latest, what it is and holds, whether it was dropped or retracted.

    `kept_until` is the ISO day up to which it is kept whatever rule `paperlake retain` is given.
    What is not known is null: of a release that was dropped, or whose manifest is damaged.
    """

    version: str
    published_at: str
    is_latest: bool
    manifest_sha256: str = ""
    schema_version: int | None = None
    code_version: str | None = None
    kind: ReleaseKind = ""
    kept_until: str = ""
    capture_count: int | None = None
    row_count: int | None = None
    bytes: int | None = None
    check_count: int | None = None
    failed_check_count: int | None = None
    accepted_loss: str | None = None
    dropped_at: str | None = None
    quarantined_count: int | None = None
    erratum: Erratum | None = None


class ReleaseIndex(Struct, frozen=True):
    """All releases, the oldest first, as they are after a `move` of `latest.json`, counted from 1."""

    move: int
    moved_at: str
    latest: str
    releases: tuple[ReleaseSummary, ...]


def release_index(store: Store, named: Latest, past: Sequence[Latest] | None = None) -> ReleaseIndex:
    """The index after a move: the stored index of the move before, with this one added; without one, of all moves.

    With `past`, all moves until then, the stored index is not used.
    """
    known = None if past else stored_index(store)
    if known and known.move == named.number:
        return known
    if known is None or known.move != named.number - 1:
        known, past = None, past or moves.moves(store)
    entries = {one.version: one for one in known.releases} if known else {}
    for move in past or (named,):
        if move.version not in entries:
            entries[move.version] = summary_of(store, move, past or (named,))
        for version in move.dropped:
            gone = entries[version]
            entries[version] = ReleaseSummary(
                version, gone.published_at, False, gone.manifest_sha256, dropped_at=move.moved_at
            )
    kept = {one.version: one.kept_until for one in named.kept}
    return ReleaseIndex(
        named.number,
        named.moved_at,
        named.version,
        tuple(
            replace(
                one,
                is_latest=one.version == named.version,
                erratum=named.erratum(one.version),
                kept_until=max(one.kept_until, kept.get(one.version, "") if one.dropped_at is None else ""),
            )
            for one in entries.values()
        ),
    )


def summaries(store: Store) -> Sequence[ReleaseSummary]:
    """A summary of every release, the oldest first; NothingThere before the first release."""
    require_latest(store)
    past = moves.moves(store)
    return release_index(store, past[-1], past).releases


def is_drop_unfinished(store: Store, index: ReleaseIndex) -> bool:
    """Whether the command that dropped releases last was killed before the last of their files was gone."""
    newest = max((one.dropped_at for one in index.releases if one.dropped_at), default=None)  # it finished older ones
    dropped = (one.version for one in index.releases if newest and one.dropped_at == newest)
    return not all(store.exists(release_key(version, RECORD)) for version in dropped)


def stored_index(store: Store) -> ReleaseIndex | None:
    """The stored index; None where there is none, or it cannot be read."""
    data = read_if_there(store, INDEX)
    with suppress(Damaged):
        return decode(data, ReleaseIndex, INDEX) if data else None
    return None


def summary_of(store: Store, first: Latest, past: Sequence[Latest]) -> ReleaseSummary:
    """The summary of a release, by the move that made it the latest for the first time; `past` are the moves."""
    begun = ReleaseSummary(first.version, first.moved_at, False, first.manifest_sha256)
    try:
        manifest = manifest_of(store, first)
    except (Damaged, NothingThere):  # dropped since; "paperlake verify" reports damage
        record = moves.dropped(store, first.version, past)
        return replace(begun, dropped_at=record.dropped_at if record else None)
    held = followed(manifest, manifest.version)
    return replace(
        begun,
        **{name: getattr(held, name) for name in held.__struct_fields__ if name in begun.__struct_fields__},
        kind=manifest.kind,
        kept_until=manifest.kept_until or ("" if manifest.kind else long_term(manifest.version, held.parent)),
        bytes=sum(file.bytes for file in manifest.files),
    )


TRIES: Final = 100  # each one that fails is a move at that moment


def lead_to_latest(store: Store) -> None:
    """Make the pages lead to the release that `latest.json` names; to be called after each move of it.

    They are written again until `latest.json` is the same after writing as before. So, of several processes that move
    it at one moment, the last to write has seen the last move.
    """
    try:
        for _ in range(TRIES):
            named = latest(store)
            if named is None:
                return
            index = {INDEX: encode(release_index(store, named))}
            for key, page in (leading_pages(named.version) | index).items():
                if read_if_there(store, key) != page:
                    store.put(key, page)
            if latest(store) == named:
                return
    except (StoreFailed, Damaged) as error:  # the release is there; the next run writes them
        log.warning("%s/%s may lead to an older release: %s", RELEASES, PAGE, error)


def leading_pages(version: str) -> dict[str, bytes]:
    """Key in the lake → the page that leads from there to a page of a release."""
    made = {}
    for key, page in LEADING.items():
        # That of the explorer has a script, as nothing else keeps what stands after # in an address
        more = {"script": inlined("page/leading.js")} if page == EXPLORER else {}
        way = f"{'../' * (key.count('/') - 1)}{version}/{page}"
        made[key] = render("page/leading.html.j2", version=version, way=way, description=DESCRIPTION, **more)
    return made


def pages_instead(version: str) -> dict[str, bytes]:
    """What a browser finds where an older release had its explorer and its dictionary: the way to the latest."""
    told = {"older": version, "description": DESCRIPTION}
    script = inlined("page/leading.js")
    return {
        EXPLORER: render("page/leading.html.j2", way=f"../../latest/{EXPLORER}", script=script, **told),
        "dictionary.html": render("page/leading.html.j2", way=f"../latest/{PAGE}", **told),
    }


def tombstone(record: Dropped) -> bytes:
    """The page of a release that was dropped."""
    return render("page/tombstone.html.j2", record=record)


def leading_faults(store: Store) -> Iterator[str]:
    """Faults of these pages and of the index: one that leads elsewhere, or is outdated. A missing one is no fault."""
    named = require_latest(store)
    for key, page in leading_pages(named.version).items():
        if read_if_there(store, key) not in {None, page}:
            yield f'{key} does not lead to the latest release, {named.version}; run "paperlake publish", which mends it'
    with suppress(Damaged):  # "paperlake verify" reports damage of the moves
        past = moves.moves(store)
        if read_if_there(store, INDEX) not in {None, encode(release_index(store, past[-1], past))}:
            yield f'{INDEX} does not say what the releases are; copy it, remove it, and run "paperlake publish"'


def page_address(store: Store, version: str) -> str:
    """Where the page of a release is: its path, or its address in a bucket."""
    key = release_key(version, PAGE)
    return str(store.local_path(key) or f"{store.url}/{key}")
