"""The interface of readers: the papers that a page shows, the items that were rejected, the facts of the page.

A reader is one layout of the source: how its pages are recognised, and how they are read.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import chain
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import astuple

from transforms.readers.json_values import BROKEN, fault_of
from transforms.readers.request import Request
from warehouse.schema.provenance import Source
from warehouse.schema.table import Table

# What came of a page: a reader read it; no page came; the answer is an HTTP error; the page is known to hold no papers;
# no reader knows its layout; a page that should be readable is damaged; what a page says is not to be taken
ReadOutcome = Literal["read", "failed", "http_error", "no_papers", "unknown_layout", "unreadable", "set_aside"]


class Account(Struct, gc=False):
    """The Hub account of an author, keys as the source has them: `name` is the same login, there since 2026-03-12."""

    user: str | None = None
    name: str | None = None


class Author(Struct, gc=False):
    """One author as a page lists them, keys as the source has them, so that a page's many authors are decoded once."""

    name: str
    user: Account | None = None
    claim_status: str | None = field(default=None, name="status")
    is_hidden: bool | None = field(default=None, name="hidden")
    record: Any = field(default=None, name="_id")


class Sighting(Struct, kw_only=True, gc=False):
    """One paper on one page, as the page has it: text is not cleaned yet, instants are not parsed yet.

    `position` counts the items of the page from 1, rejected ones included. `pointer` says where the item lies in
    the raw page. `published`, `submitted` and `listed` are the source's own strings; a reader that has only a day
    gives `published_on` and, where it worked out the year, `published_basis="inferred"`. `description` is a text that
    may be the abstract or the AI summary, where the page does not say which. Of what an answer says in two places the
    inner object's value is taken; `outer_…` holds the outer object's, if different. `record` is the id of the first
    author's record, `doubts` what the item's ids and addresses say against it, words with spaces between.
    """

    position: int
    pointer: str
    title: str | None
    arxiv_id: str | None = None
    abstract: str | None = None
    description: str | None = None
    ai_summary: str | None = None
    ai_summary_model: str | None = None
    published: str | None = None
    published_on: date | None = None
    published_basis: str | None = None
    submitted: str | None = None
    listed: str | None = None
    submitter_login: str | None = None
    submitter_name: str | None = None
    author_count: int | None = None
    authors: list[Author] | None = None
    organization_login: str | None = None
    organization_name: str | None = None
    upvote_count: int | None = None
    comment_count: int | None = None
    github_star_count: int | None = None
    model_count: int | None = None
    dataset_count: int | None = None
    space_count: int | None = None
    keywords: list[str] | None = None
    github_url: str | None = None
    github_added_by: str | None = None
    project_url: str | None = None
    media_urls: list[str] | None = None
    discussion_id: str | None = None
    is_author_participating: bool | None = None
    outer_title: str | None = None
    outer_abstract: str | None = None
    outer_organization_login: str | None = None
    outer_submitter_login: str | None = None
    record: str | None = None
    doubts: str | None = None


class Reject(Struct, frozen=True, kw_only=True, gc=False):
    """An item that cannot be a sighting. Position 0 and an empty pointer mean the page as a whole."""

    rule: str
    detail: str
    position: int = 0
    pointer: str = ""


class RefusedItem(Exception):
    """An item, or a whole answer, of another shape than is known: a rule's name, and what is wrong."""


REFUSED = (*BROKEN, RefusedItem)


class PageFact(NamedTuple):
    """A fact around papers: a row of a table, but for what is of its capture. A column left out is not stated."""

    table: Table
    row: dict[str, Any]


class Reading(Struct, kw_only=True):
    """One page, read.

    `sightings` and `rejects` together are all its items, each position once; `json_items` and `json_around` are all its
    JSON, what is not read too: the items, and what stands around them. They are plain values, or objects of a known
    form (`known_items`). `facts` are what is around papers; `arxiv_changes` has the papers that a page of changes
    lists, and the days.

    A page that no reader read has no `reader` and no `source`, and a `reason`: its `outcome` in words.
    """

    outcome: ReadOutcome = "read"
    reader: str | None = None
    reason: str | None = None
    source: Source | None = None
    list_kind: str | None = None
    sightings: list[Sighting] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    json_items: list[Any] = field(default_factory=list)
    json_around: list[Any] = field(default_factory=list)
    facts: list[PageFact] = field(default_factory=list)
    arxiv_changes: list[tuple[str, date]] = field(default_factory=list)
    listed_on: date | None = None
    listed_basis: Literal["request", "page", "item"] | None = None
    list_period: str | None = None
    list_query: str | None = None
    page_on: date | None = None
    page_basis: Literal["stated", "inferred"] | None = None

    def reject(self, error: Exception, pointer: str = "", raw: bytes = b"", position: int | None = None) -> None:
        """Set an item aside for one of REFUSED, raised of `raw`; by default after the places of all that was read."""
        rule, detail = error.args if isinstance(error, RefusedItem) else fault_of(error, raw)
        place = len(self.rejects) + len(self.sightings) + 1 if position is None else position
        self.rejects.append(Reject(position=place, pointer=pointer, rule=rule, detail=detail))


def begun(request: Request, list_kind: str | None) -> Reading:
    """A reading of the list that an address asks for, as far as that tells which."""
    return Reading(
        list_kind=list_kind,
        listed_on=request.listed_on,
        listed_basis="request" if request.listed_on else None,
        list_period=request.list_period,
        list_query=request.list_query,
    )


Form = Literal["json", "html", "text"]


@dataclass(frozen=True, slots=True)
class Page:
    """A page that came whole: its bytes, what its address asks for, and what its first bytes say it is.

    `has_next` is whether its answer links to a page that follows; None where its headers were not kept.
    """

    payload: bytes
    request: Request
    fetched_at: datetime | None
    form: Form
    has_next: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One reader. `accepts` is asked of pages that no reader before it accepted; `read` leaves name and source to us.

    It raises one of REFUSED where a page is to be rejected whole. `has_json`: its pages have JSON, the paths of which
    are counted. `is_list`: its pages are lists of papers.
    """

    name: str
    source: Source
    accepts: Callable[[Page], bool]
    read: Callable[[Page], Reading]
    has_json: bool = False
    is_list: bool = False


def columns_of(structs: Sequence[Struct], width: int) -> list[list[Any]]:
    """The values of each of `width` fields, which is all that the type has.

    >>> columns_of([Account("ada"), Account("lin", "lin")], 2)
    [['ada', 'lin'], [None, 'lin']]
    """
    values = list(chain.from_iterable(map(astuple, structs)))
    return [values[place::width] for place in range(width)]
