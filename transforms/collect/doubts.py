"""Doubts: what a page's own words, ids and times say against one of its items (`sightings.doubts`).

Each item is judged beside the other items of its page, so the result is the same however pages are put together. A
doubt is no proof: of how many items of a page each may be said, `expectations.doubted` declares.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from transforms.collect.cleaning import MEANINGLESS_SINCE
from transforms.collect.fitting import foreign, misfits, of_two

LONGEST: Final = 1950  # letters of an abstract; arXiv takes 1,920, and the longest seen has 1,923 (docs/source.md §3)
SHORTEST: Final = 250  # letters; 3 of 7,785 have fewer, the shortest 165
A_DAY: Final = 1_700  # papers that arXiv numbers a day, at most: 1,050 in 2026
AHEAD: Final = 4  # days by which an id may be ahead of that
CLOCKS: Final = pl.duration(hours=1)  # by which they may differ
HALF: Final = 0.5  # of a page: where most items have a record, one that has none is odd
A_DAY_LONG: Final = 1440  # minutes
SUMMER, WINTER = 240, 300  # minutes of New York behind UTC
END: Final = r"""[.!?…:;)}\]"'\x{201D}\x{2019}/$*]$|https?://\S+$"""
MARKUP: Final = (
    r"(?i)</?(?:a|b|br|code|div|em|font|h[1-6]|i|img|p|pre|s|script|span|strong|style|sub|sup|tt|u)\b[^<>]*>"
    r"|&(?:[a-z]{2,8}|#[0-9]{1,6}|#x[0-9a-f]{1,6});"
)
# Letters that look Latin, beside one that is: Cyrillic, Armenian, Cherokee, wide, Greek capitals and omicron (a Greek
# mu before a Latin P is honest); and signs that nobody sees
ALIKE: Final = (
    r"[\p{Cyrillic}\p{Armenian}\p{Cherokee}\x{FF21}-\x{FF5A}\x{391}\x{392}\x{395}-\x{397}\x{399}\x{39A}"
    r"\x{39C}\x{39D}\x{39F}\x{3A1}\x{3A4}\x{3A5}\x{3A7}\x{3BF}]"
)
UNSEEN: Final = r"[\x{AD}\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}\x{FEFF}]"
LETTERS: Final = rf"[A-Za-z]{ALIKE}|{ALIKE}[A-Za-z]|{UNSEEN}"

TITLE, ABSTRACT, RECORD = pl.col("title"), pl.col("abstract"), pl.col("record")
OBSERVED: Final = pl.col("observed_at")
RECORDED_AT: Final = pl.from_epoch(RECORD.str.slice(0, 8).str.to_integer(base=16, strict=False)).cast(pl.Datetime("us"))
YEAR_MONTH: Final = pl.col("arxiv_id").str.extract(r"^([0-9]{4})\.[0-9]{5}$")
MONTH: Final = pl.concat_str(pl.lit("20"), YEAR_MONTH).str.to_date("%Y%m", strict=False)
NUMBER: Final = pl.col("arxiv_id").str.extract(r"\.([0-9]{5})$").cast(pl.Int64, strict=False)
BEHIND: Final = (pl.col("published_instant") - pl.col("submitted_instant")).dt.total_minutes()

IS_CUT: Final = pl.col("published_instant").dt.time() == pl.time(0)  # as since 2026-04-03 (docs/source.md §3)

# Texts that fit the abstract of their own paper
OF_AN_ABSTRACT: Final[dict[str, pl.Expr]] = {
    "title": TITLE,
    "ai_summary": pl.col("ai_summary"),
    "keywords": pl.col("keywords").list.join(" "),
}


def of_an_item() -> dict[str, pl.Expr]:
    """Whether each place of an item is doubted. Made when it is asked for: a literal moment starts Polars' threads."""
    return {
        "author_records": (RECORD.is_null() & (RECORD.is_not_null().mean().over("capture_id") > HALF))
        | (RECORD.is_not_null() & (pl.col("arxiv_id").n_unique().over("capture_id", "record") > 1))
        | (RECORDED_AT > OBSERVED + CLOCKS),
        "arxiv_id": MONTH.cast(pl.Datetime("us")) + pl.duration(days=NUMBER / A_DAY - AHEAD)
        > pl.min_horizontal(RECORDED_AT, OBSERVED),
        "published_at": (OBSERVED >= MEANINGLESS_SINCE)
        & ~((BEHIND == SUMMER) | (BEHIND == WINTER) | (IS_CUT & BEHIND.is_between(-A_DAY_LONG, WINTER))),
        "title_markup": TITLE.str.contains(MARKUP),
        "title_letters": TITLE.str.contains(LETTERS),
        "abstract_cut": (ABSTRACT.str.len_chars() < SHORTEST) | ~ABSTRACT.str.contains(END),
        "abstract_of_two": ABSTRACT.str.len_chars() > LONGEST,
    }


def with_doubts(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with `doubts`, to those that the reader had; null where there is none. Saved texts are not judged."""
    numbered = rows.with_row_index("row")
    judged = numbered.filter(pl.col("arxiv_id").is_not_null(), pl.col("source") != "text")
    found = {name: judged.filter(is_doubted)["row"] for name, is_doubted in of_an_item().items()}
    found |= misfits(judged, OF_AN_ABSTRACT)
    found["repository"] = foreign(judged)
    found["abstract_of_two"] = pl.concat([found["abstract_of_two"], of_two(judged)])
    ours = [pl.DataFrame({"row": rows, "doubts": name}) for name, rows in found.items()]
    theirs = numbered.select("row", pl.col("doubts").str.split(" ")).drop_nulls().explode("doubts")
    every = pl.concat([theirs, *ours], how="vertical_relaxed").group_by("row").agg(pl.col("doubts").unique().sort())
    return numbered.drop("doubts").join(every, on="row", how="left", maintain_order="left").drop("row")
