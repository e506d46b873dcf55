"""Older releases take less room: one that was replaced gives up its database, and shares its other files.

Only in a bucket are files given to the pool: in a folder they are hard links. The database of a release that is cited
or kept long-term stays. The latest release lies whole at its own keys, and until it has been that for an hour so does
the one before: whoever reads one while the next is published reads on.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice, takewhile
from typing import Final

from warehouse.archive.captured import instant_of
from warehouse.errors import NothingThere
from warehouse.release import moves
from warehouse.release.latest import CITATIONS, DATABASE, LAKE_FORMAT, RELEASES, latest, manifest_of, release_key
from warehouse.release.made_again import can_be_made
from warehouse.release.manifest import Latest, Manifest
from warehouse.store.pooled_list import PLACES
from warehouse.store.store import Store

PagesInstead = Callable[[str], Mapping[str, bytes]]  # the version of a pooled release → pages that stand in for its own
GRACE: Final = timedelta(hours=1)  # a query of the largest table takes minutes


def pool_older(store: Store, newest: Manifest, pages: PagesInstead) -> None:
    """Pool the ancestors of a release that was published a moment ago, but its parent, to the first that is pooled.

    So what a run that was killed left is finished by the next, and of a lake that an older paperlake wrote all are.
    """
    if (named := _pooled_by(store)) is None:
        return
    whole = _kept_whole(store, named)
    _lend(store, newest)
    for manifest in islice(_ancestors(store, newest), 1, None):
        if not _pool(store, manifest, pages, whole):
            return


def pool_all(store: Store, pages: PagesInstead, *, at: datetime, as_in: Store | None = None) -> None:
    """Pool every release that was published and not dropped but the latest, those aside its line too.

    The newest that it took the place of only once that is an hour ago. In a copy a release whose database the lake
    `as_in` lacks lacks it too. `at` is UTC without zone.
    """
    if (named := _pooled_by(store)) is None:
        return
    past, whole = moves.moves(store), _kept_whole(store, named)
    _lend(store, manifest_of(store, named))
    versions = sorted({move.version for move in past}, key=moves.order_of)
    # Until the latest has been that for an hour, somebody may still read on in the one before
    *_, first = takewhile(lambda move: move.version == past[-1].version, reversed(past))
    given_up = {one for one in versions if as_in and not as_in.is_kept(release_key(one, DATABASE))}
    for version in versions if _is_hour_ago(first, at) else sorted({*versions[:-2], *given_up}, key=moves.order_of):
        is_new = not store.exists(release_key(version, PLACES))
        if version != past[-1].version and (is_new or store.made_again(release_key(version, DATABASE))):
            with suppress(NothingThere):  # it was dropped
                _pool(store, moves.published(store, version, past), pages, whole, given_up)


def is_over(store: Store, at: datetime) -> bool:
    """Whether the release before the latest is to be pooled by now, and is not: a look that reads no other release."""
    named = _pooled_by(store)
    if named is None or not _is_hour_ago(named, at):
        return False
    whole = _kept_whole(store, named)
    before = islice(_ancestors(store, manifest_of(store, named)), 1)
    left = (one for one in before if store.folder is None or not _is_whole(one, whole))
    return any(not store.exists(release_key(one.version, PLACES)) for one in left)


def _is_hour_ago(move: Latest, at: datetime) -> bool:
    return not move.moved_at or instant_of(move.moved_at) + GRACE <= at


def _pooled_by(store: Store) -> Latest | None:
    """What `latest.json` names, where it says of the lake what an older paperlake must know before it reads there."""
    named = latest(store)
    return named if named and named.lake_format == LAKE_FORMAT else None


def cited_releases(store: Store) -> set[str]:
    """The versions of releases with a cited query: `citations/<version>-<hash>.json`."""
    return {key.removeprefix(f"{CITATIONS}/").rpartition("-")[0] for key in store.list(CITATIONS)}


def _kept_whole(store: Store, named: Latest) -> set[str]:
    """The releases that keep their databases: those that are cited, and those kept long-term."""
    return cited_releases(store) | {one.version for one in named.kept}


def _ancestors(store: Store, release: Manifest) -> Iterator[Manifest]:
    """The releases before this one, the newest first, up to one that was dropped."""
    with suppress(NothingThere):
        while release.parent:
            yield (release := manifest_of(store, release.parent))


def _lend(store: Store, newest: Manifest) -> None:
    """Let the latest release lend what others share; there are others only once it has a parent."""
    if newest.parent:
        before = {file.sha256 for one in islice(_ancestors(store, newest), 1) for file in one.files}
        store.lend(f"{RELEASES}/{newest.version}", {file.key: file.sha256 for file in newest.files}, before)


def _is_whole(manifest: Manifest, whole: Collection[str]) -> bool:
    """Whether a release keeps its database: one of an older paperlake has nothing of which to make it again."""
    return manifest.version in whole or bool(manifest.kept_until) or not can_be_made(one.key for one in manifest.files)


def _pool(
    store: Store, manifest: Manifest, pages: PagesInstead, whole: Collection[str], given_up: Collection[str] = ()
) -> bool:
    sums = {file.key: file.sha256 for file in manifest.files}
    is_whole = manifest.version not in given_up and _is_whole(manifest, whole)
    # Said of one, too, of which the manifest does not list it: an erasure took it out
    return store.pool(f"{RELEASES}/{manifest.version}", sums, pages(manifest.version), [] if is_whole else [DATABASE])
