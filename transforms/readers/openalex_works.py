"""A list of works of OpenAlex: what each is, where it was published, which papers at arXiv it holds, whether retracted.

The shape is that of OpenAlex's REST API. A paper is told by the id or the address of a location alone, never by a
title. Authors are not asked for.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import date
from typing import Final

import msgspec
from msgspec import Struct, field

from transforms.readers.crossref_work import RESOLVER, stated_work, unknown_work
from transforms.readers.oai_pmh import YEARS
from transforms.readers.reading import REFUSED, Page, PageFact, Reader, Reading, RefusedItem
from transforms.readers.request import AT_ARXIV, DOI_NAME, WorksAsked
from warehouse.schema.core.works import OF_ARXIV, OPENALEX, PREPRINT, WORK_RELATIONS

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
    answer = ANSWER.decode(page.payload)
    found: dict[str, PageFact] = {}
    relations: list[PageFact] = []
    for place, raw in enumerate(answer.results):
        try:
            one = ITEM.decode(bytes(raw))
            papers = sorted(papers_of(one))
            doi = doi_of(one, papers, asked, found)
            found[doi] = _work(one, doi)
            relations += relations_of(one, doi, papers, len(relations) + 1)
        except REFUSED as error:
            reading.reject(error, f"results/{place}", bytes(raw))
    here, count = len(answer.results), answer.meta.count
    if here < count:
        reading.reject(RefusedItem("openalex_cut", f"{here} of {count} works"))
    wanted = () if reading.rejects else (*asked.dois, *map(of_arxiv, asked.arxiv_ids))
    lacking = [doi for doi in wanted if doi not in found]
    unknown = (unknown_work(OPENALEX, doi) for doi in lacking)
    reading.facts = [*found.values(), *unknown, *relations]
    return reading


def doi_of(one: _Item, papers: Sequence[str], asked: WorksAsked, found: Container[str]) -> str:
    """The DOI of a work, which may be arXiv's own; RefusedItem of one that was not asked for, or is another's."""
    doi = RESOLVER.sub("", (one.doi or "").strip()).lower()
    if not doi and papers:
        doi = of_arxiv(papers[0])
    if not DOI_NAME.fullmatch(doi):
        raise RefusedItem("openalex_doi", f"{one.id} has neither a DOI nor a paper at arXiv: {one.doi}")
    if doi not in asked.dois and not {*papers} & {*asked.arxiv_ids}:
        raise RefusedItem("openalex_other_work", f"{one.id}, of the DOI {doi}, was not asked for")
    if doi in found:
        raise RefusedItem("openalex_twice", f"{one.id} is another work of the DOI {doi}")
    return doi


def _work(one: _Item, doi: str) -> PageFact:
    source, numbers = (one.primary and one.primary.source) or _Source(), one.numbers or _Numbers()
    is_unplaced = doi.startswith(OF_ARXIV) and not source.name
    is_preprint = one.type == "preprint" or source.type == REPOSITORY or is_unplaced
    pages = "-".join(dict.fromkeys(filter(None, (numbers.first_page, numbers.last_page))))
    return stated_work(
        OPENALEX,
        doi,
        day_or_year(one.published),
        work_type=PREPRINT if is_preprint else KINDS.get((one.type, source.type), one.type),
        title=one.title,
        venue=None if is_preprint else source.name,
        publisher=source.publisher,
        volume=numbers.volume,
        issue=numbers.issue,
        pages=pages,
    )


def relations_of(one: _Item, doi: str, papers: Iterable[str], first: int) -> Iterator[PageFact]:
    """The papers at arXiv that a work holds, and its retraction; their positions from `first` on."""
    said: list[dict[str, str]] = [{"relation": "has-preprint", "arxiv_id": paper} for paper in papers]
    said += [{"relation": "updated-by", "update_type": "retraction"}] if one.is_retracted else []
    for position, words in enumerate(said, first):
        yield PageFact(WORK_RELATIONS, {"position": position, "registry": OPENALEX, "doi": doi, **words})


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
