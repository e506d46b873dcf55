"""Reads `captures.csv`, which describes the files in its folder: file, url, fetched_at, status, content_type."""

from __future__ import annotations

import csv
import errno
import io
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from warehouse.archive.captured import Capture, Limits, Refused, instant_of, shown

LIST_NAME: Final = "captures.csv"
COLUMNS: Final = ("file", "url", "fetched_at", "status", "content_type")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of a page apart from its bytes; None is unknown."""

    url: str | None = None
    fetched_at: datetime | None = None
    http_status: int | None = None
    content_type: str | None = None

    @classmethod
    def of(cls, cells: Mapping[str, str]) -> Facts:
        """From the cells of a row, by column; ValueError for one that cannot be read."""
        try:
            fetched_at = instant_of(cells["fetched_at"]) if cells["fetched_at"] else None
        except ValueError:
            reason = f"column fetched_at: {shown(cells['fetched_at'])!r} is no instant like 2024-03-13T06:15:08Z"
            raise ValueError(reason) from None
        status = cells["status"]
        if status and not re.fullmatch(r"[1-9][0-9]{2}", status, re.ASCII):
            raise ValueError(f"column status: {shown(status)!r} is no HTTP status like 200")
        return cls(
            url=cells["url"] or None,
            fetched_at=fetched_at,
            http_status=int(status) if status else None,
            content_type=cells["content_type"] or None,
        )

    def capture(self, payload: bytes) -> Capture:
        return Capture(
            payload=payload,
            url=self.url,
            fetched_at=self.fetched_at,
            http_status=self.http_status,
            content_type=self.content_type,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvRow:
    """One row: `name` says which, for messages; `fault` why the row cannot be used, where it cannot."""

    name: str
    file: str
    facts: Facts = field(default_factory=Facts)
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
        missing = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
        if missing:
            return _refused(
                name, f"it has no column {', '.join(missing)}; its first line must name {', '.join(COLUMNS)}"
            )
        return list(_rows(reader, name))
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


def _refused(name: str, reason: str) -> Refused:
    return Refused(name, f"{reason}. Nothing of its folder was landed")


def _rows(reader: csv.DictReader[str], name: str) -> Iterator[CsvRow]:
    for number, cells in enumerate(reader, start=2):  # as a spreadsheet counts: the header is row 1
        row = {column: (cells[column] or "").strip() for column in COLUMNS}
        named = f"{name} row {number} ({shown(row['file'])})"
        try:
            yield CsvRow(name=named, file=row["file"], facts=Facts.of(row))
        except ValueError as error:
            yield CsvRow(name=named, file=row["file"], fault=str(error))
