"""Pushes the latest release to a dataset repository of the Hub: contents, one commit, and the tag of its version.

The head of the repository is a release, file for file, from the first push on: readers see the one before or this one.
What is to be done is found by looking at the repository alone, so a push that was killed is made by the next one.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from flows.people.whereabouts import kept_releases
from paperlake.push.hub_repository import NO_REPOSITORY, HubRepository, RemoteFile, RemoteState
from warehouse.errors import Damaged, SourceFailed, Superseded, UsageError
from warehouse.people.ledger import Ledger
from warehouse.printable import counted
from warehouse.release import moves
from warehouse.release.latest import (
    MANIFEST,
    SIGNATURE,
    erasures,
    manifest_of,
    release_key,
    require_latest,
    resolved,
    stored_manifest,
)
from warehouse.release.made_again import kept_files
from warehouse.release.manifest import File, digest
from warehouse.store.local_files import LocalFiles, local_files
from warehouse.store.store import Store, read_if_there

TRIES: Final = 6  # changes that the Hub says it made, and then does not show
OF_THE_HUB: Final = frozenset({".gitattributes"})  # which it makes, and asks how a file is to be stored
AT_FIRST: Final = OF_THE_HUB | {"README.md"}  # of a repository that was made by hand
MARK: Final = re.compile(r"Release (\d{4}\.\d\d\.\d\d\.\d+), manifest ([0-9a-f]{64}), erasures (\d+)")


class ReleaseMark(NamedTuple):
    """Which release a commit is: its version, its manifest's hash, and how many erasures there had been."""

    version: str
    manifest_sha256: str
    erasure_count: int

    def __str__(self) -> str:
        return f"Release {self.version}, manifest {self.manifest_sha256}, erasures {self.erasure_count}"


class PushedRelease(NamedTuple):
    """The wanted content of a repository: every file of the latest release, and no tag of a retracted one."""

    mark: ReleaseMark
    files: Mapping[str, File]
    retracted: frozenset[str]


class PushPlan(NamedTuple):
    """The plan of a push.

    Files to send and to delete, tags to remove, whether the past must go, commits to tag by version.
    """

    added: Mapping[str, File]
    deleted: tuple[str, ...]
    untagged: tuple[str, ...]
    forgets: bool
    tagged: Mapping[str, str]

    @property
    def is_committed(self) -> bool:
        return not (self.added or self.deleted)

    @property
    def is_empty(self) -> bool:
        return self.is_committed and not (self.untagged or self.forgets or self.tagged)


def push(store: Store, repository: HubRepository, *, private: bool = False, dry_run: bool = False) -> str:
    """Bring a repository to the latest release, and return what was done, or with `dry_run` would be, in a line.

    UsageError where the repository has something else or the release was retracted, Superseded where another push came
    first or a person is being erased, Damaged where a file is not what was published, SourceFailed where the Hub fails.
    """
    release = released(store)
    with local_files(store) as local:
        state = repository.state()
        require_ours(store, repository, state)
        plan = planned(release, state, local)
        if not (plan.is_empty or dry_run):
            if state == NO_REPOSITORY:
                repository.create(private=private)
                state = repository.state()
            _carry_out(release, repository, state, local)
    return summary(release, plan, repository, is_done=not dry_run)


def released(store: Store) -> PushedRelease:
    """The latest release of a lake, with its manifest and, where it is signed, the signature."""
    Ledger(store).require_quiet()
    named = require_latest(store)
    if erratum := named.erratum(named.version):
        raise UsageError(f"release {named.version} was retracted {erratum.retracted_at}: {erratum.why}; go to another")
    manifest = manifest_of(store, named)
    ends = {MANIFEST: stored_manifest(store, manifest)}
    if signature := read_if_there(store, release_key(named.version, SIGNATURE)):
        ends[SIGNATURE] = signature
    mark = ReleaseMark(named.version, digest(ends[MANIFEST]), len(erasures(store)))
    files = (*kept_files(store, manifest), *(File(key, len(data), digest(data)) for key, data in ends.items()))
    return PushedRelease(mark, {file.key: file for file in files}, frozenset(one.version for one in named.errata))


def require_ours(store: Store, repository: HubRepository, state: RemoteState) -> None:
    """UsageError where a repository has what no push of this lake put there: nothing of others is replaced."""
    marks = marks_of(state)
    if not marks and not AT_FIRST.issuperset(state.files):
        raise UsageError(f"{repository.name} has files that no push put there; name an empty repository, or a new one")
    known = {move.version: move.manifest_sha256 for move in moves.moves(store)} if marks else {}
    for mark in list(marks.values())[:1]:
        ours = known.get(mark.version)
        if ours is None or resolved(store, ours) != resolved(store, mark.manifest_sha256):
            said = f"{repository.name} has release {mark.version} of another lake than {store.url}, or a later one"
            raise UsageError(f"{said}; name another repository, or push from that lake")


def marks_of(state: RemoteState) -> dict[str, ReleaseMark]:
    """The commits that a push made, the newest first, and of which release each is."""
    found = {commit: MARK.search(title) for commit, title in state.titles.items()}
    return {commit: ReleaseMark(mark[1], mark[2], int(mark[3])) for commit, mark in found.items() if mark}


