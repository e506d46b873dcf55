"""Macros for analysts: the lake as it was known at a moment, and more. Plain SQL, so that old clients can run it."""

from collections.abc import Iterator
from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.papers import PAPER_CITATIONS, PAPER_FIELDS, PAPER_TEXTS, PAPERS
from warehouse.schema.ddl import quoted
from warehouse.schema.macros.panel import panel
from warehouse.schema.macros.search_macros import SEARCH_MACROS
from warehouse.schema.mart import Macro
from warehouse.schema.marts import upvotes_over_time as trending
from warehouse.schema.marts.adoption import ADOPTION
from warehouse.schema.marts.boards import BOARDS
from warehouse.schema.marts.paper_status import PAPER_PUBLICATIONS, PAPER_STATUS
from warehouse.schema.provenance import CRITERIA, NEWEST, SOURCES, Precedence
from warehouse.schema.shared import JUDGED_BASIS

TS = "moment in UTC: a timestamp, or text like '2024-06-03 12:00'"
OF_PAPERS = (column for column in PAPERS.columns if column.name != "standing")  # which later looks decide
AS_OF = (*OF_PAPERS, PAPER_TEXTS.column("abstract").but(null=c.abstract.null))
# SQL that sorts by each criterion of precedence, best last. Sightings hold the inner value, so `inner` never decides
SORTED_BY: Final = {
    "stated": (f"published_basis <> '{c.CONTRADICTED}'", "published_basis = 'stated'"),
    "source": ("mart.source_rank(source)",),
    "inner": (),
    "own_list": ("list_kind = 'daily'",),
    "latest": ("observed_at", "mart.source_rank(source)", "capture_id", "position"),
}


def _best(precedence: Precedence) -> Iterator[str]:
    """SQL for each field of the best sighting that shows any of them."""
    order = ", ".join(key for criterion in precedence.criteria for key in SORTED_BY[criterion])
    shown = " OR ".join(f"{quoted(name)} IS NOT NULL" for name in precedence.fields)
    for name in precedence.fields:
        yield f"last({quoted(name)} ORDER BY {order}) FILTER (WHERE {shown}) AS {quoted(name)}"


PAPER_AS_OF = Macro(
    name="paper_as_of",
    parameters={"ts": TS},
    answers="What `papers` would have said at a moment: titles, counts and days as known then. Pages whose fetch time "
    "is unknown do not count; papers go by the id they have today.",
    grain="One paper that was seen by then.",
    columns=AS_OF,
    parts={
        "columns": ",\n    ".join(
            f"{JUDGED_BASIS} AS published_basis" if column == c.published_basis else quoted(column.name)
            for column in AS_OF
        ),
        "fields": ",\n        ".join(
            best for fields in PAPER_FIELDS if fields.criteria != NEWEST for best in _best(fields)
        ),
        "counts": ",\n        ".join(
            f"arg_max({name}, observed_at) AS {name}"
            for fields in PAPER_FIELDS
            if fields.criteria == NEWEST
            for name in fields.fields
        ),
    },
)

LISTING_AS_OF = Macro(
    name="listing_as_of",
    parameters={"day": "list day: a date, or text like '2024-06-03'", "ts": TS},
    answers="What the list of a day said at a moment: its last capture by then, places and counts of that capture.",
    grain="One paper on the list as it was captured.",
    columns=(
        DAILY_LISTINGS.column("rank").but(meaning="Place on the list.", null=""),
        c.paper_id,
        c.title,
        c.upvote_count,
        c.comment_count,
        c.submitter_login,
        c.observed_at,
        c.capture_id,
    ),
)

UPVOTES_AT = Macro(
    name="upvotes_at",
    parameters={"paper_id": "the paper", "ts": TS},
    answers="The upvotes of a paper as last seen by a moment.",
    grain="One number.",
    columns=(c.upvote_count.but(meaning="Upvotes as last seen.", null="no page by then showed any; never 0 for that"),),
    is_table=False,
)

SOURCE_RANK = Macro(
    name="source_rank",
    parameters={"source": "`source` of a sighting"},
    answers=f"How far a source is trusted: {CRITERIA['source']}.",
    grain="One number.",
    columns=(
        c.integer.but(
            name="source_rank",
            meaning="Place among the sources, the least trusted 1.",
            null="no such source",
            minimum=1,
            maximum=len(SOURCES),
        ),
    ),
    is_table=False,
    parts={"sources": repr(list(SOURCES))},
)

_WINDOW: Final = """SELECT
        CAST(moment AS TIMESTAMP) AS at_moment,
        CAST(CAST(moment AS TIMESTAMP) AS DATE) - unnest(range(CAST(days AS BIGINT)))::INTEGER AS listed_on"""
