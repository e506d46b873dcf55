"""Bytes that a release of one page writes, file by file: of a new list, and of a list that was fetched again.

python -m bench.one_page ../shared/captures

A lake of all captures but two takes each of these, and then the last of three hours later, on which every paper has one
upvote more, a release each. A file is new whose content the release before has nowhere. The database is whole in each;
the release before gives its own up (docs/release.md).
"""

from __future__ import annotations

import csv
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from bench.copies import copied
from flows.runtime.lake import open_lake
from tests.flows import steps
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.release.latest import DATABASE, MANIFEST, release_key
from warehouse.release.manifest import Manifest

LATER = timedelta(hours=3)
SHOWN = 4_000  # bytes of the smallest line of its own


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="paperlake-bench-") as name:
        os.environ["PAPERLAKE_CACHE"] = f"{name}/cache"
        lake = f"{name}/lake"
        _, before, new, again = list(releases(lake, Path(sys.argv[1]), Path(name)))
        show(lake, "a new list", before, new)
        show(lake, "a list fetched again", new, again)


def releases(lake: str, folder: Path, room: Path) -> Iterator[Manifest]:
    """One of all captures but two, one of each of these, and one of the last again."""
    with (folder / "captures.csv").open(encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["fetched_at"])
    last = rows[-1]
    for number, some in enumerate((rows[:-2], rows[-2:-1], [last])):
        steps.land(lake, [copied(folder, some, room / f"{number}")])
        yield _published(lake, number)
    Archive(open_lake(lake)).write([fetched_again(folder, last)], now=steps.NOW)
    yield _published(lake, 3)


def _published(lake: str, number: int) -> Manifest:
    """The release of what was landed, so many days after the first."""
    made = steps.publish_new(lake, now=steps.NOW + timedelta(days=number))
    assert made is not None
    return made


def fetched_again(folder: Path, row: Mapping[str, str]) -> Capture:
    """A captured list as it may be some hours later, when every paper has one upvote more."""
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
