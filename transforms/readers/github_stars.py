"""GitHub's history of a repository's stars: how many it gained each week, of those that are still held.

The shape is that of GitHub's REST API: an array, the newest week first, each with its total and seven days.
"""

from datetime import UTC, datetime
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from transforms.readers.json_values import BROKEN
from transforms.readers.oai_pmh import YEARS
from transforms.readers.reading import REFUSED, Page, PageFact, Reader, Reading, RefusedItem
from warehouse.archive.captured import in_utc
from warehouse.schema.core.attached import STAR_WEEKS, WEEK_DAYS

StarCount = Annotated[int, Meta(ge=0, lt=2**31)]


class _Week(Struct):
    week: Annotated[int, Meta(ge=0, lt=2**36)]
    total: StarCount
    days: list[StarCount]


WEEKS: Final = msgspec.json.Decoder(list[msgspec.Raw])
WEEK: Final = msgspec.json.Decoder(_Week)


def read_stars(page: Page) -> Reading:
    """The weeks of an answer, each once; those of another shape are refused by name."""
    reading, repository = Reading(list_kind=page.request.list_kind), page.request.starred or ""
    try:
        raws = WEEKS.decode(page.payload)
    except BROKEN as error:
        reading.reject(error, raw=page.payload)
        return reading
    found: dict[datetime, PageFact] = {}
    for place, raw in enumerate(raws):
        try:
            starts_at, gained_count = _week(bytes(raw))
            if starts_at in found:
                raise RefusedItem("github_twice", f"the week of {starts_at} comes again")
            row = {"repository": repository, "starts_at": starts_at, "gained_count": gained_count}
            found[starts_at] = PageFact(STAR_WEEKS, row)
        except REFUSED as error:
            reading.reject(error, str(place), bytes(raw))
    reading.facts = list(found.values())
    return reading


def _week(raw: bytes) -> tuple[datetime, int]:
    """When a week starts, and how many stars it gained."""
    one = WEEK.decode(raw)
    starts_at = in_utc(datetime.fromtimestamp(one.week, UTC))
    if len(one.days) != WEEK_DAYS or sum(one.days) != one.total or starts_at.year not in YEARS:
        detail = f"the week of {starts_at} has {one.total} stars on {len(one.days)} days: {sum(one.days)}"
        raise RefusedItem("github_week", detail)
    return starts_at, one.total


GITHUB_STARS: Final = Reader(
    name="github_stars", source="api", accepts=lambda page: page.request.starred is not None, read=read_stars
)
