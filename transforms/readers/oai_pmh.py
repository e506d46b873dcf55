"""Answers of arXiv's OAI-PMH interface, in its format arXivRaw: records with all versions, or the headers of many.

The shape is that of OAI-PMH 2.0 and of arXiv's documentation. What is of another shape is rejected, never guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from xml.etree import ElementTree as ET

from transforms.readers.reading import ArxivLook, ArxivRecord, ArxivVersion, Page, Reader, Reading, Reject
from transforms.readers.request import Harvest, day
from transforms.readers.withdrawal import says_withdrawn, superseding
from warehouse.archive.captured import in_utc, instant_of
from warehouse.schema.columns import ARXIV_ID
from warehouse.schema.core.arxiv_records import ARXIV_RECORDS, ARXIV_VERSIONS
from warehouse.schema.table import CONTROL_CHARACTERS

OAI: Final = "{http://www.openarchives.org/OAI/2.0/}"
RAW: Final = "{http://arxiv.org/OAI/arXivRaw/}"
IDENTIFIER: Final = re.compile(rf"oai:arXiv\.org:({ARXIV_ID.removeprefix('^').removesuffix('$')})", re.ASCII)
SIZE: Final = re.compile(r"([0-9]{1,9})kb", re.ASCII)
NUMBER: Final = re.compile(r"v([1-9][0-9]{0,3})", re.ASCII)
DECLARED: Final = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)  # by which a small text becomes gigabytes
YEARS: Final = range(1991, 10_000)  # arXiv began in 1991; five digits many clients cannot show
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
LIMITS: Final = {
    one.name: one.max_length for one in (*ARXIV_RECORDS.columns, *ARXIV_VERSIONS.columns) if one.max_length
}
TOKEN_LIMIT: Final = 1000
EMPTY: Final = "I"


class RefusedRecord(Exception):
    """A record, or an answer, of another shape than is known: a rule's name, and what is wrong."""


def read_answer(page: Page) -> Reading:
    """One answer. No item of it is a paper of a list; records that do not fit are rejected one by one."""
    reading, asked = Reading(list_kind=page.request.list_kind), page.request.harvest
    try:
        if asked is None:
            raise RefusedRecord("oai_request", "the address asks for no records")  # noqa: TRY301 - as all others
        _read(reading, _root(page.payload), asked)
    except RefusedRecord as error:
        reading.rejects.append(_reject(reading, "", error))
    return reading


def _read(reading: Reading, root: ET.Element, asked: Harvest) -> None:
    responded_at = _instant(_text(root, f"{OAI}responseDate"))
    codes = [(one.get("code") or "", _line(one.text) or "") for one in root.findall(f"{OAI}error")]
    body = root.find(f"{OAI}{asked.verb}")
    none = {"noRecordsMatch": "none"} if asked.arxiv_id is None else {"idDoesNotExist": "unknown"}
    answer = next((none[code] for code, _ in codes if code in none), None)
    if codes and answer is None:
        raise RefusedRecord(f"oai_{_name(codes[0][0])}", ": ".join(codes[0]))
    if answer is None and body is None:
        raise RefusedRecord("oai_verb", f"the answer has no {asked.verb}, which was asked for")
    token = None
    if body is not None and answer is None:
        changes, seen = Counter[date](), set[str]()
        for place, one in enumerate(_items(body, asked.verb)):
            try:
                changes[_take(reading, one, asked, seen)] += 1
            except RefusedRecord as error:
                reading.rejects.append(_reject(reading, f"{asked.verb}/{place}", error))
        reading.arxiv_changes = {} if asked.arxiv_id else dict(changes)
        token = _token(body) if asked.arxiv_id is None else None
        count = sum(changes.values())
        if asked.arxiv_id is not None and not count:
            if not reading.rejects:
                raise RefusedRecord("oai_record", "the answer has no record")
            return
    reading.arxiv_look = ArxivLook(
        asked="changes" if asked.arxiv_id is None else "paper",
        arxiv_id=asked.arxiv_id,
        since=asked.since,
        token=asked.token,
        next_token=token,
        responded_at=responded_at,
        answer=answer or "records",
        count=sum(reading.arxiv_changes.values()) or len(reading.arxiv_records),
    )


