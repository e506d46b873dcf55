"""A list of works of OpenAlex: what each is, where it was published, which papers at arXiv it holds, whether retracted.

The shape is that of OpenAlex's REST API. A paper is told by the id or the address of a location alone, never by a
title. Authors are not asked for.
"""

from __future__ import annotations

from collections.abc import Container
from datetime import date
from typing import Final

import msgspec
from msgspec import Struct, field

from transforms.readers.arxiv_raw import YEARS
from transforms.readers.json_values import BROKEN, detail_of, rule_of
from transforms.readers.reading import Page, Reader, Reading, Reject, Work, WorkRelation
from transforms.readers.request import AT_ARXIV, DOI_NAME, WorksAsked
from transforms.readers.works.crossref_work import RESOLVER, RefusedWork, limited
from warehouse.schema.core.works import OF_ARXIV, OPENALEX, PREPRINT

REPOSITORY: Final = "repository"  # a source of preprints: what lies there first was not published elsewhere
# What Crossref calls a kind of work, by OpenAlex's type of the work and of its source
KINDS: Final[dict[tuple[str | None, str | None], str]] = {
    ("article", "journal"): "journal-article",
    ("article", "conference"): "proceedings-article",
    ("article", "book series"): "proceedings-article",
    ("review", "journal"): "journal-article",
}
NEW_YEAR: Final = "-01-01"  # what OpenAlex writes where it knows the year alone


class _Source(Struct, gc=False):
    name: str | None = field(default=None, name="display_name")
    publisher: str | None = field(default=None, name="host_organization_name")
    type: str | None = None


class _Location(Struct):
    id: str | None = None
    address: str | None = field(default=None, name="landing_page_url")
    source: _Source | None = None


class _Numbers(Struct, gc=False):
    volume: str | None = None
    issue: str | None = None
    first_page: str | None = None
    last_page: str | None = None


class _Item(Struct):
    id: str
    doi: str | None = None
    title: str | None = None
    type: str | None = None
    published: str | None = field(default=None, name="publication_date")
    is_retracted: bool | None = None
    numbers: _Numbers | None = field(default=None, name="biblio")
    primary: _Location | None = field(default=None, name="primary_location")
    locations: list[_Location] | None = None


class _Meta(Struct, gc=False):
    count: int


class _WorkList(Struct):
    """How many works there are in all, and those of the page."""

    meta: _Meta
    results: list[msgspec.Raw]


ANSWER: Final = msgspec.json.Decoder(_WorkList)
ITEM: Final = msgspec.json.Decoder(_Item)


def read_works(page: Page) -> Reading:
    """The works of a page, which are no papers of a list, and of what was asked for what OpenAlex has not."""
    reading, asked = Reading(list_kind=page.request.list_kind), page.request.works or WorksAsked()
    try:
        answer = ANSWER.decode(page.payload)
    except BROKEN as error:
        reading.rejects = [Reject(rule=rule_of(error), detail=detail_of(error), position=1)]
        return reading
    found: dict[str, Work] = {}
    for place, raw in enumerate(answer.results):
        try:
            one = _work(bytes(raw), asked, found)
            found[one.doi] = one
        except (*BROKEN, RefusedWork) as error:
            rule, detail = error.args if isinstance(error, RefusedWork) else (rule_of(error), detail_of(error))
            position = len(reading.rejects) + 1
            reading.rejects.append(Reject(rule=rule, detail=detail, position=position, pointer=f"results/{place}"))
    here, count = len(answer.results), answer.meta.count
    if here < count:
        position = len(reading.rejects) + 1
        reading.rejects.append(Reject(rule="openalex_cut", detail=f"{here} of {count} works", position=position))
    wanted = () if reading.rejects else (*asked.dois, *map(of_arxiv, asked.arxiv_ids))
    lacking = [doi for doi in wanted if doi not in found]
    reading.works = [*found.values(), *(Work(registry=OPENALEX, doi=doi, is_known=False) for doi in lacking)]
    return reading


def _work(raw: bytes, asked: WorksAsked, found: Container[str]) -> Work:
    one = ITEM.decode(raw)
    doi, papers = RESOLVER.sub("", (one.doi or "").strip()).lower(), sorted(papers_of(one))
    if not doi and papers:
        doi = of_arxiv(papers[0])
    if not DOI_NAME.fullmatch(doi):
        raise RefusedWork("openalex_doi", f"{one.id} has neither a DOI nor a paper at arXiv: {one.doi}")
    if doi not in asked.dois and not {*papers} & {*asked.arxiv_ids}:
        raise RefusedWork("openalex_other_work", f"{one.id}, of the DOI {doi}, was not asked for")
    if doi in found:
        raise RefusedWork("openalex_twice", f"{one.id} is another work of the DOI {doi}")
    source, numbers = (one.primary and one.primary.source) or _Source(), one.numbers or _Numbers()
    is_unplaced = doi.startswith(OF_ARXIV) and not source.name
    is_preprint = one.type == "preprint" or source.type == REPOSITORY or is_unplaced
    pages = "-".join(dict.fromkeys(filter(None, (numbers.first_page, numbers.last_page))))
    relations = [WorkRelation(relation="has-preprint", other_doi=None, arxiv_id=paper) for paper in papers]
    if one.is_retracted:
        relations.append(WorkRelation(relation="updated-by", other_doi=None, arxiv_id=None, update_type="retraction"))
    return Work(
        registry=OPENALEX,
        doi=doi,
        work_type=limited("work_type", PREPRINT if is_preprint else KINDS.get((one.type, source.type), one.type)),
        title=limited("title", one.title),
        venue=None if is_preprint else limited("venue", source.name),
        publisher=limited("publisher", source.publisher),
        published=day_or_year(one.published),
        volume=limited("volume", numbers.volume),
        issue=limited("issue", numbers.issue),
        pages=limited("pages", pages),
        relations=tuple(relations),
    )


def papers_of(one: _Item) -> set[str]:
    """The papers at arXiv that a work holds, as the ids of its locations say, else their addresses, or its own DOI."""
    named = [(one.doi,), *((place.id, place.address) for place in (one.locations or ()))]
    return {
        ids[0] for texts in named if (ids := [said[1] for text in texts if (said := AT_ARXIV.fullmatch(text or ""))])
    }


def of_arxiv(arxiv_id: str) -> str:
    """arXiv's own DOI of a paper, in lower case."""
    return f"{OF_ARXIV}arxiv.{arxiv_id}".lower()


def day_or_year(stated: str | None) -> str | None:
    """A day of the calendar, or its year alone where OpenAlex knows no more; None where it is none.

    >>> day_or_year("2026-03-09"), day_or_year("2026-01-01"), day_or_year("2026-02-30")
    ('2026-03-09', '2026', None)
    """
    try:
        day = date.fromisoformat(stated or "")
    except ValueError:
        return None
    return day.isoformat().removesuffix(NEW_YEAR) if day.year in YEARS else None


OPENALEX_WORKS: Final = Reader(
    name="openalex_works",
    source="api",
    accepts=lambda page: page.request.works is not None,
    read=read_works,
)
