"""Serves a release to a browser: its files, whole or by range, and nothing else of the lake.

One that follows the lake shows the newest release: what is asked for without a version is sent on to that version,
whose files never change, so that a page goes on reading the release that it was opened on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from itertools import chain
from typing import Final
from urllib.parse import quote

from flows.watch.bounded import LOOPBACK, BoundedHandler, BoundedServer
from warehouse.errors import NothingThere
from warehouse.release import moves
from warehouse.release.latest import MANIFEST, release_key, require_latest
from warehouse.release.manifest import Manifest
from warehouse.store.store import Store, content_type

PAGE: Final = "explore/index.html"
RANGE: Final = re.compile(r"bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))")  # one, as the explorer and DuckDB ask for
VERSIONED: Final = re.compile(r"(\d{4}\.\d{2}\.\d{2}\.\d{1,9})/(.*)", re.DOTALL)
FOREVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}  # a version's files never change
PART_BYTES: Final = 4 << 20  # in memory of one answer; a range of the explorer's is smaller
MOST_RELEASES: Final = 8  # whose files are known at once


class ReleaseServer(BoundedServer):
    """Serves a release, or if it `follows` the latest. Port 0 is any that is free; StoreFailed where it is taken."""

    def __init__(
        self, store: Store, manifest: Manifest, port: int, host: str = LOOPBACK, *, follows: bool = False
    ) -> None:
        if all(file.key != PAGE for file in manifest.files):
            step = 'run "paperlake build" and then "paperlake publish" for one that has'
            raise NothingThere(f"release {manifest.version} of an older paperlake has no explorer; {step}")
        self.store, self.version, self.follows = store, manifest.version, follows
        self._sizes = {manifest.version: self._sizes_in(manifest)}
        super().__init__(host, port, _ExplorerHandler)

    @property
    def address(self) -> str:
        """The address of the explorer."""
        return f"http://{self.host}/{PAGE.removesuffix('index.html')}"

    def sizes(self, version: str) -> dict[str, int]:
        """Bytes of each file of a release; NothingThere for one that is not there."""
        sizes = self._sizes.get(version)
        if sizes is None:
            sizes = self._sizes_in(moves.published(self.store, version))
            while len(self._sizes) >= MOST_RELEASES:
                self._sizes.pop(next(iter(self._sizes)), None)
            self._sizes[version] = sizes
        return sizes  # not read again: another request's thread may have removed it

    def _sizes_in(self, manifest: Manifest) -> dict[str, int]:
        sizes = {file.key: file.bytes for file in manifest.files}
        return sizes | {MANIFEST: self.store.size(release_key(manifest.version, MANIFEST))}


def _span(asked: re.Match[str], size: int) -> tuple[int, int]:
    """Where a range begins and ends in a file: from a place on, or so many of its last bytes."""
    if asked[1] is None:
        return max(size - int(asked[3]), 0), size
    return int(asked[1]), min(int(asked[2] or size) + 1, size)


class _ExplorerHandler(BoundedHandler):
    server: ReleaseServer

    def give(self, path: str) -> None:
        """Answer with a file, or with a redirect to the newest release's."""
        named = VERSIONED.fullmatch(path) if self.server.follows else None
        if self.server.follows and named is None:
            newest = require_latest(self.server.store).version
            self.say(HTTPStatus.TEMPORARY_REDIRECT, newest, {"Location": f"/{newest}/{quote(path)}"})
            return
        version, key = named.groups() if named else (self.server.version, path)
        key = f"{key}index.html" if key.endswith("/") or not key else key
        size = self.server.sizes(version).get(key)
        if size is None:
            self.say(HTTPStatus.NOT_FOUND, f"release {version} has no such file")
            return
        asked = RANGE.fullmatch(self.headers["Range"] or "")
        start, end = _span(asked, size) if asked else (0, size)
        if asked and start >= end:
            self.say(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, f"{key} has {size} bytes")
            return
        parts = self._parts(release_key(version, key), start, end)
        first = next(parts, b"")  # read before the head is sent: a file that cannot be read is still an error
        more = {"Accept-Ranges": "bytes"} | (FOREVER if named else {})
        more |= {"Content-Range": f"bytes {start}-{end - 1}/{size}"} if asked else {}
        size = end - start if end - start > PART_BYTES else len(first)  # what is there of a file that was cut short
        self.begin(HTTPStatus.PARTIAL_CONTENT if asked else HTTPStatus.OK, content_type(key), size, more)
        for part in chain([first], parts) if self.command != "HEAD" else ():
            self.wfile.write(part)

    def _parts(self, key: str, start: int, end: int) -> Iterator[bytes]:
        for offset in range(start, end, PART_BYTES):
            yield self.server.store.read_range(key, offset, min(PART_BYTES, end - offset))
