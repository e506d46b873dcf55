"""`paper_authors` and `organizations`: the authors of papers, and the organizations they are listed under."""

from __future__ import annotations

import polars as pl

from transforms.identity.blocking import folded
from transforms.timeline import IN_TIME, best_of_each, by_precedence, in_time, last_known, only, seen
from warehouse.schema.columns import NAME_LIMIT
from warehouse.schema.core.people import ORGANIZATIONS, PAPER_AUTHORS

# In lower case a name can have twice its characters (the Turkish dotted I)
LOWER_NAME = pl.col("organization_name").str.to_lowercase().str.slice(0, NAME_LIMIT)
# Of 674 organizations 59 share 28 names, 4 of these only without case, accents, spaces and hyphens
SAME_NAME = folded(pl.col("organization_name")).str.replace_all(r"[\s\p{Pd}]+", "").replace("", None)
ORGANIZATION_ID = pl.coalesce("organization_login", pl.lit("name:") + LOWER_NAME).alias("organization_id")


def paper_authors(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per author of a paper, in order: the whole list of the best page that shows one, never a mixture."""
    listed = by_precedence(only(sightings, "authors").drop_nulls("authors"))
    placed = best_of_each(listed, "authors").with_columns(position=pl.int_ranges(1, pl.col("authors").list.len() + 1))
    return PAPER_AUTHORS.conform(placed.explode("authors", "position").unnest("authors"))


def organization_parts(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per organization, from all sightings of some papers; `organizations_of` merges several such parts."""
    named_in = sightings.select("paper_id", *IN_TIME, "organization_login", "organization_name")
    shown = in_time(named_in.with_columns(ORGANIZATION_ID).drop_nulls("organization_id"))
    grouped = shown.group_by("organization_id", maintain_order=True)
    named = pl.struct(*IN_TIME, "organization_name").filter(pl.col("organization_name").is_not_null()).last()
    return grouped.agg(
        last_known("organization_login"),
        named.alias("named"),
        pl.col("paper_id").n_unique().alias("paper_count"),
        *seen(),
        pl.col("observed_at", "position").last(),
    )


def organizations_of(parts: pl.DataFrame) -> pl.DataFrame:
    """The table `organizations`, merged from concatenated parts of disjoint papers."""
    grouped = in_time(parts).group_by("organization_id", maintain_order=True)
    last = grouped.agg(
        last_known("organization_login"),
        pl.col("paper_count", "sighting_count").sum(),
        pl.col("first_seen_at").min(),
        pl.col("last_seen_at").max(),
        pl.col("capture_id").last(),
    )
    named = in_time(parts.select("organization_id", "named").drop_nulls("named").unnest("named"))
    names = named.drop_nulls("organization_name").unique("organization_id", keep="last", maintain_order=True)
    found = last.join(names.select("organization_id", "organization_name"), on="organization_id", how="left")
    most_first = pl.col("organization_name").sort_by("paper_count", "organization_id", descending=[True, False])
    return ORGANIZATIONS.conform(
        found.with_columns(
            group_name=pl.coalesce(
                most_first.first().over(pl.coalesce(SAME_NAME, "organization_id")), "organization_login"
            )
        )
    )