_TITLE = next(precedence for precedence in PAPER_FIELDS if precedence.fields == ("title",))
_TRENDING = (trending.RANK, c.paper_id, trending.TITLE, *trending.TERMS)
TRENDING_AS_OF = Macro(
    name="trending_as_of",
    parameters={"moment": TS, "days": "how many days of lists, the last one that of the moment"},
    answers="What trended at a moment: papers whose upvotes surprise most for their age, with every term of the score. "
    "Only pages fetched by then count, so that no later capture changes the answer. Papers go by the id they have "
    "today.",
    grain="One paper of a daily list of these days that was seen by then with its upvotes.",
    columns=_TRENDING,
    parts={
        "scored": trending.scored(_WINDOW),
        "title": ",\n        ".join(_best(_TITLE)),
        "columns": ",\n    ".join(quoted(column.name) for column in _TRENDING),
    },
)

BIBTEX = Macro(
    name="bibtex",
    parameters={"paper_id": "the paper"},
    answers="A paper as an entry for BibTeX, in ASCII: `paper_citations.bibtex`, as of the work that it is published "
    "as, and with a note where it is withdrawn or retracted.",
    grain="One text.",
    columns=(PAPER_CITATIONS.column("bibtex").but(null="no such paper"),),
    is_table=False,
)

_OF_BOARDS = tuple(
    column.but(null=f"{column.null}, or a moment is given") if column.name in {"system", "arxiv_version_on"} else column
    for column in BOARDS.columns
    if column.name not in {"is_current", "first_listed_on"}
)
_AT_BOARDS: Final = {
    "title": """CASE
        WHEN ts IS NULL THEN boards.title
        ELSE (
            SELECT arg_max(said.text, said.first_seen_at)
            FROM mart.text_versions AS said
            WHERE said.paper_id = boards.paper_id
                AND said.field = 'title'
                AND said.first_seen_at <= CAST(ts AS TIMESTAMP)
        )
    END AS title""",
    "system": "CASE WHEN ts IS NULL THEN boards.system END AS system",
    "arxiv_version_on": "CASE WHEN ts IS NULL THEN boards.arxiv_version_on END AS arxiv_version_on",
}
BOARD_AS_OF = Macro(
    name="board_as_of",
    parameters={"name": "a benchmark, as `benchmarks` names it", "ts": f"{TS}; NULL for all"},
    answers="What papers claimed on a benchmark by a moment, the best of each board first. Nothing looks ahead; what "
    "is not dated is left out, but for NULL.",
    grain="One number that a paper claimed.",
    columns=_OF_BOARDS,
    parts={"columns": ",\n    ".join(_AT_BOARDS.get(column.name, quoted(column.name)) for column in _OF_BOARDS)},
)

ADOPTION_AS_OF = Macro(
    name="adoption_as_of",
    parameters={"moment": TS},
    answers="Who built on which paper at a moment, the most built upon first. Nothing looks ahead.",
    grain="One paper that somebody had looked at by then.",
    columns=ADOPTION.columns,
    parts={"columns": ",\n    ".join(quoted(column.name) for column in ADOPTION.columns)},
)

# What the lake had, and what the Hub said, is that of today
_OF_STATUS = tuple(
    column
    for column in PAPER_STATUS.columns
    if column.name not in {"is_newest", "is_superseding_known", "hub_published_on", "is_date_disputed"}
)
PAPER_STATUS_AS_OF = Macro(
    name="paper_status_as_of",
    parameters={"moment": TS},
    answers="What was known at a moment of what became of papers at arXiv. Nothing looks ahead.",
    grain="One paper whose record was looked at by then.",
    columns=_OF_STATUS,
    parts={"columns": ",\n    ".join(quoted(column.name) for column in _OF_STATUS)},
)

_OF_PUBLICATIONS = tuple(column for column in PAPER_PUBLICATIONS.columns if column.name != "known_until")
PAPER_PUBLICATIONS_AS_OF = Macro(
    name="paper_publications_as_of",
    parameters={"moment": TS},
    answers="What was known at a moment of where papers were published, and whether that was retracted. Nothing looks "
    "ahead.",
    grain="One work that a paper is published as, as known by then.",
    columns=_OF_PUBLICATIONS,
    parts={"columns": ",\n    ".join(quoted(column.name) for column in _OF_PUBLICATIONS)},
)

MACROS = (
    SOURCE_RANK,
    UPVOTES_AT,
    LISTING_AS_OF,
    PAPER_AS_OF,
    panel(AS_OF, TS),
    TRENDING_AS_OF,
    BIBTEX,
    BOARD_AS_OF,
    ADOPTION_AS_OF,
    PAPER_STATUS_AS_OF,
    PAPER_PUBLICATIONS_AS_OF,
    *SEARCH_MACROS,
)  # a macro after those that it calls
