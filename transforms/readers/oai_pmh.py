"""Answers of arXiv's OAI-PMH interface: records with all versions, or the headers of many that changed.

A record is in arXiv's own format arXivRaw: a paper with all its versions, and whether it is withdrawn. The shape is
that of OAI-PMH 2.0 and of arXiv's documentation. What is of another shape is refused by name, never guessed. In
comments `has been withdrawn` says nothing by itself: `supersedes 2101.00001, which has been withdrawn` stands on a
sound paper.
"""

import re
from collections import Counter
from collections.abc import Container, Iterator
from datetime import date
from email.utils import parsedate_to_datetime
from typing import Final
from xml.etree import ElementTree as ET

from transforms.readers.reading import Page, PageFact, Reader, Reading, RefusedItem
from transforms.readers.request import OAI_ID, Harvest, day
from warehouse.archive.captured import in_utc, instant_of
from warehouse.schema.columns import AN_ARXIV_ID
from warehouse.schema.core.arxiv_records import ARXIV_CHANGES, ARXIV_LOOKS, ARXIV_RECORDS, ARXIV_VERSIONS
from warehouse.schema.table import CONTROL_CHARACTERS

PAPER: Final = r"(?:paper|article|submission|manuscript|preprint|work|version|report|document|letter|note|draft|thesis)"
IS: Final = r"(?:(?:has|have)(?: now| since)? been|is|was|is being)(?: now| temporarily| permanently| voluntarily)?"
GONE: Final = r"withdrawn\b(?! from (?!(?:the )?(?:arxiv|public)\b))"  # not from a conference
THIS_IS: Final = rf"th(?:is|e|e present) (?:arxiv )?{PAPER} {IS} {GONE}"
WITHDRAWN: Final = re.compile(
    rf"[\[(*]{{0,2}}(?:{THIS_IS}"
    rf"|(?:this is a |temporarily |now )?{GONE}"
    r"|(?:I|we|(?:the )?authors?) (?:(?:has|have|hereby|am|are) )?withdr(?:awn?|ew|awing) "
    rf"(?:this|the|our|my|their) {PAPER}\b"
    rf"|{PAPER} (?:{IS} )?{GONE})"
    rf"|\d+ pages?\b[^;:()]{{0,60}}?[.;,] (?-i:T){THIS_IS.removeprefix('t')}",
    re.IGNORECASE | re.ASCII,
)
SUPERSEDED: Final = re.compile(
    r"\b(?i:superseded by|now (?:a )?part of|see)\b[^.;:]{0,60}?"
    rf"(?:(?i:arxiv ?: ?|(?:https?://)?arxiv\.org/(?:abs|pdf)/))?(?<![\w.])({AN_ARXIV_ID})(?:v[0-9]{{1,3}})?(?![\w/])",
    re.ASCII,
)


def says_withdrawn(comments: str | None) -> bool:
    """Whether comments begin by saying that this paper is withdrawn.

    >>> says_withdrawn("This paper has been withdrawn by the author due to an error in Eq. 3")
    True
    >>> says_withdrawn("8 pages; supersedes 2101.00001, which has been withdrawn")
    False
    """
    return comments is not None and WITHDRAWN.match(comments) is not None


def superseding(comments: str, arxiv_id: str) -> tuple[str, int, int] | None:
    """The other paper that took the place of one, where its comments say so, and where these words begin and end.

    >>> superseding("Withdrawn. It is superseded by arXiv:2406.01234v2", "2405.00001")
    ('2406.01234', 17, 47)
    """
    for found in SUPERSEDED.finditer(comments):
        if found[1] != arxiv_id:
            return found[1], found.start(), found.end(1)
    return None


RAW: Final = "{http://arxiv.org/OAI/arXivRaw/}"
SIZE: Final = re.compile(r"([0-9]{1,9})kb", re.ASCII)
NUMBER: Final = re.compile(r"v([1-9][0-9]{0,3})", re.ASCII)
YEARS: Final = range(1991, 10_000)  # arXiv began in 1991; five digits many clients cannot show
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
LIMITS: Final = {
    one.name: one.max_length for one in (*ARXIV_RECORDS.columns, *ARXIV_VERSIONS.columns) if one.max_length
}
EMPTY: Final = "I"


