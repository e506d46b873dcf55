"""Serves a release to a browser: its files, whole or by range, and of the lake `latest.json` alone.

One that follows the lake shows the newest release: what is asked for without a version is sent on to that version, so
that a page goes on reading the release that it was opened on. Each answer names the file's hash, by which a client that
has it knows whether it is still what is here: an erasure changes files, and no cache may keep a person.
"""

import gzip
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time
from email.utils import format_datetime
from http import HTTPStatus
from itertools import chain
from time import monotonic
from typing import Final, NamedTuple
from urllib.parse import quote

from flows.runtime.web_servers import LOOPBACK, BoundedHandler, BoundedServer
from warehouse.errors import NothingThere
from warehouse.release import moves
from warehouse.release.latest import EXPLORER, LATEST, MANIFEST, RELEASES, release_key, require_latest
from warehouse.release.made_again import kept_files
from warehouse.release.manifest import File, Manifest, digest, released_on
from warehouse.store.objects import content_type
from warehouse.store.store import Store, read_if_there

RANGE: Final = re.compile(r"bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))")  # one, as the explorer and DuckDB ask for
VERSIONED: Final = re.compile(r"(\d{4}\.\d{2}\.\d{2}\.\d{1,9})/(.*)", re.DOTALL)
HASHED: Final = re.compile(r"explore/[0-9a-f]{16}/.*", re.DOTALL)  # the explorer's own files, in a folder by their hash
FOREVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
PACKED: Final = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
TEXTS: Final = ("text/", "application/json")
PART_BYTES: Final = 4 << 20  # in memory of one answer; a range of the explorer's is smaller
MOST_RELEASES: Final = 8  # whose files are known at once
LOOK_SECONDS: Final = 1.0  # between two looks at a bucket's `latest.json`; that of a folder costs nothing
ENTITY_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')


class ReleaseFiles(NamedTuple):
    """The files of a release by key, when they were last modified, and `latest.json` as it was then."""

    files: dict[str, File]
    modified: str
    latest: bytes | None


class ReleaseServer(BoundedServer):
    """Serves a release, or if it `follows` the latest. Port 0 is any that is free; StoreFailed where it is taken."""

    def __init__(
        self, store: Store, manifest: Manifest, port: int, host: str = LOOPBACK, *, follows: bool = False
    ) -> None:
        if all(file.key != EXPLORER for file in manifest.files):
            step = 'run "paperlake build" and then "paperlake publish" for one that has'
            raise NothingThere(f"release {manifest.version} of an older paperlake has no explorer; {step}")
        self.store, self.version, self.follows = store, manifest.version, follows
        self._known, self._looked = {manifest.version: self._files_of(manifest, None)}, 0.0
        super().__init__(host, port, _ExplorerHandler)

    @property
    def address(self) -> str:
        """The address of the explorer."""
        return f"http://{self.host}/{EXPLORER.removesuffix('index.html')}"

    def files(self, version: str, *, opens: bool) -> ReleaseFiles:
        """The files of a release; NothingThere for one that is not there.

        A client that `opens` a file gets what it is now, and one that reads on in a bucket what it was a second ago: an
        erasure, which moves `latest.json`, may have changed it.
        """
        known, latest = self._known.get(version), None
        is_due = opens or known is None or self.store.folder or monotonic() > self._looked + LOOK_SECONDS
        if self.follows and is_due:
            latest, self._looked = read_if_there(self.store, LATEST), monotonic()
        if known is None or (latest is not None and latest != known.latest):
            known = self._files_of(moves.published(self.store, version), latest)
            while len(self._known) >= MOST_RELEASES:
                self._known.pop(next(iter(self._known)), None)
            self._known[version] = known
        return known  # not read again: another request's thread may have removed it

    def _files_of(self, manifest: Manifest, latest: bytes | None) -> ReleaseFiles:
        data = self.store.read(release_key(manifest.version, MANIFEST))
        kept = kept_files(self.store, manifest)
        files = {file.key: file for file in (*kept, File(MANIFEST, len(data), digest(data)))}
        made = datetime.combine(released_on(manifest.version), time(), UTC)
        modified = datetime.fromisoformat(manifest.erasures[-1].erased_at) if manifest.erasures else made
        return ReleaseFiles(files, format_datetime(modified, usegmt=True), latest)


