"""Releases of a manifest alone, made in milliseconds, for tests of what moves and names them."""

from datetime import datetime

from warehouse.release import moves
from warehouse.release.latest import CURRENT, MANIFEST, NO_DRAFT, parent_of, release_key
from warehouse.release.manifest import Manifest, encode
from warehouse.store.store import Store


def publish_bare(store: Store, version: str, *, at: datetime, sign: moves.Sign | None = None) -> Manifest:
    """Publish a release without tables, which follows the latest one."""
    store.put(CURRENT, b"{}")  # a draft is waiting: a first release without would have lost its `latest.json`
    manifest = Manifest(version, 2, "0.1.0", parent_of(store), 0, "", (), ())
    store.put_new(release_key(version, MANIFEST), encode(manifest))
    moves.publish(store, manifest, at=at, sign=sign)
    store.put(CURRENT, NO_DRAFT)
    return manifest
