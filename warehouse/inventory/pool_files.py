"""Older releases of a lake in a bucket share their files: one that has two newer ones gives its own to the pool.

The newest two lie whole at their own keys: whoever reads one while the next is published reads on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Final

from warehouse.errors import NothingThere
from warehouse.release import moves
from warehouse.release.latest import LAKE_FORMAT, RELEASES, latest, manifest_of, release_key
from warehouse.release.manifest import Manifest
from warehouse.store.pooled import PLACES
from warehouse.store.store import Store

PagesInstead = Callable[[str], Mapping[str, bytes]]  # the version of a pooled release → pages that stand in for its own
WHOLE: Final = 2  # releases at their own keys, the latest among them


def pool_older(store: Store, newest: Manifest, pages: PagesInstead) -> None:
    """Pool the ancestors of the latest release, from the newest that may be to the first that is pooled already.

    So what a run that was killed left is finished by the next, and of a lake that an older paperlake wrote all are.
    """
    for manifest in islice(_ancestors(store, newest), WHOLE - 1, None) if _may_be_pooled(store) else ():
        if not _pool(store, manifest, pages):
            return


def pool_all(store: Store, pages: PagesInstead) -> None:
    """Pool every release that was published and not dropped but the newest, those aside the line of the latest too."""
    if not _may_be_pooled(store):
        return
    past = moves.moves(store)
    versions = sorted({move.version for move in past}, key=moves.order_of)
    for version in versions[:-WHOLE]:
        if version != past[-1].version and not store.exists(release_key(version, PLACES)):
            with suppress(NothingThere):  # it was dropped
                _pool(store, moves.published(store, version, past), pages)


def _may_be_pooled(store: Store) -> bool:
    """Whether the lake is in a bucket, and says of itself what an older paperlake must know before it reads there."""
    named = latest(store) if store.folder is None else None
    return named is not None and named.lake_format == LAKE_FORMAT


def _ancestors(store: Store, release: Manifest) -> Iterator[Manifest]:
    """The releases before this one, the newest first, up to one that was dropped."""
    with suppress(NothingThere):
        while release.parent:
            yield (release := manifest_of(store, release.parent))


def _pool(store: Store, manifest: Manifest, pages: PagesInstead) -> bool:
    sums = {file.key: file.sha256 for file in manifest.files}
    return store.pool(f"{RELEASES}/{manifest.version}", sums, pages(manifest.version))
