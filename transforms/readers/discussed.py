"""How much a paper's page shows that it was discussed: counts, and nothing of who wrote or what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from transforms.readers.hub_items import HubCount
from transforms.readers.json_values import BROKEN
from transforms.readers.reading import Author, Discussion, Reading


class _Reaction(Struct, gc=False):
    count: HubCount = 0


class _Said(Struct, gc=False):
    hidden: bool = False
    reactions: list[_Reaction] = []


class _Writer(Struct, gc=False):
    name: str | None = None


class _Comment(Struct, gc=False):
    """A comment or a reply. `type` may be of an event that is none."""

    author: _Writer | None = None
    type: str = "comment"
    data: _Said = msgspec.field(default_factory=_Said)
    replies: list[_Comment] = []


class _Talk(Struct, gc=False):
    """What a paper's page starts from; without the key nothing is known of a discussion."""

    comments: list[_Comment] | None = None


TALK = msgspec.json.Decoder(_Talk)
DEEPEST = 32  # levels of replies


def add_discussion(reading: Reading, props: bytes, arxiv_id: str, authors: Iterable[Author]) -> None:
    """Add the counts of the page's comments; one that does not fit rejects them all, as counts of some would lie."""
    try:
        comments = TALK.decode(props).comments
    except BROKEN as error:
        reading.reject(error, "PaperContent/comments")
        return
    if comments is None:
        return
    accounts = {login for author in authors if author.user for login in (author.user.user, author.user.name) if login}
    told = list(_told(comments, 0))
    logins = [one.author.name if one.author else None for _, one in told]
    counts = Discussion(
        paper_id=arxiv_id,
        comment_count=sum(depth == 0 for depth, _ in told),
        reply_count=sum(depth > 0 for depth, _ in told),
        hidden_count=sum(one.data.hidden for _, one in told),
        reaction_count=sum(reaction.count for _, one in told for reaction in one.data.reactions),
        author_comment_count=sum(login in accounts for login in logins),
        commenter_count=len({login for login in logins if login}),
    )
    reading.facts.append(counts)


def _told(comments: Iterable[_Comment], depth: int) -> Iterator[tuple[int, _Comment]]:
    """Every comment with its depth, replies after what they answer."""
    for one in comments:
        if one.type == "comment":
            yield depth, one
        if depth < DEEPEST:
            yield from _told(one.replies, depth + 1)
