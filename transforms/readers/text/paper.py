"""A paper's own page saved as text (docs/source.md §8): plain, or as Markdown of several extractors."""

import re
from collections.abc import Sequence
from datetime import datetime

from transforms.readers.reading import Account, Author, Reader, Reading, RefusedItem, Sighting
from transforms.readers.request import Request
from transforms.readers.text.dates import DAY, Day, dated, page_year
from transforms.readers.text.item import STAR_COUNT, count_of
from transforms.readers.text.items import SUBMITTED
from transforms.readers.text.marks import (
    PageMarks,
    PlainLine,
    arxiv_id,
    broken_line,
    first_id,
    is_markup,
    lines_of,
    marks_of,
    profile,
    searched,
)
from transforms.readers.text.paper_parts import (
    AUTHORS,
    PUBLISHED,
    Line,
    Parts,
    identifier,
    part_words,
    parts_of,
    said_lines,
)

SNIFFED = 8_192  # bytes; the site's menu may stand above the paper
SUBMISSION = re.compile(rf"Submitted by (\S.{{0,100}}?) on {DAY}")
SUBMITTER = re.compile(r"Submitted by ([^\s·]{1,100})")
HIDDEN = re.compile(r"\+ ?(\d{1,5}) authors?")  # the end of a list that the page cut
UPVOTES = re.compile(r"Upvotes? (\d{1,9}|-)(?!\S)")
CITED = re.compile(r"Cite arxiv\.org/abs/(\S{1,40}) in a ")
STARS = re.compile(rf"GitHub ({STAR_COUNT})(?!\S)( auto)?")


def is_text_paper(payload: bytes) -> bool:
    """Whether the first few KiB hold lines that only a paper's page has.

    These are `arxiv:ID` and `Published on …`; where one is lost, those of submitter and authors too.
    """
    said = [line.text for line in said_lines(lines_of(payload[:SNIFFED]), PageMarks(is_marked=True))]
    marks = (any(PUBLISHED.match(text) for text in said), any(identifier(text) for text in said))
    if is_markup(payload) or not any(marks):
        return False
    return all(marks) or all(any(text.startswith(label) for text in said) for label in (SUBMITTED, AUTHORS))


def read_text_paper(payload: bytes, request: Request, fetched_at: datetime | None) -> Reading:
    """The one paper of the page, or the reason it cannot be taken."""
    lines = lines_of(payload)
    marks = marks_of(lines)
    parts = parts_of(list(said_lines(lines, marks)))
    facts = _joined(parts.facts)
    published, submitted = PUBLISHED.search(facts), SUBMISSION.search(facts)
    days = [Day.of(*match.groups()[-3:]) for match in (published, submitted) if match]
    year = page_year(days, fetched_at)
    day = days[0] if published else None
    reading = Reading(list_kind="paper")
    if (fault := _fault(parts, lines, day, year)) is not None:
        reading.reject(RefusedItem(*fault), f"line {parts.first or 1}")
        return reading
    summary, abstract = (part_words(part, lines, marks) for part in (parts.summary, parts.abstract))
    sighting, on = _sighting(parts, summary, abstract), dated(day, year)
    sighting.published_on, sighting.published_basis = on.on, on.basis
    if sighting.arxiv_id is None:
        sighting.arxiv_id = arxiv_id(request.path.rpartition("/papers/")[2])
    reading.sightings = [sighting]
    return reading


def _fault(parts: Parts, lines: Sequence[str], published: Day | None, year: int | None) -> tuple[str, str] | None:
    """Why the paper cannot be a sighting, rule and detail; None where it can."""
    if not parts.title:
        return "no_title", "no title stands where the page of a paper has it"
    if (broken := broken_line(lines, parts.first, parts.last)) is not None:
        return "invalid_utf8", f"line {broken} holds bytes that are no UTF-8"
    if published is not None and dated(published, year).is_impossible:
        number = next(line.number for line in parts.facts if "Published on" in line.text)
        return "published_on_impossible", f"line {number}: no calendar has the day of `Published on {published.text}`"
    return None


def _sighting(parts: Parts, summary: PlainLine, abstract: PlainLine) -> Sighting:
    """What the page says of the paper, but for its date.

    A page that lost its first line has the arXiv id in its buttons or its last words.
    """
    facts, buttons, rest = _joined(parts.facts), _joined(parts.buttons), _joined(parts.rest)
    login, name = submitter_of(parts.facts)
    hidden = next((int(match[1]) for line in parts.authors if (match := HIDDEN.fullmatch(line.text))), 0)
    authors = authors_of([line for line in parts.authors if not HIDDEN.fullmatch(line.text)]) or None
    votes, stars = UPVOTES.search(facts) or UPVOTES.search(rest), STARS.search(buttons)
    links = [link for line in parts.buttons for link in line.links]
    cited = CITED.search(rest)
    return Sighting(
        position=1,
        pointer=f"line {parts.first}",
        title=_joined(parts.title),
        arxiv_id=parts.arxiv_id or first_id(links) or (arxiv_id(cited[1]) if cited else None),
        abstract=abstract.text or None,
        ai_summary=summary.text or None,
        ai_summary_model=parts.model,
        submitter_login=login,
        submitter_name=name,
        author_count=len(authors) + hidden if authors else None,
        authors=authors,
        upvote_count=count_of(votes[1]) if votes else None,
        github_star_count=count_of(stars[1]) if stars else None,
        github_url=next((link.target for link in links if "github.com/" in link.target), None),
        github_added_by="auto" if stars and stars[2] else None,
        project_url=next((link.target for link in links if link.text.casefold() == "project page"), None),
        keywords=list(dict.fromkeys(filter(None, map(searched, abstract.links)))) or None,
        model_count=_citing("Models", rest),
        dataset_count=_citing("Datasets", rest),
        space_count=_citing("Spaces", rest),
    )


def _joined(lines: Sequence[Line]) -> str:
    """Lines as one, whitespace collapsed."""
    return " ".join(" ".join(line.text for line in lines).split())


def submitter_of(facts: Sequence[Line]) -> tuple[str | None, str | None]:
    """Login and name. What is linked to a login is a name where it differs; what is not is a login if one word."""
    text = _joined(facts)
    match = SUBMISSION.search(text) or SUBMITTER.search(text)
    if match is None:
        return None, None
    shown = match[1]
    login = profile(link for line in facts for link in line.links if link.text == shown)
    if login is not None:
        return login, None if shown == login else shown
    return (None, shown) if " " in shown else (shown, None)


def authors_of(lines: Sequence[Line]) -> list[Author]:
    """The authors in order: no name has a comma in it (docs/source.md §4)."""
    logins = {link.text: profile([link]) for line in lines for link in line.links}
    names = [name.strip() for name in _joined(lines).removeprefix(AUTHORS).split(",")]
    return [Author(name, user=Account(user=logins[name]) if logins.get(name) else None) for name in names if name]


def _citing(kind: str, text: str) -> int | None:
    """How many models, datasets or spaces cite the paper: the last such words, for comments may have them too."""
    found = re.findall(rf"{kind} citing this paper (\d{{1,9}})(?!\S)", text)
    return count_of(found[-1]) if found else None


TEXT_PAPER = Reader(
    name="text_paper",
    source="text",
    accepts=lambda page: page.form == "text" and is_text_paper(page.payload),
    read=lambda page: read_text_paper(page.payload, page.request, page.fetched_at),
)
