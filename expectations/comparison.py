"""The tables of a draft compared with those of the previous release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

import polars as pl

Frames: TypeAlias = Mapping[str, pl.DataFrame]

# What a page says of a paper whenever it shows it, with the rule's name: only a new version of the paper changes it
LASTING: Final = {
    "title": "titles_kept",
    "abstract": "abstracts_kept",
    "authors": "authors_kept",
    "published_on": "dates_kept",
    "discussion_id": "discussions_kept",
}
# Counts, with their word in a rule's name, and what is high of each however little there was before
COUNTS: Final = {
    "upvote_count": ("upvotes", 50),
    "comment_count": ("comments", 10),
    "github_star_count": ("stars", 500),
}
LISTED_BY_API: Final = (pl.col("source") == "api") & (pl.col("list_kind") == "daily")


@dataclass(frozen=True)
class Comparison:
    """The tables of a draft, and those of the previous release (`before`), which is empty for the first release."""

    now: Frames
    before: Frames = field(default_factory=dict)

    @cached_property
    def renamed_papers(self) -> pl.Series:
        """Papers of the previous release that have another id now: each of their names still belongs to some paper."""
        gone = self.before["paper_aliases"].join(self.now["papers"], on="paper_id", how="anti")
        nameless = gone.join(self.now["paper_aliases"], on=["kind", "alias"], how="anti")
        return gone.join(nameless, on="paper_id", how="anti")["paper_id"].unique()

    @cached_property
    def new_sightings(self) -> pl.DataFrame:
        """Sightings on pages that the previous release did not have."""
        return self.now["sightings"].join(self.before["captures"], on="capture_id", how="anti")

    @cached_property
    def new_listed(self) -> pl.DataFrame:
        """New sightings on the API's daily lists."""
        return self.new_sightings.filter(LISTED_BY_API)

    @cached_property
    def listed_before(self) -> pl.DataFrame:
        """The previous release's sightings on the API's daily lists."""
        return self.before["sightings"].filter(LISTED_BY_API)

    @cached_property
    def seen_again(self) -> pl.DataFrame:
        """New sightings of papers known before, with the previous release's values as `<column>_before`.

        Only those newer than the last sighting of the paper; saved texts are left out. Of LASTING columns, `_before`
        is a list of every value that any page gave.
        """
        shown = self.new_sightings.filter(pl.col("source") != "text")
        counted = self.before["papers"].select("paper_id", pl.col(*COUNTS).name.suffix("_before"), "last_seen_at")
        seen = self.before["sightings"].filter(pl.col("source") != "text").join(shown, on="paper_id", how="semi")
        values = pl.col(*LASTING).drop_nulls().unique().name.suffix("_before")
        known = comparable(seen).group_by("paper_id").agg(values)
        newer = pl.col("observed_at") > pl.col("last_seen_at")
        return comparable(shown).join(counted, on="paper_id").filter(newer).join(known, on="paper_id", how="left")


def comparable(rows: pl.DataFrame) -> pl.DataFrame:
    """LASTING columns as letters and digits alone: wrapping and LaTeX markup came and went (docs/source.md §7)."""
    names = pl.col("authors").list.eval(pl.element().struct.field("name")).list.join(" ")
    plain = pl.col(*LASTING).cast(pl.String).str.to_lowercase().str.replace_all(r"[^\p{L}\p{N}]", "")
    return rows.with_columns(names).with_columns(plain)
