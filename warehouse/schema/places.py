"""Places: the file of a table that holds a paper's rows, a function of the ids and the numbers of rows alone.

A paper's cohort is the month of its arXiv id; that of one without an arXiv id is a bucket of its own id. Months are
gathered into quarters, quarters into years, and years into one file, as long as what is gathered has no more rows than
the table's `Cut` allows: so each row has one place, whichever way the table was built. Files of the newest year, where
nearly all of a day's rows go, may have a lower limit, and the newest month one of its own, above which it is cut into
thirds: by ten thousands of the ids in it (2607.28624 is of `2026-07-2`), by ten days in marts keyed by days.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate
from math import inf
from typing import Final

import polars as pl

from warehouse.schema.table import Cut, Table

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
_THIRD: Final = _ID.str.extract(r"^[0-9]{2}(?:0[1-9]|1[0-2])\.([0-9])")
PLACE: Final = pl.concat_str(COHORT, _THIRD, separator="-", ignore_nulls=True)  # the smallest file that may hold it
_MONTH_FILE: Final = re.compile(r"[0-9]{4}-[0-9]{2}")


def place_in(frame: pl.DataFrame) -> pl.Expr:
    """The smallest place of each row: of its paper, or, where a row is of all papers of a cohort, the cohort."""
    return PLACE if "paper_id" in frame.columns else pl.col("cohort")


def place_of_rows(table: Table) -> pl.Expr:
    """The smallest place of each row of a table; in a mart whose key begins with a day it is a third of the month."""
    lead = table.column(table.key[0])
    if table.layer == "mart" and lead.dtype == pl.Date():
        day = pl.col(lead.name)
        third = ((day.dt.day() - 1) // 10).clip(upper_bound=2).cast(pl.String)
        return pl.concat_str(day.dt.strftime("%Y-%m"), third, separator="-")
    return place_in(table.empty())


def lineage(place: str) -> tuple[str, ...]:
    """The names of all files that may hold the rows of a place, the widest first, its own last.

    >>> lineage("2025-03"), lineage("2025-Q1"), lineage("1999-01")
    (('all', '2025', '2025-Q1', '2025-03'), ('all', '2025', '2025-Q1'), ('all', 'older', '1999'))
    >>> lineage("2025-03-1")
    ('all', '2025', '2025-Q1', '2025-03', '2025-03-1')
    >>> lineage("titles-a")
    ('all', 'titles', 'titles-a')
    """
    year, _, rest = place.partition("-")
    month, _, third = rest.partition("-")
    if place == ALL:
        return (ALL,)
    if not year.isdigit():
        return (ALL, place) if place == year else (ALL, year, place)
    if int(year) < FIRST_YEAR:
        return ALL, OLDER, year
    if not month or month.startswith("Q"):
        return (ALL, year, place) if month else (ALL, year)
    wide = (ALL, year, f"{year}-Q{(int(month) + 2) // 3}", f"{year}-{month}")
    return (*wide, place) if third else wide


def may_hold(place: str, cohorts: Iterable[str]) -> bool:
    """Whether a file of this place may hold rows of any of these cohorts, wide or narrow as it is."""
    own = lineage(place)
    return any(cohort in own or place in lineage(cohort) for cohort in cohorts)


def files_of(table: Table, rows: Mapping[str, int]) -> dict[str, str]:
    """The file of a table in which each of these places is gathered, given the rows of each."""
    return gathered(rows, *(table.cut or Cut(0)))


def gathered(rows: Mapping[str, int], most: int, newest: int | None = None, month: int | None = None) -> dict[str, str]:
    """The file in which each of these places is gathered, given the rows of each; NOWHERE for a file with too many.

    `most` limits the rows of a file. Where `newest` is given, it is the limit for the newest year, and for an earlier
    one as long as fewer rows have come since; `month` likewise for the newest month. Any other month is never cut.

    >>> gathered({"2025-03": 3, "2025-04": 4, "2026-01": 5, "titles-a": 1}, 7)
    {'2025-03': '2025', '2025-04': '2025', '2026-01': '2026', 'titles-a': 'titles'}
    >>> gathered({"2025-03": 3, "2025-04": 4, "2025-05": 6}, 7)
    {'2025-03': '2025-Q1', '2025-04': '2025-04', '2025-05': '2025-05'}
    >>> gathered({"2024": 4, "2025": 7, "2026-01": 2, "2026-02": 3}, 7, 4)
    {'2024': '2024', '2025': '2025', '2026-01': '2026-01', '2026-02': '2026-02'}
    >>> gathered({"2024": 4, "2025": 7, "2026-01": 2}, 7, 4)
    {'2024': '2024', '2025': '', '2026-01': '2026'}
    >>> gathered({"2026-05-0": 8, "2026-06-0": 4, "2026-07-0": 3, "2026-07-1": 1}, 9, 9, 3)
    {'2026-05-0': '2026-05', '2026-06-0': '2026-06', '2026-07-0': '2026-07-0', '2026-07-1': '2026-07-1'}
    """
    sums = Counter[str]()
    for place, count in rows.items():
        sums.update(dict.fromkeys(lineage(place), count))
    new = _newest((file for file in sums if file.isdigit() and int(file) >= FIRST_YEAR), sums, newest)
    limits: dict[str, float] = {file: newest if newest and new and file[:4] in {ALL, *new} else most for file in sums}
    months = [file for file in sums if _MONTH_FILE.fullmatch(file)]
    limits |= dict.fromkeys(months, inf)
    limits |= {file: min(limits[file], month or inf) for one in _newest(months, sums, month) for file in lineage(one)}
    return {place: next((file for file in lineage(place) if sums[file] <= limits[file]), _own(place)) for place in rows}


def _newest(periods: Iterable[str], sums: Mapping[str, int], most: int | None) -> list[str]:
    """The periods after which fewer rows have come than a file may have; none without a limit."""
    last = sorted(periods, reverse=True)
    since = accumulate((sums[one] for one in last), initial=0)
    return [one for one, later in zip(last, since, strict=False) if later < (most or 0)]


def _own(place: str) -> str:
    """The file of a place that is not gathered with others; NOWHERE for one that is itself gathered."""
    year, _, month = place.partition("-")
    is_gathered = place in (ALL, OLDER, TITLES) or month.startswith("Q") or (not month and int(year) >= FIRST_YEAR)
    return NOWHERE if is_gathered or _MONTH_FILE.fullmatch(place) else lineage(place)[-1]
