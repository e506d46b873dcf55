"""The object store in a bucket of S3, or of a server with the same API; its objects are read in ranges."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias, cast

from botocore.exceptions import ClientError
from fsspec.spec import AbstractBufferedFile

from warehouse.errors import NothingThere, StoreFailed, UsageError
from warehouse.store.objects import TEMPORARY, Keys, S3Options, content_type, parts_of
from warehouse.store.s3_bucket import FAILURES, MISSING, OUT_OF_RANGE, Bucket, S3Answer, code_of, may_pass, next_step

BUFFER_BYTES: Final = 8 << 20  # one request fetches as much, so that small sequential reads cost few requests

ReadRange: TypeAlias = Callable[[int, int], bytes]


class _Ranges(AbstractBufferedFile):  # type: ignore[misc] # fsspec has no types
    """An object that has `size` bytes and never changes, read on ahead by `read_range(offset, length)`."""

    def __init__(self, read_range: ReadRange, size: int) -> None:
        self._read_range = read_range
        super().__init__(None, "", block_size=BUFFER_BYTES, size=size)

    def _fetch_range(self, start: int, end: int) -> bytes:
        return self._read_range(start, end - start)


PART_BYTES: Final = 64 << 20  # of a file uploaded in parts; S3 takes 10,000 parts, that is 640 GB
URL: Final = re.compile(r"(?i:s3)://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/([^?#]*))?")


class S3Store:
    """A `Store` in a bucket, or in a folder of one.

    New objects are written with `If-None-Match: *`, and `swap` writes with `If-Match` on the ETag of the bytes that it
    compared: the server decides which of several racing writers wins, as AWS documents and SeaweedFS 4.48 does;
    a server that ignores the conditions breaks the promise. Where only the condition of a copy is ignored, several
    copies to one key may all return True. That does no harm: only a publisher copies, to keys under the release that
    it claimed with `put_new`, and all copies to one key have the same bytes.
    """

    def __init__(self, url: str, options: S3Options) -> None:
        found = URL.fullmatch(url)
        if found is None:  # nothing of the URL is shown: it may contain a password
            raise UsageError("PAPERLAKE_LAKE is not s3://bucket/folder; keys and endpoint are settings of their own")
        name, folder = found[1], (found[2] or "").strip("/")
        # The prefix of all keys of the lake: nothing, or a folder and its slash
        self._base = "/".join([*parts_of(folder), ""]) if folder else ""
        self.url = f"s3://{name}/{self._base}".rstrip("/")
        self.folder: Path | None = None
        self._bucket = Bucket(name, options)
        self._endpoint = options.endpoint_url or "the object store"

    def read(self, key: str) -> bytes:
        with self._translate_errors("read", key):
            return self._bucket.get(Key=self._key(key))[0]

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        # HTTP has no range of no bytes
        found = self._get_range(key, offset, max(length, 1))
        return found[0][:length] if found else b""

    def open(self, key: str) -> BinaryIO:
        return cast("BinaryIO", _Ranges(partial(self.read_range, key), self.size(key)))

    def exists(self, key: str) -> bool:
        try:
            self.size(key)
        except NothingThere:
            return False
        return True

    def size(self, key: str) -> int:
        # No HEAD: its answer has no body that distinguishes a missing bucket from a missing object.
        found = self._get_range(key, 0, 1)
        return int(found[1]["ContentRange"].rpartition("/")[2]) if found else 0

    def list(self, prefix: str = "") -> Keys:
        folder = f"{self._key(prefix.rstrip('/'))}/" if prefix else self._base
        with self._translate_errors("read", prefix):
            keys = [key.removeprefix(self._base) for key, _ in self._bucket.keys(folder)]
        # Neither the "folders" that consoles make, nor temporary files of a local lake that was copied here.
        return sorted(key for key in keys if not key.endswith("/") and not key.startswith(f"{TEMPORARY}/"))

    def stored_bytes(self, prefix: str) -> int:
        with self._translate_errors("read", prefix):
            return sum(size for _, size in self._bucket.keys(f"{self._key(prefix)}/"))

    def put(self, key: str, data: bytes) -> None:
        with self._translate_errors("write", key):
            self._bucket.ask("put_object", Key=self._key(key), Body=data, ContentType=content_type(key))

    def put_new(self, key: str, data: bytes) -> bool:
        with self._translate_errors("write", key):
            return self._bucket.put_if(self._key(key), data, IfNoneMatch="*", ContentType=content_type(key))

    def put_file_new(self, key: str, path: Path) -> bool:
        if path.stat().st_size <= PART_BYTES:
            return self.put_new(key, path.read_bytes())
        if self.exists(key):  # the server would refuse it only when all of it is there
            return False
        with path.open("rb") as file, self._translate_errors("write", key):
            return self._bucket.upload_new(self._key(key), file, PART_BYTES)

    def copy_new(self, source_key: str, key: str) -> bool:
        try:
            with self._translate_errors("copy", source_key):
                return self._bucket.copy_new(self._key(source_key), self._key(key), content_type(key))
        except NothingThere:
            if self.exists(key):
                return False
            raise

    def swap(self, key: str, data: bytes, expected: bytes | None) -> bool:
        if expected is None:
            return self.put_new(key, data)
        try:
            with self._translate_errors("swap", key):
                current, answer = self._bucket.get(Key=self._key(key))
                if current != expected:
                    return False
                put = {"IfMatch": answer["ETag"], "ContentType": content_type(key)}
                return self._bucket.put_if(self._key(key), data, **put)
        except NothingThere:
            return False

    def delete_all(self, keys: Iterable[str]) -> None:
        gone = [self._key(key) for key in keys]
        with self._translate_errors("delete", gone[0] if gone else ""):
            self._bucket.delete(gone)

    def delete_prefix(self, prefix: str) -> None:
        parts_of(prefix.rstrip("/"))
        self.delete_all(self.list(prefix))

    def temporary(self) -> Keys:
        """Temporary files of a lake in a folder that was copied here by other means."""
        with self._translate_errors("read", TEMPORARY):
            return sorted(key.removeprefix(self._base) for key, _ in self._bucket.keys(f"{self._base}{TEMPORARY}/"))

    def sweep(self) -> None:
        begun = [self._base + key for key in self.temporary()]
        with self._translate_errors("delete", TEMPORARY):
            self._bucket.delete(begun)
            self._bucket.abort_uploads(self._base)

    def _key(self, key: str) -> str:
        return self._base + "/".join(parts_of(key))

    def _get_range(self, key: str, offset: int, length: int) -> tuple[bytes, S3Answer] | None:
        """The bytes and the server's answer; None where the object ends before the range."""
        with self._translate_errors("read", key):
            try:
                return self._bucket.get(Key=self._key(key), Range=f"bytes={offset}-{offset + length - 1}")
            except ClientError as error:
                if code_of(error) not in OUT_OF_RANGE:
                    raise
                return None

    @contextmanager
    def _translate_errors(self, doing: str, key: str) -> Iterator[None]:
        try:
            yield
        except FAILURES as error:
            if code_of(error) in MISSING:
                raise NothingThere(f"{key} is not in the lake {self.url}") from error
            what = f"could not {doing} {key or 'the list of objects'} in {self.url}"
            raise StoreFailed(f"{what}: {next_step(error, self._endpoint)}", may_pass=may_pass(error)) from error
