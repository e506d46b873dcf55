"""Steps of `verify`: read back what is kept. Each returns a line that says what is sound, and a line for each fault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from flows.documents.release_index import leading_faults
from flows.runtime.progress import track
from flows.steps.signing import signature_faults
from warehouse.archive.archive import Archive, Damage
from warehouse.errors import Damaged, NothingThere
from warehouse.release import moves
from warehouse.release.faults import faults
from warehouse.release.latest import erasure_faults, require_latest, resolved
from warehouse.release.manifest import Latest, Manifest
from warehouse.release.schema_changes import kind_of
from warehouse.store.store import Store


def verify_release(
    store: Store, version: str | None = None, *, every: bool = False, signed_by: Path | None = None
) -> tuple[str, list[str]]:
    """Check every file and table of a release, by default the latest, or of `every` one; and the chain of releases.

    With `signed_by`, a file of signers as ssh has it, one of them must have signed each manifest.
    """
    named = require_latest(store)
    past, wrong = moves.history(store)
    wrong += [*moves.drop_faults(store, past), *erasure_faults(store), *_broken_links(store, past)]
    manifests = list(_readable(store, past))
    chosen = [one for one in manifests if every or one.version == (version or named.version)]
    if not chosen and not wrong:
        moves.published(store, version or named.version, past)  # raises an error that says why
    known = {one.version: one for one in manifests}
    for manifest in chosen:
        where = f"{manifest.version}: " if every else ""
        wrong += [where + fault for fault in faults(store, manifest)]
        parent = known.get(manifest.parent.version) if manifest.parent else None
        if manifest.kind and (parent or not manifest.parent) and manifest.kind != (kind := kind_of(manifest, parent)):
            wrong.append(f"{where}the manifest says {manifest.kind}, and compared with its parent it is {kind}")
    wrong += signature_faults(store, chosen, signed_by) if signed_by else ()
    files, rows = sum(len(one.files) for one in chosen), sum(table.row_count for one in chosen for table in one.tables)
    what = f"{len(chosen)} releases are" if every else f"release {version or named.version} is"
    sound = f"{what} sound: {files:,} files, {rows:,} rows"
    sound += f", signed by somebody in {signed_by}" if signed_by else ""
    sound += "".join(
        f"; release {one.version} was retracted {one.retracted_at}: {one.why}"
        for one in named.errata
        if one.version in {manifest.version for manifest in chosen}
    )
    sound += "".join(f"; {line}" for line in leading_faults(store))
    return f"{sound}; every release that was ever the latest is as it was published (moves: {named.number})", wrong


def _readable(store: Store, past: Sequence[Latest]) -> Iterator[Manifest]:
    """The manifests of releases, the oldest first, without those that were dropped or are damaged."""
    for version in dict.fromkeys(move.version for move in past):
        with suppress(Damaged, NothingThere):
            yield moves.published(store, version, past)


def _broken_links(store: Store, past: Sequence[Latest]) -> Iterator[str]:
    """Faults in the chain: releases whose manifest is gone or changed, or whose parent was never published."""
    sha256 = {move.version: move.manifest_sha256 for move in past}
    for version in sha256:
        try:
            if moves.dropped(store, version, past):
                continue
            parent = moves.published(store, version, past).parent
        except (Damaged, NothingThere) as error:
            yield str(error)
            continue
        known = {parent.manifest_sha256, resolved(store, parent.manifest_sha256)} if parent else set()
        published = sha256.get(parent.version, "") if parent else ""
        if parent is not None and known.isdisjoint({published, resolved(store, published)}):
            yield f"{version} follows {parent.version}, which was published with another manifest, or never"


def verify_raw(store: Store) -> tuple[str, list[str]]:
    """Check every record of the archive; NothingThere where there is none, nor anything that may have been one."""
    Archive(store).require_any()
    found = list(track(Archive(store).verify(), "verifying"))
    wrong = [str(damage) for damage in found if isinstance(damage, Damage)]
    return f"the archive is sound: {len(found):,} captures re-read", wrong


def require_sound(lake: str, found: tuple[str, list[str]]) -> str:
    """The line that says what is sound; Damaged, with every fault, where there is any."""
    sound, wrong = found
    if wrong:
        raise Damaged("\n".join([f"faults in {lake}: {len(wrong)}", *(f"  {message}" for message in wrong)]))
    return sound
