"""Answers of the Hub's JSON API: daily, weekly, monthly, trending and latest lists, search, one paper.

One set of types covers every era: what a key was called before is a field of its own, and what an era lacks is
None (missing values are omitted keys, docs/source.md §1). The types are strict: an item whose types changed is
rejected, the rest of its page is kept.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from transforms.readers.json_paths import LARGEST
from transforms.readers.json_values import (
    BROKEN,
    MOST_ITEMS,
    PLAIN,
    REPR,
    around,
    detail_of,
    elements_of,
    plain_values,
    rule_of,
)
from transforms.readers.reader import Page, Reader
from transforms.readers.reading import Author, Reading, Reject, Sighting
from transforms.readers.request import Request

Count = Annotated[int, Meta(ge=-(2**31), lt=2**31)]
Total = Count | None
Text = str | None

LISTS = ("/api/daily_papers", "/api/papers/search")
A_PAPER = "/api/papers/"
THUMBNAIL = "/social-thumbnails/"  # of mediaUrl, all but one were the thumbnail (docs/source.md §2)


class Person(Struct, gc=False):
    """A submitter: the login is `name` in submittedBy, `user` in submittedOnDailyBy."""

    user: Text = None
    name: Text = None
    fullname: Text = None


class Organization(Struct, gc=False):
    """`name` is the login, `fullname` what is shown."""

    name: Text = None
    fullname: Text = None


class Paper(Struct, gc=False):
    """The inner object of a list item, and the whole answer of /api/papers/{id}."""

    id: str
    title: Text = None
    summary: Text = None
    authors: list[Author] | None = None
    publishedAt: Text = None  # noqa: N815
    upvotes: Total = None
    discussionId: Text = None  # noqa: N815
    submittedOnDailyAt: Text = None  # noqa: N815
    submittedOnDailyBy: Person | None = None  # noqa: N815
    ai_keywords: list[str] | None = None
    ai_summary: Text = None
    ai_summary_model: Text = None
    githubRepo: Text = None  # noqa: N815
    githubRepoAddedBy: Text = None  # noqa: N815
    githubStars: Total = None  # noqa: N815
    projectPage: Text = None  # noqa: N815
    mediaUrls: list[str] | None = None  # noqa: N815
    organization: Organization | None = None
    numTotalModels: Total = None  # noqa: N815
    numTotalDatasets: Total = None  # noqa: N815
    numTotalSpaces: Total = None  # noqa: N815


class Item(Struct, gc=False):
    """The outer object of a list item."""

    paper: Paper
    publishedAt: Text = None  # noqa: N815
    title: Text = None
    summary: Text = None
    mediaUrl: Text = None  # noqa: N815
    mediaUrls: list[str] | None = None  # noqa: N815
    numComments: Total = None  # noqa: N815
    submittedBy: Person | None = None  # noqa: N815
    isAuthorParticipating: bool | None = None  # noqa: N815
    organization: Organization | None = None
    submitterOrganization: Organization | None = None  # noqa: N815


class Wrapped(Struct, gc=False):
    """An envelope that the API never had: some archives put one around the answer (docs/source.md, head)."""

    data: msgspec.Raw


class Shape(Struct, gc=False):
    """As much of a JSON object as shows whether it is a paper."""

    id: msgspec.Raw = msgspec.Raw(b"")
    title: msgspec.Raw = msgspec.Raw(b"")


NOBODY = Person()
NOTHING = Organization()
ITEMS = msgspec.json.Decoder(list[Item])
ITEM = msgspec.json.Decoder(Item)
PAPER = msgspec.json.Decoder(Paper)
WRAPPED = msgspec.json.Decoder(Wrapped)
SHAPE = msgspec.json.Decoder(Shape)


def is_of_api(request: Request) -> bool:
    """Whether an address asks for what the readers of this module read."""
    return request.path.endswith(LISTS) or A_PAPER in request.path


def shape_of(payload: bytes) -> Shape | None:
    """The shape of a JSON object; None where the bytes are none."""
    try:
        return SHAPE.decode(payload)
    except BROKEN:
        return None


def _is_list(page: Page) -> bool:
    """By the address where it asks for one of the API's answers; else an array is a list."""
    if page.form != "json" or is_of_api(page.request):
        return page.form == "json" and page.request.path.endswith(LISTS)
    return page.payload.lstrip()[:1] == b"["


def _is_paper(page: Page) -> bool:
    """By the address where it asks for one of the API's answers; else an object with id and title is a paper."""
    if page.form != "json" or is_of_api(page.request):
        return page.form == "json"
    shape = shape_of(page.payload)
    return shape is not None and bool(bytes(shape.id)) and bool(bytes(shape.title))


def read_api_list(payload: bytes, request: Request) -> Reading:
    """A list answer: a bare array of items. Items that do not fit are rejected one by one."""
    reading = Reading(
        list_kind=request.list_kind or "latest",
        listed_on=request.listed_on,
        listed_basis="request" if request.listed_on else None,
        list_period=request.list_period,
        list_query=request.list_query,
    )
    try:
        items, reading.json_items = _decoded(payload)
        reading.sightings = [sighting_of(item, place, f"/{place - 1}") for place, item in enumerate(items, 1)]
    except BROKEN as error:
        _read_one_by_one(payload, reading, error)
    return reading


def _decoded(payload: bytes) -> tuple[list[Item], list[object]]:
    """The items of a page, and the same as plain values: both from one decoding, faster than two (`bench/read.py`)."""
    if len(payload) > LARGEST:
        return ITEMS.decode(payload), []
    plain = PLAIN.decode(payload)
    return msgspec.convert(plain, list[Item]), plain


