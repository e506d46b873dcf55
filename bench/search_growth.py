"""What search costs as a lake grows: `python -m bench.search_growth 10000 20000`; each size is a process of its own.

The papers are invented: words of the basis, drawn as often as words of a language are, 8 to a title and 150 to an
abstract. A day's papers come on top of them, then questions of four words.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from paperlake.find.finder import Finder
from tests.derived import IndexedTexts, search_tables
from transforms.search.vectors import basis
from warehouse.release.database import assemble
from warehouse.release.parquet import parts
from warehouse.release.query import Database, opened
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.table import Table

TITLE, ABSTRACT, DAY, QUERIES = 8, 150, 40, 100


def invented(count: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    dice = np.random.default_rng(count)
    words = dice.permutation(basis()["term"].to_numpy())
    drawn = words[np.minimum(dice.zipf(1.2, (count, TITLE + ABSTRACT)) - 1, len(words) - 1)]
    ids = [f"{2401 + number // 90_000}.{number % 90_000:05}" for number in range(count)]
    titles = [" ".join(row[:TITLE]) for row in drawn]
    abstracts = [" ".join(row[TITLE:]) for row in drawn]
    papers = filled(PAPERS, pl.DataFrame({"paper_id": ids, "title": titles}))
    return papers, filled(PAPER_TEXTS, pl.DataFrame({"paper_id": ids, "abstract": abstracts}))


def filled(table: Table, frame: pl.DataFrame) -> pl.DataFrame:
    """Add the columns that a table needs: zeros, or what a zero is as text or day."""
    wanted = [column for column in table.columns if not column.is_nullable and column.name not in frame.columns]
    frame = frame.with_columns(pl.lit(0).cast(column.dtype).alias(column.name) for column in wanted)
    return pl.concat([table.empty(), frame], how="diagonal")


def seconds(do: Callable[[], object]) -> float:
    start = time.process_time()
    do()
    return time.process_time() - start


def rows_of(database: Database, text: str) -> list[Any]:
    return list(database.rows("SELECT * FROM search_papers(?)", [text]).rows)


def asked(count: int) -> None:
    """Time and memory of queries; another process makes the index, so that its memory does not count."""
    with TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "bench.search_growth", "index", str(count), folder], check=True)
        queries = invented(QUERIES)[1]["abstract"].str.split(" ").list.head(4).list.join(" ").to_list()
        with opened(Path(folder) / "lake.duckdb") as database:
            finder = Finder(database)
            in_python = [seconds(partial(finder.search, text, 10)) for text in queries]
            peak = getrusage(RUSAGE_SELF).ru_maxrss >> 10
            in_sql = [seconds(partial(rows_of, database, text)) for text in queries]
    last = (quantiles(each, n=20)[-1] * 1e3 for each in (in_python, in_sql))
    print("a query, p95: {:.1f} ms in Python, {:.0f} ms in SQL;".format(*last), f"memory {peak} MiB", flush=True)


def indexed(count: int, folder: Path) -> None:
    papers, texts = invented(count)
    before = search_tables(papers.head(count - DAY), texts.head(count - DAY))
    held = [before[name] for name in IndexedTexts._fields if name in before]
    known = IndexedTexts(papers.clear(), texts.clear(), *held)  # of the day's papers it has no texts
    made: dict[str, pl.DataFrame] = {}
    day = seconds(lambda: made.update(search_tables(papers.tail(DAY), texts.tail(DAY), known)))
    whole = seconds(lambda: search_tables(papers, texts))
    peak = getrusage(RUSAGE_SELF).ru_maxrss >> 10
    files: dict[str, list[Path]] = {}
    for table in CORE_TABLES:
        for part in parts(table, {**made, "papers": papers}.get(table.name, table.empty())):
            path = folder / f"{table.name}-{len(files.get(table.name, []))}.parquet"
            part.write(path)
            files.setdefault(table.name, []).append(path)
    size = sum(path.stat().st_size for name in made for path in files[name])
    told = f"{count} papers: index {whole:.1f} s, a day of {DAY} {day:.2f} s, {peak} MiB, {size / 1e6:.1f} MB"
    print(told, end="; ", flush=True)
    assemble(folder / "lake.duckdb", files)


def main(arguments: list[str]) -> None:
    if arguments[0] == "index":
        indexed(int(arguments[1]), Path(arguments[2]))
    elif arguments[0] == "ask":
        asked(int(arguments[1]))
    else:
        for count in arguments:
            subprocess.run([sys.executable, "-m", "bench.search_growth", "ask", count], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
