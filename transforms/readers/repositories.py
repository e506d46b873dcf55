"""Repositories: those on the Hub that cite a paper, and how many stars one on GitHub gained each week.

Those on the Hub are as the paper's own answer and page list them, and as whole lists of them do; stars are of those
that are still held.

The shape of the latter is that of GitHub's REST API: an array, the newest week first, each with its total and seven
days.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct, field

from transforms.readers.json_values import BROKEN, KEYS, LARGEST, elements_of, plain_values
from transforms.readers.oai_pmh import YEARS
from transforms.readers.reading import REFUSED, Page, PageFact, Reader, Reading, RefusedItem
from warehouse.archive.captured import in_utc
from warehouse.schema.core.attached import STAR_WEEKS, WEEK_DAYS
from warehouse.schema.core.cited_by import ADOPTION_LOOKS, PAPER_REPOSITORIES

# Their keys in a paper's object: the list, and how many there are
OF_A_PAPER: Final = {
    "model": ("linkedModels", "numTotalModels"),
    "dataset": ("linkedDatasets", "numTotalDatasets"),
    "space": ("linkedSpaces", "numTotalSpaces"),
}
# Downloads of a model are requests for one of these, unless its library has a file of its own for that, as the Hub's
# page on download statistics says
COUNTED_FILES: Final = frozenset({"config.json", "config.yaml", "hyperparams.yaml", "params.json", "meta.yaml"})
GATED: Final = {False: "no", True: "yes", "auto": "auto", "manual": "manual"}
NAME: Final = re.compile(PAPER_REPOSITORIES.column("repository").pattern or "", re.ASCII)
LONGEST: Final = PAPER_REPOSITORIES.column("repository").max_length or 0

Large = Annotated[int, Meta(ge=0, le=2**63 - 1)]
FactRow = dict[str, Any]


class _File(Struct, gc=False):
    rfilename: str = ""


class _Safetensors(Struct, gc=False):
    total: Large | None = None


class _Linked(Struct, gc=False):
    """A repository in any list of the Hub; keys that a kind or a list lacks are absent."""

    id: str
    downloads: Large | None = None
    all_time: Large | None = field(default=None, name="downloadsAllTime")
    likes: Large | None = None
    gated: bool | str | None = None
    created: datetime | None = field(default=None, name="createdAt")
    modified: datetime | None = field(default=None, name="lastModified")
    parameters: Large | None = field(default=None, name="numParameters")
    safetensors: _Safetensors | None = None
    siblings: list[_File] | None = None
    library_name: str | None = None


LINKED: Final = msgspec.json.Decoder(_Linked)
TOTAL: Final = msgspec.json.Decoder(Annotated[int, Meta(ge=0, lt=2**31)])


def add_linked(reading: Reading, paper: bytes, arxiv_id: str, folder: str = "") -> None:
    """Add what a paper's object says of the repositories that cite it; `folder` is where the object lies.

    An item that does not fit is rejected, and the others are kept. Of an object without these lists nothing is said.
    """
    keys = KEYS.decode(paper)
    for kind, (items, total) in OF_A_PAPER.items():
        if items in keys or total in keys:
            raws = elements_of(bytes(keys.get(items, b"[]")))
            if raws is None:
                reading.reject(RefusedItem("item_type", "no array of repositories"), f"{folder}/{items}")
                continue
            found = _repositories(reading, kind, arxiv_id, raws, f"{folder}/{items}")
            stated = None
            with suppress(*BROKEN):  # the paper's own reader rejects it
                stated = TOTAL.decode(bytes(keys[total])) if total in keys else None
            is_last = None if stated is None else len(found) >= stated
            said = {"is_first_page": True, "is_last_page": is_last, "total_count": stated}
            reading.facts += _looked(arxiv_id, kind, "paper", found, said)


def _looked(arxiv_id: str, kind: str, asked: str, found: list[FactRow], said: FactRow) -> list[PageFact]:
    """That a page was looked at for one kind of repositories, with what it `said` of its list, and those it shows."""
    look = {"paper_id": arxiv_id, "kind": kind, "asked": asked, "listed_count": len(found)} | said
    return [PageFact(ADOPTION_LOOKS, look), *(PageFact(PAPER_REPOSITORIES, one) for one in found)]


def _repositories(reading: Reading, kind: str, arxiv_id: str, raws: Iterable[bytes], folder: str) -> list[FactRow]:
    """The repositories of a list, each once, in its order; those that do not fit are rejected."""
    found: dict[str, FactRow] = {}
    for place, raw in enumerate(raws):
        try:
            one = _repository(kind, arxiv_id, LINKED.decode(raw))
            found.setdefault(one["repository"], one)
        except (*BROKEN, OverflowError) as error:
            reading.reject(error, f"{folder}/{place}", raw)
    return list(found.values())


def _repository(kind: str, arxiv_id: str, one: _Linked) -> FactRow:
    """One repository as stated; ValidationError where its name, access or dates are none."""
    if len(one.id) > LONGEST or not NAME.fullmatch(one.id):
        raise msgspec.ValidationError("the name of the repository is none")
    if one.gated is not None and one.gated not in GATED:
        raise msgspec.ValidationError("`gated` is none of false, true, auto and manual")
    basis = _download_basis(kind, one)
    is_number = basis != "not counted"
    return {
        "paper_id": arxiv_id,
        "kind": kind,
        "repository": one.id,
        "download_count": one.downloads if is_number else None,
        "download_total_count": one.all_time if is_number else None,
        "download_basis": basis,
        "like_count": one.likes,
        "gated": None if one.gated is None else GATED[one.gated],
        "created_at": _instant(one.created),
        "last_modified_at": _instant(one.modified),
        "parameter_count": one.safetensors.total if one.parameters is None and one.safetensors else one.parameters,
    }


def _download_basis(kind: str, one: _Linked) -> str | None:
    """Whether downloads are counted, where that can be told: a 0 may be one of a model that nothing is counted of."""
    if one.downloads or one.all_time:
        return "counted"
    if kind != "model" or one.siblings is None or (one.downloads is None and one.all_time is None):
        return None
    if any(file.rfilename in COUNTED_FILES for file in one.siblings):
        return "counted"
    return None if one.library_name else "not counted"


def _instant(stated: datetime | None) -> datetime | None:
    instant = in_utc(stated) if stated else None
    if instant is not None and instant.year not in YEARS:
        raise msgspec.ValidationError("a date is before 1991")
    return instant


def read_repositories(page: Page) -> Reading:
    """One page of a whole list. No item of it is a paper."""
    reading, asked = Reading(list_kind=page.request.list_kind), page.request.citing
    raws = elements_of(page.payload)
    if asked is None or raws is None:
        reading.reject(RefusedItem("malformed_json", "no JSON array of repositories"), position=0)
        return reading
    if len(page.payload) <= LARGEST:
        reading.json_items = plain_values(raws)
    found = _repositories(reading, asked.kind, asked.arxiv_id, raws, "")
    is_short = None if asked.limit is None else len(raws) < asked.limit
    is_last = is_short if page.has_next is None else not page.has_next
    said = {"is_first_page": asked.is_first, "is_last_page": is_last}
    reading.facts = _looked(asked.arxiv_id, asked.kind, "list", found, said)
    return reading


REPOSITORY_LIST = Reader(
    name="repository_list",
    source="api",
    accepts=lambda page: page.request.citing is not None,
    read=read_repositories,
    has_json=True,
)


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
    found: dict[datetime, PageFact] = {}
    for place, raw in enumerate(WEEKS.decode(page.payload)):
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
