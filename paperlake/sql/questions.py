"""What the query process is asked, and what it replies."""

from typing import Literal

from msgspec import Struct

from paperlake.sql.formats import Format


class Question(Struct, frozen=True):
    """A task for the query process: SQL and how to write its rows, or a table to describe; `output` is a path.

    SQL that is `in_session` need not give rows. The reply to `cite` is the query's fingerprint, that to `call` what a
    tool answers (paperlake/mcp/tools.py), whose name and arguments are the text, as JSON.
    """

    task: Literal["sql", "tables", "names", "cite", "call"]
    text: str = ""
    output_format: Format = "table"
    output: str | None = None
    in_session: bool = False


class Fingerprint(Struct, frozen=True):
    """A query as DuckDB writes it, and what its rows are: `sha256` is over the sorted SHA-256 of each row as JSON."""

    sql: str
    columns: tuple[tuple[str, str], ...]
    row_count: int
    sha256: str


class Reply(Struct, frozen=True):
    """An error with its exit code, or 0 and what the parent is to have; after the last one the process ends."""

    exit_code: int
    text: str
    is_last: bool = False
