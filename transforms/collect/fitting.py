"""Which texts of an item do not fit its abstract, which abstracts are of two papers, which repositories are foreign."""

from __future__ import annotations

from typing import Final

import polars as pl

FEWEST: Final = 3  # items of a page; beside fewer no text is judged
COMMON: Final = 20  # abstracts of a page with a word; one that more have is not looked for, which bounds the work
BETTER: Final = 1.5  # times as well as its own abstract must another fit a text
SHARED: Final = 4  # sentences of an abstract that another has
OWN: Final = 4  # shared sentences to one of its own at most: one abstract stands under two ids (docs/source.md §6)
SENTENCE: Final = 40  # letters; shorter ones are phrases of many
WORDS: Final = r"[a-z0-9]{4,}"
STEM: Final = 6  # letters that are compared, so that "ranking" fits "ranked"
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


def words_of(rows: pl.DataFrame, text: pl.Expr) -> pl.DataFrame:
    """`row`, `capture_id` and `word`: hashes of the beginnings of a text's words, each once a row."""
    found = rows.select("row", "capture_id", word=text.str.to_lowercase().str.extract_all(WORDS)).explode("word")
    return found.drop_nulls().with_columns(pl.col("word").str.slice(0, STEM).hash()).unique()


def words_held(rows: pl.DataFrame) -> pl.DataFrame:
    """The words of the abstracts. One counts the less, the more abstracts of the page have it."""
    is_beside_others = pl.col("abstract").count().over("capture_id") >= FEWEST
    count = pl.len().over("capture_id", "word")
    held = words_of(rows.filter(is_beside_others), pl.col("abstract"))
    return held.with_columns(weight=1 / count, is_rare=count <= COMMON)


def misfits(said: pl.DataFrame, held: pl.DataFrame) -> pl.Series:
    """Rows whose text has no word of its own abstract, or fits that of another item of the page far better."""
    said = said.join(held, on="capture_id", how="semi")
    own = said.join(held, on=["row", "word"]).group_by("row").agg(own=pl.col("weight").sum())
    others = said.join(held.filter("is_rare"), on=["capture_id", "word"], suffix="_of").filter(
        pl.col("row") != pl.col("row_of")
    )
    of_each = others.group_by("row", "row_of").agg(pl.col("weight").sum())
    best = of_each.group_by("row").agg(other=pl.col("weight").max())
    fits = said.select("row").unique().join(own, on="row", how="left").join(best, on="row", how="left").fill_null(0)
    return fits.filter(pl.col("own") * BETTER <= pl.col("other"))["row"]


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
    parts = REPOSITORY.str.replace_all(r"([a-z0-9])([A-Z])", "${1} ${2}").str.to_lowercase().str.extract_all(WORDS)
    initials = flat(pl.col("title").str.extract_all(r"\b\w").list.join(""))
    held = rows.filter(REPOSITORY.is_not_null()).select(
        "row",
        said=pl.concat_str(flat(SAID), initials, separator=" "),
        people=flat(PEOPLE),
        owner=flat(OWNER).str.slice(0, NAMED),
        name=pl.concat_list(parts, flat(REPOSITORY)),
    )
    names = held.explode("name").with_columns(pl.col("name").str.slice(0, NAMED))
    said, owner = pl.col("said"), pl.col("owner")
    is_named = (
        (pl.col("name").str.len_chars() > LEAST)
        & ~pl.col("name").is_in(OF_ANY)
        & said.str.contains(pl.col("name"), literal=True)
    )
    is_theirs = said.str.contains(owner, literal=True) | pl.col("people").str.contains(owner, literal=True)
    is_known = names.group_by("row").agg((is_named | is_theirs.fill_null(value=False)).any().alias("is_known"))
    return is_known.filter(~pl.col("is_known"))["row"]