def _span(asked: re.Match[str], size: int) -> tuple[int, int]:
    """Where a range begins and ends in a file: from a place on, or so many of its last bytes."""
    if asked[1] is None:
        return max(size - int(asked[3]), 0), size
    return int(asked[1]), min(int(asked[2] or size) + 1, size)


class _ExplorerHandler(BoundedHandler):
    server: ReleaseServer

    def give(self, path: str) -> None:
        """Answer with a file, or with a redirect to the newest release's."""
        if path == LATEST.removeprefix(f"{RELEASES}/"):  # beside the releases: which were retracted
            self.answer(HTTPStatus.OK, content_type(path), self.server.store.read(LATEST))
            return
        named = VERSIONED.fullmatch(path) if self.server.follows else None
        if self.server.follows and named is None:
            newest = require_latest(self.server.store).version
            key = path.removeprefix("latest/")  # as an address that outlives a release has it
            self.say(HTTPStatus.TEMPORARY_REDIRECT, newest, {"Location": f"/{newest}/{quote(key)}"})
            return
        version, key = named.groups() if named else (self.server.version, path)
        key = f"{key}index.html" if key.endswith("/") or not key else key
        asked = RANGE.fullmatch(self.headers["Range"] or "")
        release = self.server.files(version, opens=asked is None or self.command == "HEAD")
        file = release.files.get(key)
        if file is None:
            self.say(HTTPStatus.NOT_FOUND, f"release {version} has no such file")
            return
        more = {"Accept-Ranges": "bytes", "ETag": f'"{file.sha256}"', "Last-Modified": release.modified}
        more |= FOREVER if HASHED.fullmatch(key) else {}
        is_part = asked is not None and self.headers["If-Range"] in {None, more["ETag"], more["Last-Modified"]}
        start, end = _span(asked, file.bytes) if asked and is_part else (0, file.bytes)
        more |= {"Content-Range": f"bytes {start}-{end - 1}/{file.bytes}"} if is_part else {}
        # A file that is gone, or shorter than it was, is no file that the client has
        if self._has_it(more) and self.server.store.size(release_key(version, key)) == file.bytes:
            self.begin(HTTPStatus.NOT_MODIFIED, content_type(key), None, more)
        elif is_part and start >= end:
            self.say(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, f"{key} has {file.bytes} bytes")
        else:
            status = HTTPStatus.PARTIAL_CONTENT if is_part else HTTPStatus.OK
            self._send(status, release_key(version, key), (start, end), more)

    def _has_it(self, tags: Mapping[str, str]) -> bool:
        """Whether the client has the file already, by its hash, or, where it names none, by the time."""
        if (has := self.headers["If-None-Match"]) is not None:
            return has.strip() == "*" or tags["ETag"] in ENTITY_TAG.findall(has)
        return bool(self.headers["If-Modified-Since"] == tags["Last-Modified"])

    def _send(self, status: HTTPStatus, key: str, span: tuple[int, int], more: Mapping[str, str]) -> None:
        start, end = span
        if self.command == "HEAD":
            self.begin(status, content_type(key), max(min(end, self.server.store.size(key)) - start, 0), more)
            return
        parts = self._parts(key, start, end)
        first = next(parts, b"")  # read before the head is sent: a file that cannot be read is still an error
        takes = [one.strip() for one in (self.headers["Accept-Encoding"] or "").split(",")]
        is_packed = "gzip" in takes and content_type(key).startswith(TEXTS)
        if status is HTTPStatus.OK and end <= len(first) and is_packed:
            # Weak, as a packed file is not byte for byte what its hash is of
            first, more = gzip.compress(first, mtime=0), {**more, **PACKED, "ETag": f"W/{more['ETag']}"}
            end = len(first)
        size = end - start if end - start > PART_BYTES else len(first)  # what is there of a file that was cut short
        self.begin(status, content_type(key), size, more)
        for part in chain([first], parts):
            self.wfile.write(part)

    def _parts(self, key: str, start: int, end: int) -> Iterator[bytes]:
        for offset in range(start, end, PART_BYTES):
            yield self.server.store.read_range(key, offset, min(PART_BYTES, end - offset))