def record_of(raw: ET.Element | None, arxiv_id: str, changed_on: date, *, is_gone: bool) -> list[PageFact]:
    """The record of a paper, and its versions, from its metadata; RefusedItem says what is wrong with another shape."""
    if is_gone:
        if raw is not None:
            raise RefusedItem("oai_deleted", "a record that is deleted and has metadata")
        return [PageFact(ARXIV_RECORDS, {"paper_id": arxiv_id, "changed_on": changed_on, "status": "deleted"})]
    if raw is None:
        raise RefusedItem("oai_metadata", "a record without arXivRaw")
    if text_of(raw, f"{RAW}id") != arxiv_id:
        raise RefusedItem("oai_other_paper", f"metadata of {text_of(raw, f'{RAW}id')} under the header of {arxiv_id}")
    versions, comments = list(versions_of(raw, arxiv_id)), limited(raw, "comments")
    last = versions[-1].row
    is_emptied = last["size_kb"] == 0 and last["source_type"] == EMPTY
    says = says_withdrawn(comments)
    status = ("present", "suspected", "withdrawn")[is_emptied + says]
    named = superseding(comments or "", arxiv_id) if status == "withdrawn" else None
    record = {
        "paper_id": arxiv_id,
        "changed_on": changed_on,
        "status": status,
        "is_emptied": is_emptied,
        "says_withdrawn": says,
        "version_count": len(versions),
        "title": limited(raw, "title") or text_of(raw, f"{RAW}title"),
        "categories": text_of(raw, f"{RAW}categories").split(),
        "comments": comments,
        "journal_ref": limited(raw, "journal-ref"),
        "doi": limited(raw, "doi"),
        "license_url": limited(raw, "license", "license_url"),
        "superseded_by": named[0] if named else None,
        "superseded_start": named[1] if named else None,
        "superseded_end": named[2] if named else None,
    }
    return [PageFact(ARXIV_RECORDS, record), *versions]


def versions_of(raw: ET.Element, arxiv_id: str) -> Iterator[PageFact]:
    """The versions, from v1 on without a gap.

    A list of them in an element of its own, as one fixture in circulation has it, is no shape of arXiv's.
    """
    if raw.find(f"{RAW}versions") is not None:
        raise RefusedItem("arxiv_versions", "versions inside `versions`, as arXiv does not give them")
    found = raw.findall(f"{RAW}version")
    if not found:
        raise RefusedItem("arxiv_versions", "a record without versions")
    for number, one in enumerate(found, 1):
        stated = NUMBER.fullmatch(one.get("version") or "")
        if stated is None or int(stated[1]) != number or one.find(f"{RAW}version") is not None:
            raise RefusedItem("arxiv_versions", f"version {number} is called {one.get('version')}, or holds others")
        size = SIZE.fullmatch(text_of(one, f"{RAW}size"))
        if size is None:
            raise RefusedItem("arxiv_size", f"the size of version {number} is none: {text_of(one, f'{RAW}size')}")
        stated_at = text_of(one, f"{RAW}date")
        try:
            at = in_utc(parsedate_to_datetime(stated_at))  # Mon, 22 Dec 2014 13:54:29 GMT
        except (ValueError, OverflowError, IndexError) as error:
            raise RefusedItem("arxiv_date", f"the date of version {number} is none: {stated_at}") from error
        if at.year not in YEARS:
            raise RefusedItem("arxiv_date", f"version {number} is of {at.year}")
        row = {"paper_id": arxiv_id, "version_number": number, "version_at": at, "size_kb": int(size[1])}
        yield PageFact(ARXIV_VERSIONS, row | {"source_type": limited(one, "source_type")})


def limited(parent: ET.Element, name: str, column: str = "") -> str | None:
    """The text of an element that need not be there; RefusedItem where it is longer than its column."""
    found = parent.findall(f"{RAW}{name}")
    if len(found) > 1:
        raise RefusedItem("oai_element", f"{len(found)} elements {name} in place of one")
    text = line_of("".join(found[0].itertext())) if found else None
    limit = LIMITS.get(column or name.replace("-", "_"), 0)
    if text is not None and len(text) > limit:
        raise RefusedItem("too_long", f"{name} has {len(text):,} characters, and may have {limit:,}")
    return text


def text_of(parent: ET.Element, tag: str) -> str:
    """The text of the only element of a name; RefusedItem where it is none, or there are more."""
    found = parent.findall(tag)
    text = line_of("".join(found[0].itertext())) if len(found) == 1 else None
    if text is None:
        raise RefusedItem("oai_element", f"{len(found)} elements {tag.rpartition('}')[2]} with a text, in place of one")
    return text


def line_of(text: str | None) -> str | None:
    """Text on one line, without control characters; None where nothing is left."""
    return re.sub(CONTROL_CHARACTERS, REPLACEMENT, " ".join((text or "").split())) or None


OAI: Final = "{http://www.openarchives.org/OAI/2.0/}"
METADATA: Final = f"{OAI}metadata/{RAW}arXivRaw"
ITEMS: Final = {"ListIdentifiers": f"{OAI}header"}
CODE: Final = re.compile(r"[A-Za-z]{1,40}")  # of an error
DECLARED: Final = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)  # by which a small text becomes gigabytes
TOKEN_LIMIT: Final = 1000


