"""Reads files, folders, WARC and WACZ files as captures, byte for byte, one at a time.

A `captures.csv` describes the files in its folder: file, url, fetched_at, status, content_type.
"""

from __future__ import annotations

import csv
import errno
import io
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from warehouse.archive.captured import Capture, Limits, Notice, Refused, Revisit, instant_of, shown
from warehouse.archive.warc_import import MAGIC_BYTES, PACKED, ZIP_MAGIC, is_packed, is_warc, read_wacz, read_warc
from warehouse.errors import UsageError
from warehouse.printable import counted
from warehouse.store.local_files import lake_with, real

Input: TypeAlias = Capture | Revisit | Refused | Notice

LIST_NAME: Final = "captures.csv"
LONGEST_CELL: Final = 131_072  # as the csv module has it, whose own limit is the process's: any library may lift it
COLUMNS: Final = ("file", "url", "fetched_at", "status", "content_type")
NAMES_SHOWN: Final = 10
NAMED_AS_WARC: Final = re.compile(r"\.warc(\.\w+)?$", re.IGNORECASE)
OF_A_LAKE: Final = (("raw", "releases"), ("warc", "index"))  # its pages, and a folder beside them that has none
NOTHING_KNOWN: Final = Capture(payload=b"")


def page_of(cells: Mapping[str, str]) -> Capture:
    """The page that the cells of a row describe, without its bytes; ValueError for a cell that cannot be read."""
    try:
        fetched_at = instant_of(cells["fetched_at"]) if cells["fetched_at"] else None
    except ValueError:
        reason = f"column fetched_at: {shown(cells['fetched_at'])!r} is no instant like 2024-03-13T06:15:08Z"
        raise ValueError(reason) from None
    status = cells["status"]
    if status and not re.fullmatch(r"[1-9][0-9]{2}", status, re.ASCII):
        raise ValueError(f"column status: {shown(status)!r} is no HTTP status like 200")
    return Capture(
        payload=b"",
        url=cells["url"] or None,
        fetched_at=fetched_at,
        http_status=int(status) if status else None,
        content_type=cells["content_type"] or None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvRow:
    """One row: `name` says which, for messages; what it says of the `page`; `fault` why it cannot be used, if so."""

    name: str
    file: str
    page: Capture = NOTHING_KNOWN
    fault: str | None = None


def read_rows(path: Path, limits: Limits) -> list[CsvRow] | Refused:
    """The rows of a `captures.csv`, or why nothing of its folder can be landed.

    It is UTF-8 with the five columns, in any order; an empty cell is unknown. `fetched_at` is an ISO 8601 instant,
    in UTC where it says no zone. A cell that cannot be read spoils its own row only.
    """
    name = shown(str(path))
    try:
        data = _read(path, limits.payload_bytes + 1)
        if len(data) > limits.payload_bytes:
            return Refused(name, limits.page_too_large())
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        fault = _header_fault(list(reader.fieldnames or ()))
        return _refused(name, fault) if fault else list(_rows(reader, name))
    except OSError as error:
        return _refused(name, f"it cannot be read: {error.strerror}")
    except UnicodeDecodeError:
        return _refused(name, "it is not UTF-8; save it as UTF-8")
    except csv.Error as error:
        return _refused(name, f"it is no CSV: {error}")


def _read(path: Path, most: int) -> bytes:
    if not stat.S_ISREG(path.stat().st_mode):  # a FIFO would be waited for
        raise OSError(errno.EINVAL, "it is no regular file")
    with path.open("rb") as file:
        return file.read(most)


def _header_fault(named: list[str]) -> str | None:
    missing = [column for column in COLUMNS if column not in named]
    twice = [column for column in COLUMNS if named.count(column) > 1]
    if missing:
        return f"it has no column {', '.join(missing)}; its first line must name {', '.join(COLUMNS)}"
    return f"it has more than one column {', '.join(twice)}" if twice else None


def _refused(name: str, reason: str) -> Refused:
    return Refused(name, f"{reason}. Nothing of its folder was landed")


def _rows(reader: csv.DictReader[str], name: str) -> Iterator[CsvRow]:
    for number, cells in enumerate(reader, start=2):  # as a spreadsheet counts: the header is row 1
        row = {column: (cells[column] or "").strip() for column in COLUMNS}
        if any(len(cell) > LONGEST_CELL for cell in row.values()):
            raise csv.Error(f"row {number} has a cell of more than {LONGEST_CELL:,} characters")
        named = f"{name} row {number} ({shown(row['file'])})"
        fault = None
        if any(cells.get(None) or ()):  # what is behind the last column
            fault = "it has more cells than the first line names; put a cell that has a comma in quotes"
        try:
            yield CsvRow(name=named, file=row["file"], page=page_of(row), fault=fault)
        except ValueError as error:
            yield CsvRow(name=named, file=row["file"], fault=str(error))


def captures_from(paths: Sequence[Path], limits: Limits, lake: Path | None = None) -> Iterator[Input]:
    """Everything the paths hold, one at a time; UsageError, before anything is read, where a path does not exist.

    A folder is walked in the order of names, without hidden files and without links that leave it; a Notice lists
    those, and the files that a `captures.csv` does not name. The `lake` itself is no input. Whatever
    cannot be landed is a Refused, and the rest goes on. Memory: one page.
    """
    missing = [path for path in paths if not os.path.lexists(path)]
    if missing:
        named = ", ".join(shown(str(path)) for path in missing)
        raise UsageError(f"there is no {named}; give files, folders or WARC files that exist")
    known: dict[str, str] = {}
    return (found for path in paths for found in _Walk(path, limits, lake, known).inputs())


class _Walk:
    """One path of the command line.

    Nothing outside its folder is read, whatever links and lists say. `known` are the digests of pages in all WARC files
    so far.
    """

    def __init__(self, root: Path, limits: Limits, lake: Path | None, known: dict[str, str]) -> None:
        self._root, self._limits, self._lake, self._known = root, limits, lake, known

    def inputs(self) -> Iterator[Input]:
        """The files under the path, folder by folder: a stack, because folders may be nested as deep as one likes."""
        place = real(self._root)
        lake = lake_with(place)
        if lake and place != lake / "raw" and not place.is_relative_to(lake / "raw/warc"):
            reason = f"it is paperlake's own, of the lake {shown(str(lake))}, whose pages are in raw/warc"
            yield Refused(shown(str(self._root)), reason)
            return
        left = [self._root]
        while left:
            path = left.pop()
            if path.is_dir():
                inner: list[Path] = []
                yield from self._folder(path, inner)
                left += reversed(inner)
            else:
                yield from self._file(path, NOTHING_KNOWN)

    def _folder(self, folder: Path, inner: list[Path]) -> Iterator[Input]:
        """A folder that has a list, read; of another one, what is to be read is added to `inner`."""
        if self._lake and self._lake.exists() and folder.samefile(self._lake):
            yield Notice(f"{shown(str(folder))}: passed over, because it is the lake itself")
            return
        try:
            entries = sorted(folder.iterdir())
        except OSError as error:
            yield Refused(shown(str(folder)), f"the folder cannot be read: {error.strerror}")
            return
        if folder / LIST_NAME in entries:
            yield from self._listed(folder)
            return
        # a link to a folder may run in a circle
        leading_out = (
            path.name for path in entries if path.is_symlink() and (path.is_dir() or not _is_within(path, self._root))
        )
        names = {path.name for path in entries}
        passed = {*leading_out, *(name for name in names if name.startswith("."))}
        for pages, beside in OF_A_LAKE:
            passed |= names - {pages} if {pages, beside} <= names else set()
        if passed:
            text = f"passed over {counted(len(passed), 'hidden file')}, links out of the folder, or what a lake keeps"
            yield Notice(f"{shown(str(folder))}: {text}: {_few(sorted(passed))}")
        inner += [path for path in entries if path.name not in passed]

    def _listed(self, folder: Path) -> Iterator[Input]:
        rows = read_rows(folder / LIST_NAME, self._limits)
        if isinstance(rows, Refused):
            yield rows
            return
        for row in rows:
            reason = row.fault or _why_not(folder, row.file)
            if reason:
                yield Refused(row.name, reason)
            else:
                yield from self._file(folder / row.file, row.page)
        listed = {os.path.normpath(row.file) for row in rows} | {LIST_NAME}
        others = sorted(file for file in _files_in(folder) if file not in listed)
        if others:
            text = f"{LIST_NAME} does not list {counted(len(others), 'file')}, not landed"
            yield Notice(f"{shown(str(folder))}: {text}: {_few(others)}")

    def _file(self, path: Path, page: Capture) -> Iterator[Input]:
        name, limit = shown(str(path)), self._limits.payload_bytes
        try:
            info = path.stat()
            if not stat.S_ISREG(info.st_mode):
                yield Refused(name, "it is no regular file")
                return
            with path.open("rb") as file:
                is_archive, is_zip = is_warc(head := file.peek(MAGIC_BYTES)), head.startswith(ZIP_MAGIC)
                payload = b"" if is_archive or is_zip or info.st_size > limit else file.read(limit + 1)
        except OSError as error:
            yield Refused(name, f"it cannot be read: {error.strerror}")
            return
        if (is_archive or is_zip) and page != NOTHING_KNOWN:
            yield Notice(f"{name}: {LIST_NAME} says of it what its own records say; its cells were not used")
        if is_archive:
            yield from read_warc(path, self._limits, self._known)
        elif is_zip:
            yield from read_wacz(path, self._limits, self._known)
        elif NAMED_AS_WARC.search(path.name):
            yield Refused(name, "it is named as a WARC file and does not begin as one (WARC/, plain or gzipped)")
        elif info.st_size > limit or len(payload) > limit:
            yield Refused(name, self._limits.page_too_large(max(info.st_size, len(payload))))
        elif is_packed(payload):
            yield Refused(name, PACKED)
        else:
            yield replace(page, payload=payload)


def _why_not(folder: Path, file: str) -> str | None:
    """Why a row's file cannot be landed: rows may come from anywhere, and must name files of their own folder."""
    if not file:
        return "column file is empty"
    if Path(file).is_absolute() or not _is_within(folder / file, folder):
        return "column file leads out of the folder; list only files that lie in it"
    # of a name too long for the file system Path.is_file raises
    is_there = os.path.isfile(folder / file)  # noqa: PTH113
    return None if is_there else "column file names a file that is not there"


def _is_within(path: Path, folder: Path) -> bool:
    """Whether a path, links followed, stays in a folder; not so where it cannot be followed (a circle, a NUL)."""
    try:
        found = path.resolve()
        is_circle = os.path.islink(found)  # noqa: PTH114 - as below; from Python 3.13 on `resolve` leaves it as it is
        return found.is_relative_to(folder.resolve()) and not is_circle
    except (OSError, RuntimeError, ValueError):
        return False


def _files_in(folder: Path) -> Iterator[str]:
    """Files at any depth, by their paths in the folder; `os.walk` of Python 3.11 calls itself for each depth."""
    left = [""]
    while left:
        place = left.pop()
        with suppress(OSError), os.scandir(folder / place) as entries:
            for entry in entries:
                path = f"{place}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    left.append(f"{path}/")
                else:
                    yield path


def _few(names: list[str]) -> str:
    few = ", ".join(shown(name) for name in names[:NAMES_SHOWN])
    return few if len(names) <= NAMES_SHOWN else f"{few} and {len(names) - NAMES_SHOWN} more"
