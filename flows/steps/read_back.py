"""Steps of `verify`: read back what is kept. Each returns a line that says what is sound, and a line for each fault."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from flows.documents.citation_record import citation_faults
from flows.documents.release_index import leading_faults, stored_index
from flows.runtime.progress import track
from flows.steps.signing import signature_faults
from warehouse.archive.archive import Archive, Damage
from warehouse.archive.captured import instant_of
from warehouse.errors import Damaged, NothingThere, TooOld
from warehouse.inventory.owners import inventory, unlisted
from warehouse.people import RECORDS
from warehouse.printable import counted
from warehouse.release import moves
from warehouse.release.chain import EVIDENCE, Chain, Checkpoint, read_chain, since_faults
from warehouse.release.latest import INDEX, LATEST, erasure_faults, require_latest, resolved
from warehouse.release.manifest import Latest, Manifest
from warehouse.release.schema_changes import kind_of
from warehouse.release.write import faults
from warehouse.store.store import Store


def verify_release(
    store: Store,
    version: str | None = None,
    *,
    every: bool = False,
    signed_by: Path | None = None,
    since: Checkpoint | None = None,
) -> tuple[str, list[str]]:
    """Check every file and table of a release, by default the latest, or of `every` one.

    The chain of releases is checked too, and that nothing lies in the lake which no release, record or draft accounts
    for.

    With `signed_by`, a file of signers as ssh has it, one of them must have signed each manifest, and the newest move.
    With `since`, a checkpoint, the moves must continue from there. The last line of what is sound is the next one.
    """
    require_latest(store)
    chain, wrong = verify_moves(store, since)
    past, named = chain.moves, chain.moves[-1]
    wrong += [*unlisted(inventory(store, past)), *citation_faults(store, past)]
    asked = dict.fromkeys(move.version for move in past) if every else [version or named.version]
    chosen = list(_readable(store, asked, past))
    if not chosen and not wrong:
        moves.published(store, version or named.version, past)  # raises an error that says why
    for manifest in chosen:
        where = f"{manifest.version}: " if every else ""
        wrong += [where + fault for fault in (*faults(store, manifest), *_kind_faults(store, manifest, past))]
    wrong += signature_faults(store, chosen, signed_by) if signed_by else ()
    files, rows = sum(len(one.files) for one in chosen), sum(table.row_count for one in chosen for table in one.tables)
    what = f"release {chosen[0].version} is" if len(chosen) == 1 else f"{len(chosen)} releases are"
    sound = f"{what} sound: {counted(files, 'file')}, {counted(rows, 'row')}"
    sound += f", signed by somebody in {signed_by}" if signed_by else ""
    sound += "".join(
        f"; release {one.version} was retracted {one.retracted_at}: {one.why}"
        for one in named.errata
        if one.version in {manifest.version for manifest in chosen}
    )
    sound += "".join(f"; {line}" for line in leading_faults(store))
    sound += f"; every release that was ever the latest is as it was published (moves: {named.number})"
    sound += f"; {_moves_since(chain, since)}" if since else ""
    return f"{sound}\ncheckpoint: {chain.head}", wrong


def _kind_faults(store: Store, manifest: Manifest, past: Sequence[Latest]) -> Iterator[str]:
    """The fault of a release that is not of the kind that it says, compared with its parent."""
    parent = next(_readable(store, [manifest.parent.version], past), None) if manifest.parent else None
    kind = kind_of(manifest, parent) if parent or not manifest.parent else manifest.kind
    # what was corrected of a person leaves with them: nothing else may have told the two apart
    is_emptied = manifest.kind == "correction" and any(one and one.erasures for one in (manifest, parent))
    if manifest.kind not in {"", kind} and not is_emptied:
        yield f"the manifest says {manifest.kind}, and compared with its parent it is {kind}"


def verify_moves(store: Store, since: Checkpoint | None = None) -> tuple[Chain, list[str]]:
    """Check the chain of moves, what it names, and, with `since`, that it continues from there."""
    index = stored_index(store)  # before the moves: it is written after the one that it shows
    chain = read_chain(store)
    past, head = chain.moves, chain.moves[-1].number
    wrong = [*chain.wrong, *moves.drop_faults(store, past), *(broken := list(erasure_faults(store)))]
    if index and index.move > head:
        wrong.append(f"{LATEST} is move {head}, and {INDEX} shows move {index.move}: it was put back; {EVIDENCE}")
    wrong += since_faults(store, chain, since) if since and not broken else ()
    return chain, [*wrong, *_broken_links(store, past)]


def _moves_since(chain: Chain, since: Checkpoint) -> str:
    """A sentence on the moves since a checkpoint; none may mean that somebody keeps newer moves back."""
    newer = [move for move in chain.moves if move.number > since.number]
    if not newer:
        return f"nothing was moved since the checkpoint, {chain.moves[-1].moved_at}: look whether that may be"
    before = {one.name for move in chain.moves if move.number <= since.number for one in move.erasures}
    erased = sorted({one.name for move in newer for one in move.erasures} - before)
    told = f", among them erasures, which rewrote what {RECORDS}/ names: {', '.join(erased)}" if erased else ""
    return f"moves since the checkpoint: {len(newer)}{told}"


def _readable(store: Store, versions: Iterable[str], past: Sequence[Latest]) -> Iterator[Manifest]:
    """The manifests of releases, without those that were dropped, are damaged, or never were."""
    for version in versions:
        with suppress(Damaged, NothingThere):
            yield moves.published(store, version, past)


def _broken_links(store: Store, past: Sequence[Latest]) -> Iterator[str]:
    """Faults in the chain: releases whose manifest is gone or changed, or whose parent was never published."""
    sha256 = {move.version: move.manifest_sha256 for move in past}
    for version in sha256:
        stated = {move.manifest_sha256 for move in past if move.version == version}
        try:
            if len(stated) > 1 and len({resolved(store, one) for one in stated}) > 1:
                yield f"{version} was the latest with different manifests, which no erasure explains; {EVIDENCE}"
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
    return f"the archive is sound: {counted(len(found), 'capture')} re-read", wrong


def require_sound(lake: str, found: tuple[str, list[str]]) -> str:
    """The line that says what is sound; Damaged, with every fault, where there is any."""
    sound, wrong = found
    if wrong:
        raise Damaged("\n".join([f"faults in {lake}: {len(wrong)}", *(f"  {message}" for message in wrong)]))
    return sound


def require_moved_lately(store: Store, most: timedelta, now: datetime) -> None:
    """Raise TooOld where the newest move is older: somebody may keep newer ones back; or as far in the future."""
    named = require_latest(store)
    if not named.moved_at or abs(now - instant_of(named.moved_at)) > most:
        raise TooOld(
            f"the newest move, {named.number}, is of {named.moved_at}; does {store.url} rest, or is it not renewed?"
        )
