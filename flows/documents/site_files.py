"""The files of `explore/` in a release: its page, the release's own data, and the site's files, which stay the same."""

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import polars as pl
from markupsafe import Markup

from flows.documents.edition import ReadTable
from flows.documents.rendering import render
from warehouse import tex
from warehouse.release.database import script
from warehouse.release.manifest import File, TableFiles
from warehouse.release.parquet import data_end
from warehouse.schema import search_rules
from warehouse.schema.catalog import ALL_TABLES, CORE_TABLES, DECLARED, MACROS, MART_TABLES, widening
from warehouse.schema.core.attached import PAPER_KEYWORDS
from warehouse.schema.daily_lists import OUTCOMES, UNEXPECTED
from warehouse.schema.search_rules import RARE

# What the explorer reads; their addresses and sizes stand in its page, so that no request asks for them
LISTINGS: Final = "daily_listings"
READ: Final = (
    "acronyms",
    "adoption",
    "benchmarks",
    "boards",
    "captures",
    "corrections",
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
    of_search = [table for table in read_there if DECLARED[table.name].of_search]
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
    """What follows the data in files that are not read whole, the indexes of pages and the footers, in one.

    Packed it is a quarter of what a client would ask for file by file. A line of JSON, key → start and length, then the
    bytes.
    """
    large = [file.key for table in tables for file in table.files if file.bytes > WHOLE_BYTES]
    starts = {key: data_end(path(key)) for key in large}
    ends = {key: _from(path(key), start) for key, start in starts.items()}
    head = {key: [starts[key], len(end)] for key, end in ends.items()}
    # zlib's own level: half of the time of the highest for 1 % more bytes
    return gzip.compress(json.dumps(head).encode() + b"\n" + b"".join(ends.values()), 6, mtime=0)


def _from(path: Path, start: int) -> bytes:
    with path.open("rb") as data:
        data.seek(start)
        return data.read()


# `site` has modules of plain JavaScript, without a framework. `assets` is in no repository: `make assets` brings it, by
# the locks of `npm`, and the wheel carries it. It has what third parties made to read Parquet and, with `make explore`,
# to answer SQL; the site's modules joined with it in a few files, of which PAGE is the first; and the hash of those
SITE: Final = Path(__file__).parent / "explorer" / "site"
ASSETS: Final = SITE.with_name("assets")
PAGE: Final = "page.js"
JOINED_OF: Final = "page.sha256"
IMPORTED: Final = re.compile(rb'\b(?:from|import)"\./([^"]+)"')  # at once, not when a view is asked for
STYLE: Final = Path(__file__).with_name("style.css")  # of every page of a release
# Tables whose files say by their names which papers they hold
BY_COHORT: Final = tuple(table.name for table in CORE_TABLES if table.cohort_rows)
TEX: Final = {
    "rules": tex.RULES,
    "command": tex.SHOWN_COMMAND,
    "signs": tex.SHOWN_SIGNS,
    "marked": tex.MARKED,
    "nested": tex.NESTED,
}
ABOUT: Final = "Hugging Face Daily Papers, to read: lists, papers, authors and organizations, search, trends, SQL."
SQL_LAYER: Final = "duckdb.wasm.gz"
HASH_CHARACTERS: Final = 16


def explore_page(version: str, tables: Sequence[TableFiles]) -> bytes:
    """The page of the explorer; without `make assets` it says how to get one."""
    files = site_files()
    catalog = catalog_of(table for table in tables if table.name in READ and table.row_count)
    # As JSON in HTML: no text of it can end the element that it stands in.
    inlined = json.dumps(
        {
            "version": version,
            "tables": catalog,
            "cohorts": BY_COHORT,
            "sql": SQL_LAYER in files,
            "outcomes": _outcomes(),
            "tex": TEX,
        },
        sort_keys=True,
        separators=(",", ":"),
    ).replace("<", "\\u003c")
    return render(
        "explore.html.j2",
        version=version,
        about=ABOUT,
        folder=_folder(files),
        modules=_needed_at_once(files),
        catalog=Markup(inlined),  # noqa: S704 - names, keys and numbers of ours
    )


def explore_parts(tables: Sequence[TableFiles], read: ReadTable, path: Callable[[str], Path]) -> dict[str, bytes]:
    """The files that the page loads, by path from the page.

    They are the release's own, and, in a folder named by a hash of all of them, those of the site, which a browser and
    the next release have already. `path` has a file by its key.
    """
    files = site_files()
    if not files:
        return {}
    own = {
        "tables.json": catalog_of(tables),
        "common.json": {"keywords": common_keywords(read(PAPER_KEYWORDS.name, ["keyword"]).collect())},
    }
    folder = _folder(files)
    parts = {f"{folder}/{name}": data for name, data in files.items()}
    said = {name: json.dumps(value, ensure_ascii=False).encode() for name, value in own.items()}
    return parts | said | file_ends(tables, path)


def common_keywords(keywords: pl.DataFrame) -> list[str]:
    """Keywords of more than RARE papers: so many that sharing one is no reason for two papers to be alike."""
    counted = keywords.group_by("keyword").len()
    return counted.filter(pl.col("len") > RARE)["keyword"].sort().to_list()


def has_explorer() -> bool:
    """Whether the third-party files are there, without which a release has no explorer."""
    return any(ASSETS.glob("*"))


def site_files() -> dict[str, bytes]:
    """Name → bytes of the site's files, ours and those of third parties; none without the latter.

    Its modules are there as they were written too: what is joined is not to be read.
    """
    others = {path.name: path.read_bytes() for path in sorted(ASSETS.glob("*")) if path.name != JOINED_OF}
    if not others:
        return {}
    ours = {path.name: path.read_bytes() for path in sorted(SITE.glob("*.*s"))}
    ours["explore.css"] = STYLE.read_bytes() + ours["explore.css"]
    return others | ours | rule_files()


def _outcomes() -> list[dict[str, str | None]]:
    """The outcomes of a list. Those that have a reason come before those that fit any: the first match counts."""
    ordered = sorted(OUTCOMES, key=lambda one: one.reason is None)
    return [
        {"name": one.name, "state": one.state, "reason": one.reason, "words": one.words}
        for one in (*ordered, UNEXPECTED)
    ]


def _folder(files: Mapping[str, bytes]) -> str:
    """The name of the folder of these files, a hash of them; empty where there are none."""
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    return hashlib.sha256(sums.encode()).hexdigest()[:HASH_CHARACTERS] if files else ""


def _needed_at_once(files: Mapping[str, bytes]) -> list[str]:
    """The names of the files that the page loads whatever view is asked for."""
    found = [PAGE] if PAGE in files else []
    for name in found:
        found += [one for one in map(bytes.decode, IMPORTED.findall(files[name])) if one in files and one not in found]
    return found


@cache  # statements of 90 tables and macros, asked for twice a release
def rule_files() -> dict[str, bytes]:
    """Name → bytes; the same for every release that this paperlake writes."""
    rules = {name.lower(): rule for name, rule in vars(search_rules).items() if name.isupper() and name[0] != "_"}
    named = {"schema.json": _schema(), "search.json": rules}
    return {name: json.dumps(rules, ensure_ascii=False).encode() for name, rules in named.items()}


def _schema() -> dict[str, Any]:
    """The statements that create the database without its rows; the grain and the columns of each table."""
    return {
        "statements": [statement for statement in script() if statement.startswith("CREATE")],  # not the comments
        "tables": [
            {
                "name": table.name,
                "layer": table.layer,
                "grain": table.grain,
                "columns": [[column.name, str(column.dtype), column.description] for column in table.columns],
                "widened_by": [wide.name for wide in widening(table)],
            }
            for table in ALL_TABLES
        ],
        "sql": {mart.name: mart.sql for mart in MART_TABLES if mart.is_view}
        | {macro.name: macro.sql for macro in MACROS},
    }