def read_answer(page: Page) -> Reading:
    """One answer. No item of it is a paper of a list; records that do not fit are rejected one by one."""
    reading, root, asked = Reading(list_kind=page.request.list_kind), _root(page.payload), page.request.harvest
    if asked is None:
        raise RefusedItem("oai_request", "the address asks for no records")
    stated = text_of(root, f"{OAI}responseDate")
    try:
        responded_at = instant_of(stated)
    except ValueError as error:
        raise RefusedItem("oai_response_date", f"responseDate is no instant: {stated}") from error
    if responded_at.year not in YEARS:
        raise RefusedItem("oai_response_date", f"responseDate is of {responded_at.year}")
    codes = [(one.get("code") or "", line_of(one.text) or "") for one in root.findall(f"{OAI}error")]
    body = root.find(f"{OAI}{asked.verb}")
    none = {"noRecordsMatch": "none"} if asked.arxiv_id is None else {"idDoesNotExist": "unknown"}
    answer = next((none[code] for code, _ in codes if code in none), None)
    if codes and answer is None:
        name = codes[0][0] if CODE.fullmatch(codes[0][0]) else "error"
        raise RefusedItem(f"oai_{name}", ": ".join(codes[0]))
    if answer is None and body is None:
        raise RefusedItem("oai_verb", f"the answer has no {asked.verb}, which was asked for")
    token = take_all(reading, body, asked) if body is not None and answer is None else None
    record_count = sum(one.table is ARXIV_RECORDS for one in reading.facts)
    if asked.arxiv_id is not None and answer is None and not record_count:
        if not reading.rejects:
            raise RefusedItem("oai_record", "the answer has no record")
        return reading
    look = {
        "asked": "changes" if asked.arxiv_id is None else "paper",
        "paper_id": asked.arxiv_id,
        "from_on": asked.since,
        "token": asked.token,
        "next_token": token,
        "responded_at": responded_at,
        "answer": answer or "records",
        "record_count": len(reading.arxiv_changes) or record_count,
    }
    reading.facts.append(PageFact(ARXIV_LOOKS, look))
    return reading


def take_all(reading: Reading, body: ET.Element, asked: Harvest) -> str | None:
    """Add what the records or headers of an answer say to the reading; the token of the page that follows."""
    changes = dict[str, date]()
    for place, one in enumerate(body.findall(ITEMS.get(asked.verb, f"{OAI}record"))):
        try:
            arxiv_id, changed_on = _take(reading, one, asked, changes)
            changes[arxiv_id] = changed_on
        except RefusedItem as error:
            reading.reject(error, f"{asked.verb}/{place}")
    if asked.arxiv_id is not None:
        return None
    reading.arxiv_changes = list(changes.items())
    reading.facts += [
        PageFact(ARXIV_CHANGES, {"changed_on": on, "record_count": count})
        for on, count in Counter(changes.values()).items()
    ]
    token = line_of(body.findtext(f"{OAI}resumptionToken"))
    if token and len(token) > TOKEN_LIMIT:
        raise RefusedItem("oai_token", f"a resumption token of {len(token):,} characters")
    return token


def _root(payload: bytes) -> ET.Element:
    try:
        text = payload.decode()
    except UnicodeDecodeError as error:
        raise RefusedItem("invalid_utf8", str(error)) from error
    if DECLARED.search(text):
        raise RefusedItem("xml_declarations", "the answer declares entities, as none of arXiv's does")
    try:
        root = ET.fromstring(text)  # noqa: S314 - text that declares entities was refused
    except ET.ParseError as error:
        raise RefusedItem("malformed_xml", f"the answer is not XML: {error}") from error
    if root.tag != f"{OAI}OAI-PMH":
        raise RefusedItem("not_oai_pmh", f"the answer is no OAI-PMH: it begins with <{root.tag}>")
    return root


def _take(reading: Reading, item: ET.Element, asked: Harvest, seen: Container[str]) -> tuple[str, date]:
    """Add what one record says to the reading; its id, none of those `seen`, and the day of its last change."""
    header = item if asked.verb == "ListIdentifiers" else item.find(f"{OAI}header")
    if header is None:
        raise RefusedItem("oai_header", "a record without a header")
    stated = text_of(header, f"{OAI}identifier")
    found, changed_on = OAI_ID.fullmatch(stated), day(text_of(header, f"{OAI}datestamp"))
    if found is None:
        raise RefusedItem("oai_identifier", f"an identifier that is none of a paper at arXiv: {stated}")
    if changed_on is None or changed_on.year not in YEARS:
        raise RefusedItem("oai_datestamp", "a datestamp that is no day")
    if asked.arxiv_id not in {None, found[1]}:
        raise RefusedItem("oai_other_paper", f"{found[1]} in place of {asked.arxiv_id}, which was asked for")
    if found[1] in seen:
        raise RefusedItem("oai_twice", f"{found[1]} comes twice")
    if item is not header:
        is_gone = header.get("status") == "deleted"
        reading.facts += record_of(item.find(METADATA), found[1], changed_on, is_gone=is_gone)
    return found[1], changed_on


ARXIV_ANSWER = Reader(
    name="oai_answer",
    source="api",
    accepts=lambda page: page.request.harvest is not None,
    read=read_answer,
)