def planned(release: PushedRelease, state: RemoteState, local: LocalFiles) -> PushPlan:
    """The changes that give the repository its wanted content.

    After an erasure no older commit or tag stays, nor, once there is a first commit, what a push that was killed before
    the erasure may have sent.
    """
    marks, version = marks_of(state), release.mark.version
    added = {
        key: file
        for key, file in release.files.items()
        if key not in state.files or not _is_same(file, state.files[key], local, release_key(version, key))
    }
    deleted = tuple(sorted(state.files.keys() - release.files.keys() - OF_THE_HUB))
    erased = release.mark.erasure_count
    is_first = {*marks.values()} == {release.mark} and len(state.titles) > 1
    forgets = any(mark.erasure_count < erased for mark in marks.values()) or (is_first and erased > 0)
    commits = [commit for commit, mark in marks.items() if mark == release.mark] or [state.head]
    is_tagged = state.tags.get(version) in commits
    wrong = release.retracted | (set() if is_tagged else {version})
    untagged = state.tags.keys() if forgets else state.tags.keys() & wrong
    pushed = {} if forgets else {mark.version: commit for commit, mark in reversed(marks.items())}
    # Of a push that was killed before its tag, or of a release whose retraction was taken back
    tagged = {one: commit for one, commit in pushed.items() if one not in {*state.tags, *release.retracted, version}}
    tagged |= {} if is_tagged else {version: commits[0]}
    return PushPlan(added, deleted, tuple(sorted(untagged)), forgets, tagged)


def _is_same(file: File, there: RemoteFile, local: LocalFiles, key: str) -> bool:
    """Whether the Hub has these bytes; small texts are known there by git's hash alone."""
    if there.sha256 is not None:
        return there.sha256 == file.sha256
    return there.size == file.bytes and there.git_sha1 == git_sha1(local.path(key).read_bytes())


def git_sha1(data: bytes) -> str:
    """The name that git gives to the bytes of a file.

    >>> git_sha1(b"")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _carry_out(release: PushedRelease, repository: HubRepository, state: RemoteState, local: LocalFiles) -> None:
    """Make the commit, then remove tags and the past, then tag: after each step the repository is looked at again."""
    parent, version, title = state.head, release.mark.version, str(release.mark)

    def commit(seen: RemoteState, plan: PushPlan) -> None:
        if seen.head != parent:
            raise Superseded(f"another push to {repository.name} came first; the same command resumes")
        try:
            sent = repository.send(*_sources(plan, version, local))
        finally:  # what failed may be a file that the erasure replaced
            _require_none_erased(release, plan, repository, local.store)
        repository.commit(sent, plan.deleted, title=title, parent=parent)

    def untag(_: RemoteState, plan: PushPlan) -> None:
        for name in plan.untagged:
            repository.untag(name)

    def tag(_: RemoteState, plan: PushPlan) -> None:
        for name, tagged in plan.tagged.items():
            repository.tag(name, tagged or parent)

    steps: tuple[tuple[Callable[[PushPlan], bool], Callable[[RemoteState, PushPlan], None]], ...] = (
        (lambda plan: plan.is_committed, commit),
        (lambda plan: not plan.untagged, untag),
        (lambda plan: not plan.forgets, lambda seen, _: repository.squash(seen, title=title)),
        (lambda plan: not plan.tagged, tag),
    )
    for is_done, act in steps:
        for _ in range(TRIES):
            plan = planned(release, state, local)
            if is_done(plan):
                break
            act(state, plan)
            state = repository.state()
        else:
            raise SourceFailed(f"{repository.name} does not show what it was sent; the same command resumes")


def _require_none_erased(release: PushedRelease, plan: PushPlan, repository: HubRepository, store: Store) -> None:
    """Superseded where a person was erased since the push began.

    What it sent and no release has now is taken back: a push that came between has removed the past already, and none
    looks for that again.
    """
    if released(store).mark.erasure_count != release.mark.erasure_count:
        kept = {file.sha256 for one in kept_releases(store) for file in one.files}
        repository.take_back({file.sha256 for file in plan.added.values()} - kept)
        raise Superseded(f"a person was erased from {store.url} meanwhile; push again, without them")


def _sources(plan: PushPlan, version: str, local: LocalFiles) -> tuple[dict[str, Path], dict[str, str]]:
    """Where the files to send are on this machine, and their hashes; Damaged where one is not what was published."""
    paths, sums = {}, {}
    for key, file in plan.added.items():
        paths[key] = local.path(release_key(version, key))
        sums[key] = local.sha256(release_key(version, key))
        if sums[key] != file.sha256:
            raise Damaged(f'{key} of release {version} is not what was published; run "paperlake verify"')
    return paths, sums


def summary(release: PushedRelease, plan: PushPlan, repository: HubRepository, *, is_done: bool) -> str:
    """A line on what a push did, or would do."""
    version = release.mark.version
    if plan.is_empty:
        return f"release {version} is at {repository.url} already"
    size = sum(file.bytes for file in plan.added.values()) / 1e6
    kept = len(release.files) - len(plan.added)
    sent = f"{counted(len(plan.added), 'file')} sent ({size:,.1f} MB)"
    parts = [f"{sent}, {kept:,} were there, {len(plan.deleted):,} deleted"]
    gone = [tag for tag in plan.untagged if tag != version]
    parts += [f"tags removed: {', '.join(gone)}"] if gone else []
    late = [tag for tag in plan.tagged if tag != version or plan.is_committed]  # of a push that was killed before them
    parts += [f"tags set: {', '.join(late)}"] if late else []
    parts += ["all earlier commits removed, since a person was erased"] if plan.forgets else []
    lead = f"pushed release {version} to" if is_done else f"a push of release {version} would change"
    return f"{lead} {repository.url}: {'; '.join(parts)}"
