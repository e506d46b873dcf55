"""`paperlake sql`: one query asked; without one a shell, with history and completion of every name of the database."""

import readline
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from paperlake.sql.formats import SUFFIXES, Format
from paperlake.sql.questions import Question
from paperlake.sql.worker import Worker
from warehouse.errors import PaperlakeError, UsageError
from warehouse.store.local_files import whole_file


def read_statements(query: str | None, file: Path | None, output: Path | None) -> str | None:
    """The statements of the argument, the file or standard input; None for a shell, if both ends are a terminal."""
    if query is not None and file is not None:
        raise UsageError("give the statements or --file, not both")
    if query is None and file is None and output is None and sys.stdin.isatty() and sys.stdout.isatty():
        return None
    if query is not None and query != "-":
        return query
    named = f"--file {file}" if file else "standard input"
    try:
        text = (file.read_bytes() if file else sys.stdin.buffer.read()).decode()
    except OSError as error:
        raise UsageError(f"--file {file} cannot be read: {error.strerror or error}") from error
    except UnicodeError as error:
        raise UsageError(f"{named} is not text in UTF-8") from error
    if query is None and not text.strip():
        raise UsageError("there are no statements: give them as an argument, on standard input or with --file")
    return text


def format_of(chosen: Format | None, output: Path | None) -> Format:
    """The format that is named, else that of the file's suffix; UsageError where no format has the suffix."""
    suffix = output.suffix.lower() if output else ""
    if chosen or not suffix:
        return chosen or "table"
    if suffix not in SUFFIXES:
        raise UsageError(f"--output {output}: no format has the suffix {suffix}; name one with --format")
    return SUFFIXES[suffix]


def ask_rows(
    worker: Worker, text: str, output_format: Format, output: Path | None, *, in_session: bool = False
) -> None:
    """Have the rows written to standard output, or to a file, which is written whole or not at all."""
    question = Question("sql", text, output_format, None, in_session)
    if output is None:
        worker.ask(question)
        return
    with whole_file(output) as part:
        if part != output:
            part.touch()
        worker.ask(replace(question, output=str(part)))


