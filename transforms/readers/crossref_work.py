"""A work's record at Crossref: what it is, where it was published, and what it is related to, updates or is updated by.

The shape is that of Crossref's REST API. Only what is needed is read: authors, editors and references are left in raw.
"""

import html
import re
from collections.abc import Iterator, Mapping
from datetime import date
from http import HTTPStatus
from itertools import takewhile
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct, field

from transforms.readers.oai_pmh import YEARS, line_of
from transforms.readers.reading import REFUSED, Page, PageFact, Reader, Reading, RefusedItem
from transforms.readers.request import DOI_NAME, Request
from warehouse.schema.columns import AN_ARXIV_ID
from warehouse.schema.core.works import CROSSREF, OF_ARXIV, PREPRINTS, PUBLISHED_WORKS, WORK_RELATIONS
from warehouse.tex import tex

RESOLVER: Final = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
# A paper at arXiv, as relations name it: bare, or in a DOI of arXiv's, with or without a version
NAMED: Final = re.compile(rf"(?i:{OF_ARXIV}arxiv\.|arxiv:)?({AN_ARXIV_ID})(?:v[0-9]{{1,3}})?", re.ASCII)
GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
LIMITS: Final = {
    one.name: one.max_length for one in (*PUBLISHED_WORKS.columns, *WORK_RELATIONS.columns) if one.max_length
}
# The entry of BibTeX for a kind of work, and what it calls the venue
ENTRIES: Final = {
    "journal-article": ("article", "journal"),
    "proceedings-article": ("inproceedings", "booktitle"),
    "book-chapter": ("incollection", "booktitle"),
}
MARKUP: Final = re.compile(r"</?[A-Za-z][A-Za-z:]{0,10}>")  # `<i>`, `<jats:sub>`
# A DOI stays as it is, as links need it, but for what would end its field, or run
HARMLESS: Final = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})
Partial = list[Annotated[int, Meta(ge=0, le=9999)] | None]


class _Dated(Struct, gc=False):
    parts: list[Partial] = field(default_factory=list, name="date-parts")


class _Stated(Struct, gc=False):
    """A relation (`id`) or an update (`DOI`) as a record lists it."""

    id: str = ""
    id_type: str = field(default="", name="id-type")
    asserted_by: str | None = field(default=None, name="asserted-by")
    doi: str = field(default="", name="DOI")
    type: str = ""
    source: str | None = None
    updated: _Dated | None = None


class _Message(Struct):
    doi: str = field(name="DOI")
    type: str | None = None
    title: list[str | None] = field(default_factory=list)
    venue: list[str | None] = field(default_factory=list, name="container-title")
    publisher: str | None = None
    published: _Dated | None = None
    issued: _Dated | None = None
    volume: str | None = None
    issue: str | None = None
    page: str | None = None
    relation: dict[str, msgspec.Raw] = field(default_factory=dict)
    update_to: list[msgspec.Raw] = field(default_factory=list, name="update-to")
    updated_by: list[msgspec.Raw] = field(default_factory=list, name="updated-by")


class _Answer(Struct):
    kind: str = field(name="message-type")
    message: msgspec.Raw


ANSWER: Final = msgspec.json.Decoder(_Answer)
MESSAGE: Final = msgspec.json.Decoder(_Message)
ITEMS: Final = msgspec.json.Decoder(list[msgspec.Raw])
STATED: Final = msgspec.json.Decoder(_Stated)


def unknown(request: Request, http_status: int | None) -> list[PageFact]:
    """What an answer says that has no page: of a work that was asked for, that there is none of the DOI."""
    asked = request.work
    return [unknown_work(CROSSREF, asked)] if asked and http_status in GONE else []


def unknown_work(registry: str, doi: str) -> PageFact:
    """The fact that a registry knows no work of a DOI."""
    return PageFact(PUBLISHED_WORKS, {"registry": registry, "doi": doi, "answer": "unknown"})


def read_work(page: Page) -> Reading:
    """The record of one work, which is no paper of a list. Relations that do not fit are rejected one by one."""
    reading, asked = Reading(list_kind=page.request.list_kind), page.request.work or ""
    answer = ANSWER.decode(page.payload)
    if answer.kind != "work":
        raise RefusedItem("crossref_message", f"the answer has a {answer.kind}, no work")
    one = MESSAGE.decode(bytes(answer.message))
    if one.doi.lower() != asked:
        raise RefusedItem("crossref_other_work", f"the record of {one.doi} in place of {asked}")
    work = stated_work(
        CROSSREF,
        asked,
        partial_day(one.published or one.issued),
        work_type=one.type,
        title=next(iter(one.title), None),
        venue=next(iter(one.venue), None),
        publisher=one.publisher,
        volume=one.volume,
        issue=one.issue,
        pages=one.page,
    )
    reading.facts = [work, *relations_of(reading, one)]
    return reading


