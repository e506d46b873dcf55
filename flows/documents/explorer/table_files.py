"""The list of table files that the explorer reads first: their keys, sizes and footers.

An erasure makes both anew: the ends hold the least and the greatest value of each column.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from warehouse.release.manifest import File, TableFiles
from warehouse.release.parquet import data_end

# What the explorer reads; their addresses and sizes stand in its page, so that no request asks for them
LISTINGS: Final = "daily_listings"
READ: Final = (
    "acronyms",
    "adoption",
    "benchmarks",
    "boards",
    "captures",
    "coverage",
    "daily_listings",
    "field_availability",
    "keywords_by_month",
    "listing_lag",
    "organizations_by_month",
    "paper_aliases",
    "paper_authors",
    "paper_citations",
    "paper_claims",
    "paper_keywords",
    "paper_links",
    "paper_observations",
    "paper_publications",
    "paper_status",
    "paper_systems",
    "paper_texts",
    "paper_versions",
    "papers",
    "papers_by_month",
    "search_basis",
    "search_embeddings",
    "search_lists",
    "search_rarities",
    "search_vectors",
    "search_words",
    "sightings",
    "similar_papers",
    "trending_papers",
)
WHOLE_BYTES: Final = 24 * 2**10  # a smaller file is read whole: `WHOLE_BYTES` of remote.js
FOLDER: Final = "explore"
OF_TABLES: Final = "ends.gz"
OF_SEARCH: Final = "search-ends.gz"
ENDS: Final = frozenset(f"{FOLDER}/{name}" for name in (OF_TABLES, OF_SEARCH))


def catalog_of(tables: Iterable[TableFiles]) -> dict[str, list[dict[str, str | int]]]:
    """The files of each table: key and bytes, and the list days of those of `daily_listings`."""

    def entry(name: str, file: File) -> dict[str, str | int]:
        told: dict[str, str | int] = {"key": file.key, "bytes": file.bytes}
        if name == LISTINGS and file.first_on and file.last_on:
            told |= {"first": file.first_on, "last": file.last_on}
        return told

    return {table.name: [entry(table.name, file) for file in table.files] for table in tables}


def file_ends(tables: Iterable[TableFiles], path: Callable[[str], Path]) -> dict[str, bytes]:
    """The ends of the files that the explorer reads, of its search apart; `path` has a file by its key."""
    read_there = [table for table in tables if table.name in READ]
    of_search = [table for table in read_there if table.name.startswith("search_")]
    titles = [table for table in read_there if table.name == "papers"]  # which a search shows too
    return {
        OF_TABLES: _packed([table for table in read_there if table not in of_search], path),
        OF_SEARCH: _packed([*of_search, *titles], path),
    }


def are_of_others(packed: bytes, path: Callable[[str], Path]) -> bool:
    """Whether ends that were packed are not those of the files as they are."""
    head, _, ends = gzip.decompress(packed).partition(b"\n")
    for key, (start, length) in json.loads(head).items():
        end, ends = ends[:length], ends[length:]
        if not path(key).exists() or _from(path(key), start) != end:
            return True
    return bool(ends)


def _packed(tables: Iterable[TableFiles], path: Callable[[str], Path]) -> bytes:
    """What follows the data in files that are not read whole, the indexes of pages and the footers, in one: packed it
    is a quarter of what a client would ask for file by file. A line of JSON, key → start and length, then the bytes.
    """
    large = [file.key for table in tables for file in table.files if file.bytes > WHOLE_BYTES]
    starts = {key: data_end(path(key)) for key in large}
    ends = {key: _from(path(key), start) for key, start in starts.items()}
    head = {key: [starts[key], len(end)] for key, end in ends.items()}
    return gzip.compress(json.dumps(head).encode() + b"\n" + b"".join(ends.values()), mtime=0)


def _from(path: Path, start: int) -> bytes:
    with path.open("rb") as data:
        data.seek(start)
        return data.read()
