"""Answers of the JSON API, in every way in which one can be broken."""

import json
from datetime import date
from functools import cache
from typing import Any

import pytest

from tests.api_items import item, rows
from tests.collected import capture_of, collected, each, of_page, outcome, page, rejects
from tests.invented import HUB
from transforms.collect.collect import Collected
from transforms.readers.hub_items import HubItem, HubPaper
from warehouse.archive.captured import Capture

GOOD = {"id": "2503.00001"}
LATE = {"id": "2503.00009"}
LIMIT = 2**31 - 1


BAD_ITEMS: dict[str, tuple[Any, str]] = {
    "an id of four digits": (item({"id": "2503.0213"}), "arxiv_id_pattern"),
    "an id with a version": (item({"id": "2503.02130v2"}), "arxiv_id_pattern"),
    "an id of foreign digits": (item({"id": "2503.0213\N{ARABIC-INDIC DIGIT ONE}"}), "arxiv_id_pattern"),
    "a month 13": (item({"id": "2513.02130"}), "arxiv_id_pattern"),
    "no id": (item({"id": None}), "item_type"),
    "no title": (item({"title": None}, title=None), "title_not_null"),
    "a blank title": (item({"title": " \n "}), "title_not_null"),
    "a title of 1,001 characters": (item({"title": "x" * 1_001}), "title_length"),
    "an abstract of 20,001 characters": (item({"summary": "é" * 20_001}), "abstract_length"),
    "a NUL in the title": (item({"title": "Wo\0ven"}), "title_control_characters"),
    "an escape in the abstract": (item({"summary": "red \x1b[31m"}), "abstract_control_characters"),
    "a C1 control": (item({"ai_summary": "a\x9bb"}), "ai_summary_control_characters"),
    "a file separator, that Python takes for space": (item({"title": "a\x1cb"}), "title_control_characters"),
    "negative upvotes": (item({"upvotes": -1}), "upvote_count_minimum"),
    "upvotes beyond the column": (item({"upvotes": LIMIT + 1}), "item_type"),
    "upvotes in words": (item({"upvotes": "12"}), "item_type"),
    "upvotes that are true": (item({"upvotes": True}), "item_type"),
    "negative comments": (item(numComments=-7), "comment_count_minimum"),
    "negative stars": (item({"githubStars": -LIMIT - 1}), "github_star_count_minimum"),
    "a day the calendar lacks": (item({"publishedAt": "2024-02-30T00:00:00.000Z"}), "published_instant"),
    "no leap day": (item(publishedAt="2025-02-29T00:00:00.000Z"), "submitted_instant"),
    "a day in words": (item({"submittedOnDailyAt": "Feb 30"}), "listed_instant"),
    "a day without a time": (item({"publishedAt": "2024-03-11"}), "published_instant"),
    "an offset that no clock has": (item({"publishedAt": "2024-03-11T00:00:00+25:00"}), "published_instant"),
    "an instant without its zone": (item({"publishedAt": "2024-03-12T03:17:21.812"}), "published_instant"),
    "a space in place of the T": (item({"publishedAt": "2024-03-12 03:17:21.812Z"}), "published_instant"),
    "the start of Unix time": (item(publishedAt="1970-01-01T00:00:00.000Z"), "submitted_instant"),
    "the year 0": (item({"publishedAt": "0000-03-11T00:00:00.000Z"}), "published_instant"),
    "an empty instant": (item({"publishedAt": ""}), "published_instant"),
    "published after its day": (item({"publishedAt": "2025-10-08T00:00:00.000Z"}), "published_before_listed"),
    "an author without a name": (item({"authors": [{"_id": "0" * 24, "hidden": False}]}), "item_type"),
    "an author with an empty name": (item({"authors": [{"name": "Ada"}, {"name": ""}]}), "list_element"),
    "an author with an endless name": (item({"authors": [{"name": "Ada " * 200}]}), "list_element"),
    "an author with a control": (item({"authors": [{"name": "A\x07da"}]}), "list_element"),
    "a login with a control": (item({"authors": [{"name": "Ada", "user": {"user": "ad\0a"}}]}), "list_element"),
    "an endless login": (
        item({"authors": [{"name": "Ada"}, {"name": "Ivo", "user": {"user": "x" * 501}}]}),
        "list_element",
    ),
    "a status of two lines": (item({"authors": [{"name": "Ada", "status": "claimed\nverified"}]}), "list_element"),
    "a login that is a number": (item({"authors": [{"name": "Ada", "user": {"user": 7}}]}), "item_type"),
    "a keyword with a control": (item({"ai_keywords": ["looms", "re\0eds"]}), "list_element"),
    "an endless keyword": (item({"ai_keywords": ["x" * 1_001]}), "list_element"),
    "a picture with an endless address": (item(mediaUrls=["https://x.example/" + "y" * 4_000]), "list_element"),
    "no paper": ({"title": "Woven Ledgers", "publishedAt": "2024-03-12T03:17:21.812Z"}, "item_type"),
    "a paper that is null": (item() | {"paper": None}, "item_type"),
    "the repr of a dict": (repr(item()), "python_repr"),
    "null": (None, "item_type"),
    "an array": ([item()], "item_type"),
    "an empty object": ({}, "item_type"),
}


