"""The scratch place of a build: what its tasks hand to each other, as Parquet under keys, gone when the build is done.

It is a store like a lake, by its URL: a folder of this machine, or a prefix of a bucket that all workers reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final
from uuid import uuid4

import polars as pl

from flows.runtime.lake import open_lake
from warehouse.store.local_files import LocalFiles, local_files, scratch

GROUP_ROWS: Final = 2_000  # of a row group: whoever reads one cohort of many passes over the others


class ScratchPlace:
    """The frames of a scratch place."""

    def __init__(self, files: LocalFiles) -> None:
        self._files, self.url = files, files.store.url

    def write(self, key: str, frame: pl.DataFrame) -> None:
        """Write a frame whole, in place of one that a lost worker may have left."""
        folder = self._files.store.folder
        if folder is None:
            buffer = BytesIO()
            _write(frame, buffer)
            self._files.store.put(key, buffer.getvalue())
            return
        path = folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(frame, part := path.with_name(f"{path.name}.{uuid4().hex}.part"))
        part.replace(path)

    def put(self, key: str, data: bytes) -> None:
        self._files.store.put(key, data)

    def path(self, key: str) -> Path:
        """A file of it on this machine."""
        return self._files.path(key)

    def put_file(self, key: str, path: Path) -> None:
        """Put a file of this machine in place; on a folder it is moved there."""
        folder = self._files.store.folder
        if folder is None:
            self._files.store.put_file_new(key, path)
            return
        (folder / key).parent.mkdir(parents=True, exist_ok=True)
        path.replace(folder / key)

    def scan(self, keys: Sequence[str]) -> pl.LazyFrame:
        """The rows of these frames, end to end; there is at least one."""
        return pl.scan_parquet([self.path(key) for key in keys], glob=False)

    def read(self, keys: Sequence[str]) -> pl.DataFrame:
        return self.scan(keys).collect()


def _write(frame: pl.DataFrame, to: Path | BytesIO) -> None:
    frame.write_parquet(to, compression="lz4", row_group_size=GROUP_ROWS, statistics=True)


@contextmanager
def scratch_place(url: str) -> Iterator[ScratchPlace]:
    """A scratch place that is there, as a task opens it."""
    with local_files(open_lake(url)) as files:
        yield ScratchPlace(files)


@contextmanager
def new_scratch_place() -> Iterator[ScratchPlace]:
    """An empty one on this machine; it is gone at the end."""
    with scratch() as folder, scratch_place(str(folder)) as place:
        yield place
