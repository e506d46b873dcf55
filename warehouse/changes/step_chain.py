"""The steps from an older release to a newer one, and what each does to tables of a known content.

Rows are applied only to the very content that they were made for; any other table is taken whole from the release. So
whoever goes along ends with its rows exactly, also over an erasure, which rewrites releases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from warehouse.changes.row_steps import INDEX, Step, TableStep, content_of, described, whole
from warehouse.errors import Damaged, NothingThere, StepsMissing
from warehouse.release.latest import manifest_of
from warehouse.release.manifest import Manifest, Parent, decode
from warehouse.release.moves import order_of
from warehouse.release.snapshot import Snapshot
from warehouse.store.local_files import LocalFiles


class Link(NamedTuple):
    """A release, and the step to it from the one before."""

    release: Snapshot[Manifest]
    step: Step

    @property
    def contents(self) -> dict[str, str]:
        """The content of each table of the release."""
        return {name: content_of(table) for name, table in described(self.release.of).items()}

    def needed(self, held: Mapping[str, str]) -> Iterator[TableStep]:
        """What makes tables of these contents, by name, those of the release; nothing for those that are so already."""
        steps = {step.name: step for step in self.step.tables or ()}
        for name, table in described(self.release.of).items():
            step = steps.get(name)
            if step and step.holds == "rows" and step.before == held.get(name):
                yield step
            elif held.get(name) != content_of(table):
                yield whole(table, step.why_whole if step else "")
        yield from (TableStep(name, "gone") for name in held if name not in described(self.release.of))

    def paths(self, step: TableStep) -> list[Path]:
        """The files of a table's step on this machine; Damaged where one is not what was written."""
        return [sound_path(self.release, key) for key in step.files]


WHOLE: Final = (
    'no steps lead on from there; take the tables that differ whole: "paperlake follow COPY --whole", in Python '
    "whole=True"
)


def sound_path(release: Snapshot[Manifest], key: str) -> Path:
    """A file of a release on this machine, checked; Damaged where it is not what was written, or none of its files."""
    if not any(file.key == key and release.has(file) for file in release.of.files):
        raise Damaged(f'{key} of release {release.name} is not what was written; run "paperlake verify {release.name}"')
    return release.path(key)


def opened_release(files: LocalFiles, named: Parent) -> Snapshot[Manifest]:
    """A release by its name and the hash of its manifest."""
    return Snapshot(manifest_of(files.store, named), files, named.manifest_sha256)


def links_since(files: LocalFiles, to: Parent, since: str) -> list[Link]:
    """The steps from one release to a later one, the first one first.

    StepsMissing where a release between them is gone, or has no step, or where the later one does not follow the other.
    """
    found: list[Link] = []
    named: Parent | None = to
    while named is not None and order_of(named.version) > order_of(since):
        try:
            link = stored_link(opened_release(files, named))
        except NothingThere as error:
            raise StepsMissing(f"release {named.version}, after {since}, was dropped: {WHOLE}") from error
        if link.step.tables is None:
            raise StepsMissing(f"release {named.version}, after {since}, is of an older paperlake: {WHOLE}")
        found.append(link)
        named = link.release.of.parent
    if named is None or named.version != since:
        raise StepsMissing(f"release {to.version} does not follow {since}: {WHOLE}")
    return found[::-1]


def stored_link(release: Snapshot[Manifest]) -> Link:
    """A release with the step that it carries, which has no tables where an older paperlake made it."""
    data = sound_path(release, INDEX).read_bytes() if any(file.key == INDEX for file in release.of.files) else b"{}"
    return Link(release, decode(data, Step, INDEX))
