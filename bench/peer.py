"""Another tool reads the JSON captures of a folder: `python bench/peer.py TOOL FOLDER OUT` prints what it kept.

It runs in an environment of its own (`bench/peers.py`), of which paperlake is no part. Each tool is used as its own
documentation does, and makes the same tables as far as it can: `sightings` (a paper on a page), `paper_authors`,
`paper_keywords`, and `papers`, of each arXiv id the sighting of the file that comes last by name.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

TEXTS: Final = ("id", "title", "summary", "publishedAt", "ai_summary", "githubRepo", "discussionId")
COUNTS: Final = ("upvotes", "githubStars")
Found = dict[str, int]


def of_orjson(folder: Path, _: Path) -> Found:
    """Parse only: makes values, no table and no file."""
    orjson = import_module("orjson")
    pages = [orjson.loads(file.read_bytes()) for file in sorted(folder.rglob("*.json"))]
    return {"pages": len(pages), "sightings": sum(len(page) for page in pages if isinstance(page, list))}


def of_polars(folder: Path, out: Path) -> Found:
    pl = import_module("polars")
    paper: dict[str, Any] = dict.fromkeys(TEXTS, pl.String) | dict.fromkeys(COUNTS, pl.Int64)
    paper["ai_keywords"] = pl.List(pl.String)
    user = pl.Struct({"user": pl.String, "name": pl.String})
    author = {"name": pl.String, "user": user, "status": pl.String, "hidden": pl.Boolean}
    paper["authors"] = pl.List(pl.Struct(author))
    schema = {"paper": pl.Struct(paper), "publishedAt": pl.String, "numComments": pl.Int64}
    pages = []
    for file in sorted(folder.rglob("*.json")):
        try:
            page = pl.read_json(file, schema=schema)
        except pl.exceptions.PolarsError:
            continue
        position = pl.int_range(1, pl.len() + 1).alias("position")
        pages.append(page.select(pl.lit(file.name).alias("page"), position, pl.all()))
    sightings = pl.concat(pages).rename({"publishedAt": "submittedAt"}).unnest("paper").drop_nulls("id")
    of_one = ("page", "position")
    authors = sightings.select(*of_one, "authors").explode("authors").drop_nulls("authors").unnest("authors")
    keywords = sightings.select(*of_one, "ai_keywords").explode("ai_keywords").drop_nulls("ai_keywords")
    papers = sightings.unique("id", keep="last")
    tables = {"sightings": sightings, "paper_authors": authors, "paper_keywords": keywords, "papers": papers}
    for name, table in tables.items():
        table.write_parquet(out / f"{name}.parquet")
    return {"pages": sightings["page"].n_unique(), "sightings": sightings.height, "papers": papers.height}


def of_duckdb(folder: Path, out: Path) -> Found:
    duckdb = import_module("duckdb")
    fields = ", ".join([f'"{name}" VARCHAR' for name in TEXTS] + [f'"{name}" BIGINT' for name in COUNTS])
    author = 'STRUCT(name VARCHAR, "user" STRUCT("user" VARCHAR, name VARCHAR), status VARCHAR, hidden BOOLEAN)'
    columns = f"{{paper: 'STRUCT({fields}, ai_keywords VARCHAR[], authors {author}[])', numComments: 'BIGINT'}}"
    lake = duckdb.connect(str(out / "peer.duckdb"))
    lake.execute(
        f"""create table sightings as select parse_filename(filename) as page, paper.*, numComments
        from read_json('{folder}/**/*.json', columns={columns}, format='auto', ignore_errors=true, filename=true)
        where paper.id is not null"""
    )
    lake.execute("create table paper_authors as select page, id, unnest(authors, recursive := true) from sightings")
    lake.execute("create table paper_keywords as select page, id, unnest(ai_keywords) as keyword from sightings")
    lake.execute(
        "create table papers as from sightings qualify row_number() over (partition by id order by page desc) = 1"
    )
    for name in ("sightings", "paper_authors", "paper_keywords", "papers"):
        lake.execute(f"copy {name} to '{out}/{name}.parquet'")
    counts = "select count(distinct page), count(*), count(distinct id) from sightings"
    return dict(zip(("pages", "sightings", "papers"), lake.execute(counts).fetchone(), strict=True))


def of_pandas(folder: Path, out: Path) -> Found:
    pd = import_module("pandas")
    pages = list(_pages(folder))
    for page, items in pages:
        for position, item in enumerate(items, 1):
            item |= {"page": page, "position": position}
    items = [item for _, items in pages for item in items]
    of_one = ["page", "position"]
    lists = ["paper.authors", "paper.ai_keywords", "paper.mediaUrls", "mediaUrls"]
    sightings = pd.json_normalize(items)
    authors = pd.json_normalize(items, ["paper", "authors"], of_one)
    keywords = sightings[[*of_one, "paper.ai_keywords"]].explode("paper.ai_keywords").dropna()
    sightings = sightings.drop(columns=lists, errors="ignore")
    papers = sightings.drop_duplicates("paper.id", keep="last")
    tables = {"sightings": sightings, "paper_authors": authors, "paper_keywords": keywords, "papers": papers}
    for name, table in tables.items():
        table.to_parquet(out / f"{name}.parquet")
    return {"pages": len(pages), "sightings": len(sightings), "papers": len(papers)}


def of_dlt(folder: Path, out: Path) -> Found:
    dlt = import_module("dlt")

    @dlt.resource(name="sightings", write_disposition="append")
    def sightings() -> Iterator[Any]:
        for page, items in _pages(folder):
            yield [item | {"page": page, "position": position} for position, item in enumerate(items, 1)]

    @dlt.resource(name="papers", write_disposition="merge", primary_key="id")
    def papers() -> Iterator[Any]:
        for _, items in _pages(folder):
            yield [item["paper"] for item in items]

    to = dlt.destinations.duckdb(str(out / "peer.duckdb"))
    pipeline = dlt.pipeline("peer", destination=to, dataset_name="pages", pipelines_dir=str(out / "state"))
    pipeline.run([sightings(), papers()])
    with pipeline.sql_client() as client:
        pages, rows = client.execute_sql("select count(distinct page), count(*) from sightings")[0]
        [[ids]] = client.execute_sql("select count(*) from papers")
    return {"pages": pages, "sightings": rows, "papers": ids}


def _pages(folder: Path) -> Iterator[tuple[str, list[Any]]]:
    """The lists that hold objects, each with its file's name; of the others nothing remains."""
    for file in sorted(folder.rglob("*.json")):
        items = json.loads(file.read_bytes())
        if isinstance(items, list) and items and isinstance(items[0], dict):
            yield file.name, items


TOOLS: Final[dict[str, Callable[[Path, Path], Found]]] = {
    "orjson": of_orjson,
    "duckdb": of_duckdb,
    "polars": of_polars,
    "pandas": of_pandas,
    "dlt": of_dlt,
}

if __name__ == "__main__":
    print(json.dumps(TOOLS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))))
