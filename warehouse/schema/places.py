"""Places: the file of a table that holds a paper's rows, a function of the ids and the numbers of rows alone.

A paper's cohort is the month of its arXiv id; that of one without an arXiv id is a bucket of its own id. Months are
gathered into quarters, quarters into years, and years into one file, as long as what is gathered has at most
`cohort_rows` rows: so each row has one place, whichever way the table was built. Files of the newest year, where nearly
all of a day's rows go, may have a lower limit (`newest_rows`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import accumulate
from typing import Final

import polars as pl

from warehouse.schema.table import Table

ALL: Final = "all"
OLDER: Final = "older"  # years before the first list: what trends again is mostly of the lists' own years
FIRST_YEAR: Final = 2023  # of Daily Papers (docs/source.md §1)
TITLES: Final = "titles"
NOWHERE: Final = ""  # the place of a file that has to be cut
_ID: Final = pl.col("paper_id")
# Of an id since 2007 (2504.12984) and of one before (hep-th/9901001)
_MONTH: Final = pl.coalesce(
    _ID.str.extract(r"^([0-9]{2}(?:0[1-9]|1[0-2]))\.[0-9]"), _ID.str.extract(r"/([0-9]{2}(?:0[1-9]|1[0-2]))[0-9]+$")
)
# arXiv began in 1991
_CENTURY: Final = pl.when(_MONTH >= "91").then(pl.lit("19")).otherwise(pl.lit("20"))
COHORT: Final = pl.coalesce(
    pl.concat_str(_CENTURY, _MONTH.str.head(2), pl.lit("-"), _MONTH.str.tail(2)),
    pl.concat_str(pl.lit(f"{TITLES}-"), _ID.str.extract(r"^title:([0-9a-f])")),
    pl.lit(f"{TITLES}-other"),
)


def cohort_in(frame: pl.DataFrame) -> pl.Expr:
    """The cohort of each row: of its paper, or, where a row is of all papers of a cohort, the one that it names."""
    return COHORT if "paper_id" in frame.columns else pl.col("cohort")


def cohort_of(table: Table) -> pl.Expr:
    """The cohort of each row of a table; in a mart whose key begins with a day it is the month."""
    lead = table.column(table.key[0])
    if table.layer == "mart" and lead.dtype == pl.Date():
        return pl.col(lead.name).dt.strftime("%Y-%m")
    return cohort_in(table.empty())


def lineage(place: str) -> tuple[str, ...]:
    """The names of all files that may hold the rows of a place, the widest first, its own last.

    >>> lineage("2025-03"), lineage("2025-Q1"), lineage("1999-01")
    (('all', '2025', '2025-Q1', '2025-03'), ('all', '2025', '2025-Q1'), ('all', 'older', '1999'))
    >>> lineage("titles-a")
    ('all', 'titles', 'titles-a')
    """
    year, _, month = place.partition("-")
    if place == ALL:
        return (ALL,)
    if not year.isdigit():
        return (ALL, place) if place == year else (ALL, year, place)
    if int(year) < FIRST_YEAR:
        return ALL, OLDER, year
    if not month or month.startswith("Q"):
        return (ALL, year, place) if month else (ALL, year)
    return ALL, year, f"{year}-Q{(int(month) + 2) // 3}", place


def gathered(rows: Mapping[str, int], most: int, newest: int | None = None) -> dict[str, str]:
    """The file in which each of these places is gathered, given the rows of each; NOWHERE for a file with too many.

    `most` limits the rows of a file. Where `newest` is given, it is the limit for the newest year, and for an earlier
    one as long as fewer rows have come since.

    >>> gathered({"2025-03": 3, "2025-04": 4, "2026-01": 5, "titles-a": 1}, 7)
    {'2025-03': '2025', '2025-04': '2025', '2026-01': '2026', 'titles-a': 'titles'}
    >>> gathered({"2025-03": 3, "2025-04": 4, "2025-05": 6}, 7)
    {'2025-03': '2025-Q1', '2025-04': '2025-04', '2025-05': '2025-05'}
    >>> gathered({"2024": 4, "2025": 7, "2026-01": 2, "2026-02": 3}, 7, 4)
    {'2024': '2024', '2025': '2025', '2026-01': '2026-01', '2026-02': '2026-02'}
    >>> gathered({"2024": 4, "2025": 7, "2026-01": 2}, 7, 4)
    {'2024': '2024', '2025': '', '2026-01': '2026'}
    """
    sums = Counter[str]()
    for place, count in rows.items():
        sums.update(dict.fromkeys(lineage(place), count))
    years = sorted((file for file in sums if file.isdigit() and int(file) >= FIRST_YEAR), reverse=True)
    since = accumulate((sums[year] for year in years), initial=0)
    new = {year for year, later in zip(years, since, strict=False) if newest and later < newest}
    limits = {file: newest if newest and new and file[:4] in {ALL, *new} else most for file in sums}
    return {place: next((file for file in lineage(place) if sums[file] <= limits[file]), _own(place)) for place in rows}


def _own(place: str) -> str:
    """The file of a place that is not gathered with others; NOWHERE for one that is itself gathered."""
    year, _, month = place.partition("-")
    is_gathered = place in (ALL, OLDER, TITLES) or month.startswith("Q") or (not month and int(year) >= FIRST_YEAR)
    return NOWHERE if is_gathered else lineage(place)[-1]