def relations_of(reading: Reading, one: _Message) -> Iterator[PageFact]:
    """The preprints and updates that a record states; relations by other identifiers are left out."""
    listed: Mapping[str, list[msgspec.Raw]] = {
        **{name: ITEMS.decode(bytes(one.relation[name])) for name in PREPRINTS if name in one.relation},
        "update-to": one.update_to,
        "updated-by": one.updated_by,
    }
    position = 1
    for name, raws in listed.items():
        for place, raw in enumerate(raws):
            try:
                found = _related(one.doi.lower(), name, STATED.decode(bytes(raw)), position)
            except REFUSED as error:
                reading.reject(error, f"{name}/{place}", bytes(raw))
            else:
                if found is not None:
                    yield found
                    position += 1


def _related(work: str, name: str, one: _Stated, position: int) -> PageFact | None:
    is_preprint = name in PREPRINTS
    if is_preprint and one.id_type.lower() not in {"doi", "arxiv"}:
        return None
    stated = RESOLVER.sub("", (one.id if is_preprint else one.doi).strip())
    at_arxiv = NAMED.fullmatch(stated)
    doi = stated.lower()
    if at_arxiv is None and not DOI_NAME.fullmatch(doi):
        raise RefusedItem("crossref_relation", f"{name} of what is no DOI and no paper at arXiv: {stated}")
    if not is_preprint and not one.type:
        raise RefusedItem("crossref_update", f"{name} {stated}, without saying what kind of update it is")
    relation = {
        "position": position,
        "registry": CROSSREF,
        "doi": work,
        "relation": name,
        "other_doi": doi if DOI_NAME.fullmatch(doi) else None,
        "arxiv_id": at_arxiv[1] if at_arxiv else None,
        "update_type": None if is_preprint else limited("update_type", one.type.lower().replace("-", "_")),
        "asserted_by": limited("asserted_by", one.asserted_by if is_preprint else one.source),
        "stated_on": whole_day(one.updated),
    }
    return PageFact(WORK_RELATIONS, relation)


def partial_day(stated: _Dated | None) -> str | None:
    """A date as far as it is stated; None where there is none, or it is none of the calendar's."""
    said = takewhile(bool, stated.parts[0][:3]) if stated and stated.parts else ()
    parts = [part for part in said if part]
    try:
        whole = date(*[*parts, 1, 1][:3]) if parts else None
    except ValueError:
        return None
    return whole.isoformat()[: (4, 7, 10)[len(parts) - 1]] if whole and whole.year in YEARS else None


def whole_day(stated: _Dated | None) -> date | None:
    """A date of which year, month and day are stated."""
    text = partial_day(stated)
    return date.fromisoformat(text) if text and text.count("-") > 1 else None


def limited(column: str, text: str | None) -> str | None:
    """A text on one line; RefusedItem where it is longer than its column."""
    line, limit = line_of(text), LIMITS[column]
    if line is not None and len(line) > limit:
        raise RefusedItem("too_long", f"{column} has {len(line):,} characters, and may have {limit:,}")
    return line


def stated_work(registry: str, doi: str, published: str | None, **texts: str | None) -> PageFact:
    """A work that a registry knows, its texts by their columns; RefusedItem where one is too long."""
    plain = {column: limited(column, text) for column, text in texts.items()}
    work = {"registry": registry, "doi": doi, "answer": "known", "published": published, **plain}
    return PageFact(PUBLISHED_WORKS, work | {"bibtex_fields": bibtex_fields(work)})


def bibtex_fields(work: Mapping[str, str | None]) -> str | None:
    r"""The kind and the fields of a work's BibTeX entry, in TeX; None for a kind that has no entry.

    >>> bibtex_fields({"doi": "10.5555/a_b", "work_type": "journal-article", "venue": "J. of Looms"})
    'article\n  journal = {J. of Looms},\n  doi = {10.5555/a_b}'
    """
    kind, venue = ENTRIES.get(work.get("work_type") or "", ("", ""))
    if not kind or not work.get("venue"):
        return None
    fields = {
        venue: work.get("venue"),
        "volume": work.get("volume"),
        "number": work.get("issue"),
        "pages": work.get("pages"),
        "publisher": work.get("publisher"),
        "year": (work.get("published") or "")[:4],
    }
    plain = {name: html.unescape(MARKUP.sub("", value or "")) for name, value in fields.items()}
    lines = [f"{name} = {{{tex(value)}}}" for name, value in plain.items() if value]
    return f"{kind}\n  " + ",\n  ".join([*lines, f"doi = {{{(work['doi'] or '').translate(HARMLESS)}}}"])


CROSSREF_WORK: Final = Reader(
    name="crossref_work",
    source="api",
    accepts=lambda page: page.request.work is not None,
    read=read_work,
)