GREETING: Final = """The latest release, read-only. Statements end with ; or an empty line.
.tables lists what there is, .help the other commands; Ctrl-D leaves.
"""
HELP: Final = """.tables [NAME]    tables, marts and macros; the columns of one
.format [NAME]    how rows are written: {formats}
.once FILE        the next answer into a file; its suffix says how
\\x                a row after the other, and back
.help             this
.quit             leave, as Ctrl-D does
Tab completes names. Ctrl-C drops what was typed, or ends what runs.
"""
PROMPT, MORE = "paperlake> ", "       ...> "
HISTORY: Final = "sql_history"
HISTORY_LENGTH: Final = 1_000
LEAVING: Final = {".quit", ".exit", "\\q", "quit", "exit"}
COMMANDS: Final = (".format", ".help", ".once", ".quit", ".tables", "\\x")
FORMATS: Final = ("table", "record", "csv", "tsv", "json", "jsonl", "markdown")  # what a terminal can show
KEYWORDS: Final = (
    *("AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "DATE", "DESC", "DESCRIBE", "DISTINCT", "ELSE", "END", "EXCLUDE"),
    *("FROM", "GROUP", "HAVING", "ILIKE", "IN", "INTERVAL", "IS", "JOIN", "LEFT", "LIKE", "LIMIT", "NOT", "NULL", "ON"),
    *("OR", "ORDER", "OVER", "PARTITION", "QUALIFY", "SELECT", "SHOW", "SUMMARIZE", "TABLES", "THEN", "UNION", "USING"),
    *("WHEN", "WHERE", "WITH"),
)


class Completer:
    """Completes the word at the cursor: names as they are spelt, keywords in the case in which one was begun."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names, self._found = names, [""]

    def __call__(self, begun: str, state: int) -> str | None:
        if state == 0:
            self._found = self.words(begun, readline.get_line_buffer())
        return self._found[state] if state < len(self._found) else None

    def words(self, begun: str, line: str) -> list[str]:
        if line.startswith((".", "\\")) and line == begun:
            return [command for command in COMMANDS if command.startswith(begun)]
        keywords = KEYWORDS if begun[:1].isupper() else map(str.lower, KEYWORDS)
        schema, dot, _ = begun.rpartition(".")
        names = [f"{schema}.{name}" for name in self._names] if dot else [*self._names, *keywords]
        return sorted({name for name in names if name.lower().startswith(begun.lower())})


class Shell:
    """Reads statements and commands until the end of input; an error is printed, and it goes on."""

    def __init__(self, worker: Worker, output_format: Format, history: Path) -> None:
        self._worker, self._format, self._history = worker, output_format, history
        self._once: Path | None = None  # where the next answer goes

    def run(self) -> None:
        self.prepare()
        sys.stdout.write(GREETING)
        read: str | None = ""
        try:
            while read is not None:
                read = self.take_turn()
        finally:
            with suppress(OSError):  # a history is not worth an error
                self._history.parent.mkdir(parents=True, exist_ok=True)
                self._history.touch(mode=0o600)
                readline.write_history_file(self._history)

    def prepare(self) -> None:
        names = self._worker.ask(Question("names")).split("\n")
        readline.set_completer(Completer(names))
        readline.set_completer_delims(" \t\n,;()[]{}=<>+-*/|'\"!")
        is_libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
        readline.set_history_length(HISTORY_LENGTH)
        with suppress(OSError):
            readline.read_history_file(self._history)

    def take_turn(self) -> str | None:
        """Read and answer; return what was read, None at the end of input.

        Ctrl-C ends the turn at any moment of it, never the shell.
        """
        try:
            if not self._worker.is_running:
                sys.stderr.write("what the session made, such as temporary tables, is gone\n")
                self._worker.ask(Question("names"))
            text = self.read()
            if text:
                self.answer(text)
        except KeyboardInterrupt:
            sys.stderr.write("\nstopped\n")
            return ""
        return text

    def read(self) -> str | None:
        """A command, or lines up to the end of a statement; nothing after Ctrl-C, None at the end of input."""
        lines: list[str] = []
        while True:
            try:
                line = input(MORE if lines else PROMPT).strip()
            except KeyboardInterrupt:
                sys.stdout.write("\n")
                return ""
            except EOFError:
                sys.stdout.write("\n")
                return None
            if line in LEAVING:
                return None
            lines.append(line)
            if not line or line.endswith(";") or (len(lines) == 1 and line.startswith((".", "\\"))):
                return "\n".join(lines).strip()

    def answer(self, text: str) -> None:
        try:
            if text.startswith((".", "\\")):
                self.command(*text.split(maxsplit=1))
            else:
                once, self._once = self._once, None
                written = format_of(None, once) if once else self._format
                ask_rows(self._worker, text, written, once, in_session=True)
        except PaperlakeError as error:
            sys.stderr.write(f"error: {error}\n")

    def command(self, name: str, *arguments: str) -> None:
        match name, arguments:
            case ".help", ():
                sys.stdout.write(HELP.format(formats=", ".join(FORMATS)))
            case ".tables", () | (_,):
                self._worker.ask(Question("tables", " ".join(arguments)))
            case ".once", (path,):
                self._once = Path(path.strip("\"'"))
                format_of(None, self._once)
            case ".format", ():
                sys.stdout.write(f"{self._format}\n")
            case ".format", (("table" | "record" | "csv" | "tsv" | "json" | "jsonl" | "markdown") as chosen,):
                self._format = chosen
            case "\\x", ():
                self._format = "table" if self._format == "record" else "record"
                sys.stdout.write(f"rows as {self._format}\n")
            case _:
                raise UsageError(f"{' '.join((name, *arguments))!r} is no command; .help lists them")
