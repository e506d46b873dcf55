"""What readers say of a page becomes rows: readings made by hand, of the kinds that pages without ids give."""

from datetime import date
from typing import Any

import pytest

from tests.collected import assert_accounted
from transforms.collect.collect import Collected, PageRead, collect
from transforms.collect.row_frame import DECLARED
from transforms.readers.reading import Author, Reading, Reject, Sighting

DAY = date(2024, 11, 21)


def saved(*sightings: Sighting, rejects: tuple[Reject, ...] = (), **told: Any) -> Collected:
    told = {"reader": "text_list", "source": "text", "list_kind": "saved"} | told
    reading = Reading(sightings=list(sightings), rejects=list(rejects), **told)
    result = collect([PageRead("a" * 20, None, None, None, None, 9, "b" * 64, reading)])
    assert_accounted(result)
    return result


def paper(position: int, title: str = "Woven Ledgers", **told: Any) -> Sighting:
    return Sighting(position=position, pointer=f"line {9 * position}", title=title, **told)


def test_a_title_twice_is_one_paper_unless_the_abstracts_differ() -> None:
    result = saved(
        paper(1, abstract="We weave."),
        paper(2, abstract="We unpick."),
        paper(3, abstract=" We\nweave. "),
        paper(4),
        paper(5),
        paper(6, "Slow Tides", abstract="We weave."),
    )
    assert result.sightings["position"].to_list() == [1, 2, 4, 6]
    assert result.captures["duplicate_count"].item() == 2


def test_a_description_tells_two_papers_of_a_title_apart() -> None:
    result = saved(
        paper(1, description="We weave."), paper(2, description="We unpick."), paper(3, description="We weave.")
    )
    assert result.sightings["position"].to_list() == [1, 2]


def test_an_id_decides_alone() -> None:
    result = saved(
        paper(1, arxiv_id="2503.01234", abstract="We weave."),
        paper(2, "Another Name", arxiv_id=" 2503.01234 ", abstract="We unpick."),
        paper(3, arxiv_id="2503.04321", abstract="We weave."),
        paper(4, abstract="We weave."),
    )
    assert result.sightings["position"].to_list() == [1, 3, 4]


def test_a_day_without_an_instant() -> None:
    result = saved(
        paper(1, published_on=DAY, published_basis="inferred"),
        paper(2, "B", published_on=DAY, published_basis="stated"),
        paper(3, "C"),
        paper(4, "D", published_on=DAY),
    )
    names = ("position", "published_on", "published_basis", "published_at")
    assert result.sightings.select(names).rows() == [
        (1, DAY, "inferred", None),
        (2, DAY, "stated", None),
        (3, None, None, None),
    ]
    assert result.quarantine.select("position", "rule", "pointer").rows() == [(4, "published_basis_told", "line 36")]


def test_an_instant_outweighs_a_day() -> None:
    both = paper(1, published="2024-11-20T10:00:00.000Z", published_on=DAY, published_basis="inferred")
    row = saved(both).sightings.row(0, named=True)
    assert (row["published_on"], row["published_basis"]) == (date(2024, 11, 20), "stated")


def test_rejects_of_the_reader_and_of_the_rules_stand_together() -> None:
    result = saved(
        paper(1),
        paper(3, upvote_count=-1),
        rejects=(Reject(rule="no_title", detail="the item\x00has no title", position=2, pointer="line 20"),),
    )
    assert result.quarantine.rows() == [
        ("a" * 20, 2, "no_title", "the item\N{REPLACEMENT CHARACTER}has no title", "line 20"),
        ("a" * 20, 3, "upvote_count_minimum", "upvote_count is under 0", "line 27"),
    ]
    row = result.captures.row(0, named=True)
    told = "2 of 3 items are in quarantine; the first: the item\N{REPLACEMENT CHARACTER}has no title"
    assert (row["state"], row["item_count"], row["reason"]) == ("partial", 3, told)


def test_endless_details_are_cut() -> None:
    reject = Reject(rule="r", detail="x" * 9_000, pointer="y" * 900, position=1)
    row = saved(rejects=(reject,)).quarantine.row(0, named=True)
    assert (len(row["detail"]), len(row["pointer"])) == (4_000, 500)


@pytest.mark.parametrize("authors", [[Author(name="Ada")], [Author(name="Ada"), Author(name="\n")], None])
def test_lists_of_different_lengths_stay_with_their_rows(authors: list[Author] | None) -> None:
    result = saved(
        paper(1, "A", authors=authors, keywords=["x", " x "], media_urls=[]),
        paper(2, "B", keywords=[]),
        paper(3, "C", authors=[Author(name="Ivo"), Author(name=" Ivo\tLund ")], media_urls=["https://x.example/a"]),
    )
    rows = {row["title"]: row for row in result.sightings.iter_rows(named=True)}
    assert [author["name"] for author in rows["C"]["authors"]] == ["Ivo", "Ivo Lund"]
    assert (rows["B"]["authors"], rows["B"]["keywords"], rows["B"]["media_urls"]) == (None, [], None)
    if authors and len(authors) == 2:
        assert result.quarantine.select("position", "rule").rows() == [(1, "list_element")]
    else:
        assert (rows["A"]["keywords"], rows["A"]["media_urls"]) == (["x"], [])


def test_what_the_page_says_of_itself_is_kept() -> None:
    result = saved(paper(1), page_on=DAY, page_basis="inferred", list_query=" woven \n ledgers ", list_kind="search")
    row = result.captures.row(0, named=True)
    assert (row["page_on"], row["page_basis"], row["list_query"]) == (DAY, "inferred", "woven ledgers")
    assert result.sightings.row(0, named=True)["list_query"] == "woven ledgers"


@pytest.mark.parametrize("name", [column.name for column in DECLARED if column.is_free_text and not column.pattern])
def test_every_text_of_the_source_is_cleaned_whatever_its_column_declares(name: str) -> None:
    result = saved(Sighting(position=1, pointer="", **{"title": "A", name: "\n \twoven \r\n"}))  # type: ignore[arg-type]
    assert (result.quarantine.is_empty(), result.sightings[name].to_list()) == (True, ["woven"])
