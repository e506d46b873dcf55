"""Sorting sightings by time and by precedence, and when something was first and last seen."""

from collections.abc import Iterable, Mapping

import polars as pl

from warehouse.schema.columns import CONTRADICTED
from warehouse.schema.provenance import BEST, SOURCES, Precedence

IN_TIME = ("observed_at", "capture_id", "position")  # an unknown fetch time counts as the earliest
TRUST = pl.col("source").replace_strict(SOURCES, range(len(SOURCES)))
# Sort keys per criterion; `inner` never decides between sightings, which hold the inner object's values
SORT_KEYS: dict[str, tuple[pl.Expr, ...]] = {
    "stated": (pl.col("published_basis") != CONTRADICTED, pl.col("published_basis") == "stated"),
    "source": (TRUST,),
    "inner": (),
    "own_list": (pl.col("list_kind") == "daily",),
    "latest": (pl.col("observed_at"), TRUST, pl.col("capture_id"), pl.col("position")),
}

ORDERING = ("paper_id", *IN_TIME, "source", "list_kind", "published_basis")  # what SORT_KEYS and groups are made of


def only(sightings: pl.DataFrame, *fields: str) -> pl.DataFrame:
    """Sightings with the columns that order them and these fields only: a sort copies every column it is given."""
    return sightings.select(*dict.fromkeys((*ORDERING, *fields)))


def in_time(sightings: pl.DataFrame) -> pl.DataFrame:
    """Sightings in the order they were made, the latest last."""
    return sightings.sort(IN_TIME, nulls_last=False)


def ranked(
    sightings: pl.DataFrame, criteria: Iterable[str], sort_keys: Mapping[str, tuple[pl.Expr, ...]] = SORT_KEYS
) -> pl.DataFrame:
    """Sightings sorted by these criteria, the best last."""
    return sightings.sort([by for name in criteria for by in sort_keys[name]], nulls_last=False)


def by_precedence(sightings: pl.DataFrame) -> pl.DataFrame:
    """Sightings with the most trusted last."""
    return ranked(sightings, BEST)


def best_of_each(sightings: pl.DataFrame, field: str) -> pl.DataFrame:
    """Of ranked sightings that have a field the best one of each paper.

    Its `paper_id`, the field, and `capture_id`, the first page of its source that said the same: so a page that says it
    again changes no row.
    """
    said = sightings.select(field).hash_rows()  # of 64 bits, which are taken to be unique
    best = pl.col("said", "source").last().over("paper_id").name.prefix("best_")
    alike = sightings.with_columns(said=said).with_columns(best)
    alike = alike.filter(pl.col("said") == pl.col("best_said"), pl.col("source") == pl.col("best_source"))
    grouped = alike.group_by("paper_id", maintain_order=True)
    return grouped.agg(pl.col(field).last(), pl.col("capture_id").first())


def last_known(name: str) -> pl.Expr:
    """The last value of a group that is not null; null where there is none."""
    return pl.col(name).last(ignore_nulls=True)


def last_given(precedence: Precedence) -> pl.Expr:
    """For a group of ranked sightings: the fields of the last sighting that has any of them."""
    if len(precedence.fields) == 1:
        return last_known(precedence.fields[0])
    fields = pl.col(*precedence.fields)
    return fields.filter(pl.any_horizontal(pl.col(*precedence.fields).is_not_null())).last()


LAST_PAGE = pl.col("capture_id").last()


def seen(page: pl.Expr = LAST_PAGE) -> list[pl.Expr]:
    """For a group of sightings in time: when first and last seen, how often, and a page, the last one."""
    return [
        pl.col("observed_at").min().alias("first_seen_at"),
        pl.col("observed_at").max().alias("last_seen_at"),
        pl.len().alias("sighting_count"),
        page,
    ]
