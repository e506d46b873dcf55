"""`paper_links` and `paper_keywords`: the links and keywords that pages attach to a paper, first and last seen."""

from __future__ import annotations

import polars as pl

from transforms.core.keyword_forms import normal_keywords
from transforms.timeline import in_time, last_known, only, seen
from warehouse.schema.core.links import PAPER_KEYWORDS, PAPER_LINKS

# Tree paths, a trailing slash and `.git` occur; a bare owner is no repository (docs/source.md §3)
REPOSITORY = r"^https?://(?:www\.)?github\.com/([a-z0-9_.-]+/[a-z0-9_.-]*[a-z0-9_-])"


def paper_links(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per link of a paper."""
    ordered = in_time(only(sightings, "github_url", "github_added_by", "project_url", "media_urls"))
    links = pl.concat(
        [
            _links(ordered, "github", pl.col("github_url"), pl.col("github_added_by")),
            _links(ordered, "project", pl.col("project_url"), pl.lit(None, pl.String)),
            _links(ordered.explode("media_urls"), "media", pl.col("media_urls"), pl.lit(None, pl.String)),
        ]
    )
    grouped = links.drop_nulls("url").group_by("paper_id", "kind", "url", maintain_order=True)
    frame = grouped.agg(last_known("added_by"), *seen())
    return PAPER_LINKS.conform(frame.with_columns(repository=repository(pl.col("url"))))


def _links(sightings: pl.DataFrame, kind: str, url: pl.Expr, added_by: pl.Expr) -> pl.DataFrame:
    return sightings.select("paper_id", "capture_id", "observed_at", kind=pl.lit(kind), url=url, added_by=added_by)


def repository(url: pl.Expr) -> pl.Expr:
    """`owner/name` of a GitHub address in lower case, as GitHub itself compares them; null for any other."""
    return url.str.to_lowercase().str.replace(r"\.git([/?#]|$)", "$1").str.extract(REPOSITORY)


def paper_keywords(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per keyword of a paper."""
    shown = in_time(only(sightings, "keywords").drop_nulls("keywords")).explode("keywords").drop_nulls("keywords")
    found = shown.group_by("paper_id", keyword="keywords", maintain_order=True).agg(seen())
    return PAPER_KEYWORDS.conform(found.join(normal_keywords(found["keyword"]), on="keyword"))
