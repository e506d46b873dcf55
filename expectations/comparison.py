"""The input of guards: the tables of a draft and its parent, and each new page beside earlier ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import chain
from typing import Final, TypeAlias

import polars as pl
import polars.selectors as cs

from warehouse.schema.core.captures import IS_TAKEN
from warehouse.schema.daily_lists import DAY, closed_at

ComparedFrames: TypeAlias = Mapping[str, pl.DataFrame]
Scan: TypeAlias = Callable[[str, Sequence[str]], pl.LazyFrame]  # table, columns

LISTED_BY_API: Final = (pl.col("source") == "api") & (pl.col("list_kind") == "daily")
OPENED_AT: Final = closed_at(pl.col("listed_on") - DAY)  # of the list of listed_on
HOURS_OPEN: Final = (pl.col("observed_at") - OPENED_AT).dt.total_seconds() / 3600
ALWAYS: Final = datetime(1, 1, 1)  # `known_at` of the previous release's values, whenever its pages were fetched
SHOWN: Final = (
    *("capture_id", "position", "paper_id", "observed_at", "source", "list_kind", "listed_on", "arxiv_id"),
    *("title", "abstract", "authors", "published_on", "discussion_id", "submitter_login", "organization_login"),
    *("organization_name", "github_url", "project_url", "media_urls", "ai_summary", "keywords"),
    *("upvote_count", "comment_count", "github_star_count", "doubts"),
    *("outer_title", "outer_abstract", "outer_organization_login", "outer_submitter_login"),
)
HASHED: Final = (  # columns that are only compared for equality
    *("title", "abstract", "authors", "discussion_id", "submitter_login", "organization_login", "organization_name"),
    *("github_url", "project_url", "media_urls", "ai_summary", "keywords"),
)
# Columns of each row besides the value that is checked
OF_A_ROW: Final = (
    *("page", "paper_id", "capture_id", "source", "list_kind", "listed_on", "observed_at", "known_at", "is_new"),
)
NAMES: Final = "capture_id", "paper_id", "source", "list_kind"
OF_A_PAGE: Final = (*NAMES, "listed_on", "observed_at", "title", "abstract")  # texts take longest to read
ROWS_AT_A_TIME: Final = 20_000  # with their texts; bounds the memory, does not change the result


@dataclass(frozen=True)
class Comparison:
    """The tables of a draft, and those of the previous release (`before`), which is empty for the first release.

    In tables whose rows are of one paper each, both may leave out papers of which no row differs between the two.
    `scan` then gives columns of all rows of the draft, `heights` the numbers of rows of the previous release's tables,
    and `usual` its sightings of papers of the same time. Tables `in_parts` are empty here, or hold one part: checks
    that concern all their rows use `scan`. Pages that a person has `confirmed` count as those of the previous release.
    """

    now: ComparedFrames
    before: ComparedFrames = field(default_factory=dict)
    scan: Scan | None = None
    heights: Mapping[str, int] = field(default_factory=dict)
    usual: pl.DataFrame | None = None
    in_parts: frozenset[str] = frozenset()
    confirmed: frozenset[str] = frozenset()
    _values: dict[tuple[bool, str, str], pl.DataFrame] = field(default_factory=dict, init=False, compare=False)
    _last: dict[tuple[str, ...], pl.DataFrame] = field(default_factory=dict, init=False, compare=False)

    def whole(self, name: str, columns: Sequence[str]) -> pl.LazyFrame:
        """These columns of all rows of a table."""
        return self.scan(name, columns) if self.scan else self.now[name].lazy().select(columns)

    def beside(self, column: str, name: str, key: str) -> pl.LazyFrame:
        """The `key` of all rows of a table to which the `column` of a row that is here may refer.

        A part has every row of its papers, so that references by `paper_id` are found within it.
        """
        is_here = column == key == "paper_id" and name in self.in_parts and self.now[name].height
        return self.now[name].lazy().select(key) if is_here else self.whole(name, [key])

    def values(self, column: str, name: str, key: str) -> pl.DataFrame:
        """The distinct values of `beside`, cached: some twenty tables refer to `papers`."""
        asked = column == key, name, key
        if asked not in self._values:
            self._values[asked] = self.beside(column, name, key).unique().collect()
        return self._values[asked]

    @cached_property
    def renamed_papers(self) -> pl.Series:
        """Papers of the previous release that have another id now: those of which each alias belongs to some paper."""
        gone = self.before["paper_aliases"].join(self.now["papers"], on="paper_id", how="anti")
        if gone.is_empty():
            return gone["paper_id"]
        names = ["kind", "alias"]
        nameless = gone.join(self.whole("paper_aliases", names).collect(), on=names, how="anti")
        return gone.join(nameless, on="paper_id", how="anti")["paper_id"].unique()

    @cached_property
    def new_pages(self) -> pl.DataFrame:
        """Ids of the captures from which the previous release took nothing: all, where there is no previous release."""
        ids, known = self.now["captures"].filter(IS_TAKEN).select("capture_id"), self.before.get("captures")
        new = ids.filter(~pl.col("capture_id").is_in(self.confirmed))
        return new if known is None else new.join(known.filter(IS_TAKEN), on="capture_id", how="anti")

    def not_put_aside(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Rows of the previous release, but for those that may be gone since pages it was made of were set aside.

        That may be all rows of such a page, of its papers, and of tables whose rows are of neither.
        """
        aside = self._put_aside
        if aside.is_empty():
            return rows
        if "capture_id" in rows.columns:
            return rows.join(aside, on="capture_id", how="anti")
        if "paper_id" not in rows.columns:
            return rows.clear()
        shown = self.before["sightings"].join(aside, on="capture_id", how="semi")
        return rows.join(shown, on="paper_id", how="anti")

    @cached_property
    def _put_aside(self) -> pl.DataFrame:
        """Ids of the captures that only one of the two releases takes anything from."""
        pages = pl.concat([self.now["captures"], self.before["captures"]]).select("capture_id", taken=IS_TAKEN)
        return pages.group_by("capture_id").agg(pl.col("taken").n_unique()).filter(taken=2).select("capture_id")

    @cached_property
    def new_listed(self) -> pl.DataFrame:
        """New sightings on the API's daily lists."""
        return self.now["sightings"].filter(LISTED_BY_API).join(self.new_pages, on="capture_id", how="semi")

    @cached_property
    def listed_before(self) -> pl.DataFrame:
        """The previous release's sightings on the API's daily lists; of papers of the same time, where it has many."""
        return (self.before["sightings"] if self.usual is None else self.usual).filter(LISTED_BY_API)

    def shown(self, *columns: str) -> pl.DataFrame:
        """These columns of all sightings, in order of time, of papers that new pages show; without saved texts.

        A row `is_new` if its page is new. `page` groups the rows that are judged together: those of a page, and for
        pages of one paper all of the same hour. `known_at` is since when its values are known. Lists and texts are
        hashed as by `comparable`: they are only compared for equality. `listed_on` is null outside daily lists.
        """
        rows = self._shown
        more = tuple(name for name in columns if name not in rows.columns)
        if more:
            if more not in self._last:  # the last ones are kept, as the next guard often asks for the same
                self._last.clear()
                self._last[more] = self._batched(more).collect()
            rows = rows.hstack(self._last[more][rows["place"]])
        return rows.select(*dict.fromkeys((*OF_A_ROW, *columns)))

    @cached_property
    def _shown(self) -> pl.DataFrame:
        """The rows of `shown`: where sightings are in parts, with a `place` to look up columns; else all columns."""
        if "sightings" in self.in_parts:
            rows = self._of_papers_shown(self._batched(OF_A_PAGE).with_row_index("place"))
        else:  # filtered first: most are of papers that no new page shows, and their texts need not be read
            rows = comparable(self._of_papers_shown(self.now["sightings"].lazy().select(SHOWN)))
        is_daily, is_of_one = pl.col("list_kind") == "daily", pl.col("list_kind") == "paper"
        hour = pl.col("observed_at").dt.truncate("1h").cast(pl.String)
        page = pl.when(is_of_one).then(hour).otherwise(pl.col("capture_id").cast(pl.String))
        return (
            rows.with_columns(listed_on=pl.when(is_daily).then("listed_on"), page=page.cast(self._name))
            .with_columns(known_at=pl.when("is_new").then("observed_at").otherwise(ALWAYS))
            .sort("paper_id", "observed_at", "capture_id")
            .collect()
        )

    def _batched(self, columns: Sequence[str]) -> pl.LazyFrame:
        """These columns of all sightings, which are in parts, in their order; read in batches to bound the memory."""
        none = self.now["sightings"].clear().select(columns)
        batches = chain([none], self.whole("sightings", columns).collect_batches(chunk_size=ROWS_AT_A_TIME))
        names = cs.by_name(NAMES, require_all=False).cast(self._name)
        return pl.concat(comparable(batch.lazy()).with_columns(names).collect() for batch in batches).lazy()

    @property
    def _name(self) -> type[pl.DataType]:
        """The type of names that many rows share: categorical where sightings are in parts, and so are many."""
        return pl.Categorical if "sightings" in self.in_parts else pl.String

    def _of_papers_shown(self, sightings: pl.LazyFrame) -> pl.LazyFrame:
        """The sightings of papers that new pages show, with `is_new`."""
        seen = sightings.filter(pl.col("source") != "text", pl.col("observed_at").is_not_null())
        new_pages = self.new_pages.lazy().cast(self._name).with_columns(is_new=True)
        new = seen.join(new_pages, on="capture_id", how="semi").select("paper_id").unique()
        rows = seen.join(new, on="paper_id", how="semi").join(new_pages, on="capture_id", how="left")
        return rows.with_columns(pl.col("is_new").fill_null(value=False))

    def new_rows(self, *columns: str) -> pl.DataFrame:
        """The rows of `shown` that are of new pages."""
        return self.shown(*columns).filter("is_new")


def comparable(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Rows with lists and texts hashed, texts by letters and digits only, since wrapping varies (docs/source.md §7)."""
    names = _of("authors").list.eval(pl.element().struct.field("name")).list.join(" ")
    lists = _of("keywords", "media_urls").list.sort().list.join("\n")
    letters = _of("title", "abstract", "authors", "ai_summary").str.to_lowercase()
    letters = letters.str.replace_all(r"[^\p{L}\p{N}]", "")
    texts = _of(*HASHED)
    hashes = pl.when(texts.is_not_null()).then(texts.hash())
    return rows.with_columns(names, lists).with_columns(letters).with_columns(hashes)


def _of(*columns: str) -> pl.Expr:
    """Those of these columns that the frame has."""
    return cs.by_name(columns, require_all=False).as_expr()
