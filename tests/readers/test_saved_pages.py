"""Each saved page of `pages/` and what is read of it, in the JSON file beside it. After a change that is meant:

    python -m tests.readers.test_saved_pages

writes them anew, and the difference shows in review. What a page does not show is left out of its JSON.
"""

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from transforms.collect.read_page import read
from transforms.readers.text.dump import is_text_list
from transforms.readers.text.paper import is_text_paper
from warehouse.archive.captured import Capture

PAGES = Path(__file__).parent / "pages"
NAMES = sorted(path.name for path in PAGES.iterdir() if path.suffix != ".json")
TRENDING = "https://huggingface.co/papers/trending"
# Where a page was fetched, and when, as far as that is known
ASKED: dict[str, dict[str, Any]] = {
    "list_cards.txt": {"fetched_at": datetime(2026, 10, 3)},
    "list_trending.md": {"url": TRENDING},
    "paper_marked.md": {"fetched_at": datetime(2025, 12, 20)},
}


def reading_of(name: str, payload: bytes | None = None) -> dict[str, Any]:
    capture = Capture(payload=payload or (PAGES / name).read_bytes(), **ASKED.get(name, {}))
    return shown(msgspec.to_builtins(read(capture), builtin_types=(date, datetime)))


def shown(value: Any) -> Any:
    """Without what is null or empty; dates as text."""
    if isinstance(value, dict):
        return {key: shown(one) for key, one in value.items() if one not in (None, [])}
    if isinstance(value, list):
        return [shown(one) for one in value]
    return value.isoformat() if isinstance(value, date) else value


def expected_at(name: str) -> Path:
    return (PAGES / name).with_suffix(".json")


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_page_is_read_as_expected(name: str) -> None:
    assert reading_of(name) == json.loads(expected_at(name).read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_a_page_saved_in_utf_16_is_read_as_one_in_utf_8(name: str, coding: str) -> None:
    page = "\ufeff" + (PAGES / name).read_text("utf-8")
    assert reading_of(name, page.encode(coding)) == reading_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_byte_order_mark_and_line_ends_change_nothing(name: str) -> None:
    payload = (PAGES / name).read_bytes()
    other = b"\xef\xbb\xbf" + payload.replace(b"\n", b"\r\n")
    assert reading_of(name, other) == reading_of(name)
    for page in (payload, other):
        assert (is_text_list(page), is_text_paper(page)) == (name.startswith("list_"), name.startswith("paper_"))


def test_every_expectation_has_its_page() -> None:
    assert {path.name for path in PAGES.glob("*.json")} == {expected_at(name).name for name in NAMES}


if __name__ == "__main__":
    for page in NAMES:
        text = json.dumps(reading_of(page), indent=2, ensure_ascii=False) + "\n"
        expected_at(page).write_text(text, encoding="utf-8")
