"""What commands cost in a lake of many releases: its own, and then as many more with the files of its latest.

python -m bench.many COPY_OF_A_LAKE 999
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from flows.documents.release_index import lead_to_latest
from flows.runtime.lake import open_lake
from warehouse.inventory.pool_files import pool_older
from warehouse.release import moves
from warehouse.release.latest import MANIFEST, latest_manifest, release_key
from warehouse.release.manifest import Manifest, Parent, digest, encode, released_on
from warehouse.store.store import Store

COMMANDS: Final = ("releases", "status", "verify", "retain --keep-last 50", "retain --keep-last 50 --apply")


def main(lake: str, count: int) -> None:
    """Print a line a command: seconds on the clock and of the processor, MiB at most."""
    add(open_lake(lake), count)
    print("command | seconds | of the processor | MiB at most of all so far")
    for command in COMMANDS:
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(
            [str(Path(sys.executable).with_name("paperlake")), *command.split(), "--lake", lake],
            check=True,
            capture_output=True,
        )
        after, took = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - began
        work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{command} | {took:.2f} | {work:.2f} | {after.ru_maxrss / 1024:.0f}", flush=True)


def add(store: Store, count: int) -> None:
    """Publish so many releases, on a day each up to today, that differ from the latest in their names alone."""
    before = latest_manifest(store)
    assert before is not None, "a lake with a release"
    for version in versions(before, count):
        parent = Parent(before.version, digest(encode(before)))
        made = replace(before, version=version, parent=parent)
        keys = [file.key for file in before.files]
        with ThreadPoolExecutor() as pool:
            pairs = ((release_key(before.version, key), release_key(version, key)) for key in keys)
            list(pool.map(store.copy_new, *zip(*pairs, strict=True)))
        store.put_new(release_key(version, MANIFEST), encode(made))
        moves.publish(store, made, at=datetime.now(UTC).replace(tzinfo=None))
        pool_older(store, made, lambda _: {})
        before = made
    lead_to_latest(store)


def versions(before: Manifest, count: int) -> Iterator[str]:
    first = released_on(before.version)
    return (f"{first + timedelta(days):%Y.%m.%d}.1" for days in range(1, count + 1))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
