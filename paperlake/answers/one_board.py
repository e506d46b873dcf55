"""The boards of a benchmark, one for each split, metric and scale: what papers claim, the best first, at any moment."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from itertools import groupby
from typing import Any, Final

from paperlake.answers.one_paper import require_there
from warehouse.errors import NothingThere
from warehouse.printable import printable
from warehouse.release.query import Database, QueryResult
from warehouse.schema.benchmarks import benchmark_key, split_key
from warehouse.tex import untexed

BOARD: Final = "FROM board_as_of($1, $2) WHERE $3 IS NULL OR split = $3"  # of one split, or of all
NAMES: Final = "SELECT benchmark, spellings, splits, paper_count FROM benchmarks ORDER BY paper_count DESC, benchmark"
BOARD_KEYS: Final = ("split", "metric", "scale")
INDENT: Final = " " * 5


def benchmark_named(database: Database, asked: str) -> tuple[str, str | None]:
    """The declared name of a benchmark, and its split where one is asked for, as `GPQA Diamond`; by any spelling.

    NothingThere names the nearest.
    """
    require_there(database.names, "board_as_of")
    whole, parts = dict[str, tuple[str, str | None]](), dict[str, tuple[str, str | None]]()
    for row in reversed(list(database.rows(NAMES).dicts())):
        for said in (*row["spellings"], row["benchmark"]):
            whole[_key(said)] = row["benchmark"], None
            parts |= {_key(f"{said} {split}"): (row["benchmark"], split) for split in row["splits"]}
    names, key = parts | whole, _key(asked.strip())
    if key not in names:
        near = dict.fromkeys(" ".join(filter(None, names[one])) for one in get_close_matches(key, names, 5, 0.5))
        hint = f"did you mean {', or '.join(near)}?" if near else '"FROM benchmarks" in SQL lists all'
        raise NothingThere(f"no benchmark of this release goes by {printable(asked)!r}; {hint}")
    return names[key]


def _key(said: str) -> str:
    return split_key(benchmark_key(said))


def one_board(database: Database, asked: str, at: datetime | None = None) -> QueryResult:
    """The board of a benchmark: the claims that were known at a moment, or, without one, all of them."""
    named, split = benchmark_named(database, asked)
    return database.rows(BOARD, [named, at, split])


def board_text(rows: Sequence[Mapping[str, Any]], limit: int) -> Iterator[str]:
    """The boards of a benchmark as text, two lines a claim, each board with at most `limit` claims.

    What is not compared is counted below, with the reason.
    """
    compared = [row for row in rows if row["apart_because"] is None]
    for _, group in groupby(compared, lambda row: [row[name] for name in BOARD_KEYS]):
        board = list(group)
        yield f"{_heading(board[0])}\n"
        for place, row in enumerate(board[:limit], 1):
            yield from _claim_lines(place, row)
        if len(board) > limit:
            yield f"{INDENT}and {len(board) - limit} more (-n {len(board)} shows all)\n"
    apart = Counter(str(row["apart_because"]) for row in rows if row["apart_because"] is not None)
    if apart:
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(apart.items()))
        yield f"not compared: {reasons} (--format json has them, docs/boards.md says why)\n"
    if not rows:
        yield 'no paper claims a number on it; "FROM benchmarks WHERE paper_count > 0" in SQL lists where some do\n'


def _heading(row: Mapping[str, Any]) -> str:
    split = f" {row['split']}" if row["split"] else ""
    better = {"more": "more is better", "less": "less is better"}[row["polarity"]]
    return f"{row['benchmark']}{split}, {row['metric']} ({row['scale']}; {better})"


def _claim_lines(place: int, row: Mapping[str, Any]) -> Iterator[str]:
    """A claim and its sentence; a star marks what was the best when it was first seen."""
    name = printable(untexed(row["system"] or row["title"] or row["paper_id"]))
    star = "*" if row["is_best"] else " "
    text, seen = printable(untexed(row["text"])), f"first seen {row['first_seen_at']:%F}"
    if row.get("arxiv_version_on"):
        seen = f"at arXiv {row['arxiv_version_on']:%F}, {seen}"
    yield f"{place:>3}.{star}{text:>8}  {name}  {row['paper_id']}, {seen}\n"
    if "status" in row:
        yield f"{INDENT}{printable(row['status'])}\n"
    yield f"{INDENT}{printable(untexed(row['sentence']))}\n"
