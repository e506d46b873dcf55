"""Acronyms: which ones a text explains, and that a search for the one finds the other, where papers agree."""

from collections.abc import Iterator
from datetime import datetime

import pytest

from paperlake.find.finder import Finder
from paperlake.find.hits_text import found_text
from paperlake.find.reasons import found_rows
from tests.collected import page
from tests.derived import derive
from tests.invented import HUB
from tests.unit.test_macros import database
from tests.unit.test_search_papers import MANY
from transforms.collect.collect import collect, read_page
from transforms.search.long_forms import explained_in
from warehouse.release.query import Database


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use Slow Plum Optimization (SPO).", [("SPO", "slow plum optimization", "slow plum optim")]),
        ("Large plum models (LPMs) and more", [("LPM", "large plum models", "larg plum model")]),
        ("LoRP (Low-Rank Plums) is small", [("LoRP", "low-rank plums", "low rank plum")]),
        ("Proximal plum pruning (PPP)", [("PPP", "proximal plum pruning", "proxim plum prune")]),
        ("reinforcement of plums by kind feedback (RPKF)", [("RPKF", "reinforcement of plums by kind feedback", "reinforc plum kind feedback")]),
        ("In-context pruning (ICP)", [("ICP", "in-context pruning", "incontext prune")]),
        ("State-of-the-art (SOTA) looms", [("SOTA", "state-of-the-art", "stateoftheart")]),
        ("Pruning, plum oil (PO; in short), helps", [("PO", "plum oil", "plum oil")]),
        ("R\u00e9seau Prune (RP)", [("RP", "reseau prune", "reseau prune")]),
        ("Plums are ripe. (RIPE) is (2024), (see Fig. 2) and (i) pears (PEARS) of (P) (pLuMs)", []),
        ("We see growth. Our trees (WSGT)", []),  # no long form goes beyond a sentence
        ("GRP (plums of all kinds) and (((( LLM )", []),
        ("", []),
    ],
)  # fmt: skip
def test_what_a_text_explains(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(one.acronym, one.long_form, one.terms) for one in explained_in(text)] == expected


TEXTS = {
    "2503.00001": ("Ripening", "Slow plum optimization (SPO) ripens."),
    "2503.00002": ("Drying", "We dry with slow plum optimization (SPO)."),
    "2503.00003": ("Baking", "Slow Plum Optimization (SPO) bakes."),
    "2503.00004": ("SPO in the oven", "It is hot."),
    "2503.00005": ("Stones", "The optimization of plum stones is slow."),
    "2503.00006": ("Many SPOs", "They differ."),
    "2503.00007": ("Once", "Odd pear grafting (OPG) is told once."),
    "2503.00008": ("OPG again", "No more is said."),
    "2503.00009": ("Plum99", "Plum99 is large."),
    "2503.00010": ("Plums of 99 trees", "They are small."),
    **{
        f"2503.001{n:02}": (f"A clip {n}", "Carved loom ink prints (CLIP) shine." if n < 3 else "A clip.")
        for n in range(30)
    },
}
SAID = {"2503.00001", "2503.00002", "2503.00003", "2503.00004", "2503.00005", "2503.00006"}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    items = [{"paper": {"id": one, "title": title, "summary": text}} for one, (title, text) in TEXTS.items()]
    listed = page(items, f"{HUB}/api/daily_papers?date=2025-10-07", datetime(2025, 10, 7, 8))
    with database(tmp_path_factory.mktemp("acronyms"), derive(collect([read_page(listed)]))) as made:
        yield made


def ids(opened: Database, query: str) -> set[str]:
    return {hit.paper_id for hit in Finder(opened).search(query, 50).hits}


def test_the_one_finds_the_other(opened: Database) -> None:
    queries = ["SPO", "spos", "slow plum optimisation", "plum slow optimization", "words:SPO"]
    found = {query: set(papers) for query, papers, _ in opened.rows(MANY, [queries]).rows}
    assert found == dict.fromkeys(queries, SAID)
    assert ids(opened, "SPO") == SAID


def test_a_name_and_its_number_are_one_word_too(opened: Database) -> None:
    assert ids(opened, "trees plum 99") == {"2503.00010", "2503.00009"}
    assert ids(opened, "plum 99") == {"2503.00009", "2503.00010"}


def test_what_few_explain_or_what_is_a_word_finds_itself_alone(opened: Database) -> None:
    assert ids(opened, "OPG") == {"2503.00007", "2503.00008"}
    assert ids(opened, "odd pear grafting") == {"2503.00007"}
    assert ids(opened, "carved loom ink prints") == {"2503.00100", "2503.00101", "2503.00102"}
    assert list(opened.rows("SELECT acronym, long_form, paper_count FROM acronyms").rows) == [
        ("SPO", "slow plum optimization", 3)
    ]


def test_words_that_are_left_out_are_meant_as_they_stand(opened: Database) -> None:
    assert ids(opened, "slow plum optimization -spo") == {"2503.00005", "2503.00006"}
    assert ids(opened, '"slow plum optimization"') == {"2503.00001", "2503.00002", "2503.00003"}


def test_the_answer_says_what_else_it_was_found_by(opened: Database) -> None:
    finder = Finder(opened)
    for query, said in (("SPO", "slow plum optimization"), ("slow plum optimization", "SPO")):
        found = finder.search(query, 50)
        rows = found_rows(opened, found, explain=True)
        assert f"\n{query.lower()}, also as {said}\n" in found_text(rows, found, None)
        [stones] = [row for row in rows if row["paper_id"] == "2503.00005"]
        assert all(one["also"] == said and one["fields"] == ["abstract"] for one in stones["reasons"]["terms"])


def test_pages_in_another_order_give_the_same_rows() -> None:
    items = [{"paper": {"id": one, "title": title, "summary": text}} for one, (title, text) in TEXTS.items()]
    addresses = [f"{HUB}/api/daily_papers?date=2025-10-0{day}" for day in (7, 8)]
    parts = [
        read_page(page(part, at, datetime(2025, 10, 9, 8)))
        for part, at in zip((items[:4], items[4:]), addresses, strict=True)
    ]
    one, other = (derive(collect(pages))["paper_acronyms"] for pages in (parts, parts[::-1]))
    assert one.equals(other)
    assert one.height == 7