@cache
def bad_items() -> dict[str, Collected]:
    return each({name: page([item(GOOD), bad, item(LATE)]) for name, (bad, _) in BAD_ITEMS.items()})


@pytest.mark.parametrize("name", BAD_ITEMS)
def test_one_bad_item_among_good_ones(name: str) -> None:
    result = bad_items()[name]
    assert outcome(result) == ("api_list", "partial", 2, 1, 0)
    assert rejects(result) == [(2, BAD_ITEMS[name][1], "/1")]
    assert result.sightings.select("position", "arxiv_id").rows() == [(1, "2503.00001"), (3, "2503.00009")]
    reason = capture_of(result)["reason"]
    assert reason == f"1 of 3 items are in quarantine; the first: {result.quarantine['detail'].item()}"


def test_limits_are_inclusive() -> None:
    (row,) = rows(item({"title": "x" * 1_000, "summary": "é" * 20_000, "upvotes": LIMIT, "githubStars": 0}))
    assert (len(row["title"]), len(row["abstract"]), row["upvote_count"]) == (1_000, 20_000, LIMIT)


def test_every_broken_rule_is_told() -> None:
    bad = item({"id": "2503.0213", "title": "x" * 1_001, "upvotes": -1, "publishedAt": "Feb 30"})
    told = collected(page([bad])).quarantine["detail"].item()
    assert told == (
        "arxiv_id is malformed; title is longer than 1000 characters; upvote_count is under 0; "
        "published is no instant like 2024-03-12T03:17:21.812Z that the calendar has, or is before 1991"
    )


def test_a_rejected_paper_is_no_first_sighting() -> None:
    result = collected(page([item({"upvotes": -1}), item()]))
    assert outcome(result) == ("api_list", "partial", 1, 1, 0)
    assert result.sightings["position"].to_list() == [2]


# What JSON itself cannot hold, put in the place of a title
BROKEN_INSIDE = {
    "invalid UTF-8": (b'"W\xff\xfe"', "invalid_utf8"),
    "half a surrogate pair": (rb'"W \ud83d"', "malformed_json"),
    "a bare line end": (b'"W\nx"', "malformed_json"),
    "a bare NUL": (b'"W\0x"', "malformed_json"),
    "an escape there is not": (rb'"\x41"', "malformed_json"),
    "NaN": (b"NaN", "malformed_json"),
    "nothing": (b"", "malformed_json"),
    "2,000 arrays": (b"[" * 2_000 + b"]" * 2_000, "item_type"),
}


@cache
def broken_inside() -> dict[str, Collected]:
    good, bad = (json.dumps(item({"title": "HERE"} | more)).encode() for more in (GOOD | {"title": "Looms"}, {}))
    pages = {name: bad.replace(b'"HERE"', value) for name, (value, _) in BROKEN_INSIDE.items()}
    return each({name: page(b"[" + good + b",\n " + broken + b"]") for name, broken in pages.items()})


@pytest.mark.parametrize("name", BROKEN_INSIDE)
def test_bytes_broken_inside_one_item(name: str) -> None:
    result = broken_inside()[name]
    assert outcome(result) == ("api_list", "partial", 1, 1, 0)
    assert rejects(result) == [(2, BROKEN_INSIDE[name][1], "/1")]


def test_bytes_that_are_no_utf_8_are_told_by_their_place_in_the_item() -> None:
    """Of a field msgspec tells the place in its text, or none at all: each version in other words."""
    [detail] = broken_inside()["invalid UTF-8"].quarantine["detail"]
    assert "byte 0xff in position" in detail
    assert "position 1:" not in detail


def test_a_deep_field_that_nobody_reads() -> None:
    deep = item()
    raw = json.dumps(deep).encode()[:-1] + b', "more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    result = collected(page(b"[" + raw + b"," + json.dumps(item(GOOD)).encode() + b"]"))
    assert outcome(result) == ("api_list", "partial", 1, 1, 0)
    assert result.quarantine.select("rule", "detail").row(0) == ("malformed_json", "JSON nested too deeply")


