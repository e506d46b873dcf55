"""The saved pages kept beside the repository, read twice: by the readers, and by a few lines that know each file."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from transforms.readers.reading import Reading
from transforms.readers.request import request_of
from transforms.readers.text.dump import is_text_list, read_text_list
from transforms.readers.text.paper import is_text_paper

TEXTS = Path(__file__).parents[3] / "shared" / "captures" / "text"
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
HEADER_LINES = {
    "new",
    "Get trending papers in your email inbox!",
    "Get trending papers in your email inbox once a day!",
    "Subscribe",
    "Daily Papers",
    "byAK and the research community",
}
COUNTS = {"000": 78, "002": 173, "003": 78}


def payload_of(number: str) -> bytes:
    found = sorted(TEXTS.glob(f"{number}_*.txt"))
    if not found:
        pytest.skip(f"no saved page {number} beside the repository")
    return found[0].read_bytes()


def reading_of(number: str) -> Reading:
    payload = payload_of(number)
    assert is_text_list(payload)
    assert not is_text_paper(payload)
    return read_text_list(payload, request_of("https://huggingface.co/papers"), None)


def lines_of(number: str) -> list[str]:
    return payload_of(number).decode().split("\n")


def collapsed(text: str | None) -> str:
    return " ".join((text or "").split())


@pytest.mark.parametrize(("number", "count"), COUNTS.items())
def test_every_paper_is_kept_in_order(number: str, count: int) -> None:
    reading = reading_of(number)
    assert (len(reading.sightings), reading.rejects, reading.list_kind) == (count, [], "saved")
    assert [sighting.position for sighting in reading.sightings] == list(range(1, count + 1))
    for sighting in reading.sightings:
        line = lines_of(number)[int(sighting.pointer.removeprefix("line ")) - 1]
        assert collapsed(line).removeprefix("Subscribe") == collapsed(sighting.title)


def test_first_title_of_the_page_without_blank_lines() -> None:
    first = reading_of("002").sightings[0]
    assert first.title == "EN-T: Optimizing Tensor Computing Engines Performance via Encoder-Based Methodology"
    assert first.pointer == "line 3"


def test_pages_without_footers_are_titles_and_abstracts_in_turn() -> None:
    for number in ("002", "003"):
        texts = [line for line in lines_of(number) if line.strip() and line not in HEADER_LINES and line != "Mar 12"]
        texts[0] = texts[0].removeprefix("Subscribe")
        reading = reading_of(number)
        assert [collapsed(s.title) for s in reading.sightings] == [collapsed(text) for text in texts[::2]]
        assert [collapsed(s.abstract) for s in reading.sightings] == [collapsed(text) for text in texts[1::2]]
        assert {(s.published_on, s.author_count, s.organization_name) for s in reading.sightings} == {(None,) * 3}
        assert reading.page_on is None


def test_page_with_footers() -> None:
    """Its texts by length, its footers by the block they are."""
    blocks = [block.strip("\n") for block in payload_of("000").decode().split("\n\n")]
    body = [block for block in blocks if block not in HEADER_LINES and block != "Nov 21"]
    texts = [block for block in body if "\n·\n" not in block]
    reading = reading_of("000")
    assert [collapsed(s.title) for s in reading.sightings] == [collapsed(text) for text in texts[::2]]
    assert [collapsed(s.abstract) for s in reading.sightings] == [collapsed(text) for text in texts[1::2]]
    assert (reading.page_on, reading.page_basis) == (date(2025, 11, 21), "inferred")
    footers = [body[place + 2] if "\n·\n" in body[place + 2 : place + 3][0] else None for place in titles_in(body)]
    assert len([footer for footer in footers if footer]) == 75
    for sighting, footer in zip(reading.sightings, footers, strict=True):
        told = (
            sighting.author_count,
            sighting.organization_login,
            sighting.organization_name,
            sighting.published_on,
            sighting.published_basis,
            sighting.comment_count,
        )
        assert told == (facts_of(footer) if footer else (None,) * 6)


def titles_in(body: list[str]) -> list[int]:
    """Where the titles stand: the first block, and each after a footer or after an abstract that has none."""
    places, place = [], 0
    body = [*body, "", "", ""]
    while body[place]:
        places.append(place)
        place += 3 if "\n·\n" in body[place + 2] else 2
    return places


def facts_of(footer: str) -> tuple[object, ...]:
    who, _, when = footer.split("\n")
    count = re.search(r"(\d+) authors", who)
    login, _, name = who.partition(" ")
    people = (int(count[1]), None, None) if count else (None, login, name)
    parts = re.fullmatch(r"(\w{3}) (\d+)(?:, (\d{4}))?(?: (\d+))?", when)
    assert parts
    day = date(int(parts[3] or 2025), MONTHS.index(parts[1]) + 1, int(parts[2]))
    return (*people, day, "stated" if parts[3] else "inferred", int(parts[4]) if parts[4] else None)
