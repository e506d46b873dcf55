"""The rows of a query in each format. All but the table are streamed; no control character reaches a terminal."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from html import escape
from itertools import chain, count
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, TypeAlias

import msgspec

from paperlake.sql.drawing import ALL, Screen, record, table
from warehouse.errors import QueryFailed, UsageError
from warehouse.limits import uncounted
from warehouse.printable import printable

if TYPE_CHECKING:  # the command line shows its help without importing DuckDB
    from warehouse.release.query import Database, QueryResult, Statement

Format: TypeAlias = Literal["table", "record", "csv", "tsv", "json", "jsonl", "markdown", "parquet", "arrow"]

SUFFIXES: Final[dict[str, Format]] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".txt": "table",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}
SEVERAL: Final = {"table", "record", "markdown"}  # a person reads them: one result may follow another
MARKUP: Final = {ord(character): f"\\{character}" for character in "\\`*_[]|~$"}  # what has a meaning in Markdown
# Begins a formula in a spreadsheet (OWASP, "CSV Injection"), also as the wide, small and mathematical forms of these
# signs, which some read alike, and behind what some skip
FORMULA: Final = re.compile(
    r"[\t\r\n]|[\s\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*"
    r"[-=+@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]"
)
encode: Final = msgspec.json.Encoder(decimal_format="number").encode


def write(database: Database, sql: str | Statement, output_format: Format, out: BinaryIO, screen: Screen = ALL) -> None:
    """Write the rows of one statement. On a terminal, control characters are spelled out as in JSON."""
    if output_format in {"parquet", "arrow"}:
        if out.isatty():
            raise UsageError(f"{output_format} is binary, not text for a terminal; name a file with --output")
        write_arrow(database, sql, output_format, out)
        return
    with database.translate_errors():
        texts = WRITERS[output_format](database.rows(sql), screen)
        if out.isatty():
            texts = (printable(text, keep="\n\t") for text in texts)
        out.writelines(map(str.encode, texts))
    out.flush()


def write_arrow(database: Database, sql: str | Statement, output_format: Format, out: BinaryIO) -> None:
    """Write the rows batch by batch, as Parquet or as Arrow's own file. Memory: one batch."""
    with uncounted():
        import pyarrow as pa
        import pyarrow.parquet as pq

        pa.allocate_buffer(1)
    with database.batches(sql) as (schema, batches):
        try:
            made = (
                pq.ParquetWriter(out, schema, compression="zstd")
                if output_format == "parquet"
                else pa.ipc.new_file(out, schema)
            )
        except NotImplementedError as error:
            raise QueryFailed(f"{error}: {output_format} has no such type; CAST the column to VARCHAR") from error
        try:
            with made as writer:
                for batch in batches:
                    writer.write_batch(batch)
        except OSError as error:
            if error.errno is None and "memory" in str(error):  # in which a batch is compressed
                raise MemoryError from error
            raise


def json_lines(answer: QueryResult, _: Screen) -> Iterator[str]:
    """An object a row; columns of the same name get the suffixes that DuckDB gives them: a, a_1.

    Times are ISO 8601 in UTC, days ISO dates, NaN and infinities null.
    """
    names: list[str] = []
    for name in answer.columns:  # a second column of a name is no second value of its key
        names.append(next(one for one in chain([name], (f"{name}_{at}" for at in count(1))) if one not in names))
    for row in answer.rows:
        yield encode(dict(zip(names, row, strict=True))).decode() + "\n"


def json(answer: QueryResult, screen: Screen) -> Iterator[str]:
    """One array of the objects of `json_lines`, one row a line."""
    separator = "[\n"
    for line in json_lines(answer, screen):
        yield separator + line[:-1]
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def separated(answer: QueryResult, _: Screen, delimiter: str = ",") -> Iterator[str]:
    """CSV or TSV. Text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay numbers.

    The csv module quotes a cell that holds a sign of its line end: CR LF, since to many readers a lone CR ends a line.
    """
    writer = csv.writer(Echo, delimiter=delimiter, lineterminator="\r\n")
    for row in chain((answer.columns,), answer.rows):
        yield writer.writerow(map(defused, row)).removesuffix("\r\n") + "\n"


class Echo:
    """A file for the csv module, whose `write` returns the text."""

    write: Final = staticmethod(str)


def defused(value: object) -> object:
    """The value for a cell: lists and structs are JSON, and no text begins a formula.

    >>> defused(" =1"), defused(-1), defused([1, {"a": True}]), defused(True)
    ("' =1", -1, '[1,{"a":true}]', 'true')
    """
    if isinstance(value, (list, tuple, dict, bool)):
        return encode(value).decode()
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def markdown(answer: QueryResult, _: Screen) -> Iterator[str]:
    """A table of GitHub's Markdown; the text of a cell is escaped, so it is never markup."""
    head = (answer.columns, ["---"] * len(answer.columns))
    yield from (f"| {' | '.join(row)} |\n" for row in chain(head, map(escaped, answer.rows)))


def escaped(row: Iterable[Any]) -> list[str]:
    texts = (encode(cell).decode() if isinstance(cell, (list, tuple, dict, bool)) else cell for cell in row)
    plain = ("" if text is None else printable(" ".join(str(text).split())) for text in texts)
    return [escape(text, quote=False).translate(MARKUP) for text in plain]


WRITERS: Final[dict[Format, Callable[[QueryResult, Screen], Iterator[str]]]] = {
    "table": table,
    "record": record,
    "csv": separated,
    "tsv": partial(separated, delimiter="\t"),
    "json": json,
    "jsonl": json_lines,
    "markdown": markdown,
}
