"""Columns that several tables share, declared once. Types: `_at` is a UTC instant without zone, `_on` a date."""

from datetime import date

import polars as pl

from warehouse.schema.provenance import ARXIV, HUB, PAPERLAKE
from warehouse.schema.table import Column

TEXT = pl.String()
DAY = pl.Date()
INSTANT = pl.Datetime("us")  # UTC; without a zone in the type, so that every client shows the same digits
COUNT = pl.Int32()
FLAG = pl.Boolean()

# arXiv: YYMM.NNNN until 2014, five digits from 1501 on, archive/YYMMNNN until March 2007
AN_ARXIV_ID = (
    r"(?:(?:0[7-9]|1[0-4])(?:0[1-9]|1[0-2])\.[0-9]{4}"
    r"|(?:1[5-9]|[2-9][0-9])(?:0[1-9]|1[0-2])\.[0-9]{5}"
    r"|[a-z][a-z-]*(?:\.[A-Z]{2})?/[0-9]{7})"
)
ARXIV_ID = f"^{AN_ARXIV_ID}$"
BASES = ("stated", "inferred")
CONTRADICTED = "contradicted"  # of a day that comes after the month of the arXiv id
TITLE_LIMIT = 1_000  # the longest title seen has 175 characters (docs/source.md §7)
ABSTRACT_LIMIT = 20_000  # the longest abstract seen has 1,923 characters (docs/source.md §7)
NAME_LIMIT = 500  # the longest author name seen has 55 characters (docs/source.md §4)
URL_LIMIT = 4_000

# What columns of a kind have in common; each has a name and a meaning of its own. First what paperlake itself makes
text = Column(name="", dtype=TEXT, whose="none", meaning="", source="computed", origin=PAPERLAKE)
any_text = text.but(whose="any")
choice = text.but(whose=None)
integer = Column(name="", dtype=COUNT, meaning="", source="computed", origin=PAPERLAKE)
real = integer.but(dtype=pl.Float64())
flag = integer.but(dtype=FLAG)
day = integer.but(dtype=DAY, unit="day")
instant = integer.but(dtype=INSTANT, unit="UTC")
texts = text.but(dtype=pl.List(pl.String))
count = integer.but(source="counted", minimum=0)
total = count.but(dtype=pl.Int64())
# What arXiv and the Hub say
prose = Column(name="", dtype=TEXT, whose="prose", meaning="", origin=ARXIV, max_length=TITLE_LIMIT)
hub_text = Column(name="", dtype=TEXT, whose="none", meaning="", origin=HUB, max_length=NAME_LIMIT)
hub_url = hub_text.but(whose="account", max_length=URL_LIMIT)
account = hub_text.but(whose="account")
organization = hub_text.but(whose="organization")