def read_api_paper(payload: bytes) -> Reading:
    """The answer of /api/papers/{id}: one bare paper."""
    reading = Reading(list_kind="paper")
    try:
        reading.json_items = plain_values([payload])
        reading.sightings = [sighting_of(Item(paper=PAPER.decode(payload)), 1, "")]
    except BROKEN as error:
        reading.rejects = [Reject(rule=rule_of(error), detail=detail_of(error))]
    return reading


def _read_one_by_one(payload: bytes, reading: Reading, whole: Exception) -> None:
    """The slow path of a page with at least one bad item: keep the good, say of each bad one why.

    `whole` is what is wrong with the page, for one that cannot be parted into items.
    """
    folder, elements = "", elements_of(payload)
    if elements is None:
        folder, elements = "/data", _wrapped(payload)
    if elements is None:
        reading.json_around = plain_values([payload])
        reading.rejects.append(_whole_page(payload, whole))
        return
    reading.json_items, reading.json_around = plain_values(elements), around(payload, "data") if folder else []
    for place, raw in enumerate(elements, 1):
        pointer = f"{folder}/{place - 1}"
        try:
            if folder:
                _raise_for_envelope(raw)
            reading.sightings.append(sighting_of(ITEM.decode(raw), place, pointer))
        except BROKEN as error:
            rule = "python_repr" if raw.startswith(REPR) else rule_of(error)
            reading.rejects.append(Reject(position=place, pointer=pointer, rule=rule, detail=detail_of(error, raw)))


def _whole_page(payload: bytes, error: Exception) -> Reject:
    """Why a page cannot be parted into items. Of an array that is cut off, its first bad item is not the reason."""
    if isinstance(error, msgspec.ValidationError) and payload.lstrip()[:1] == b"[":
        detail = f"an array whose brackets or quotes do not pair, or that has more than {MOST_ITEMS:,} items"
        return Reject(rule="malformed_json", detail=detail)
    return Reject(rule=rule_of(error), detail=detail_of(error))


def _wrapped(payload: bytes) -> list[bytes] | None:
    """The elements inside an envelope, where the page is one."""
    try:
        return elements_of(bytes(WRAPPED.decode(payload).data))
    except BROKEN:
        return None


def _raise_for_envelope(raw: bytes) -> None:
    """An item inside an envelope that the source never had is not the source's word, whatever it looks like."""
    if raw[:1] == b"{":
        raise msgspec.ValidationError("the item stands in an envelope that the API does not have")


def sighting_of(item: Item, position: int, pointer: str) -> Sighting:
    """What one list item says, without judging or cleaning it."""
    paper = item.paper
    submitter = paper.submittedOnDailyBy or item.submittedBy or NOBODY
    organization = paper.organization or item.organization or item.submitterOrganization or NOTHING
    authors = paper.authors or None
    return Sighting(
        position=position,
        pointer=pointer,
        arxiv_id=paper.id,
        title=paper.title if paper.title is not None else item.title,
        abstract=paper.summary if paper.summary is not None else item.summary,
        ai_summary=paper.ai_summary,
        ai_summary_model=paper.ai_summary_model,
        published=paper.publishedAt,
        submitted=item.publishedAt,
        listed=paper.submittedOnDailyAt,
        submitter_login=submitter.user or submitter.name,
        submitter_name=submitter.fullname,
        author_count=len(authors) if authors else None,
        authors=authors,
        organization_login=organization.name,
        organization_name=organization.fullname,
        upvote_count=paper.upvotes,
        comment_count=item.numComments,
        github_star_count=paper.githubStars,
        model_count=paper.numTotalModels,
        dataset_count=paper.numTotalDatasets,
        space_count=paper.numTotalSpaces,
        keywords=paper.ai_keywords,
        github_url=paper.githubRepo,
        github_added_by=paper.githubRepoAddedBy,
        project_url=paper.projectPage,
        media_urls=_media(item),
        discussion_id=paper.discussionId,
        is_author_participating=item.isAuthorParticipating,
        outer_title=_otherwise(item.title, paper.title),
        outer_abstract=_otherwise(item.summary, paper.summary),
        outer_organization_login=_otherwise(
            (item.submitterOrganization or item.organization or NOTHING).name, organization.name
        ),
        outer_submitter_login=_otherwise((item.submittedBy or NOBODY).name, submitter.user or submitter.name),
    )


def _otherwise(outer: Text, inner: Text) -> Text:
    """What the outer object says otherwise than the inner one, in more than whitespace (19 of 2,891 titles)."""
    if outer is None or inner is None or outer == inner or outer.split() == inner.split():
        return None
    return outer


def _media(item: Item) -> list[str] | None:
    """Uploads only: the thumbnail is made from the id and says nothing."""
    if item.mediaUrls or item.paper.mediaUrls:
        return item.mediaUrls or item.paper.mediaUrls
    if item.mediaUrl and THUMBNAIL not in item.mediaUrl:
        return [item.mediaUrl]
    return None


API_LIST = Reader(
    name="api_list",
    source="api",
    accepts=_is_list,
    read=lambda page: read_api_list(page.payload, page.request),
    has_json=True,
    is_list=True,
)
API_PAPER = Reader(
    name="api_paper",
    source="api",
    accepts=_is_paper,
    read=lambda page: read_api_paper(page.payload),
    has_json=True,
)
