"""An item of the Hub, as its API and its pages have it, and what it says of a paper.

One set of types covers every era: what a key was called before is a field of its own, and what an era lacks is
None (missing values are omitted keys, docs/source.md §1). The types are strict: an item whose types changed is
rejected, the rest of its page is kept.
"""

import re
from collections.abc import Callable, Iterable
from itertools import compress
from operator import attrgetter
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from transforms.readers.json_values import BROKEN
from transforms.readers.reading import Author, Reading, RefusedItem, Sighting
from transforms.readers.request import day

RECORD = re.compile(r"[5-9a-f][0-9a-f]{23}")  # made since 2012; ids that were made up have lower digits
RECORDS = re.compile(rf"(?:{RECORD.pattern} )+")
AT_ONCE, OF_ONE = slice(18), slice(8, 18)  # moment and machine; machine
RECORD_OF = attrgetter("record")
SOON = 3600  # seconds


# Ids of records: the moment one was made, then the machine that made it, then a count. The records of a paper's authors
# are made at once, and that of its discussion soon after by the same machine: so in all 7,742 items of real lists, in
# 164 seconds at most (docs/source.md §4)
def records_of(ids: Iterable[object]) -> list[str]:
    """The ids among these that are of records."""
    texts = [one for one in ids if isinstance(one, str)]
    if RECORDS.fullmatch(" ".join((*texts, ""))):  # nearly always all are, and one look is enough
        return texts
    return [one for one in texts if RECORD.fullmatch(one)]


def are_of_one_paper(authors: list[str], discussion: str | None) -> bool:
    """Whether the records of some authors, in order, can be of one paper, and of the paper of a discussion.

    >>> are_of_one_paper(["65f11d4afd7e9976e3f7b745"], "65f11d4bfd7e9976e3f7b74a")
    True
    >>> are_of_one_paper(["65f0cc4afd7e9976e3f7b745", "65f11d4afd7e9976e3f7b745"], None)
    False
    """
    if not authors:
        return True
    if authors[0][AT_ONCE] != authors[-1][AT_ONCE]:  # what these two begin with, all begin with
        return False
    if discussion is None or not RECORD.fullmatch(discussion):
        return True
    seconds = int(discussion[:8], 16) - int(authors[0][:8], 16)
    return discussion[OF_ONE] == authors[0][OF_ONE] and 0 <= seconds <= SOON


HubCount = Annotated[int, Meta(ge=-(2**31), lt=2**31)]
Total = HubCount | None
Text = str | None

THUMBNAIL = "/social-thumbnails/"  # of mediaUrl, all but one were the thumbnail (docs/source.md §2)


class HubPerson(Struct, gc=False):
    """A submitter: the login is `name` in submittedBy, `user` in submittedOnDailyBy."""

    user: Text = None
    name: Text = None
    fullname: Text = None

    @property
    def login(self) -> Text:
        return self.user or self.name or None


class Organization(Struct, gc=False):
    """`name` is the login, `fullname` what is shown."""

    name: Text = None
    fullname: Text = None

    @property
    def login(self) -> Text:
        return self.name or None


class HubPaper(Struct, gc=False):
    """The inner object of a list item, and the whole answer of /api/papers/{id}."""

    id: str
    title: Text = None
    summary: Text = None
    authors: list[Author] | None = None
    publishedAt: Text = None  # noqa: N815
    upvotes: Total = None
    discussionId: Text = None  # noqa: N815
    submittedOnDailyAt: Text = None  # noqa: N815
    submittedOnDailyBy: HubPerson | None = None  # noqa: N815
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


class HubItem(Struct, gc=False):
    """The outer object of a list item."""

    paper: HubPaper
    publishedAt: Text = None  # noqa: N815
    title: Text = None
    summary: Text = None
    thumbnail: Any = None  # of another type it is no reason to reject the item
    mediaUrl: Text = None  # noqa: N815
    mediaUrls: list[str] | None = None  # noqa: N815
    numComments: Total = None  # noqa: N815
    submittedBy: HubPerson | None = None  # noqa: N815
    isAuthorParticipating: bool | None = None  # noqa: N815
    organization: Organization | None = None
    submitterOrganization: Organization | None = None  # noqa: N815


HUB_ITEM = msgspec.json.Decoder(HubItem)


