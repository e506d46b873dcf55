"""A lake on a web server, read-only: whole objects and ranges of them, and nothing that no record names."""

import io
import weakref
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, BinaryIO, Final, NoReturn
from urllib.parse import quote

import httpx

from warehouse.errors import NothingThere, StoreFailed, UsageError
from warehouse.store.objects import Keys, parts_of

MOST_BYTES: Final = 256 << 20  # of an object that is read into memory whole; tables and databases go to a file
SECONDS: Final = 60
ATTEMPTS: Final = 3  # of connecting
MISSING: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
PLAIN: Final = {"Accept-Encoding": "identity"}  # the bytes as they are stored, which the hashes are of
AS_THEY_ARE: Final = ("identity", "aws-chunked")  # the latter a bucket says of what came to it in pieces


class WebStore:
    """The objects below an address. A server without ranges sends a file once, however many parts are asked for."""

    folder: Path | None = None

    def __init__(self, url: str) -> None:
        """Raise UsageError where the address is none."""
        try:
            address = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise UsageError(f"the lake's address cannot be read: {error}") from error
        if not address.host or address.query or address.fragment or address.userinfo:
            raise UsageError("a lake over HTTP is an address without ?, # and a password: https://lake.example/papers")
        self._base = address.copy_with(path=address.path.rstrip("/") + "/")
        self.url = str(self._base).rstrip("/")
        transport = httpx.HTTPTransport(retries=ATTEMPTS - 1)
        self._client = httpx.Client(transport=transport, timeout=SECONDS, headers=PLAIN, follow_redirects=True)
        weakref.finalize(self, self._client.close)
        self._whole: tuple[str, IO[bytes]] | None = None
        """What a server without ranges sent last, and its key."""
        self._has_ranges: bool | None = None

    def address(self, key: str) -> str:
        """The address of an object."""
        return f"{self._base}{quote('/'.join(parts_of(key)))}"

    def read(self, key: str) -> bytes:
        """The whole object; StoreFailed where it is larger than any that is read whole."""
        with closing(answer := self._answer_to(key)):
            data = b"".join(self._bytes(key, answer, MOST_BYTES))
        if key.endswith(".json") and data.lstrip().startswith(b"<"):
            raise NothingThere(f"{key} is not in the lake {self.url}: a page came in its place")
        return data

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        """`length` bytes from byte `offset` on; fewer where the object ends."""
        if offset and self._whole and self._whole[0] == key:
            return self._part(offset, length)
        answer = self._answer_to(key, {"Range": f"bytes={offset}-{offset + length - 1}"})
        with closing(answer):
            if answer.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                return b""
            if answer.status_code == HTTPStatus.PARTIAL_CONTENT:
                return b"".join(self._bytes(key, answer, length))
            whole = TemporaryFile()  # noqa: SIM115 - read on from until its end is reached
            whole.writelines(self._bytes(key, answer))
        self._whole = key, whole
        return self._part(offset, length)

    def has_ranges(self, key: str) -> bool:
        """Whether the server sends the part of an object, such as this one, that is asked for; it is asked once."""
        if self._has_ranges is None:
            answer = self._answer_to(key, {"Range": "bytes=4-7"})
            answer.close()
            self._has_ranges = answer.headers.get("Content-Range", "").startswith("bytes 4-7/")
        return self._has_ranges

    def open(self, key: str) -> BinaryIO:
        """The object in memory."""
        return io.BytesIO(self.read(key))

    def exists(self, key: str) -> bool:
        """Whether there is such an object."""
        try:
            self._answer_to(key, method="HEAD").close()
        except NothingThere:
            return False
        return True

    def size(self, key: str) -> int:
        """Bytes of the object, as the server states them."""
        answer = self._answer_to(key, method="HEAD")
        answer.close()
        return int(answer.headers.get("Content-Length", 0))

    def list(self, prefix: str = "") -> Keys:
        """Raise StoreFailed: no server lists what it has."""
        raise StoreFailed(
            f"{self.url}: a web server does not list {prefix or 'a lake'}; open the lake as a folder or a bucket",
            may_pass=False,
        )

    def stored_bytes(self, prefix: str) -> int:
        """Raise StoreFailed, as `list` does."""
        return len(self.list(prefix))

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        """Raise StoreFailed, whatever is to be written."""
        raise StoreFailed(f"{self.url}: a lake over HTTP is only read", may_pass=False)

    put = put_new = put_file_new = copy_new = swap = delete_all = delete_prefix = temporary = sweep = _refuse

    def _answer_to(self, key: str, headers: dict[str, str] | None = None, method: str = "GET") -> httpx.Response:
        """The answer's head, for the caller to read and close; NothingThere, or StoreFailed where it is no good one."""
        request = self._client.build_request(method, self.address(key), headers=headers)
        try:
            answer = self._client.send(request, stream=True)
        except httpx.HTTPError as error:
            raise StoreFailed(f"{self.url}: {key} did not come: {error or type(error).__name__}") from error
        is_good = answer.is_success or answer.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
        coding = answer.headers.get("Content-Encoding", "identity")
        if is_good and coding in AS_THEY_ARE:
            return answer
        answer.close()
        if is_good:
            step = "let the server send the files of a lake as they are"
            raise StoreFailed(f"{self.url}: {key} came compressed ({coding}); {step}", may_pass=False)
        if answer.status_code in MISSING:
            raise NothingThere(f"{key} is not in the lake {self.url}")
        raise StoreFailed(f"{self.url}: {key} did not come: HTTP {answer.status_code}")

    def _bytes(self, key: str, answer: httpx.Response, most: int | None = None) -> Iterator[bytes]:
        """The answer's bytes; StoreFailed where they break off, or are more than were asked for."""
        count = 0
        try:
            for part in answer.iter_raw():
                count += len(part)
                if most is not None and count > most:
                    raise StoreFailed(f"{self.url}: {key} has more than the {most:,} bytes that may come")
                yield part
        except httpx.HTTPError as error:
            raise StoreFailed(f"{self.url}: {key} broke off: {error or type(error).__name__}") from error

    def _part(self, offset: int, length: int) -> bytes:
        """A part of what was sent whole; nothing is kept of it once its end is reached."""
        assert self._whole is not None
        file = self._whole[1]
        file.seek(offset)
        data = file.read(length)
        if len(data) < length:
            file.close()
            self._whole = None
        return data
