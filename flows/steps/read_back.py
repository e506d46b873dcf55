"""Steps of `verify`: what is kept is read back; a line that says what is sound, and a line for each fault."""

from __future__ import annotations

from collections.abc import Iterator

from flows.runtime.progress import track
from warehouse.archive.archive import Archive, Damage
from warehouse.errors import Damaged, NothingThere
from warehouse.release import moves
from warehouse.release.faults import faults
from warehouse.release.latest import require_latest
from warehouse.store.store import Store


def verify_release(store: Store, version: str | None = None) -> tuple[str, list[str]]:
    """Every file and every table of a release, the latest by default, and that the past before it is what it was."""
    named = require_latest(store)
    manifest = moves.published(store, version or named.version)
    wrong = [*faults(store, manifest), *_broken_links(store)]
    rows = sum(table.row_count for table in manifest.tables)
    sound = f"release {manifest.version} is sound: {len(manifest.files)} files, {rows:,} rows"
    return f"{sound}; every release that was ever the latest is as it was published (moves: {named.number})", wrong


def _broken_links(store: Store) -> Iterator[str]:
    """Releases of the past whose manifest is gone or another, or that follow one that never was."""
    all_moves = moves.moves(store)
    past = {move.version: move.manifest_sha256 for move in all_moves}
    for version in past:
        if moves.dropped(store, version, all_moves):
            continue
        try:
            parent = moves.published(store, version, all_moves).parent
        except (Damaged, NothingThere) as error:
            yield str(error)
            continue
        if parent is not None and past.get(parent.version) != parent.manifest_sha256:
            yield f"{version} follows {parent.version}, which was published with another manifest, or never"


def verify_raw(store: Store) -> tuple[str, list[str]]:
    """Every record of the archive."""
    found = list(track(Archive(store).verify(), "verifying"))
    wrong = [str(damage) for damage in found if isinstance(damage, Damage)]
    return f"the archive is sound: {len(found):,} captures re-read", wrong


def require_sound(lake: str, found: tuple[str, list[str]]) -> str:
    """The line that says what is sound; Damaged with every fault, where there is one."""
    sound, wrong = found
    if wrong:
        raise Damaged("\n".join([f"faults in {lake}: {len(wrong)}", *(f"  {message}" for message in wrong)]))
    return sound
