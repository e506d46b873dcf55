"""Doubts: what a page's own words, ids and times say against one of its items (`sightings.doubts`).

Each item is judged beside the other items of its page, so the result is the same however pages are put together. A
doubt is no proof: of how many items of a page each may be said, `expectations.doubted` declares.
"""

from typing import Final

import polars as pl

from transforms.collect.cleaning import MEANINGLESS_SINCE
from transforms.collect.misfits import misfits

SHARED: Final = 4  # sentences of an abstract that another has
OWN: Final = 4  # shared sentences to one of its own at most: one abstract stands under two ids (docs/source.md §6)
SENTENCE: Final = 40  # letters; shorter ones are phrases of many
WORDS: Final = r"[a-z0-9]{4,}"
NAMED: Final = 5  # letters by which a repository is known, however it is written
LEAST: Final = 2  # letters; fewer stand in any text
OF_ANY: Final = ["githu", "code", "offic"]  # words in the names of many repositories

SAID: Final = pl.concat_str("title", "abstract", "project_url", "ai_summary", separator=" ", ignore_nulls=True)
PEOPLE: Final = pl.concat_str(
    *(pl.col("authors").list.eval(pl.element().struct.field(name)).list.join(" ") for name in ("name", "login")),
    *("organization_login", "organization_name", "submitter_login"),
    separator=" ",
    ignore_nulls=True,
)
PATH: Final = pl.col("github_url").str.extract(r"(?i)github\.com/+([^?#]+)")
OWNER, REPOSITORY = PATH.str.extract(r"^([^/]+)"), PATH.str.extract(r"/+([^/]+?)(?:\.git)?(?:/|$)")


def of_two(rows: pl.DataFrame) -> pl.Series:
    """Rows of whose abstract some sentences stand in that of another item of the page too, and some do not."""
    sentences = rows.select("row", "capture_id", sentence=pl.col("abstract").str.split(". ").list.unique())
    long = (
        sentences.explode("sentence")
        .with_columns(pl.col("sentence").str.strip_chars_end(". "))
        .filter(pl.col("sentence").str.len_chars() >= SENTENCE)
    )
    counts = long.with_columns(is_shared=pl.len().over("capture_id", "sentence") > 1).group_by("row")
    shared = counts.agg(pl.col("is_shared").sum(), own=(~pl.col("is_shared")).sum())
    return shared.filter(pl.col("is_shared") >= SHARED, pl.col("own") * OWN >= pl.col("is_shared"))["row"]


def flat(text: pl.Expr) -> pl.Expr:
    return text.str.to_lowercase().str.replace_all(r"[^a-z0-9]", "")


def foreign(rows: pl.DataFrame) -> pl.Series:
    """Rows whose repository and its owner are named like nothing that the item says, and like none of its people.

    So are 23 of 2,413 that are honest, and most that are another paper's.
    """
    held = rows.with_columns(owner=OWNER, repository=REPOSITORY).drop_nulls("repository")
    # Of most, the title has the beginning of the repository's whole name, which is soon found
    held = held.filter(~_is_named(flat(pl.col("repository")).str.slice(0, NAMED), flat(pl.col("title"))))
    odd = _named_otherwise(held, pl.col("title"))  # the titles of most say enough, and abstracts are long
    return _named_otherwise(held.filter(pl.col("row").is_in(odd.implode())), SAID)


def _named_otherwise(rows: pl.DataFrame, said: pl.Expr) -> pl.Series:
    """Rows whose repository and its owner are named like nothing in this text, nor like the item's people."""
    name = pl.col("repository")
    parts = name.str.replace_all(r"([a-z0-9])([A-Z])", "${1} ${2}").str.to_lowercase().str.extract_all(WORDS)
    initials = flat(pl.col("title").str.extract_all(r"\b\w").list.join(""))
    held = rows.select(
        "row",
        said=pl.concat_str(flat(said), initials, separator=" "),
        people=flat(PEOPLE),
        owner=flat(pl.col("owner")).str.slice(0, NAMED),
        name=pl.concat_list(parts, flat(name)),
    )
    names = held.explode("name").with_columns(pl.col("name").str.slice(0, NAMED))
    text, owner, is_named = pl.col("said"), pl.col("owner"), _is_named(pl.col("name"), pl.col("said"))
    is_theirs = text.str.contains(owner, literal=True) | pl.col("people").str.contains(owner, literal=True)
    is_known = names.group_by("row").agg((is_named | is_theirs.fill_null(value=False)).any().alias("is_known"))
    return is_known.filter(~pl.col("is_known"))["row"]


def _is_named(name: pl.Expr, text: pl.Expr) -> pl.Expr:
    """Whether a text has a name that is not of any repository."""
    return (name.str.len_chars() > LEAST) & ~name.is_in(OF_ANY) & text.str.contains(name, literal=True)


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
