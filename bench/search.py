"""Search against queries with answers: `python -m bench.search LAKE [--sets natural,keywords] [--sql] [--semantic]`.

The queries lie beside the repository with their measures (`score.py`). One of whose papers the lake has none is left
out, and counted. `--sql` asks the macros too, and counts where they give other papers, or another order, than
`paperlake search`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from statistics import fmean, quantiles
from types import ModuleType
from typing import Any

from flows.runtime.encoder import encoder
from flows.runtime.lake import open_database
from paperlake.find.finder import Finder
from warehouse.release.query import opened

SHARED = Path(__file__).parents[2] / "shared" / "search"
MANY = """
SELECT text, list(paper_id ORDER BY rank)
FROM (SELECT unnest($1) AS text) AS asked, LATERAL (FROM find_any(text, NULL) WHERE rank <= 100) GROUP BY text
"""
HAS = "SELECT count(*) FROM core.papers WHERE paper_id IN (SELECT unnest($1))"
AT_A_TIME = 50
Query = dict[str, Any]


def queries() -> dict[str, list[Query]]:
    found: dict[str, list[Query]] = json.loads((SHARED / "queries.json").read_text("utf-8"))
    return found


@cache
def score() -> ModuleType:
    spec = spec_from_file_location("score", SHARED / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def figures(name: str, ids: list[str], relevant: dict[str, int]) -> dict[str, float]:
    """The measures of `score.py`."""
    told: dict[str, float] = score().figures(name, ids, relevant)
    return told


def asked(finder: Finder, query: Query) -> list[str]:
    hits = finder.search(query["text"], 100).hits if "text" in query else finder.similar([query["paper_id"]], 50)
    return [hit.paper_id for hit in hits]


def can_be_found(finder: Finder, query: Query) -> bool:
    [(count,)] = finder.database.rows(HAS, [list(query["relevant"])]).rows
    return bool(count)


def measured(finder: Finder, name: str, some: list[Query]) -> tuple[dict[str, float], list[float]]:
    """The mean of each measure, and the seconds of every query, of one core."""
    rows, seconds = [], []
    for query in some:
        start = time.process_time()
        ids = asked(finder, query)
        seconds.append(time.process_time() - start)
        rows.append(figures(name, ids[: 50 if "paper_id" in query else 10], query["relevant"]))
    return {measure: fmean(row[measure] for row in rows) for measure in rows[0]}, seconds


def differing(finder: Finder, some: list[Query]) -> list[str]:
    """The texts for which the macro finds other papers, or another order; many are asked in one statement."""
    signs = str.maketrans(':"', "  ")
    texts = sorted({query["text"].translate(signs).replace(" -", " ") for query in some if "text" in query})
    found: dict[str, list[str]] = {}
    for first in range(0, len(texts), AT_A_TIME):
        found |= dict(finder.database.rows(MANY, [texts[first : first + AT_A_TIME]]).rows)
    return [text for text in texts if found.get(text, []) != [hit.paper_id for hit in finder.search(text, 100).hits]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lake")
    parser.add_argument("--sets", default="")
    parser.add_argument("--sql", action="store_true")
    parser.add_argument("--semantic", action="store_true")
    options = parser.parse_args()
    if not SHARED.is_dir():
        sys.exit("the queries are not beside the repository")
    chosen = {name: some for name, some in queries().items() if not options.sets or name in options.sets.split(",")}
    with opened(open_database(options.lake)) as database:
        finder = Finder(database, encoder() if options.semantic else None)
        print("| queries | measures | a query, p95, ms of one core | other order in SQL |\n|---|---|---|---|")
        for name, given in chosen.items():
            some = [query for query in given if can_be_found(finder, query)]
            means, seconds = measured(finder, name, some)
            told = ", ".join(f"{measure} {value:.3f}" for measure, value in means.items())
            other = len(differing(finder, some)) if options.sql else "—"
            slow = quantiles(seconds, n=20)[-1] * 1e3
            print(f"| {name} ({len(some)} of {len(given)}) | {told} | {slow:.1f} | {other} |", flush=True)


if __name__ == "__main__":
    main()