class TestReprDays:
    """Days that an archive kept as Python repr strings, some in an envelope (docs/source.md, head)."""

    @pytest.mark.parametrize(("envelope", "folder"), [(False, ""), (True, "/data")])
    def test_item_by_item(self, envelope: bool, folder: str) -> None:
        texts = [repr(item({"id": f"2501.0000{place}"})) for place in range(3)]
        content = {"status": "success", "date": "2025-01-06", "count": 3, "data": texts} if envelope else texts
        result = collected(page(content))
        assert outcome(result) == ("api_list", "rejected", 0, 3, 0)
        assert rejects(result) == [(place, "python_repr", f"{folder}/{place - 1}") for place in (1, 2, 3)]
        told = "a string that holds the repr of a Python dict, in place of an object"
        assert result.quarantine["detail"].unique().to_list() == [told]
        assert capture_of(result)["reason"] == f"3 of 3 items are in quarantine; the first: {told}"
        assert capture_of(result)["listed_on"] == date(2025, 10, 7)

    def test_objects_in_an_envelope_are_not_the_sources_word(self) -> None:
        result = collected(page({"status": "success", "data": [item(), "text"]}))
        assert outcome(result) == ("api_list", "rejected", 0, 2, 0)
        assert "envelope" in result.quarantine.sort("position")["detail"][0]

    @pytest.mark.parametrize("told", [{"error": "rate limit"}, {"status": "failed"}, {"status": 500}])
    def test_an_error_is_no_empty_list(self, told: dict[str, object]) -> None:
        assert outcome(collected(page(told | {"data": []}))) == ("api_list", "rejected", 0, 1, 0)

    def test_an_empty_envelope(self) -> None:
        assert outcome(collected(page({"status": "success", "data": []}))) == ("api_list", "empty", 0, 0, 0)


class TestWholePages:
    """Pages that cannot be parted into items: one reject, position 0, and the capture says why."""

    @pytest.mark.parametrize(
        ("payload", "rule"),
        [
            (json.dumps([item(), item(GOOD)]).encode()[:-40], "malformed_json"),
            (json.dumps([item(), {"paper": 7}]).encode()[:-1], "malformed_json"),
            (b"[" * 100_000, "malformed_json"),
            (b"[1, 2", "malformed_json"),
            (b"[" + b"0," * 100_001 + b"0]", "malformed_json"),
            (b'{"error":"Sorry, we looked everywhere."}', "item_type"),
            (b'{"data":{"papers":[]}}', "item_type"),
            (b"\xef\xbb\xbf[{", "malformed_json"),
        ],
    )
    def test_malformed(self, payload: bytes, rule: str) -> None:
        result = collected(page(payload))
        assert outcome(result) == ("api_list", "rejected", 0, 1, 0)
        assert rejects(result) == [(0, rule, "")]
        assert capture_of(result)["reason"].startswith("1 of 1 items are in quarantine; the first: ")

    def test_a_byte_order_mark_is_no_fault(self) -> None:
        result = collected(page(b"\xef\xbb\xbf\r\n" + json.dumps([item()]).encode()))
        assert outcome(result) == ("api_list", "read", 1, 0, 0)

    def test_json_far_down_the_page(self) -> None:
        assert outcome(collected(page(b" " * 9_000 + json.dumps([item()]).encode())))[1] == "read"

    def test_an_unknown_status_is_no_error(self) -> None:
        assert outcome(collected(page([item()], http_status=None)))[1] == "read"

    def test_a_bad_paper_is_rejected_whole(self) -> None:
        result = collected(page({"id": 7, "title": "Woven"}, f"{HUB}/api/papers/2503.01234"))
        assert (outcome(result), rejects(result)) == (("api_paper", "rejected", 0, 1, 0), [(0, "item_type", "")])


def test_hostile_text_in_a_reason_is_made_fit_to_show() -> None:
    bad = json.dumps([{"paper": {"id": "x" * 9_000, "title": 7}}]).encode()
    row = capture_of(collected(page(bad, f"{HUB}/api/papers/search?q={'a' * 3_000}%00%0A")))
    assert len(row["list_query"]) == 1_000
    assert len(row["url"]) < 4_000


def test_pages_do_not_mix() -> None:
    pages = [
        page([item(), item()], f"{HUB}/api/daily_papers?date=2025-10-01"),
        page([item(), 7], f"{HUB}/api/daily_papers?date=2025-10-02"),
        page(b"", f"{HUB}/api/daily_papers?date=2025-10-03"),
    ]
    result = collected(*pages)
    by_id = {row["capture_id"]: row for row in result.captures.iter_rows(named=True)}
    states = [by_id[one.capture_id]["state"] for one in pages]
    assert states == ["read", "partial", "rejected"]
    days = dict(result.sightings.select("capture_id", "listed_on").iter_rows())
    assert days == {pages[0].capture_id: date(2025, 10, 1), pages[1].capture_id: date(2025, 10, 2)}


