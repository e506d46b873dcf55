"""All bytes of a folder as text, with nothing of paperlake's: raw, and unpacked where a file's first bytes say what it is."""

import zlib
from collections.abc import Collection, Iterator
from pathlib import Path

import duckdb
import polars as pl


def texts(folder: str | Path) -> Iterator[tuple[str, str]]:
    """Every file, whatever its name."""
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            yield str(path), data.decode("latin-1") + _unpacked(path, data)


def places_of(folder: str | Path, *words: str) -> list[str]:
    """The files that have any of the words, in letters of any case."""
    return [name for name, text in texts(folder) if _of(text, words)]


def found_in(folder: str | Path, *words: str) -> set[str]:
    """Which of the words any file has, in letters of any case."""
    return set[str]().union(*(_of(text, words) for _, text in texts(folder)))


def _of(text: str, words: Collection[str]) -> set[str]:
    lower = text.lower()
    return {word for word in words if word.lower() in lower}


def _unpacked(path: Path, data: bytes) -> str:
    if data.startswith(b"\x1f\x8b"):
        return _inflated(data).decode("latin-1")
    if data.startswith(b"PAR1") and data.endswith(b"PAR1"):
        return str(pl.read_parquet(path).to_dicts())
    if data[8:12] == b"DUCK":
        with duckdb.connect(str(path), read_only=True) as database:
            names = database.execute("SELECT schema_name, table_name FROM duckdb_tables()").fetchall()
            return "".join(str(database.execute(f'FROM "{schema}"."{name}"').fetchall()) for schema, name in names)
    return ""


def _inflated(data: bytes) -> bytes:
    """The members of a gzip file, as far as they go."""
    found = b""
    while data:
        stream = zlib.decompressobj(31)
        try:
            found += stream.decompress(data)
        except zlib.error:
            break
        data = stream.unused_data
    return found
