"""The daily list as other archives keep it: `{date, count, papers}`, `{date, papers}`, flat items."""

from datetime import date
from typing import Any

import pytest

from tests.collected import DAILY, collected, page
from tests.derived import derive
from tests.invented import HUB
from transforms.collect.read_page import read

ELSEWHERE = "https://archive.example/kept/list.json"
TUESDAY, MONDAY, SUNDAY = date(2025, 10, 7), date(2025, 10, 6), date(2025, 10, 5)
FLAT = {
    "id": "2510.01234",
    "title": "Woven\n  Ledgers",
    "summary": "We weave\nledgers.",
    "authors": ["Ada Abel", "Bo  Dorn"],
    "upvotes": 12,
    "publishedAt": "2025-10-05T20:00:00.000Z",
}
OTHER = FLAT | {"id": "2510.04321", "title": "Slow Tides"}
WITH_INNER = {
    "paper": {"id": "2510.00077", "title": "Kettles", "publishedAt": "2025-10-05T07:00:00.000Z"},
    "numComments": 3,
}


def read_of(content: object, url: str | None = ELSEWHERE) -> tuple[Any, ...]:
    """Reader, state, reason, kind, day and its basis, the day of the page."""
    row = collected(page(content, url)).captures.row(0, named=True)
    names = ("reader", "state", "reason", "list_kind", "listed_on", "page_on")
    return tuple(row[name] for name in names)


@pytest.mark.parametrize("url", [ELSEWHERE, None, DAILY])
def test_flat_items_are_read(url: str | None) -> None:
    result = collected(page([FLAT, OTHER], url))
    day = TUESDAY if url == DAILY else None
    assert read_of([FLAT, OTHER], url) == ("flat_list", "read", None, "saved", day, None)
    row = result.sightings.row(0, named=True)
    assert (row["arxiv_id"], row["title"], row["abstract"]) == ("2510.01234", "Woven Ledgers", "We weave ledgers.")
    assert [author["name"] for author in row["authors"]] == ["Ada Abel", "Bo Dorn"]
    assert (row["author_count"], row["upvote_count"], row["source"]) == (2, 12, "copy")


def test_the_hubs_own_names_of_a_flat_item_mean_what_they_mean_there() -> None:
    more = {
        "authors": [{"name": "Ada Abel", "hidden": False, "user": {"user": "ada"}}],
        "submittedOnDailyAt": "2025-10-07T00:00:00.000Z",
        "submittedBy": {"name": "goran"},
        "numComments": 4,
        "ai_summary": "Ledgers, woven.",
    }
    row = collected(page([FLAT | more], None)).sightings.row(0, named=True)
    assert (row["authors"][0]["login"], row["submitter_login"], row["comment_count"]) == ("ada", "goran", 4)
    assert (row["ai_summary"], row["listed_on"], row["listed_basis"]) == ("Ledgers, woven.", TUESDAY, "item")


@pytest.mark.parametrize("content", [[FLAT], {"date": "2025-10-07", "papers": [FLAT]}])
def test_the_instant_of_a_flat_item_may_be_either_and_is_not_read(content: object) -> None:
    row = collected(page(content)).sightings.row(0, named=True)
    assert (row["published_on"], row["published_at"], row["submitted_at"]) == (None, None, None)


@pytest.mark.parametrize("more", [{}, {"count": 2}])
@pytest.mark.parametrize("url", [ELSEWHERE, None, f"{HUB}/api/daily_papers?date=2025-10-06"])
def test_a_list_with_its_date_says_the_day(more: dict[str, int], url: str | None) -> None:
    content = {"date": "2025-10-07"} | more | {"papers": [FLAT, WITH_INNER]}
    assert read_of(content, url) == ("dated_list", "read", None, "saved", TUESDAY, TUESDAY)
    names = ("position", "arxiv_id", "listed_on", "listed_basis", "published_on", "comment_count", "source")
    assert collected(page(content, url)).sightings.select(names).rows() == [
        (1, "2510.01234", TUESDAY, "page", None, None, "copy"),
        (2, "2510.00077", TUESDAY, "page", SUNDAY, 3, "copy"),
    ]