class TestOuterObject:
    """What the outer object says otherwise than the inner one is kept; whitespace aside."""

    def test_titles(self) -> None:
        (row,) = rows(item({"title": "2times Looms"}, title="2$\\times$\n  Looms"))
        assert (row["title"], row["outer_title"]) == ("2times Looms", "2$\\times$ Looms")

    def test_whitespace_is_no_difference(self) -> None:
        (row,) = rows(
            item({"title": "Slow\n  Looms"}, title="Slow Looms", summary="We weave\nledgers and  keep them. They last.")
        )
        assert (row["outer_title"], row["outer_abstract"]) == (None, None)

    def test_an_outer_title_stands_in_for_a_missing_one(self) -> None:
        (row,) = rows(item({"title": None}, title="Looms"))
        assert (row["title"], row["outer_title"]) == ("Looms", None)

    def test_people_and_organizations(self) -> None:
        inner = {"submittedOnDailyBy": {"user": "ada"}, "organization": {"name": "loomworks"}}
        (row,) = rows(item(inner, submittedBy={"name": "goran"}, submitterOrganization={"name": "tidal-research"}))
        assert (row["submitter_login"], row["outer_submitter_login"]) == ("ada", "goran")
        assert (row["organization_login"], row["outer_organization_login"]) == ("loomworks", "tidal-research")
        (row,) = rows(item(inner, submittedBy={"name": "ada"}, organization={"name": "loomworks"}))
        assert (row["outer_submitter_login"], row["outer_organization_login"]) == (None, None)

    def test_abstracts(self) -> None:
        (row,) = rows(item({"summary": "We weave."}, summary="We drift."))
        assert (row["abstract"], row["outer_abstract"]) == ("We weave.", "We drift.")


FIELDS_OF = {"paper": HubPaper, "": HubItem}


CHANGED = {"number": 0.5, "object": {"new": [1]}, "array": [[7]]}  # by its type in JSON
NESTED = {"submittedOnDailyBy", "submittedBy", "organization", "submitterOrganization"}
FIELDS = [
    (place, name, kind)
    for place, struct in FIELDS_OF.items()
    for name in struct.__struct_fields__
    if name != "thumbnail"
    for kind in CHANGED
]


def of_another_type(place: str, name: str, kind: str) -> Capture:
    """A page with an item one of whose fields is of this type."""
    value = {"name": 7} if name in NESTED and kind == "object" else CHANGED[kind]
    return page([item(GOOD), item({name: value}) if place else item() | {name: value}])


@cache
def of_other_types() -> Collected:
    return collected(*(of_another_type(*field) for field in FIELDS))


@pytest.mark.parametrize("field", FIELDS, ids=" ".join)
def test_a_field_whose_type_changed_quarantines_its_item_and_is_named(field: tuple[str, str, str]) -> None:
    place, name, kind = field
    result = of_page(of_other_types(), of_another_type(*field))
    assert outcome(result) == ("api_list", "partial", 1, 1, 0)
    assert rejects(result) == [(2, "item_type", "/1")]
    inside = f"$.{place}.{name}" if place else f"$.{name}"
    assert inside in result.quarantine["detail"].item()
    path = f"{place}.{name}" if place else name
    assert of_other_types().schema_paths.filter(path=path, json_type=kind).height == 1


WORDLESS = (
    '<a id="source-section-3"></a>',
    "<b></b>",
    "![](/a.png)",
    "Copy markdown",
    "View PDF",
    "https://hub.example/papers",
)
PLACES = ("title", "outer_title", "organization_name", "submitter_name", "author")


def saying_nothing(words: str, place: str) -> Capture:
    outer = {
        "title": {},
        "outer_title": {"title": words},
        "author": {},
        "organization_name": {"organization": {"name": "lamps", "fullname": words}},
        "submitter_name": {"submittedBy": {"name": "goran", "fullname": words}},
    }
    paper = {"title": {"title": words}, "author": {"authors": [{"name": "Ada Abel"}, {"name": words}]}}.get(place)
    return page([item(paper, **outer[place])])


@cache
def of_no_words() -> Collected:
    return collected(*(saying_nothing(words, place) for words in WORDLESS for place in PLACES))


@pytest.mark.parametrize("words", WORDLESS)
@pytest.mark.parametrize("place", PLACES)
def test_a_title_or_name_that_says_nothing_is_in_quarantine(words: str, place: str) -> None:
    made = of_page(of_no_words(), saying_nothing(words, place))
    assert made.sightings.is_empty()
    assert made.quarantine["rule"].to_list() == ["list_element" if place == "author" else "no_words"]
    assert "only markup, the words of a button, or an address" in made.quarantine["detail"].item()
