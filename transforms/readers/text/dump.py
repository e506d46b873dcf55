"""Lists saved as text: what an extractor made of a page of search results, of the daily list or of the trends.

Layout A has a list date and footers, B neither blank lines nor footers, C no footers; pages of 2026, plain or as
Markdown, show upvotes above each title (docs/source.md §0, §8). Their lines tell them apart, never a file's name.
"""

from datetime import datetime
from itertools import count

from transforms.readers.reading import Reader, Reading, RefusedItem, Sighting, begun
from transforms.readers.request import Request
from transforms.readers.text.cards import TextPaper, cards_of, papers_of
from transforms.readers.text.dates import dated, page_year
from transforms.readers.text.header import body_of, has_banner, text_below
from transforms.readers.text.item import Item, LineKind, settled
from transforms.readers.text.items import items_of
from transforms.readers.text.marks import PageMarks, broken_line, first_id, is_markup, lines_of, marks_of, profile

SNIFFED = 8_192  # bytes; the site's menu and an extractor's own header may stand above the list's
KINDS = {"search", "trending", "weekly", "monthly", "daily"}
TRENDING = "trending"
SAVED = "saved"


def is_text_list(payload: bytes) -> bool:
    """Whether the first few KiB hold a line that only the header of a list has."""
    lines = lines_of(payload[:SNIFFED])
    return not is_markup(payload) and has_banner(lines, PageMarks(is_marked=True))


def read_text_list(payload: bytes, request: Request, fetched_at: datetime | None) -> Reading:
    """A list saved as text. Papers that cannot be read are rejected one by one; the rest of the page is kept."""
    lines = lines_of(payload)
    marks = marks_of(lines)
    body = body_of(lines, marks)
    page = settled(items_of(lines, body, marks))
    papers = [paper for card in cards_of(page) for paper in papers_of(card, is_cards=page.is_cards)]
    # only the trending page has stars, and shows the AI summary in place of the abstract (docs/source.md §8)
    is_trending = request.list_kind == TRENDING or any(item.kind is LineKind.STARS for item in page.items)
    dates = (paper.card.date for paper in papers)
    days = [body.day, *(item.day for item in dates if item is not None)]
    year = page_year((day for day in days if day is not None), fetched_at)
    shown = dated(body.day, year)
    kind = request.list_kind if request.list_kind in KINDS else SAVED
    reading = begun(request, kind)
    reading.page_on, reading.page_basis = shown.on, shown.basis
    has_logins = not marks.is_marked and not page.is_cards
    for position, paper in zip(positions(papers), papers, strict=True):
        if (fault := _fault(paper, year, lines)) is not None:
            reading.reject(RefusedItem(*fault), f"line {paper.first}", position=position)
        else:
            sighting = _sighting(paper, position, year, has_logins=has_logins)
            if is_trending and sighting.ai_summary is None:
                sighting.description, sighting.abstract = sighting.abstract, None
            reading.sightings.append(sighting)
    if (below := text_below(lines, body, marks)) is not None:
        detail = f"line {below}: what stands below the end of the page is not read; save each page in a file of its own"
        reading.reject(RefusedItem("below_the_page", detail), f"line {below}", position=0)
    return reading


def positions(papers: list[TextPaper]) -> list[int]:
    """The place of each paper on the page, from 1.

    A trending page may show every paper twice (docs/source.md §8): what is shown again has its place after all the
    others.
    """
    keys: list[object] = []
    for paper in papers:
        title, abstract = (part.text if part else "" for part in (paper.title, paper.abstract))
        keys.append(paper.card.arxiv_id or (title, abstract) if title else paper.first)
    first = {key: place for place, key in enumerate(dict.fromkeys(keys), 1)}
    again = count(len(first) + 1)
    return [first.pop(key) if key in first else next(again) for key in keys]


def _fault(paper: TextPaper, year: int | None, lines: list[str]) -> tuple[str, str] | None:
    """Why a paper cannot be a sighting, rule and detail; None where it can."""
    day, unread, submitter = paper.card.date, paper.card.unread, paper.card.submitter
    first = min(paper.first, submitter.line) if submitter is not None else paper.first
    if (broken := broken_line(lines, first, paper.last)) is not None:
        return "invalid_utf8", f"line {broken} holds bytes that are no UTF-8"
    if paper.title is None and paper.stray is not None:
        return "text_alone", f"line {paper.stray.first} has no other text to go with, and is no title"
    if paper.title is None:
        return "no_title", f"what stands up to line {paper.last} has no title"
    if day is not None and dated(day.day, year).is_impossible:
        return "published_on_impossible", f"line {day.line}: no calendar has the day of `{day.text}`"
    if unread is not None:
        return "footer_unread", f"line {unread.line}: `{unread.text}` stands where a date should"
    return None


def _sighting(paper: TextPaper, position: int, year: int | None, *, has_logins: bool) -> Sighting:
    card, submitter = paper.card, paper.card.submitter
    published = dated(card.date.day if card.date is not None else None, year)
    login, name = organization_of(card.organization, has_logins=has_logins)
    return Sighting(
        position=position,
        pointer=f"line {paper.first}",
        title=paper.title.text if paper.title else None,
        arxiv_id=card.arxiv_id,
        abstract=paper.abstract.text if paper.abstract else None,
        ai_summary=paper.summary.text if paper.summary else None,
        published_on=published.on,
        published_basis=published.basis,
        submitter_login=(profile(submitter.links) or submitter.text) if submitter is not None else None,
        author_count=card.authors,
        organization_login=login,
        organization_name=name,
        upvote_count=card.votes,
        comment_count=card.comments,
        github_star_count=card.stars,
        github_url=card.github_url,
        project_url=card.project_url,
    )


def organization_of(item: Item | None, *, has_logins: bool) -> tuple[str | None, str | None]:
    """Login and name of an organization.

    Where the page has links, the link gives the login, or the picture beside the name; Layout A writes the login before
    the name; other pages show the name alone.
    """
    if item is None:
        return None, None
    login, _, name = item.text.partition(" ")
    if has_logins:
        return (login, name.strip()) if name.strip() else (None, login)
    pictures = (link.picture for link in item.links if first_id([link]) is None)
    return profile(item.links) or next(filter(None, pictures), None), item.text


TEXT_LIST = Reader(
    name="text_list",
    source="text",
    accepts=lambda page: page.form == "text" and is_text_list(page.payload),
    read=lambda page: read_text_list(page.payload, page.request, page.fetched_at),
    is_list=True,
)
