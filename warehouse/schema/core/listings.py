"""The lists that papers were on: `daily_listings`, `list_appearances`, and which the lake has: `coverage`.

`coverage` has those that lack too, day by day, so that nothing is silently missing.
"""

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.core.attached import STARS
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.works import REGISTRIES
from warehouse.schema.provenance import OF_ITS_LIST, Precedence
from warehouse.schema.shared import COHORT_PAPERS, SEEN_RULE, SUBMITTED_RULE, in_order
from warehouse.schema.table import Cut, Rule, Table

# The precedence of sightings for the values of `daily_listings`
LISTING_FIELDS: Final = (
    Precedence(("submitter_login",), OF_ITS_LIST),
    Precedence(("submitter_name",), OF_ITS_LIST),
    Precedence(("submitted_at", "submitted_basis"), OF_ITS_LIST),
)

DAILY_LISTINGS = Table(
    name="daily_listings",
    grain="One paper on the list of one day.",
    answers="The daily list: rank, submitter, first and last seen on it.",
    key=("listed_on", "paper_id"),
    revision=2,  # of two pages of one instant the more trusted one counts
    cut=Cut(COHORT_PAPERS),
    columns=(
        c.listed_on.but(null=""),
        c.paper_id,
        c.position.but(
            name="rank",
            meaning="Place on the day's list when it was last fetched: most upvotes first.",
            null="seen only in answers that are not the day's own list",
            source="order of the day's list",
        ),
        c.submitter_login,
        c.submitter_name,
        c.submitted_at,
        c.submitted_basis,
        *c.SEEN,
        c.capture_id.but(meaning="The page that gave rank and submitter."),
    ),
    rules=(SEEN_RULE, SUBMITTED_RULE),
)

LIST_APPEARANCES = Table(
    name="list_appearances",
    grain="One place on one captured list other than a daily one.",
    answers="Weekly, monthly, trending, latest, search and saved lists, with place and query.",
    key=("capture_id", "position"),
    cut=Cut(COHORT_PAPERS),
    columns=(
        c.capture_id,
        c.position,
        c.paper_id,
        CAPTURES.column("list_kind").but(
            null="", allowed=("weekly", "monthly", "trending", "latest", "search", "saved")
        ),
        CAPTURES.column("list_period"),
        CAPTURES.column("list_query"),
        c.saved_at,
    ),
)


COVERAGE = Table(
    name="coverage",
    grain="One source and one calendar day, from the first list to the day that was open at the last fetch.",
    answers="Which daily lists the lake has, which it lacks and why: gaps are the rows with "
    "`is_expected AND state <> 'complete'`.",
    key=("listed_on", "source"),
    columns=(
        c.choice.but(
            name="source",
            meaning="`api`, the answer of the JSON API; `html`, the list page, which is asked only where the API's "
            "list is empty; `arxiv`, the records that changed there on a day, where they were asked for; `crossref` "
            "and `openalex`, the works that were asked for on a day; `github`, the repositories that were. Saved texts "
            "are no source: they lack ids, and may be cut.",
            source="reader of the page, else its address",
            allowed=("api", "html", "arxiv", *REGISTRIES, STARS),
        ),
        c.listed_on.but(
            null="",
            meaning="Day of the daily list; a page that shows another day counts for both days. Of `arxiv` the day "
            "of the change, of `crossref`, `openalex` and `github` that on which something was asked for.",
        ),
        c.flag.but(
            name="is_expected",
            meaning="Whether the source should have a list: of the API on weekdays, but not on a day of which the list "
            "page, once the day was over, showed an earlier list. Never of the list page; nor of arXiv, whose harvests "
            "reach back to the last whole one; nor of registries and GitHub, which are asked again for what failed.",
        ),
        c.choice.but(
            name="state",
            meaning="`complete`; `partial`, some papers, and `reason` says what is wrong; `empty`, the source said "
            "that there are none; `missing`, nothing that could be read.",
            source="computed from the best pages of the day",
            allowed=("complete", "partial", "empty", "missing"),
        ),
        c.any_text.but(
            name="reason",
            meaning="Why the state is not `complete`; several reasons with `; ` between them.",
            null="the list is complete",
            source="computed; after `failed: ` and `not read: ` the words of the last failure",
            max_length=c.URL_LIMIT,
        ),
        c.count.but(
            name="fetch_count",
            unit="pages",
            meaning="Pages that came and could be read, the further pages (`p=`) of long lists among them.",
            is_bookkeeping=True,
        ),
        c.count.but(
            name="failure_count",
            unit="pages",
            meaning="Attempts that gave nothing that could be read: no answer, an HTTP error, a rejected page.",
        ),
        c.count.but(
            name="item_count",
            unit="items",
            meaning="Items on the list that `state` was judged by, all its pages together.",
            null="the state is `missing`",
            source="counted by the reader",
            is_past=True,
        ),
        c.count.but(
            name="paper_count",
            unit="papers",
            meaning="Papers that were ever seen on the source's list of that day; of `arxiv` its records, whatever the "
            "lake has of them; of `crossref` and `openalex` the works that they know, of `github` the repositories.",
            null="the state is `missing`: nobody knows",
            source="counted in the sightings",
            is_past=True,
        ),
        c.first_seen_at.but(
            name="first_fetched_at",
            meaning="When the first of the pages in `fetch_count` was fetched.",
            null="no page, or none whose fetch time is known",
            source="earliest fetched_at",
        ),
        c.last_seen_at.but(
            name="last_fetched_at",
            meaning="When the last of the pages in `fetch_count` was fetched.",
            null="no page, or none whose fetch time is known",
            source="latest fetched_at",
        ),
        c.capture_id.but(
            meaning="The page that `state` was judged by, the first one of a list of several.",
            null="the state is `missing`",
        ),
    ),
    rules=(
        Rule(
            "reason_given",
            "(state = 'complete') = (reason IS NULL)",
            "a list that is not complete without a reason, or a reason for one that is",
        ),
        Rule(
            "page_named",
            "(state <> 'missing') = (capture_id IS NOT NULL) AND (state <> 'missing') = (fetch_count > 0)",
            "a state without the page it was judged by, or a page of a list that is missing",
        ),
        Rule(
            "papers_counted",
            "(state = 'missing') = (paper_count IS NULL) AND (state = 'missing') = (item_count IS NULL)",
            "papers of a list that is missing, or none counted of one that is there",
        ),
        Rule(
            "papers_where_there_are_some",
            "state = 'missing' OR (state = 'empty') = (paper_count = 0)",
            "an empty list with papers, or one with none that is not empty",
        ),
        in_order("fetched_in_order", "first_fetched_at", "last_fetched_at", "last fetched before first fetched"),
        Rule(
            "only_the_api_is_expected",
            "source = 'api' OR NOT is_expected",
            "a list page, or a day of another source, is expected",
        ),
    ),
)
