"""A signed lake of two releases, and evidence of the older one, so that its log has a move after it."""

import io
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from flows.runtime.lake import database_at, open_lake
from paperlake.evidence.check_evidence import Anchors
from paperlake.evidence.facts import Fact
from paperlake.evidence.package import evidence_package
from tests.flows.test_signing import sign, signers
from warehouse.release.chain import read_chain
from warehouse.release.manifest import Manifest, Parent
from warehouse.release.moves import published
from warehouse.release.query import Database, opened
from warehouse.release.snapshot import Snapshot, open_snapshot

NOW = datetime(2026, 11, 26, 12, 0)
PAPER, DAY = "2604.03274", "2026-04-07"


class Source(NamedTuple):
    """A signed lake of two releases; what is asked is the first one, so that the log has a move after it."""

    lake: str
    key: Path
    database: Database
    release: Snapshot[Manifest]

    def package(self, fact: Fact, *, is_signed: bool = True) -> bytes:
        return evidence_package(self.database, self.release, fact, now=NOW, key=self.key if is_signed else None)

    @property
    def anchors(self) -> Anchors:
        """What a reader has of the publisher: the signers, and a checkpoint."""
        head = read_chain(open_lake(self.lake)).head
        return Anchors(signers(self.key).read_text(), tuple(head))


def made_ecdsa(path: Path, bits: str = "384") -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ecdsa", "-b", bits, "-N", "", "-f", path], check=True)
    return path


@contextmanager
def signed_source(published_twice: str, folder: Path) -> Iterator[Source]:
    lake, key = str(shutil.copytree(published_twice, folder / "lake")), made_ecdsa(folder / "key")
    store = open_lake(lake)
    sign(store, key)
    first = read_chain(store).moves[0]
    manifest = published(store, first.version)
    with (
        opened(database_at(store, Parent(first.version, first.manifest_sha256))) as database,
        open_snapshot(store, manifest) as release,
    ):
        yield Source(lake, key, database, release)


def unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}
