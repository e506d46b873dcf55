"""The tables of a draft compared with those of the previous release, and its new pages with the pages before them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import chain
from typing import Final, TypeAlias

import polars as pl
import polars.selectors as cs

from warehouse.schema.list_days import DAY, NEW_YORK, ROLLOVER

Frames: TypeAlias = Mapping[str, pl.DataFrame]
Scan: TypeAlias = Callable[[str, Sequence[str]], pl.LazyFrame]  # table, columns

LISTED_BY_API: Final = (pl.col("source") == "api") & (pl.col("list_kind") == "daily")
OPENED_AT: Final = (  # when the list of listed_on opened, as warehouse.schema.list_days.opens_at has it
    (pl.col("listed_on").cast(pl.Datetime("us")) - DAY + pl.duration(hours=ROLLOVER.hour, minutes=ROLLOVER.minute))
    .dt.replace_time_zone(NEW_YORK.key)
    .dt.convert_time_zone("UTC")
    .dt.replace_time_zone(None)
)
HOURS_OPEN: Final = (pl.col("observed_at") - OPENED_AT).dt.total_seconds() / 3600
ALWAYS: Final = datetime(1, 1, 1)  # since when the values of the previous release are known, whenever its pages came
SHOWN: Final = (
    *("capture_id", "position", "paper_id", "observed_at", "source", "list_kind", "listed_on", "arxiv_id"),
    *("title", "abstract", "authors", "published_on", "discussion_id", "submitter_login", "organization_login"),
    *("organization_name", "github_url", "project_url", "media_urls", "ai_summary", "keywords"),
    *("upvote_count", "comment_count", "github_star_count"),
)
HASHED: Final = (  # of these only whether they are the same counts
    *("title", "abstract", "authors", "discussion_id", "submitter_login", "organization_login", "organization_name"),
    *("github_url", "project_url", "media_urls", "ai_summary", "keywords"),
)
# What is asked of a row besides the value that is looked at
OF_A_ROW: Final = (
    *("page", "paper_id", "capture_id", "source", "list_kind", "listed_on", "observed_at", "known_at", "is_new"),
)
NAMES: Final = "capture_id", "paper_id", "source", "list_kind"
OF_A_PAGE: Final = (*NAMES, "listed_on", "observed_at", "title", "abstract")  # texts take longest to read
ROWS_AT_A_TIME: Final = 20_000  # with their texts: what bounds the memory, not the result


@dataclass(frozen=True)
class Comparison:
    """The tables of a draft, and those of the previous release (`before`), which is empty for the first release.

    Both may leave out, of a table whose rows are of one paper each, all rows of papers of which every row is the same
    in both. `scan` then gives columns of all rows of the draft, `heights` how many rows the tables of the previous
    release have, and `usual` what its pages said of papers of the same time. Of the tables `in_parts` no row is here:
    they are given part by part, and what concerns all their rows is asked of the `scan`.
    """

    now: Frames
    before: Frames = field(default_factory=dict)
    scan: Scan | None = None
    heights: Mapping[str, int] = field(default_factory=dict)
    usual: pl.DataFrame | None = None
    in_parts: frozenset[str] = frozenset()

    def whole(self, name: str, columns: Sequence[str]) -> pl.LazyFrame:
        """These columns of all rows of a table; which papers it has, a part tells of its own."""
        if name in self.in_parts and list(columns) == ["paper_id"] and self.now[name].height:
            return self.now[name].lazy().select(columns)
        return self.scan(name, columns) if self.scan else self.now[name].lazy().select(columns)

    def values(self, name: str, column: str) -> pl.DataFrame:
        """What a column of all rows of a table holds; of `papers` some twenty tables ask, and it is looked up once."""
        if (name, column) not in self._values:
            self._values[name, column] = self.whole(name, [column]).unique().collect()
        return self._values[name, column]

    @cached_property
    def _values(self) -> dict[tuple[str, str], pl.DataFrame]:
        return {}

    @cached_property
    def renamed_papers(self) -> pl.Series:
        """Papers of the previous release that have another id now: each of their names still belongs to some paper."""
        gone = self.before["paper_aliases"].join(self.now["papers"], on="paper_id", how="anti")
        if gone.is_empty():
            return gone["paper_id"]
        names = ["kind", "alias"]
        nameless = gone.join(self.whole("paper_aliases", names).collect(), on=names, how="anti")
        return gone.join(nameless, on="paper_id", how="anti")["paper_id"].unique()

    @cached_property
    def new_pages(self) -> pl.DataFrame:
        """Ids of the captures that the previous release did not have: all of them, where there is none."""
        ids, known = self.now["captures"].select("capture_id"), self.before.get("captures")
        return ids if known is None else ids.join(known.select("capture_id"), on="capture_id", how="anti")

    @cached_property
    def new_listed(self) -> pl.DataFrame:
        """New sightings on the API's daily lists."""
        return self.now["sightings"].filter(LISTED_BY_API).join(self.new_pages, on="capture_id", how="semi")

    @cached_property
    def listed_before(self) -> pl.DataFrame:
        """The previous release's sightings on the API's daily lists, where it has many of papers of the same time."""
        return (self.before["sightings"] if self.usual is None else self.usual).filter(LISTED_BY_API)

    def shown(self, *columns: str) -> pl.DataFrame:
        """What all pages, in time, say of the papers that new pages show, in these columns; saved texts are left out.

        A row `is_new` where its page is, and `page` is what it is judged with: its page, and of pages of one paper all
        of the same hour. `known_at` is since when its values are known. Lists and texts are as `comparable` has them,
        hashed: only whether they are the same counts. `listed_on` is that of daily lists alone.
        """
        rows = self._shown
        more = [name for name in columns if name not in rows.columns]
        if more:
            rows = rows.hstack(self._said(more).collect()[rows["place"]])
        return rows.select(*dict.fromkeys((*OF_A_ROW, *columns)))

    @cached_property
    def _shown(self) -> pl.DataFrame:
        """Of sightings in parts their `place`, by which a guard's columns are found; else all columns."""
        if "sightings" in self.in_parts:
            told = self._told_new(self._said(OF_A_PAGE).with_row_index("place"))
        else:  # most are of papers that no new page shows: their texts need not be read
            told = comparable(self._told_new(self.now["sightings"].lazy().select(SHOWN)))
        is_daily, is_of_one = pl.col("list_kind") == "daily", pl.col("list_kind") == "paper"
        hour = pl.col("observed_at").dt.truncate("1h").cast(pl.String)
        page = pl.when(is_of_one).then(hour).otherwise(pl.col("capture_id").cast(pl.String))
        return (
            told.with_columns(listed_on=pl.when(is_daily).then("listed_on"), page=page.cast(self._name))
            .with_columns(known_at=pl.when("is_new").then("observed_at").otherwise(ALWAYS))
            .sort("paper_id", "observed_at", "capture_id")
            .collect()
        )

    def _said(self, columns: Sequence[str]) -> pl.LazyFrame:
        """What sightings, which are in parts, say in these columns, in their order; some rows are read at a time."""
        none = self.now["sightings"].clear().select(columns)
        batches = chain([none], self.whole("sightings", columns).collect_batches(chunk_size=ROWS_AT_A_TIME))
        names = cs.by_name(NAMES, require_all=False).cast(self._name)
        return pl.concat(comparable(batch.lazy()).with_columns(names).collect() for batch in batches).lazy()

    @property
    def _name(self) -> type[pl.DataType]:
        """How names are held that many rows have: of sightings in parts, each once."""
        return pl.Categorical if "sightings" in self.in_parts else pl.String

    def _told_new(self, said: pl.LazyFrame) -> pl.LazyFrame:
        """What pages say of the papers that new pages show, and which rows are new: all, where there was no release."""
        seen = said.filter(pl.col("source") != "text", pl.col("observed_at").is_not_null())
        if "captures" not in self.before:
            return seen.with_columns(is_new=True)
        new_pages = self.new_pages.lazy().with_columns(is_new=True)
        new = seen.join(new_pages, on="capture_id", how="semi").select("paper_id").unique()
        told = seen.join(new, on="paper_id", how="semi").join(new_pages, on="capture_id", how="left")
        return told.with_columns(pl.col("is_new").fill_null(value=False))

    def new_rows(self, *columns: str) -> pl.DataFrame:
        """Of these, what the new pages say."""
        rows = self.shown(*columns)
        return rows.filter("is_new") if "captures" in self.before else rows


def comparable(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Hashes of lists, and of texts as letters and digits alone: wrapping and LaTeX come and go (docs/source.md §7)."""
    names = _of("authors").list.eval(pl.element().struct.field("name")).list.join(" ")
    lists = _of("keywords", "media_urls").list.sort().list.join("\n")
    letters = _of("title", "abstract", "authors", "ai_summary").str.to_lowercase()
    letters = letters.str.replace_all(r"[^\p{L}\p{N}]", "")
    texts = _of(*HASHED)
    hashes = pl.when(texts.is_not_null()).then(texts.hash())
    return rows.with_columns(names, lists).with_columns(letters).with_columns(hashes)


def _of(*columns: str) -> pl.Expr:
    """Those of them that are there."""
    return cs.by_name(columns, require_all=False).as_expr()