def changes_in(payload: bytes) -> Iterator[tuple[str, date]]:
    """The papers that an answer lists and the day of their change, without headers of another shape; none of what is
    no answer.
    """
    try:
        root = _root(payload)
    except RefusedRecord:
        return
    for header in root.iter(f"{OAI}header"):
        found = IDENTIFIER.fullmatch(_line(header.findtext(f"{OAI}identifier")) or "")
        changed_on = day(_line(header.findtext(f"{OAI}datestamp")))
        if found and changed_on:
            yield found[1], changed_on


def _root(payload: bytes) -> ET.Element:
    try:
        text = payload.decode()
    except UnicodeDecodeError as error:
        raise RefusedRecord("invalid_utf8", str(error)) from error
    if DECLARED.search(text):
        raise RefusedRecord("xml_declarations", "the answer declares entities, as none of arXiv's does")
    try:
        root = ET.fromstring(text)  # noqa: S314 - text that declares entities was refused
    except ET.ParseError as error:
        raise RefusedRecord("malformed_xml", f"the answer is not XML: {error}") from error
    if root.tag != f"{OAI}OAI-PMH":
        raise RefusedRecord("not_oai_pmh", f"the answer is no OAI-PMH: it begins with <{root.tag}>")
    return root


def _items(body: ET.Element, verb: str) -> list[ET.Element]:
    return body.findall(f"{OAI}header" if verb == "ListIdentifiers" else f"{OAI}record")


def _take(reading: Reading, item: ET.Element, asked: Harvest, seen: set[str]) -> date:
    """Add what one record says to the reading, and its id to those `seen`; the day of its last change."""
    header = item if asked.verb == "ListIdentifiers" else item.find(f"{OAI}header")
    if header is None:
        raise RefusedRecord("oai_header", "a record without a header")
    stated = _text(header, f"{OAI}identifier")
    found, changed_on = IDENTIFIER.fullmatch(stated), day(_text(header, f"{OAI}datestamp"))
    if found is None:
        raise RefusedRecord("oai_identifier", f"an identifier that is none of a paper at arXiv: {stated}")
    if changed_on is None or changed_on.year not in YEARS:
        raise RefusedRecord("oai_datestamp", "a datestamp that is no day")
    if asked.arxiv_id not in {None, found[1]}:
        raise RefusedRecord("oai_other_paper", f"{found[1]} in place of {asked.arxiv_id}, which was asked for")
    if found[1] in seen:
        raise RefusedRecord("oai_twice", f"{found[1]} comes twice")
    seen.add(found[1])
    if item is not header:
        reading.arxiv_records.append(_record(item, found[1], changed_on, is_gone=header.get("status") == "deleted"))
    return changed_on


def _record(item: ET.Element, arxiv_id: str, changed_on: date, *, is_gone: bool) -> ArxivRecord:
    raw = item.find(f"{OAI}metadata/{RAW}arXivRaw")
    if is_gone:
        if raw is not None:
            raise RefusedRecord("oai_deleted", "a record that is deleted and has metadata")
        return ArxivRecord(arxiv_id=arxiv_id, changed_on=changed_on, status="deleted")
    if raw is None:
        raise RefusedRecord("oai_metadata", "a record without arXivRaw")
    if _text(raw, f"{RAW}id") != arxiv_id:
        raise RefusedRecord("oai_other_paper", f"metadata of {_text(raw, f'{RAW}id')} under the header of {arxiv_id}")
    versions, comments = tuple(_versions(raw)), _limited(raw, "comments")
    last = versions[-1]
    is_emptied = last.size_kb == 0 and last.source_type == EMPTY
    says = says_withdrawn(comments)
    status = ("present", "suspected", "withdrawn")[is_emptied + says]
    named = superseding(comments or "", arxiv_id) if status == "withdrawn" else None
    return ArxivRecord(
        arxiv_id=arxiv_id,
        changed_on=changed_on,
        status=status,
        is_emptied=is_emptied,
        says_withdrawn=says,
        version_count=len(versions),
        title=_limited(raw, "title", is_needed=True),
        categories=_text(raw, f"{RAW}categories").split(),
        comments=comments,
        journal_ref=_limited(raw, "journal-ref"),
        doi=_limited(raw, "doi"),
        license_url=_limited(raw, "license", "license_url"),
        superseded_by=named[0] if named else None,
        superseded_start=named[1] if named else None,
        superseded_end=named[2] if named else None,
        versions=versions,
    )


