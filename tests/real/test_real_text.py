"""The saved pages kept beside the repository: each of their papers is read, in its place."""

from pathlib import Path

import pytest

from transforms.readers.reading import Reading
from transforms.readers.request import request_of
from transforms.readers.text.dump import is_text_list, read_text_list
from transforms.readers.text.paper import is_text_paper

TEXTS = Path(__file__).parents[3] / "shared" / "captures" / "text"
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


def collapsed(text: str | None) -> str:
    return " ".join((text or "").split())


@pytest.mark.parametrize(("number", "count"), COUNTS.items())
def test_every_paper_is_kept_in_order(number: str, count: int) -> None:
    reading = reading_of(number)
    assert (len(reading.sightings), reading.rejects, reading.list_kind) == (count, [], "saved")
    assert [sighting.position for sighting in reading.sightings] == list(range(1, count + 1))
    lines = payload_of(number).decode().split("\n")
    for sighting in reading.sightings:
        line = lines[int(sighting.pointer.removeprefix("line ")) - 1]
        assert collapsed(line).removeprefix("Subscribe") == collapsed(sighting.title)


def test_first_title_of_the_page_without_blank_lines() -> None:
    first = reading_of("002").sightings[0]
    assert first.title == "EN-T: Optimizing Tensor Computing Engines Performance via Encoder-Based Methodology"
    assert first.pointer == "line 3"
