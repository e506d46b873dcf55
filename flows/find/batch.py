"""Answers queries that come as JSON lines, each as it comes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from flows.find.finder import Finder, Hit
from warehouse.errors import NothingThere, UsageError


class Asked(msgspec.Struct):
    """One line: a search by `text`, or the papers like `paper_id`."""

    query_id: str | int
    text: str | None = None
    paper_id: str | None = None
    limit: int = 10


def answers(finder: Finder, lines: Iterable[bytes]) -> Iterator[bytes]:
    """The answer to each line; one that cannot be answered has no papers, and an `error` that says why."""
    decode, encode = msgspec.json.Decoder(Asked).decode, msgspec.json.Encoder().encode
    for line in filter(bytes.strip, lines):
        answer: dict[str, object] = {"query_id": None, "paper_ids": []}
        try:
            asked = decode(line)
            answer["query_id"] = asked.query_id
            answer["paper_ids"] = [hit.paper_id for hit in hits_of(finder, asked)]
        except (msgspec.DecodeError, UsageError, NothingThere) as error:
            answer["error"] = str(error)
        yield encode(answer)


def hits_of(finder: Finder, asked: Asked) -> list[Hit]:
    """The hits for one line; UsageError where it asks for nothing, or for two things."""
    if asked.limit >= 1 and asked.text is not None and asked.paper_id is None:
        return finder.search(asked.text, asked.limit).hits
    if asked.limit >= 1 and asked.text is None and asked.paper_id is not None:
        return finder.similar([asked.paper_id], asked.limit)
    raise UsageError("give text or paper_id, one of them, and a limit of 1 or more")
