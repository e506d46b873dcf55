"""What `paperlake verify` checks: a line that says what is sound, and a line for each fault."""

from __future__ import annotations

from flows.progress import track
from warehouse import release
from warehouse.archive import Archive, Damage
from warehouse.errors import Damaged, NothingThere
from warehouse.store import Store


def verify_latest(store: Store) -> tuple[str, list[str]]:
    """Every file and every table of the latest release."""
    manifest = release.latest_manifest(store)
    if manifest is None:
        raise NothingThere(f'nothing is published in {store.url}; run "paperlake run PATH" first')
    wrong = release.verify_release(store, manifest)
    rows = sum(table.row_count for table in manifest.tables)
    return f"release {manifest.version} is sound: {len(manifest.files)} files, {rows:,} rows", wrong


def verify_raw(store: Store) -> tuple[str, list[str]]:
    """Every record of the archive."""
    found = list(track(Archive(store).verify(), "verifying"))
    wrong = [_told(damage) for damage in found if isinstance(damage, Damage)]
    return f"the archive is sound: {len(found):,} captures re-read", wrong


def require_sound(lake: str, found: tuple[str, list[str]]) -> str:
    """The line that says what is sound; Damaged with every fault, where there is one."""
    sound, wrong = found
    if wrong:
        raise Damaged("\n".join([f"{len(wrong)} faults in {lake}:", *(f"  {message}" for message in wrong)]))
    return sound


def _told(damage: Damage) -> str:
    place = "" if damage.offset is None else f" at byte {damage.offset}"
    capture = "" if damage.capture_id is None else f", capture {damage.capture_id}"
    return f"{damage.warc}{place}{capture}: {damage.detail}"
