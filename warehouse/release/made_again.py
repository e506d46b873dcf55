"""The database of a release may be made again: of older releases only what it is made from is kept.

Beside the Parquet files of its tables a release has the statements that make them in a database, and as Parquet the
tables about it. So any later DuckDB makes the database as the release had it, whatever paperlake declares by then. The
rows are the same, the bytes are not: DuckDB writes each file another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from warehouse.errors import Damaged, NothingThere, UsageError
from warehouse.release.cache import cached, made_in
from warehouse.release.latest import DATABASE, another_than, manifest_of, release_key
from warehouse.release.manifest import File, Latest, Manifest, Parent, digest, encode
from warehouse.store.local_files import fetch, is_place_of_a_file, local_files, scratch, sha256, whole_file
from warehouse.store.store import Store

if TYPE_CHECKING:
    from warehouse.release.query import Database
    from warehouse.schema.table import Table

SCRIPT: Final = "database.sql"
ABOUT: Final = "about"


def about_key(table: Table) -> str:
    """The file of a table about the release."""
    return f"{ABOUT}/{table.name}.parquet"


def about_files(database: Database) -> dict[str, bytes]:
    """The tables about the release, as Parquet; that about the database's file is of no other file."""
    import polars as pl

    from warehouse.release.parquet import Part
    from warehouse.schema.catalog import ABOUT_TABLES, FILE
    from warehouse.schema.ddl import qualified

    made = {}
    for table in (one for one in ABOUT_TABLES if one is not FILE):
        rows = pl.DataFrame(database.arrow(f"FROM {qualified(table)}"))
        Part(table, about_key(table), table.conform(rows)).write(to := BytesIO())
        made[about_key(table)] = to.getvalue()
    return made


def kept_files(store: Store, manifest: Manifest) -> tuple[File, ...]:
    """The files of a release that are to be there: all, but a database that is not kept.

    One that was made again has the hash that it has now; the manifest does not list it where a person was erased
    meanwhile.
    """
    key = release_key(manifest.version, DATABASE)
    others = tuple(file for file in manifest.files if file.key != DATABASE)
    if made := store.made_again(key):
        return (*others, File(DATABASE, store.size(key), made))
    return manifest.files if store.is_kept(key) else others


def can_be_made(keys: Iterable[str]) -> bool:
    """Whether a release with these files has what its database is made from: one of an older paperlake has not."""
    return SCRIPT in set(keys)


def database_path(store: Store, version: str, read: Callable[[], Manifest], cache: Callable[[], Path]) -> Path:
    """A release's database on this machine: in the lake, else in the cache, where it is fetched once, or made again.

    `read` reads its manifest, which is not needed where the database is in the lake.
    """
    key = release_key(version, DATABASE)
    if (path := store.local_path(key)) is not None:
        with suppress(NothingThere):
            store.open(key).close()  # where permission is missing DuckDB would say that it is no database
            return path
    manifest = read()
    for file in kept_files(store, manifest) if path is None else ():
        if file.key == DATABASE:
            with suppress(NothingThere):  # it was given up a moment ago
                return cached(store, key, file, cache())
    if not can_be_made(file.key for file in manifest.files):
        raise Damaged(f'release {version} has no {DATABASE}; run "paperlake verify"')
    made = cache() / f"{digest(encode(manifest))}.duckdb"
    if made.exists():
        return made
    return made_in(store, made.parent, made.name, lambda path: make_database(store, manifest, path))


def write_database(store: Store, manifest: Manifest, path: Path) -> int:
    """Write a release's database to a file, whole or not at all: as it is kept, else made again. Returns its bytes."""
    key = release_key(manifest.version, DATABASE)
    if not is_place_of_a_file(path):
        raise UsageError(f"cannot write {path}: it is no file; name another place with -o")
    kept = next((file for file in kept_files(store, manifest) if file.key == DATABASE), None)
    with whole_file(path) as part:
        if kept is None:
            make_database(store, manifest, part)
        else:
            fetch(store, key, part)
            if sha256(part) != kept.sha256:
                raise another_than(store, key, kept)
    return path.stat().st_size


def make_database(store: Store, manifest: Manifest, path: Path) -> None:
    """Make the database of a release again; Damaged where a file that it is made from is not what was written.

    NothingThere where it is of an older paperlake, which kept less.
    """
    if not can_be_made(file.key for file in manifest.files):
        raise NothingThere(f"release {manifest.version} has no {DATABASE}, nor {SCRIPT}, of which it could be made")
    with local_files(store) as files:

        def sound(file: File) -> Path:
            at = release_key(manifest.version, file.key)
            if files.sha256(at) != file.sha256:
                raise Damaged(f'{at} is not what was written; run "paperlake verify {manifest.version}"')
            return files.path(at)

        script = next(sound(file) for file in manifest.files if file.key == SCRIPT).read_text("utf-8")
        make_again(path, script, {name: list(map(sound, of)) for name, of in parts_of(manifest).items()})


def make_again(path: Path, script: str, parquet: Mapping[str, Sequence[Path]]) -> None:
    """Write the database by a release's own statements, with the rows of its Parquet, by `schema.table`.

    So it is as the version of paperlake declared it that made the release. That may be in a lake of others: its
    statements reach no file, network or setting. Damaged where they cannot be run, or do not fit the rows; OSError
    where there is no room for the file.
    """
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq

    from warehouse.release.database import BLOCK_BYTES, MEMORY, STORAGE
    from warehouse.schema.ddl import quoted

    config: dict[str, str | bool | int | float | list[str]] = {
        "enable_external_access": False,
        "experimental_metadata_reuse": False,
        "default_block_size": str(BLOCK_BYTES),
        "storage_compatibility_version": STORAGE,
        "memory_limit": MEMORY,
        "threads": 1,
    }
    failed: Damaged | OSError | None = None
    try:
        with (
            scratch() as spill,
            duckdb.connect(str(path), config=config | {"temp_directory": str(spill)}) as connection,
        ):
            connection.execute("SET lock_configuration = true")
            connection.execute("BEGIN")
            connection.execute(script)
            for name, paths in parquet.items():
                table = ".".join(map(quoted, name.split(".")))
                for one in paths:
                    with pq.ParquetFile(one) as file:
                        rows = pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches())
                        connection.register("_rows", rows)
                        connection.execute(f"INSERT INTO {table} BY NAME FROM _rows")
                        connection.unregister("_rows")
                connection.execute("COMMIT")
                connection.execute("BEGIN")
            connection.execute("COMMIT")
    except (duckdb.IOException, duckdb.TransactionException) as error:
        failed = OSError(str(error))
    except duckdb.Error as error:
        failed = Damaged(f"the database cannot be made by the release's own statements: {error}")
    if failed:  # raised here, so that no traceback keeps the connection open
        raise failed


def parts_of(manifest: Manifest) -> dict[str, tuple[File, ...]]:
    """The files of which each table of the database is made, by `schema.table`."""
    about = {file.key: file for file in manifest.files if file.key.startswith(f"{ABOUT}/")}
    return {
        **{f"core.{table.name}": table.files for table in manifest.tables},
        **{f"mart.{table.name}": table.files for table in manifest.marts},
        **{f"{ABOUT}.{Path(key).stem}": (file,) for key, file in about.items()},
    }


def put_back(store: Store, named: Latest | Parent) -> None:
    """Make the database of a release that has none again, and put it in its place: that of the latest is expected."""
    key = release_key(named.version, DATABASE)
    if not store.is_kept(key):
        with scratch() as folder:
            make_database(store, manifest_of(store, named), made := folder / DATABASE)
            store.put_again(key, made, sha256(made))
