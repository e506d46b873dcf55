"""A dataset repository of the Hub: what it has, contents sent ahead, one commit, tags. Through huggingface_hub alone.

Nothing here is taken for done because the Hub said so: whoever asks for a change looks at the repository again, since
an answer may get lost after a commit was made. The token is in the header of a request, and in no message. Of a failure
it is known what huggingface_hub says, whether the same call may succeed later, and when.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import httpx2
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, RepoFile, constants, set_client_factory
from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError
from huggingface_hub.utils import disable_progress_bars, parse_ratelimit_headers
from huggingface_hub.utils.logging import set_verbosity

from flows.runtime.environment import variable
from flows.runtime.progress import track
from flows.runtime.setting_types import REPOSITORY, is_safe, mounts_of
from flows.runtime.settings import Settings
from warehouse.errors import PaperlakeError, SourceFailed, Superseded, UsageError
from warehouse.printable import counted

MOST_SECONDS: Final = 330.0  # the Hub counts requests by windows of five minutes
REFUSED: Final = {401, 403}
MISSING: Final = 404
CONFLICT: Final = {409, 412}
PASSING: Final = {408, 429, 500, 502, 503, 504}
# Of a request, of a thread that uploads, of an answer that is none
FAILURES: Final = (httpx2.HTTPError, OSError, RuntimeError, ValueError)


def _root(error: BaseException) -> BaseException:
    """The error that made an upload in a thread fail; else the error itself."""
    return error.__cause__ if isinstance(error, RuntimeError) and error.__cause__ else error


def status_of(error: BaseException) -> int | None:
    """The status of the answer that was an error; None where there was no answer."""
    cause = _root(error)
    return cause.response.status_code if isinstance(cause, HfHubHTTPError) else None


def words_of(error: BaseException) -> str:
    """The message of an error in a line without addresses: those of uploads are signed, and let anyone write."""
    cause = _root(error)
    if type(cause) in {httpx2.UnsupportedProtocol, ValueError}:  # ours, and what is wrong with a card
        return str(cause).partition("\n")[0]
    return (getattr(cause, "server_message", None) or type(cause).__name__).partition("\n")[0]


def passes(error: BaseException) -> bool:
    """Whether the same call may succeed a moment later."""
    cause = _root(error)
    if isinstance(cause, HfHubHTTPError):
        return cause.response.status_code in PASSING
    return isinstance(cause, httpx2.TransportError) and not isinstance(cause, httpx2.UnsupportedProtocol)


def pause_after(error: BaseException, usual: float) -> float:
    """How many seconds to wait: until the window of the Hub's count is over, where it says when."""
    limit = parse_ratelimit_headers(error.response.headers) if isinstance(error, HfHubHTTPError) else None
    return min(limit.reset_in_seconds, MOST_SECONDS) if limit and limit.remaining == 0 else usual


T = TypeVar("T")

BRANCH: Final = constants.DEFAULT_REVISION
TOKEN: Final = variable("push_token")
AT_ONCE: Final = 100  # files sent between two lines of progress
SECONDS: Final = 120.0  # without a byte, after which a request has failed
PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)


class RemoteFile(NamedTuple):
    """A file of a commit: its size, and its SHA-256, or git's SHA-1 where it is stored in git itself."""

    size: int
    sha256: str | None
    git_sha1: str


class RemoteState(NamedTuple):
    """What the repository showed at a moment.

    The head of its branch with its files, tags, commits with their titles, the newest first.
    """

    head: str
    files: Mapping[str, RemoteFile]
    tags: Mapping[str, str]
    titles: Mapping[str, str]


NO_REPOSITORY: Final = RemoteState("", {}, {}, {})