def account_of(*places: HubPerson | Organization | None) -> tuple[Text, Text]:
    """The login and the shown name of one account: of the first place that has a login, and of those that agree.

    So an account whose keys the source renamed in one place is still known by another.
    """
    login = name = None
    for one in places:
        if one is None:
            continue
        if login is None:
            login, name = one.login, one.fullname
        elif not name and one.login == login:
            name = one.fullname
        if login and name:  # as nearly always in the first place
            break
    return login, name


NOBODY = HubPerson()
NOTHING = Organization()


def sighting_of(item: HubItem, position: int, pointer: str) -> Sighting:
    """The sighting of one list item, neither judged nor cleaned."""
    paper = item.paper
    # One person, and one organization, by the names and in the places that they had over time (docs/source.md §2, §3)
    submitter, submitter_name = account_of(paper.submittedOnDailyBy, item.submittedBy)
    organization, organization_name = account_of(paper.organization, item.organization, item.submitterOrganization)
    authors = paper.authors or None
    records = records_of(map(RECORD_OF, authors)) if authors else []
    # the thumbnail is made from the id and says nothing
    uploads = [item.mediaUrl] if item.mediaUrl and THUMBNAIL not in item.mediaUrl else []
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
        submitter_login=submitter,
        submitter_name=submitter_name,
        author_count=len(authors) if authors else None,
        authors=authors,
        organization_login=organization,
        organization_name=organization_name,
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
        media_urls=[*(item.mediaUrls or ()), *(paper.mediaUrls or ()), *uploads] or None,
        discussion_id=paper.discussionId,
        is_author_participating=item.isAuthorParticipating,
        outer_title=_otherwise(item.title, paper.title),
        outer_abstract=_otherwise(item.summary, paper.summary),
        outer_organization_login=_otherwise(
            (item.submitterOrganization or item.organization or NOTHING).name, organization
        ),
        outer_submitter_login=_otherwise((item.submittedBy or NOBODY).name, submitter),
        record=records[0] if records else None,
        doubts=doubts_of(item, records),
    )


def item_at(raw: bytes, position: int, pointer: str) -> Sighting:
    """The sighting of a list item as JSON; one of BROKEN where it is none."""
    return sighting_of(HUB_ITEM.decode(raw), position, pointer)


def take_each(
    reading: Reading, raws: Iterable[bytes], folder: str, read: Callable[[bytes, int, str], Sighting] = item_at
) -> None:
    """Add the items of a list, which lie in `folder` of the page; those that do not fit are rejected one by one."""
    for place, raw in enumerate(raws, 1):
        pointer = f"{folder}/{place - 1}"
        try:
            reading.sightings.append(read(raw, place, pointer))
        except BROKEN as error:
            reading.reject(error, pointer, raw, place)


def doubts_of(item: HubItem, records: list[str]) -> Text:
    """What contradicts an item's ids and addresses, as words with spaces between; `records` are its authors'."""
    paper, in_order = item.paper, sorted(records)
    doubts = {
        "author_records": not are_of_one_paper(in_order, paper.discussionId),
        "author_order": records != in_order,
        "thumbnail": _is_of_another(item.thumbnail, paper.id) or _is_of_another(item.mediaUrl, paper.id),
    }
    return " ".join(compress(doubts, doubts.values())) or None


def _is_of_another(picture: object, arxiv_id: str) -> bool:
    return isinstance(picture, str) and THUMBNAIL in picture and arxiv_id not in picture


def _otherwise(outer: Text, inner: Text) -> Text:
    """What the outer object says otherwise than the inner one, in more than whitespace (19 of 2,891 titles)."""
    if outer is None or inner is None or outer == inner or outer.split() == inner.split():
        return None
    return outer


def on_its_own_day(reading: Reading) -> Reading:
    """A daily list, dated by the day that its items state: the day asked for in 7,077 of 7,077 items.

    A list whose items all carry one other day is the site showing that day's list. Where only some do, a later day is
    a resubmission (4 of 10,049 papers, docs/source.md §6), and an item of an earlier day is rejected.
    """
    asked = reading.listed_on
    if asked is None:
        return reading
    own = [day(sighting.listed) or asked for sighting in reading.sightings]
    if len(set(own)) == 1 and asked not in own:
        reading.listed_on, reading.listed_basis = own[0], "item"
    elif set(own) != {asked}:
        sightings, reading.sightings = reading.sightings, []
        for sighting, on in zip(sightings, own, strict=True):
            if on == asked or (on > asked and asked in own):
                reading.sightings.append(sighting)
            else:
                error = RefusedItem("other_day", f"the item is of the list of {on}, not of {asked}")
                reading.reject(error, sighting.pointer, position=sighting.position)
    return reading
