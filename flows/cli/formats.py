"""The rows of a query as table, CSV, JSON, Markdown or Parquet; all but the table are streamed."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from html import escape
from io import TextIOWrapper
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, Final, Literal, TextIO, TypeAlias

import msgspec

if TYPE_CHECKING:  # the command line shows its help without importing DuckDB
    from warehouse.release.query import Answer, Database

Format: TypeAlias = Literal["table", "csv", "json", "markdown", "parquet"]

ROWS_SHOWN: Final = 1_000  # in a table on a terminal; every other format has all rows
MARKUP: Final = {ord(character): f"\\{character}" for character in "\\`*_[]|~$"}  # what has a meaning in Markdown
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")  # begins a formula in a spreadsheet (OWASP, "CSV Injection")


def write(database: Database, sql: str, output_format: Format, out: BinaryIO) -> None:
    """Write the rows of one statement."""
    if output_format == "parquet":
        write_parquet(database, sql, out)
        return
    text = TextIOWrapper(out, "utf-8", newline="")
    if output_format == "table":
        text.write(table(database, sql))
    else:
        WRITERS[output_format](database.rows(sql), text)
    text.flush()
    text.detach()


def table(database: Database, sql: str, *parameters: object) -> str:
    """At most a thousand rows, drawn as wide as the terminal."""
    width = max(shutil.get_terminal_size((160, 40)).columns, 40)
    return database.box(sql, parameters, width=width, rows=ROWS_SHOWN)


def write_parquet(database: Database, sql: str, out: BinaryIO) -> None:
    """The rows batch by batch: memory, one batch."""
    import pyarrow.parquet as pq

    with database.batches(sql) as reader, pq.ParquetWriter(out, reader.schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)


def write_json(answer: Answer, out: TextIO) -> None:
    """One array of objects, one row a line. Times are ISO 8601 in UTC, days ISO dates, NaN and infinities null."""
    encode = msgspec.json.Encoder().encode
    separator = "[\n"
    for row in answer.rows:
        out.write(separator + encode(dict(zip(answer.columns, row, strict=True))).decode())
        separator = ",\n"
    out.write("[]\n" if separator == "[\n" else "\n]\n")


def write_csv(answer: Answer, out: TextIO) -> None:
    """Text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay numbers."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(_defused, answer.columns))
    writer.writerows(map(_defused, row) for row in answer.rows)


def _defused(value: object) -> object:
    if isinstance(value, (list, dict)):
        value = str(value)
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def write_markdown(answer: Answer, out: TextIO) -> None:
    """A table of GitHub's Markdown; the text of a cell is escaped, so it is never markup."""
    cells = (
        ["" if cell is None else escape(" ".join(str(cell).split()), quote=False).translate(MARKUP) for cell in row]
        for row in answer.rows
    )
    out.writelines(f"| {' | '.join(row)} |\n" for row in chain((answer.columns, ["---"] * len(answer.columns)), cells))


WRITERS: Final[dict[str, Callable[[Answer, TextIO], None]]] = {
    "json": write_json,
    "csv": write_csv,
    "markdown": write_markdown,
}
