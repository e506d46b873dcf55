"""Bytes that a release of one page writes, file by file: of a new list, and of a list that was fetched again.

python -m bench.one_page ../shared/captures

A lake of all captures but the newest takes that one, and a day later the same page of three hours later, on which every
paper has one upvote more. A file is new whose content the release before has nowhere. The database is whole in each;
the release before gives its own up (docs/release.md).
"""

from __future__ import annotations

import csv
import json
import os
import sys
import tempfile
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

from bench.parts import split
from flows.runtime.lake import open_lake
from tests.flows import steps
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.release.latest import DATABASE, MANIFEST, release_key
from warehouse.release.manifest import Manifest

A_DAY = timedelta(days=1)
LATER = timedelta(hours=3)
SHOWN = 4_000  # bytes of the smallest line of its own


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="paperlake-bench-") as name:
        lake = f"{name}/lake"
        os.environ["PAPERLAKE_CACHE"] = f"{name}/cache"
        before, last = split(Path(sys.argv[1]), Path(name))
        first = steps.run(lake, [before])
        new = steps.run(lake, [last], now=steps.NOW + A_DAY)
        Archive(open_lake(lake)).write([fetched_again(last)], now=steps.NOW + A_DAY)
        again = steps.publish_new(lake, now=steps.NOW + 2 * A_DAY)
        assert first and new and again
        show(lake, "a new list", first, new)
        show(lake, "a list fetched again", new, again)


def fetched_again(folder: Path) -> Capture:
    """The list of a folder as it may be some hours later, when every paper has one upvote more."""
    with (folder / "captures.csv").open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file))
    items = json.loads((folder / row["file"]).read_bytes())
    for item in items:
        item["paper"]["upvotes"] += 1
    return Capture(
        payload=json.dumps(items).encode(),
        url=row["url"],
        fetched_at=datetime.fromisoformat(row["fetched_at"]).replace(tzinfo=None) + LATER,
        http_status=200,
        content_type=row["content_type"],
    )


def show(lake: str, what: str, before: Manifest, after: Manifest) -> None:
    """Print the new bytes of a release by table or document, the most first."""
    had = {file.sha256 for file in before.files}
    sizes = Counter({MANIFEST: len(open_lake(lake).read(release_key(after.version, MANIFEST)))})
    counts = Counter([MANIFEST])
    for file in after.files:
        if file.sha256 not in had:
            subject = "/".join(file.key.split("/")[:2])
            sizes[subject] += file.bytes
            counts[subject] += 1
    beside = sum(sizes.values()) - sizes[DATABASE]
    print(f"{what}: {beside:,} bytes beside the database, {sizes[DATABASE]:,} the database, {counts.total()} files")
    few = [subject for subject, size in sizes.items() if size < SHOWN]
    for subject, size in sizes.most_common():
        if subject not in few:
            print(f"| {subject} | {counts[subject]} | {size:,} |")
    print(f"| {len(few)} others | {sum(counts[one] for one in few)} | {sum(sizes[one] for one in few):,} |", flush=True)


if __name__ == "__main__":
    main()