def _versions(raw: ET.Element) -> Iterator[ArxivVersion]:
    """The versions, from v1 on without a gap. A list of them in an element of its own, as one fixture in circulation
    has it, is no shape of arXiv's.
    """
    if raw.find(f"{RAW}versions") is not None:
        raise RefusedRecord("arxiv_versions", "versions inside `versions`, as arXiv does not give them")
    found = raw.findall(f"{RAW}version")
    if not found:
        raise RefusedRecord("arxiv_versions", "a record without versions")
    for number, one in enumerate(found, 1):
        stated = NUMBER.fullmatch(one.get("version") or "")
        if stated is None or int(stated[1]) != number or one.find(f"{RAW}version") is not None:
            raise RefusedRecord("arxiv_versions", f"version {number} is called {one.get('version')}, or holds others")
        size = SIZE.fullmatch(_text(one, f"{RAW}size"))
        if size is None:
            raise RefusedRecord("arxiv_size", f"the size of version {number} is none: {_text(one, f'{RAW}size')}")
        kind = _limited(one, "source_type")
        yield ArxivVersion(number, _version_at(_text(one, f"{RAW}date"), number), int(size[1]), kind)


def _version_at(stated: str, number: int) -> datetime:
    """`Mon, 22 Dec 2014 13:54:29 GMT` in UTC."""
    try:
        at = in_utc(parsedate_to_datetime(stated))
    except (ValueError, OverflowError, IndexError) as error:
        raise RefusedRecord("arxiv_date", f"the date of version {number} is none: {stated}") from error
    if at.year not in YEARS:
        raise RefusedRecord("arxiv_date", f"version {number} is of {at.year}")
    return at


def _instant(stated: str) -> datetime:
    try:
        at = instant_of(stated)
    except ValueError as error:
        raise RefusedRecord("oai_response_date", f"responseDate is no instant: {stated}") from error
    if at.year not in YEARS:
        raise RefusedRecord("oai_response_date", f"responseDate is of {at.year}")
    return at


def _token(body: ET.Element) -> str | None:
    token = _line(body.findtext(f"{OAI}resumptionToken"))
    if token and len(token) > TOKEN_LIMIT:
        raise RefusedRecord("oai_token", f"a resumption token of {len(token):,} characters")
    return token


def _text(parent: ET.Element, tag: str) -> str:
    """The text of the only element of a name; RefusedRecord where it is none, or there are more."""
    found = parent.findall(tag)
    text = _line(found[0].text) if len(found) == 1 else None
    if text is None:
        raise RefusedRecord(
            "oai_element", f"{len(found)} elements {tag.rpartition('}')[2]} with a text, in place of one"
        )
    return text


def _limited(parent: ET.Element, name: str, column: str = "", *, is_needed: bool = False) -> str | None:
    """The text of an element that need not be there; RefusedRecord where it is longer than its column."""
    if not is_needed and not parent.findall(f"{RAW}{name}"):
        return None
    [*found] = parent.findall(f"{RAW}{name}")
    if len(found) != 1:
        raise RefusedRecord("oai_element", f"{len(found)} elements {name} in place of one")
    text = _line(found[0].text)
    if text is None and is_needed:
        raise RefusedRecord("oai_element", f"{name} is empty")
    limit = LIMITS.get(column or name.replace("-", "_"), 0)
    if text is not None and len(text) > limit:
        raise RefusedRecord("too_long", f"{name} has {len(text):,} characters, and may have {limit:,}")
    return text


def _line(text: str | None) -> str | None:
    """Text on one line, without control characters; None where nothing is left."""
    return re.sub(CONTROL_CHARACTERS, REPLACEMENT, " ".join((text or "").split())) or None


def _name(code: str) -> str:
    return code if code.isascii() and code.isalpha() and len(code) <= 40 else "error"  # noqa: PLR2004 - hostile text


def _reject(reading: Reading, pointer: str, error: RefusedRecord) -> Reject:
    rule, detail = error.args
    return Reject(position=len(reading.rejects) + 1, pointer=pointer, rule=rule, detail=detail)


ARXIV_ANSWER = Reader(
    name="oai_answer",
    source="api",
    accepts=lambda page: page.request.harvest is not None,
    read=read_answer,
)