class HubRepository:
    """A dataset repository, by `owner/name`, at a Hub. Without a token it can be looked at, where it is public.

    UsageError where the name is none, where the Hub is not reached by https, or where it refuses the token;
    SourceFailed where it does not answer. Each call that the Hub turns away for the moment is made again.
    """

    def __init__(self, name: str, hub_url: str, token: str | None) -> None:
        if not REPOSITORY.fullmatch(name):
            step = 'for a folder or a bucket there is "paperlake copy --releases"'
            raise UsageError(f"{name!r} is no repository of the Hub, which is OWNER/NAME; {step}")
        if not is_safe(hub_url, {"https"}, "http"):
            raise UsageError(f"{variable('hub_url')}: releases are pushed over https:// only")
        self.name, self.url = name, f"{hub_url.rstrip('/')}/datasets/{name}"
        self._token = token
        disable_progress_bars()
        set_verbosity(logging.CRITICAL)  # its warnings show addresses that are signed, which let anyone write
        set_client_factory(lambda: _client(hub_url))
        self._api = HfApi(endpoint=hub_url.rstrip("/"), token=token or False, library_name="paperlake")

    @classmethod
    def of(cls, settings: Settings, name: str, *, is_looked_at: bool = False) -> HubRepository:
        """A repository of the Hub of these settings, with the token that they have.

        UsageError where they have none, unless it is only to be looked at.
        """
        token = settings.push_token.get_secret_value() if settings.push_token else None
        repository = cls(name, settings.hub_url, token)
        if not (token or is_looked_at):
            raise UsageError(f"set {TOKEN}, or {TOKEN}_FILE, to a token of the Hub that may write to {name}")
        return repository

    def state(self) -> RemoteState:
        """The state of the repository now; NO_REPOSITORY where there is none, or the token does not show it."""
        try:
            return self._repeated(self._look)
        except RepositoryNotFoundError:
            return NO_REPOSITORY

    def _look(self) -> RemoteState:
        refs = self._api.list_repo_refs(self.name, repo_type="dataset")
        [head] = [ref.target_commit for ref in refs.branches if ref.name == BRANCH] or [""]
        tags = {ref.name: ref.target_commit for ref in refs.tags}
        if not head:
            return RemoteState("", {}, tags, {})
        tree = self._api.list_repo_tree(self.name, recursive=True, revision=head, repo_type="dataset")
        files = {
            file.path: RemoteFile(file.size, file.lfs.sha256 if file.lfs else None, file.blob_id)
            for file in tree
            if isinstance(file, RepoFile)
        }
        commits = self._api.list_repo_commits(self.name, revision=head, repo_type="dataset")
        titles = {commit.commit_id: f"{commit.title}\n{commit.message}" for commit in commits}
        return RemoteState(head, files, tags, titles)

    def create(self, *, private: bool) -> None:
        """Make the repository, if it is not there."""
        made = self._api.create_repo
        self._repeated(lambda: made(self.name, repo_type="dataset", private=private, exist_ok=True))

    def send(self, files: Mapping[str, Path], sha256: Mapping[str, str]) -> list[CommitOperationAdd]:
        """Send the contents of files, of which nobody sees anything before they are committed.

        What the Hub has is not sent. Their hashes are known. UsageError where the Hub would leave one out.
        """
        additions = [CommitOperationAdd(path, file) for path, file in files.items()]
        for addition in additions:
            addition.upload_info.sha256 = bytes.fromhex(sha256[addition.path_in_repo])
        batches = [additions[at : at + AT_ONCE] for at in range(0, len(additions), AT_ONCE)]
        for batch in track(batches, "sending, a hundred files a time", len(batches)):
            self._repeated(self._ahead, batch)
        if ignored := [one.path_in_repo for one in additions if vars(one)["_should_ignore"]]:
            said = f"{self.name} would leave out {counted(len(ignored), 'file')}, such as {ignored[0]}"
            raise UsageError(f"{said}: remove its .gitignore, and push again")
        return additions

    def _ahead(self, batch: Sequence[CommitOperationAdd]) -> None:
        self._api.preupload_lfs_files(
            self.name, batch, repo_type="dataset", revision=BRANCH, free_memory=False, gitignore_content=""
        )

    def take_back(self, sha256: Collection[str]) -> None:
        """Remove contents that were sent, by their hashes, and that no commit is to have."""
        stored = self._repeated(lambda: list(self._api.list_lfs_files(self.name, repo_type="dataset")))
        gone = [file for file in stored if file.file_oid in sha256]
        remove = self._api.permanently_delete_lfs_files
        self._repeated(lambda: remove(self.name, gone, rewrite_history=False, repo_type="dataset"))

    def commit(self, added: Sequence[CommitOperationAdd], deleted: Iterable[str], *, title: str, parent: str) -> None:
        """Ask for one commit on the branch, if its head is `parent`; whether it was made, only `state` tells."""
        operations: list[CommitOperationAdd | CommitOperationDelete] = list(added)
        operations += [CommitOperationDelete(path, is_folder=False) for path in deleted]

        def committed() -> None:
            self._api.create_commit(
                self.name,
                operations,
                commit_message=title,
                repo_type="dataset",
                revision=BRANCH,
                parent_commit=parent or None,
            )

        self._once(committed)

    def tag(self, name: str, commit: str) -> None:
        """Ask for a tag; whether it is there, only `state` tells."""
        self._once(lambda: self._api.create_tag(self.name, tag=name, revision=commit, repo_type="dataset"))

    def untag(self, name: str) -> None:
        """Ask for a tag to go; whether it did, only `state` tells."""
        self._once(lambda: self._api.delete_tag(self.name, tag=name, repo_type="dataset"))

    def squash(self, kept: RemoteState, *, title: str) -> None:
        """Ask for all contents to go that the head does not have, and for all commits to become one, of this title."""
        shown = {file.sha256 for file in kept.files.values()}

        def squashed() -> None:
            stored = list(self._api.list_lfs_files(self.name, repo_type="dataset"))
            gone = [file for file in stored if file.file_oid not in shown]
            if gone and len(gone) == len(stored):  # are they named by other hashes than files are?
                what = f"of the contents of {self.name} none is of its branch, so none was removed"
                raise SourceFailed(f"{what}; delete the repository, and push again")
            self._api.permanently_delete_lfs_files(self.name, gone, rewrite_history=False, repo_type="dataset")
            self._api.super_squash_history(self.name, branch=BRANCH, commit_message=title, repo_type="dataset")

        self._once(squashed)

    def _once(self, call: Callable[[], object]) -> None:
        """Make a call that must not be repeated blindly; where it may or may not have been done, wait a little."""
        try:
            call()
        except FAILURES as error:
            if not (passes(error) or status_of(error) in CONFLICT | {MISSING}):
                raise self._translated(error) from None
            time.sleep(pause_after(error, PAUSES[0]))

    def _repeated(self, call: Callable[..., T], *given: object) -> T:
        """The answer to a call that may be repeated; RepositoryNotFoundError goes through."""
        pauses = iter(PAUSES)
        while True:
            try:
                return call(*given)
            except FAILURES as error:
                if isinstance(error, RepositoryNotFoundError) and (not self._token or status_of(error) == MISSING):
                    raise
                pause = next(pauses, None)
                if pause is None or not passes(error):
                    raise self._translated(error) from None
                time.sleep(pause_after(error, pause))

    def _translated(self, error: Exception) -> PaperlakeError:
        """The library's error as one of ours; its own text names addresses that are signed."""
        status, words = status_of(error), words_of(error).replace(self._token or "\n", "…")
        if status in REFUSED:
            return UsageError(f"the Hub refused access to {self.name} ({status}, {words}): {TOKEN} must allow it")
        if status in CONFLICT:
            return Superseded(f"{self.name} was changed meanwhile ({status}, {words}); the same command resumes")
        found = f"{status}, {words}" if status else words
        return SourceFailed(f"the Hub at {self.url} failed ({found}); the same command resumes")


def _client(hub_url: str) -> httpx2.Client:
    """The HTTP client: with a timeout, directly to this machine, and never unencrypted to another."""
    return httpx2.Client(
        event_hooks={"request": [_require_safe]}, follow_redirects=True, timeout=SECONDS, mounts=mounts_of(hub_url)
    )


def _require_safe(request: httpx2.Request) -> None:
    """Refuse an address that the Hub named, for an upload or a redirect, which anyone on the way could read."""
    if not is_safe(f"{request.url.scheme}://{request.url.netloc.decode()}", {"https"}, "http"):
        raise httpx2.UnsupportedProtocol("it named an address without https")
