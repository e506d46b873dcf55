"""A remote object as a seekable stream, read in ranges."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BUFFER_BYTES: Final = 8 << 20  # one request fetches as much, so that small sequential reads cost few requests

ReadRange: TypeAlias = Callable[[int, int], bytes]


def stream(read_range: ReadRange, size: int) -> BinaryIO:
    """A buffered stream over `read_range(offset, length)` of an object that has `size` bytes and never changes."""
    return io.BufferedReader(_Ranges(read_range, size), BUFFER_BYTES)


class _Ranges(io.RawIOBase):
    def __init__(self, read_range: ReadRange, size: int) -> None:
        self._read_range, self._size, self._position = read_range, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise ValueError("a stream has no bytes before its first")
        self._position = start + offset
        return self._position

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")
        data = self._read(len(view))
        view[: len(data)] = data
        return len(data)

    def readall(self) -> bytes:
        return self._read(self._size)  # the inherited one would ask for 8 KiB at a time

    def _read(self, length: int) -> bytes:
        left = max(self._size - self._position, 0)
        data = self._read_range(self._position, min(length, left)) if left else b""
        self._position += len(data)
        return data