capture_id = text.but(
    name="capture_id",
    meaning="The captured page this row was read from: a hash over its URL, fetch time and bytes.",
    source="computed when the page is landed",
    pattern="^[0-9a-f]{20}$",
    is_bookkeeping=True,
    refers_to="captures.capture_id",
)
position = integer.but(
    name="position",
    unit="place, from 1",
    meaning="Place of the item on its page.",
    source="order of the items on the page",
    origin=HUB,
    minimum=1,
)
paper_id = text.but(
    name="paper_id",
    meaning="The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash.",
    source="computed from all sightings",
    origin=ARXIV,
    pattern=rf"(?:{ARXIV_ID})|^title:[0-9a-f]{{16}}(?:-[0-9a-f]{{8}})?$",
    refers_to="papers.paper_id",
)
arxiv_id = text.but(
    name="arxiv_id",
    meaning="arXiv id without version, as text: trailing zeros count.",
    null="no page of the paper showed an arXiv id",
    source="paper.id; the line `arxiv:…` of a saved paper page",
    sources=("paper.id",),
    origin=ARXIV,
    pattern=ARXIV_ID,
    cleaning="trim",
)
title = prose.but(
    name="title",
    meaning="Title on one line, whitespace collapsed, LaTeX as the source has it.",
    source="paper.title, else title; title line of a saved text",
    sources=("paper.title", "title"),
    is_past=True,
)
abstract = title.but(
    name="abstract",
    meaning="Abstract on one line, whitespace collapsed, LaTeX as the source has it.",
    null="the page showed no abstract",
    source="paper.summary, else summary; abstract line of a saved text",
    sources=("paper.summary", "summary"),
    max_length=ABSTRACT_LIMIT,
)
published_on = day.but(
    name="published_on",
    unit="UTC day",
    meaning="Day of the first submission to arXiv, as the source says; `published_basis` says how far it holds.",
    null="the page showed no date, or one whose year is unknown",
    source="paper.publishedAt; date in the footer of a saved text",
    sources=("paper.publishedAt",),
    origin=ARXIV,
    is_past=True,
)
published_basis = choice.but(
    name="published_basis",
    meaning="Whether `published_on` was `stated`, or its year `inferred` from the page it is on; `contradicted` where "
    "it comes after the month in the arXiv id, in which the paper was there already.",
    null="no `published_on`",
    source="computed by the reader, and from the arXiv id",
    allowed=(*BASES, CONTRADICTED),
    is_past=True,
)
submitted_at = instant.but(
    name="submitted_at",
    meaning="Instant of the submission to Daily Papers.",
    null="not shown: only answers fetched before 2025-03-11 hold it (docs/source.md §5)",
    source="publishedAt, in answers fetched before 2025-03-11",
    sources=("publishedAt",),
    origin=HUB,
    is_past=True,
)
submitted_basis = choice.but(
    name="submitted_basis",
    meaning="`stated` until 2024-06-11; `inferred` where an answer gave it 1.5 h early (until 2024-11-28) or as New"
    " York wall clock, and it was put right.",
    null="no `submitted_at`",
    source="computed from the fetch time",
    allowed=BASES,
    is_past=True,
)
listed_on = day.but(
    name="listed_on",
    unit="list day",
    meaning="Day of the daily list.",
    null="no daily list, and the item does not name one",
    source="date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on)",
    sources=("$.date", "paper.submittedOnDailyAt"),
    origin=HUB,
)
author_count = integer.but(
    name="author_count",
    unit="people",
    meaning="Number of all authors, also where the page lists only the first of them (`+ 8 authors`).",
    null="not shown",
    source="length of paper.authors[]; `N authors` in a saved text, or its names and `+ N authors`",
    sources=("paper.authors[]",),
    origin=ARXIV,
    minimum=1,
    is_past=True,
)
organization_login = organization.but(
    name="organization_login",
    meaning="Hub login of the organization the paper is listed under.",
    null="no organization shown, or shown by name only; the source has none before 2025-09-29",
    source="paper.organization.name, organization.name; submitterOrganization.name until 2025-10-02",
    sources=("paper.organization.name", "organization.name", "submitterOrganization.name"),
    since=date(2025, 9, 29),
)
organization_name = organization.but(
    name="organization_name",
    meaning="Display name of the organization.",
    null="no organization shown; the source has none before 2025-09-29",
    source="paper.organization.fullname, organization.fullname; submitterOrganization.fullname until 2025-10-02",
    sources=("paper.organization.fullname", "organization.fullname", "submitterOrganization.fullname"),
    since=date(2025, 9, 29),
)
submitter_login = account.but(
    name="submitter_login",
    meaning="Hub login of the person who submitted the paper to Daily Papers.",
    null="not shown (before 2024-06-13, and from 2025-03-11 to 2025-03-14)",
    source="paper.submittedOnDailyBy.user (2025-03-17 on), submittedBy.name",
    sources=("paper.submittedOnDailyBy.user", "submittedBy.name"),
    since=date(2024, 6, 13),
    is_past=True,
)
submitter_name = submitter_login.but(
    name="submitter_name",
    named_by="submitter_login",
    meaning="Display name of the submitter.",
    source="paper.submittedOnDailyBy.fullname (2025-03-17 on), submittedBy.fullname",
    sources=("paper.submittedOnDailyBy.fullname", "submittedBy.fullname"),
)
upvote_count = count.but(
    name="upvote_count",
    unit="upvotes",
    meaning="Upvotes when the page was fetched.",
    null="not shown",
    source="paper.upvotes; number above the title of a saved text, `-` is 0",
    sources=("paper.upvotes",),
    origin=HUB,
)
comment_count = upvote_count.but(
    name="comment_count",
    unit="comments",
    meaning="Comments when the page was fetched.",
    source="numComments; number after the date in a saved text",
    sources=("numComments",),
)
github_star_count = count.but(
    name="github_star_count",
    unit="stars",
    meaning="Stars of the linked GitHub repository when the page was fetched.",
    null="not shown: a page fetched before 2025-06-25, no repository linked, or its stars not shown",
    sources=("paper.githubStars",),
    origin=HUB,
    since=date(2025, 6, 25),
)
model_count = count.but(
    name="model_count",
    unit="models",
    meaning="Hub models that cite the paper.",
    null="shown on a paper's own page only",
    source="numTotalModels of a paper's own answer",
    sources=("numTotalModels",),
    origin=HUB,
)
dataset_count = model_count.but(
    name="dataset_count",
    unit="datasets",
    meaning="Hub datasets that cite the paper.",
    source="numTotalDatasets of a paper's own answer",
    sources=("numTotalDatasets",),
)
space_count = model_count.but(
    name="space_count",
    unit="spaces",
    meaning="Hub spaces that cite the paper.",
    source="numTotalSpaces of a paper's own answer",
    sources=("numTotalSpaces",),
)
observed_at = instant.but(
    name="observed_at", meaning="When the page was fetched.", source="fetch time of the capture", is_bookkeeping=True
)
saved_at = observed_at.but(null="the page was saved without its fetch time")
answered_at = observed_at.but(null="the answer was saved without its fetch time")
first_seen_at = instant.but(
    name="first_seen_at",
    meaning="Fetch time of the first page that showed it.",
    null="seen only on pages whose fetch time is unknown",
    source="earliest observed_at of its sightings",
    is_bookkeeping=True,
)
last_seen_at = first_seen_at.but(
    name="last_seen_at",
    meaning="Fetch time of the last page that showed it.",
    source="latest observed_at of its sightings",
)
sighting_count = count.but(
    name="sighting_count",
    unit="sightings",
    meaning="Number of sightings that the row is based on.",
    minimum=1,
    is_bookkeeping=True,
)
SEEN = (first_seen_at, last_seen_at, sighting_count)
