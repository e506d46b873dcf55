"""Answers of arXiv's OAI-PMH interface, in its format arXivRaw: records with all versions, or the headers of many.

The shape is that of OAI-PMH 2.0 and of arXiv's documentation. What is of another shape is rejected, never guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container
from datetime import date
from typing import Final
from xml.etree import ElementTree as ET

from transforms.readers.arxiv_raw import RAW, YEARS, line_of, record_of, text_of
from transforms.readers.reading import Page, PageFact, Reader, Reading, RefusedItem
from transforms.readers.request import Harvest, day
from warehouse.archive.captured import instant_of
from warehouse.schema.columns import ARXIV_ID
from warehouse.schema.core.arxiv_records import ARXIV_CHANGES, ARXIV_LOOKS, ARXIV_RECORDS

OAI: Final = "{http://www.openarchives.org/OAI/2.0/}"
METADATA: Final = f"{OAI}metadata/{RAW}arXivRaw"
ITEMS: Final = {"ListIdentifiers": f"{OAI}header"}
CODE: Final = re.compile(r"[A-Za-z]{1,40}")  # of an error
IDENTIFIER: Final = re.compile(rf"oai:arXiv\.org:({ARXIV_ID.removeprefix('^').removesuffix('$')})", re.ASCII)
DECLARED: Final = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)  # by which a small text becomes gigabytes
TOKEN_LIMIT: Final = 1000


def read_answer(page: Page) -> Reading:
    """One answer. No item of it is a paper of a list; records that do not fit are rejected one by one."""
    reading, asked = Reading(list_kind=page.request.list_kind), page.request.harvest
    try:
        if asked is None:
            raise RefusedItem("oai_request", "the address asks for no records")  # noqa: TRY301 - as all others
        _read(reading, _root(page.payload), asked)
    except RefusedItem as error:
        reading.reject(error)
    return reading


def _read(reading: Reading, root: ET.Element, asked: Harvest) -> None:
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
        return
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
    found, changed_on = IDENTIFIER.fullmatch(stated), day(text_of(header, f"{OAI}datestamp"))
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