def test_such_a_list_gives_no_rank_and_covers_no_day() -> None:
    tables = derive(collected(page({"date": "2025-10-07", "papers": [FLAT, WITH_INNER]}, ELSEWHERE)))
    assert tables["daily_listings"].select("listed_on", "paper_id", "rank").rows() == [
        (TUESDAY, "2510.00077", None),
        (TUESDAY, "2510.01234", None),
    ]
    assert tables["coverage"].filter(listed_on=TUESDAY)["state"].to_list() == ["missing", "missing"]


def test_a_date_that_is_no_list_day_is_the_pages_own_only() -> None:
    listed = ("dated_list", "read", None, "saved", None, SUNDAY)
    assert read_of({"date": "2025-10-05", "papers": [FLAT]}) == listed
    assert read_of({"date": "yesterday", "papers": [FLAT]}) == (*listed[:-1], None)
    own = FLAT | {"submittedOnDailyAt": "2025-10-06T00:00:00.000Z"}
    assert read_of({"date": "2025-10-07", "papers": [own]}) == (*listed[:-2], MONDAY, TUESDAY)


def test_a_count_that_differs_is_in_quarantine_with_the_papers_kept() -> None:
    result = collected(page({"date": "2025-10-07", "count": 20, "papers": [FLAT, OTHER]}, None))
    assert (result.sightings.height, result.captures["state"].item()) == (2, "partial")
    told = "the list says that it has 20 papers, and has 2"
    assert result.quarantine.select("position", "rule", "detail").rows() == [(0, "count", told)]


@pytest.mark.parametrize(
    ("bad", "rule"),
    [
        (FLAT | {"upvotes": "12"}, "item_type"),
        (FLAT | {"id": "2510.01234v2"}, "arxiv_id_pattern"),
        ({"name": "Looms"}, "item_type"),
        ("{'id': '2510.01234'}", "python_repr"),
        (FLAT | {"title": "Copy markdown"}, "no_words"),
    ],
)
@pytest.mark.parametrize("is_dated", [False, True])
def test_an_item_that_does_not_fit_is_rejected_and_the_rest_is_kept(bad: object, rule: str, *, is_dated: bool) -> None:
    content = {"date": "2025-10-07", "papers": [OTHER, bad]} if is_dated else [OTHER, bad]
    result = collected(page(content, ELSEWHERE))
    assert result.sightings["arxiv_id"].to_list() == ["2510.04321"]
    pointer = "/papers/1" if is_dated else "/1"
    assert result.quarantine.select("position", "rule", "pointer").rows() == [(2, rule, pointer)]


@pytest.mark.parametrize(
    ("content", "reader"),
    [
        ([WITH_INNER, FLAT], "api_list"),
        ([{"title": "Looms"}], "api_list"),
        ([], "api_list"),
        ({"status": "ok", "date": "2025-10-07", "count": 1, "data": [WITH_INNER]}, "api_list"),
        ({"date": "2025-10-07", "papers": {}}, "api_list"),
        ({"papers": [FLAT]}, "api_list"),
    ],
)
def test_what_is_no_such_list_is_left_to_the_others(content: object, reader: str) -> None:
    assert read(page(content)).reader == reader


def test_the_paths_of_a_copys_json_are_counted() -> None:
    paths = collected(page({"date": "2025-10-07", "papers": [FLAT]}, None)).schema_paths
    assert {"upvotes", "authors[]", "$.date"} <= set(paths["path"])
    assert set(paths.select("reader", "list_kind").rows()) == {("dated_list", "saved")}


def test_the_api_wins_over_a_copy_and_a_copy_fills_what_it_lacks() -> None:
    api = {"paper": {"id": FLAT["id"], "title": "Woven Ledgers, again", "upvotes": 3}}
    tables = derive(collected(page([api]), page([FLAT], ELSEWHERE)))
    (row,) = tables["papers"].iter_rows(named=True)
    assert (row["title"], row["author_count"]) == ("Woven Ledgers, again", 2)
    assert tables["paper_versions"].filter(field="title").height == 1
    assert set(tables["paper_aliases"].filter(kind="title")["alias"]) == {"Woven Ledgers, again", "Woven Ledgers"}
