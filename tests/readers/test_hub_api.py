"""Answers of the JSON API: every era it had, and every way an answer can be broken."""

from __future__ import annotations

import json
from datetime import date, datetime
from functools import cache
from typing import Any

import pytest

from tests.collected import DAILY, FETCHED_AT, capture_of, collected, each, outcome, page, rejects
from tests.invented import HUB
from transforms.collect.collect import Collected
from transforms.readers.hub_items import Item, Paper
from transforms.readers.json_values import elements_of
from warehouse.archive.captured import Capture

UPLOAD = "https://cdn-uploads.hub.example/woven.png"
THUMBNAIL = "https://cdn-thumbnails.hub.example/social-thumbnails/papers/2503.01234.png"


def without(made: dict[str, Any]) -> dict[str, Any]:
    """The source omits what it has not (docs/source.md §1)."""
    return {key: value for key, value in made.items() if value is not None}


def item(paper: dict[str, Any] | None = None, **outer: Any) -> dict[str, Any]:
    """A list item with what all eras have, changed; None leaves a key out."""
    inner = {
        "id": "2503.01234",
        "authors": [{"_id": "0" * 24, "name": "Ada Holm", "hidden": False}],
        "publishedAt": "2024-03-11T17:59:58.000Z",
        "title": "Woven Ledgers for\n  Slow Tides",
        "summary": "We weave\nledgers and  keep\nthem.\n  They last.",
        "upvotes": 12,
    }
    base = {
        "publishedAt": "2024-03-12T03:17:21.812Z",
        "title": "Woven Ledgers for Slow Tides",
        "numComments": 3,
    }
    return without({"paper": without(inner | (paper or {}))} | base | outer)


def rows(*contents: Any, url: str | None = DAILY, fetched_at: datetime | None = FETCHED_AT) -> list[dict[str, Any]]:
    result = collected(page(list(contents), url, fetched_at))
    assert rejects(result) == []
    return result.sightings.rows(named=True)


BASE = dict.fromkeys(collected().sightings.columns) | {
    "source": "api",
    "position": 1,
    "list_kind": "daily",
    "listed_basis": "request",
    "arxiv_id": "2503.01234",
    "title": "Woven Ledgers for Slow Tides",
    "abstract": "We weave ledgers and keep them. They last.",
    "published_on": date(2024, 3, 11),
    "published_basis": "stated",
    "published_at": datetime(2024, 3, 11, 17, 59, 58),
    "author_count": 1,
    "authors": [{"name": "Ada Holm", "login": None, "claim_status": None, "is_hidden": False}],
    "upvote_count": 12,
    "comment_count": 3,
}
PERSON = {"name": "goran", "fullname": "Goran  Kral", "avatarUrl": "/avatars/0.svg", "type": "user", "isPro": False}
GORAN = {"submitter_login": "goran", "submitter_name": "Goran Kral"}
STATED = {"submitted_at": datetime(2024, 3, 12, 3, 17, 21, 812000), "submitted_basis": "stated"}
EARLY = {"submitted_at": datetime(2024, 3, 12, 4, 47, 21, 812000), "submitted_basis": "inferred"}

# Day of the list, what the day's answer has more than the first ones, and what a sighting has more for it
ERAS = {
    "the first answers": ("2024-03-12", {}, {"mediaUrl": THUMBNAIL}, STATED),
    "a picture that was uploaded": ("2024-04-02", {}, {"mediaUrl": UPLOAD}, STATED | {"media_urls": [UPLOAD]}),
    "thumbnail and uploads": (
        "2024-06-12",
        {},
        {"thumbnail": THUMBNAIL, "mediaUrls": [UPLOAD, f" {UPLOAD} ", "https://x.example/b.mp4"]},
        EARLY | {"media_urls": [UPLOAD, "https://x.example/b.mp4"]},
    ),
    "no uploads": ("2024-06-12", {}, {"thumbnail": THUMBNAIL, "mediaUrls": []}, EARLY),
    "submittedBy": ("2024-06-13", {}, {"submittedBy": PERSON}, EARLY | GORAN),
    "discussionId": (
        "2024-08-02",
        {"discussionId": "66a9c0ffee0123456789abcd"},
        {"submittedBy": PERSON},
        EARLY | GORAN | {"discussion_id": "66a9c0ffee0123456789abcd"},
    ),
    "New York wall clock": (
        "2024-12-03",
        {},
        {"submittedBy": PERSON | {"_id": "1" * 24, "followerCount": 7}, "publishedAt": "2024-12-02T22:17:21.812Z"},
        GORAN | {"submitted_at": datetime(2024, 12, 3, 3, 17, 21, 812000), "submitted_basis": "inferred"},
    ),
    "isAuthorParticipating": (
        "2024-12-19",
        {},
        {"submittedBy": PERSON, "isAuthorParticipating": True, "publishedAt": "2024-12-18T22:17:21.000Z"},
        GORAN
        | {
            "is_author_participating": True,
            "submitted_at": datetime(2024, 12, 19, 3, 17, 21),
            "submitted_basis": "inferred",
        },
    ),
    "repository and project page": (
        "2025-03-04",
        {"githubRepo": " https://github.com/Holm/Tides/ ", "projectPage": " https://tides.example"},
        {"submittedBy": PERSON, "publishedAt": "2025-03-03T22:17:21.000Z"},
        GORAN
        | {
            "github_url": "https://github.com/Holm/Tides/",
            "project_url": "https://tides.example",
            "submitted_at": datetime(2025, 3, 4, 3, 17, 21),
            "submitted_basis": "inferred",
        },
    ),
    "publishedAt redefined, submitter lost": (
        "2025-03-11",
        {"ai_keywords": ["slow tides", "", "  looms\nand reeds ", "slow tides"]},
        {"publishedAt": "2024-03-11T13:59:58.000Z", "summary": "We weave\nledgers and  keep\nthem.\n  They last."},
        {"keywords": ["slow tides", "looms and reeds"]},
    ),
    "submittedOnDailyAt and By": (
        "2025-03-17",
        {
            "submittedOnDailyAt": "2025-03-17T01:47:21.812Z",
            "submittedOnDailyBy": {"_id": "2" * 24, "user": "goran", "fullname": "Goran Kral", "type": "user"},
            "mediaUrls": [UPLOAD],
        },
        {"publishedAt": "2024-03-11T13:59:58.000Z", "mediaUrls": [UPLOAD]},
        GORAN | {"media_urls": [UPLOAD]},
    ),
    "ai_summary, stars": (
        "2025-06-25",
        {"ai_summary": "Looms,\n briefly. ", "githubRepo": "https://github.com/Holm/Tides", "githubStars": 0},
        {"submittedBy": PERSON},
        GORAN
        | {"ai_summary": "Looms, briefly.", "github_url": "https://github.com/Holm/Tides", "github_star_count": 0},
    ),
    "submitterOrganization": (
        "2025-09-29",
        {},
        {"submitterOrganization": {"_id": "3" * 24, "name": "loomworks", "fullname": "Loomworks  Ltd"}},
        {"organization_login": "loomworks", "organization_name": "Loomworks Ltd"},
    ),
    "organization": (
        "2025-10-03",
        {"organization": {"_id": "3" * 24, "name": "loomworks", "fullname": "Loomworks Ltd", "avatar": "/a.png"}},
        {"organization": {"_id": "3" * 24, "name": "loomworks", "fullname": "Loomworks Ltd"}},
        {"organization_login": "loomworks", "organization_name": "Loomworks Ltd"},
    ),
    "who added the repository": (
        "2025-12-11",
        {"githubRepo": "https://github.com/Holm/Tides", "githubRepoAddedBy": "auto"},
        {},
        {"github_url": "https://github.com/Holm/Tides", "github_added_by": "auto"},
    ),
    "publishedAt cut to midnight": (
        "2026-04-06",
        {"publishedAt": "2026-04-03T00:00:00.000Z"},
        {"publishedAt": "2026-04-02T20:00:00.000Z"},
        {"published_on": date(2026, 4, 3), "published_at": None},
    ),
    "model of the summary": (
        "2026-06-03",
        {
            "ai_summary": "Looms.",
            "ai_summary_model": "loomworks/Shuttle-7B",
            "submittedOnDailyAt": "2026-06-03T00:00:00.000Z",
        },
        {},
        {"ai_summary": "Looms.", "ai_summary_model": "loomworks/Shuttle-7B"},
    ),
}


def of_era(name: str) -> Capture:
    day, paper, outer, _ = ERAS[name]
    return page([item(paper, **outer)], f"{HUB}/api/daily_papers?date={day}", datetime.fromisoformat(f"{day}T17:05:09"))


@cache
def eras() -> dict[str, Collected]:
    return each({name: of_era(name) for name in ERAS})


@pytest.mark.parametrize("name", ERAS)
def test_every_era(name: str) -> None:
    result, capture = eras()[name], of_era(name)
    day, *_, told = ERAS[name]
    seen = {"capture_id": capture.capture_id, "observed_at": capture.fetched_at, "listed_on": date.fromisoformat(day)}
    assert result.sightings.row(0, named=True) == BASE | seen | told
    assert outcome(result) == ("api_list", "read", 1, 0, 0)
    assert capture_of(result)["reason"] is None


class TestAuthors:
    """The Hub account changed shape thrice (docs/source.md §4); only its login is kept."""

    def authors(self, *listed: dict[str, Any]) -> list[tuple[Any, ...]]:
        (row,) = rows(item({"authors": list(listed)}))
        assert row["author_count"] == len(listed)
        return [tuple(author.values()) for author in row["authors"]]

    @pytest.mark.parametrize("identifier", [{}, {"id": "4" * 24}, {"_id": "4" * 24}, {"_id": "4" * 24, "name": "ada"}])
    def test_login_under_every_id_key(self, identifier: dict[str, str]) -> None:
        user = {"avatarUrl": "/a.svg", "isPro": True, "fullname": "A. Holm", "user": "ada", "type": "user"} | identifier
        matched = {"_id": "0" * 24, "user": user, "name": "Ada  Holm", "status": "claimed_verified", "hidden": False}
        assert self.authors(matched) == [("Ada Holm", "ada", "claimed_verified", False)]

    def test_login_by_name_alone(self) -> None:
        assert self.authors({"name": "Ada Holm", "user": {"name": "ada"}}) == [("Ada Holm", "ada", None, None)]

    def test_blank_logins_are_none(self) -> None:
        assert self.authors({"name": "Ada", "user": {"user": " \n"}, "status": ""}) == [("Ada", None, None, None)]

    def test_hidden_authors_keep_their_name_only(self) -> None:
        hidden = {"name": "Ivo Lund", "user": {"user": "ivo"}, "status": "admin_assigned", "hidden": True}
        assert self.authors(hidden) == [("Ivo Lund", None, None, True)]

    def test_a_status_without_an_account(self) -> None:
        told = {"name": "Ivo Lund", "status": "extracted_infirmed", "hidden": False}
        assert self.authors(told) == [("Ivo Lund", None, "extracted_infirmed", False)]

    def test_the_order_and_namesakes_stay(self) -> None:
        names = ["Rosa Kral", "Ada Holm", "Rosa Kral"]
        assert [author[0] for author in self.authors(*({"name": name} for name in names))] == names

    def test_a_page_of_papers_keeps_each_its_own(self) -> None:
        named = {"2503.00001": ["A", "B"], "2503.00002": None, "2503.00003": ["C"]}
        papers = [
            item({"id": key, "authors": [{"name": name} for name in names] if names else None})
            for key, names in named.items()
        ]
        found = [[author["name"] for author in row["authors"] or []] for row in rows(*papers)]
        assert found == [["A", "B"], [], ["C"]]

    def test_no_authors_are_no_count(self) -> None:
        (row,) = rows(item({"authors": []}))
        assert (row["authors"], row["author_count"]) == (None, None)


class TestSubmission:
    """The outer publishedAt had four meanings; which one depends on the fetch time (docs/source.md §5.1)."""

    @pytest.mark.parametrize(
        ("fetched_at", "stated", "submitted_at", "basis"),
        [
            ("2024-06-11T23:59:59", "2024-06-11T03:00:00.000Z", "2024-06-11T03:00:00", "stated"),
            ("2024-06-12T00:00:00", "2024-06-12T01:00:00.000Z", "2024-06-12T02:30:00", "inferred"),  # 1.5 h early
            ("2024-11-28T23:59:59", "2024-11-28T03:00:00.000Z", "2024-11-28T04:30:00", "inferred"),
            ("2024-11-29T00:00:00", "2024-11-28T22:00:00.000Z", "2024-11-29T03:00:00", "inferred"),
            ("2025-03-10T23:59:59", "2025-03-07T22:00:00.000Z", "2025-03-08T03:00:00", "inferred"),  # winter time
            ("2025-03-10T23:59:59", "2025-03-09T22:00:00.000Z", "2025-03-10T02:00:00", "inferred"),  # summer time
            ("2025-03-10T23:59:59", "2025-03-09T02:30:00.000Z", None, None),  # an hour that New York never had
            ("2025-03-11T00:00:00", "2024-03-11T13:59:58.000Z", None, None),
            (None, "2024-03-12T03:17:21.812Z", None, None),
        ],
    )
    def test_by_fetch_time(
        self, fetched_at: str | None, stated: str, submitted_at: str | None, basis: str | None
    ) -> None:
        seen = datetime.fromisoformat(fetched_at) if fetched_at else None
        (row,) = rows(item(publishedAt=stated), fetched_at=seen)
        told = datetime.fromisoformat(submitted_at) if submitted_at else None
        assert (row["submitted_at"], row["submitted_basis"], row["observed_at"]) == (told, basis, seen)

    def test_the_papers_own_submitter_before_the_items(self) -> None:
        by = {"user": "rosa", "fullname": "Rosa Lund"}
        (row,) = rows(item({"submittedOnDailyBy": by}, submittedBy=PERSON))
        assert (row["submitter_login"], row["submitter_name"]) == ("rosa", "Rosa Lund")


class TestLists:
    """Which list an answer is, and which day it is of."""

    @pytest.mark.parametrize(
        ("query", "kind", "period"),
        [
            ("daily_papers?week=2025-W09", "weekly", "2025-W09"),
            ("daily_papers?month=2025-02&p=1", "monthly", "2025-02"),
            ("daily_papers?sort=trending&limit=50", "trending", None),
            ("daily_papers", "latest", None),
            ("daily_papers?sort=publishedAt", "latest", None),
            ("daily_papers?limit=100", "latest", None),
        ],
    )
    def test_the_day_is_the_items_own(self, query: str, kind: str, period: str | None) -> None:
        first = item({"submittedOnDailyAt": "2026-06-12T00:00:00.000Z"})
        never = item({"id": "2503.04321"})
        found = rows(first, never, url=f"{HUB}/api/{query}")
        assert [(row["list_kind"], row["list_period"]) for row in found] == [(kind, period)] * 2
        assert [(row["listed_on"], row["listed_basis"]) for row in found] == [(date(2026, 6, 12), "item"), (None, None)]

    def test_the_day_asked_for_before_the_day_of_a_resubmission(self) -> None:
        again = item({"submittedOnDailyAt": "2025-10-13T00:00:00.000Z"})
        own = item({"id": "2503.04321", "submittedOnDailyAt": "2025-10-07T00:00:00.000Z"})
        found = rows(again, own)
        assert [(row["listed_on"], row["listed_basis"]) for row in found] == [(date(2025, 10, 7), "request")] * 2

    def test_search(self) -> None:
        marked = [{"type": "text", "text": "Woven "}, {"type": "highlight", "text": "Ledgers"}]
        found = item(highlightedTitle=marked, highlightedSummary=[], numComments=None, publishedAt=None, upvoted=False)
        (row,) = rows(found, url=f"{HUB}/api/papers/search?q=woven+++ledgers%20&limit=3")
        assert (row["list_kind"], row["list_query"]) == ("search", "woven ledgers")
        assert (row["title"], row["comment_count"]) == ("Woven Ledgers for Slow Tides", None)

    def test_one_paper(self) -> None:
        more = {
            "linkedModels": [{"id": "loomworks/shuttle", "gated": "manual"}],
            "numTotalModels": 31,
            "numTotalDatasets": 0,
            "submittedOnDailyAt": "2025-03-12T00:00:00.000Z",
        }
        result = collected(page(item(more)["paper"], f"{HUB}/api/papers/2503.01234"))
        row = result.sightings.row(0, named=True)
        assert outcome(result) == ("api_paper", "read", 1, 0, 0)
        assert (row["model_count"], row["dataset_count"], row["space_count"]) == (31, 0, None)
        assert (row["list_kind"], row["listed_on"], row["listed_basis"]) == ("paper", date(2025, 3, 12), "item")
        assert (row["arxiv_id"], row["comment_count"], row["position"]) == ("2503.01234", None, 1)

    @pytest.mark.parametrize("url", [None, "https://mirror.example/saved?date=2025-10-07", "not an address"])
    def test_a_paper_is_known_by_its_shape(self, url: str | None) -> None:
        result = collected(page(item()["paper"], url))
        assert outcome(result) == ("api_paper", "read", 1, 0, 0)
        assert result.sightings["list_kind"].item() == "paper"

    @pytest.mark.parametrize(
        ("host", "source"),
        [
            ("huggingface.co", "api"),
            ("www.hf.co", "api"),
            ("127.0.0.1:8000", "api"),
            ("hub.example", "api"),
            ("huggingface.lamps.example", "copy"),
            ("hf-mirror.example", "copy"),
        ],
    )
    def test_the_page_of_a_host_that_bears_the_hubs_name_is_a_copy(self, host: str, source: str) -> None:
        result = collected(page([item()], f"https://{host}/api/daily_papers?date=2025-10-07"))
        assert outcome(result) == ("api_list", "read", 1, 0, 0)
        assert result.sightings.select("source", "list_kind", "listed_on").row(0) == (
            source,
            "daily",
            date(2025, 10, 7),
        )

    def test_a_list_is_known_by_its_shape(self) -> None:
        result = collected(page([item()], None, None))
        assert outcome(result) == ("api_list", "read", 1, 0, 0)
        assert result.sightings.row(0, named=True)["list_kind"] == "latest"

    def test_an_empty_list_says_so(self) -> None:
        result = collected(page([]))
        assert outcome(result) == ("api_list", "empty", 0, 0, 0)
        assert capture_of(result)["reason"] == "the list has no items"

    def test_the_same_paper_twice_is_one_sighting(self) -> None:
        again = item({"upvotes": 99})
        result = collected(page([item(), item({"id": "2503.04321"}), again, again]))
        assert outcome(result) == ("api_list", "read", 2, 0, 2)
        assert result.sightings.select("position", "upvote_count").rows() == [(1, 12), (2, 12)]


class TestText:
    def test_the_title_is_the_papers_own(self) -> None:
        (row,) = rows(item({"title": r"$\ell_p$ Looms"}, title="lp Looms"))
        assert row["title"] == r"$\ell_p$ Looms"

    @pytest.mark.parametrize("raw", ["a\tb", "a\u00a0 b", "a\u2028b", " a\r\n\u3000b\u2009", "a \u0085\n b"])
    def test_every_space_of_unicode_is_one(self, raw: str) -> None:
        (row,) = rows(item({"title": raw, "summary": raw, "ai_summary": raw}))
        assert (row["title"], row["abstract"], row["ai_summary"]) == ("a b", "a b", "a b")

    def test_addresses_lose_line_ends_as_in_a_browser(self) -> None:
        two_lines = " https://github.com/Holm/\r\n\tTides\n"
        (row,) = rows(item({"githubRepo": two_lines, "projectPage": two_lines}, mediaUrls=[two_lines, "\n"]))
        whole = "https://github.com/Holm/Tides"
        assert (row["github_url"], row["project_url"], row["media_urls"]) == (whole, whole, [whole])

    def test_blank_texts_are_missing(self) -> None:
        blank = {"summary": " \n ", "ai_summary": "", "projectPage": "  ", "githubRepo": "", "discussionId": " "}
        (row,) = rows(item(blank, organization={"name": " ", "fullname": ""}))
        names = ("abstract", "ai_summary", "project_url", "github_url", "discussion_id", "organization_login")
        assert [row[name] for name in names] == [None] * 6

    def test_nulls_are_as_good_as_left_out(self) -> None:
        nothing = dict.fromkeys(("upvotes", "summary", "ai_keywords", "organization", "submittedOnDailyBy"))
        inner = item()["paper"] | nothing
        (row,) = rows(item() | {"paper": inner, "numComments": None, "submittedBy": None})
        names = ("upvote_count", "abstract", "keywords", "organization_login", "submitter_login", "comment_count")
        assert [row[name] for name in names] == [None] * 6

    def test_old_ids(self) -> None:
        ids = ["hep-th/9901001", "math.GT/0309136", "0704.0001", "1412.6980", "1501.00001"]
        assert [row["arxiv_id"] for row in rows(*(item({"id": key}) for key in ids))] == ids

    def test_signs_and_scripts_stay(self) -> None:
        title = "<think> “Quotes” & $\\alpha$ 你好 \N{GRINNING FACE} ½ \\$One"
        (row,) = rows(item({"title": title}))
        assert row["title"] == title


GOOD = {"id": "2503.00001"}
LATE = {"id": "2503.00009"}
LIMIT = 2**31 - 1
BAD_ITEMS: dict[str, tuple[Any, str]] = {
    "an id of four digits": (item({"id": "2503.0213"}), "arxiv_id_pattern"),
    "an id with a version": (item({"id": "2503.02130v2"}), "arxiv_id_pattern"),
    "an id of foreign digits": (item({"id": "2503.0213\N{ARABIC-INDIC DIGIT ONE}"}), "arxiv_id_pattern"),
    "an id with more behind it": (item({"id": "2503.02130\n2503.02131"}), "arxiv_id_pattern"),
    "a month 13": (item({"id": "2513.02130"}), "arxiv_id_pattern"),
    "an id that is a number": (item({"id": 2503.0213}), "item_type"),
    "no id": (item({"id": None}), "item_type"),
    "no title": (item({"title": None}, title=None), "title_not_null"),
    "a blank title": (item({"title": " \n "}), "title_not_null"),
    "a title that is a list": (item({"title": ["Woven"]}), "item_type"),
    "a title of 1,001 characters": (item({"title": "x" * 1_001}), "title_length"),
    "a title of 10,000 characters": (item({"title": "word " * 2_000}), "title_length"),
    "an abstract of 20,001 characters": (item({"summary": "é" * 20_001}), "abstract_length"),
    "a NUL in the title": (item({"title": "Wo\0ven"}), "title_control_characters"),
    "an escape in the abstract": (item({"summary": "red \x1b[31m"}), "abstract_control_characters"),
    "a C1 control": (item({"ai_summary": "a\x9bb"}), "ai_summary_control_characters"),
    "a file separator, that Python takes for space": (item({"title": "a\x1cb"}), "title_control_characters"),
    "a control in an address": (item({"projectPage": "https://x.example/\x00"}), "project_url_control_characters"),
    "negative upvotes": (item({"upvotes": -1}), "upvote_count_minimum"),
    "upvotes beyond the column": (item({"upvotes": LIMIT + 1}), "item_type"),
    "enormous upvotes": (item({"upvotes": 10**40}), "item_type"),
    "upvotes with a fraction": (item({"upvotes": 1.5}), "item_type"),
    "upvotes in words": (item({"upvotes": "12"}), "item_type"),
    "upvotes that are true": (item({"upvotes": True}), "item_type"),
    "negative comments": (item(numComments=-7), "comment_count_minimum"),
    "negative stars": (item({"githubStars": -LIMIT - 1}), "github_star_count_minimum"),
    "a day the calendar lacks": (item({"publishedAt": "2024-02-30T00:00:00.000Z"}), "published_instant"),
    "no leap day": (item(publishedAt="2025-02-29T00:00:00.000Z"), "submitted_instant"),
    "a day in words": (item({"submittedOnDailyAt": "Feb 30"}), "listed_instant"),
    "a day without a time": (item({"publishedAt": "2024-03-11"}), "published_instant"),
    "an instant of another zone": (item({"publishedAt": "2024-03-11T00:00:00+02:00"}), "published_instant"),
    "an hour 24": (item({"publishedAt": "2024-03-11T24:00:00.000Z"}), "published_instant"),
    "the start of Unix time": (item(publishedAt="1970-01-01T00:00:00.000Z"), "submitted_instant"),
    "the year 0": (item({"publishedAt": "0000-03-11T00:00:00.000Z"}), "published_instant"),
    "a year of five digits": (item({"submittedOnDailyAt": "+10000-01-01T00:00:00.000Z"}), "listed_instant"),
    "an empty instant": (item({"publishedAt": ""}), "published_instant"),
    "published after its day": (item({"publishedAt": "2025-10-08T00:00:00.000Z"}), "published_before_listed"),
    "an author without a name": (item({"authors": [{"_id": "0" * 24, "hidden": False}]}), "item_type"),
    "an author with an empty name": (item({"authors": [{"name": "Ada"}, {"name": ""}]}), "list_element"),
    "an author with a blank name": (item({"authors": [{"name": "\u00a0\n"}]}), "list_element"),
    "an author with an endless name": (item({"authors": [{"name": "Ada " * 200}]}), "list_element"),
    "an author with a control": (item({"authors": [{"name": "A\x07da"}]}), "list_element"),
    "an author that is a string": (item({"authors": ["Ada Holm"]}), "item_type"),
    "authors that are an object": (item({"authors": {"name": "Ada Holm"}}), "item_type"),
    "a login with a control": (item({"authors": [{"name": "Ada", "user": {"user": "ad\0a"}}]}), "list_element"),
    "an endless login": (
        item({"authors": [{"name": "Ada"}, {"name": "Ivo", "user": {"user": "x" * 501}}]}),
        "list_element",
    ),
    "a status of two lines": (item({"authors": [{"name": "Ada", "status": "claimed\nverified"}]}), "list_element"),
    "a login that is a number": (item({"authors": [{"name": "Ada", "user": {"user": 7}}]}), "item_type"),
    "a keyword with a control": (item({"ai_keywords": ["looms", "re\0eds"]}), "list_element"),
    "an endless keyword": (item({"ai_keywords": ["x" * 1_001]}), "list_element"),
    "a keyword that is a number": (item({"ai_keywords": ["looms", 7]}), "item_type"),
    "a picture with an endless address": (item(mediaUrls=["https://x.example/" + "y" * 4_000]), "list_element"),
    "an organization in words": (item({"organization": "loomworks"}), "item_type"),
    "no paper": ({"title": "Woven Ledgers", "publishedAt": "2024-03-12T03:17:21.812Z"}, "item_type"),
    "a paper that is null": (item() | {"paper": None}, "item_type"),
    "the repr of a dict": (repr(item()), "python_repr"),
    "null": (None, "item_type"),
    "a number": (7, "item_type"),
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
        "published is not an instant that the calendar has, or is before 1991"
    )


def test_a_rejected_paper_is_no_first_sighting() -> None:
    result = collected(page([item({"upvotes": -1}), item()]))
    assert outcome(result) == ("api_list", "partial", 1, 1, 0)
    assert result.sightings["position"].to_list() == [2]


# What JSON itself cannot hold, put in the place of a title
BROKEN_INSIDE = {
    "invalid UTF-8": (b'"W\xff\xfe"', "invalid_utf8"),
    "half a surrogate pair": (rb'"W \ud83d"', "malformed_json"),
    "the other half": (rb'"\udc00 W"', "malformed_json"),
    "a bare line end": (b'"W\nx"', "malformed_json"),
    "a bare NUL": (b'"W\0x"', "malformed_json"),
    "an escape there is not": (rb'"\x41"', "malformed_json"),
    "NaN": (b"NaN", "malformed_json"),
    "nothing": (b"", "malformed_json"),
    "Python's None": (b"None", "malformed_json"),
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
            (b'[{"paper":' * 50_000, "malformed_json"),
            (b"[1, 2", "malformed_json"),
            (b"[1]]", "malformed_json"),
            (b'["', "malformed_json"),
            (b"[" + b"0," * 100_001 + b"0]", "malformed_json"),
            (b'{"error":"Sorry, we looked everywhere."}', "item_type"),
            (b'{"data":{"papers":[]}}', "item_type"),
            (b"{", "malformed_json"),
            (b"\xef\xbb\xbf[{", "malformed_json"),
        ],
    )
    def test_malformed(self, payload: bytes, rule: str) -> None:
        result = collected(page(payload))
        assert outcome(result) == ("api_list", "rejected", 0, 1, 0)
        assert rejects(result) == [(0, rule, "")]
        assert capture_of(result)["reason"].startswith("1 of 1 items are in quarantine; the first: ")

    @pytest.mark.parametrize(
        "url", [DAILY, f"{HUB}/api/daily_papers", f"{HUB}/api/papers/search?q=x", f"{HUB}/api/papers/2503.01234"]
    )
    def test_no_json_at_an_address_of_the_api(self, url: str) -> None:
        payloads = [
            b"<!doctype html><html><title>502 Bad Gateway</title></html>",
            b"\0" * 100_000,
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            b"null",
            b"true",
            b"upstream timed out",
            "[]".encode("utf-16"),
        ]
        for result in each({repr(payload): page(payload, url) for payload in payloads}).values():
            assert outcome(result) == (None, "rejected", 0, 1, 0)
            assert rejects(result) == [(0, "malformed_json", "")]
            assert capture_of(result)["reason"] == "the answer is not JSON"

    @pytest.mark.parametrize("payload", [b"", b"\n \t\r\n", b"\xef\xbb\xbf", b" " * 5_000])
    @pytest.mark.parametrize("url", [DAILY, None])
    def test_nothing(self, payload: bytes, url: str | None) -> None:
        result = collected(page(payload, url))
        assert outcome(result) == (None, "rejected", 0, 1, 0)
        assert (rejects(result), capture_of(result)["reason"]) == ([(0, "empty_page", "")], "the page has no content")

    @pytest.mark.parametrize("payload", [b"\0" * 100_000, b"\x1f\x8b\x08\0\0", bytes(range(256)) * 10, b"plain words"])
    def test_anything_at_no_address_is_kept_raw(self, payload: bytes) -> None:
        result = collected(page(payload, None, None, None))
        assert outcome(result) == (None, "unknown", 0, 0, 0)
        assert capture_of(result)["reason"].startswith("no reader knows this page")

    @pytest.mark.parametrize("payload", [b"{}", b'{"id": "2503.01234"', b'{"title": "Woven"}', b'{"models": []}'])
    def test_json_of_another_shape_at_no_address(self, payload: bytes) -> None:
        assert outcome(collected(page(payload, "https://mirror.example/x"))) == (None, "unknown", 0, 0, 0)

    def test_a_byte_order_mark_is_no_fault(self) -> None:
        result = collected(page(b"\xef\xbb\xbf\r\n" + json.dumps([item()]).encode()))
        assert outcome(result) == ("api_list", "read", 1, 0, 0)

    def test_json_far_down_the_page(self) -> None:
        assert outcome(collected(page(b" " * 9_000 + json.dumps([item()]).encode())))[1] == "read"

    @pytest.mark.parametrize("status", [404, 500, 302, 206])
    def test_an_http_error_is_no_list(self, status: int) -> None:
        result = collected(page([item()], http_status=status))
        assert outcome(result) == (None, "error", 0, 0, 0)
        row = capture_of(result)
        assert (row["reason"], row["http_status"]) == (f"HTTP status {status}", status)
        assert (row["list_kind"], row["listed_on"]) == ("daily", date(2025, 10, 7))

    def test_an_unknown_status_is_no_error(self) -> None:
        assert outcome(collected(page([item()], http_status=None)))[1] == "read"

    def test_damaged_bytes_are_not_read(self) -> None:
        result = collected(page([item()], damage="digest says\n\x1b[31m otherwise"))
        assert outcome(result) == (None, "rejected", 0, 1, 0)
        assert rejects(result) == [(0, "digest", "")]
        told = "digest says\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}[31m otherwise"
        assert (capture_of(result)["reason"], result.quarantine["detail"].item()) == (told, told)

    def test_a_bad_paper_is_rejected_whole(self) -> None:
        result = collected(page({"id": 7, "title": "Woven"}, f"{HUB}/api/papers/2503.01234"))
        assert (outcome(result), rejects(result)) == (("api_paper", "rejected", 0, 1, 0), [(0, "item_type", "")])


def test_hostile_text_in_a_reason_is_made_fit_to_show() -> None:
    bad = json.dumps([{"paper": {"id": "x" * 9_000, "title": 7}}]).encode()
    row = capture_of(collected(page(bad, f"{HUB}/api/papers/search?q={'a' * 3_000}%00%0A")))
    assert len(row["list_query"]) == 1_000
    assert len(row["url"]) < 4_000


def test_no_pages() -> None:
    result = collected()
    assert [frame.height for frame in result] == [0, 0, 0, 0]


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


@pytest.mark.parametrize(
    ("array", "elements"),
    [
        (b"[]", []),
        (b" [ 1 ,\n2 ] ", [b"1", b"2"]),
        (rb'[{"a": "],\"", "b": [1, {}]}, "x,y"]', [rb'{"a": "],\"", "b": [1, {}]}', b'"x,y"']),
        (b"[1,]", [b"1", b""]),
        (rb'["a\\", "b"]', [rb'"a\\"', b'"b"']),
        (b"[[],[[]]]", [b"[]", b"[[]]"]),
        (b"", None),
        (b"[", None),
        (b"[1}", None),
        (b"[1] 2", None),
        (b'["1]', None),
        (b"{}", None),
        (b"7", None),
    ],
)
def test_elements_of_an_array(array: bytes, elements: list[bytes] | None) -> None:
    assert elements_of(array) == elements


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


FIELDS_OF = {"paper": Paper, "": Item}


@pytest.mark.parametrize(
    ("place", "name"), [(place, name) for place, kind in FIELDS_OF.items() for name in kind.__struct_fields__]
)
@pytest.mark.parametrize("value", [0.5, {"new": [1]}, [[7]]], ids=["number", "object", "array"])
def test_a_field_whose_type_changed_quarantines_its_item_and_is_named(place: str, name: str, value: Any) -> None:
    nested = {"submittedOnDailyBy", "submittedBy", "organization", "submitterOrganization"}
    if name in nested and isinstance(value, dict):
        value = {"name": 7}
    bad = item({name: value}) if place else item() | {name: value}
    result = collected(page([item(GOOD), bad]))
    assert outcome(result) == ("api_list", "partial", 1, 1, 0)
    assert rejects(result) == [(2, "item_type", "/1")]
    inside = f"$.{place}.{name}" if place else f"$.{name}"
    assert inside in result.quarantine["detail"].item()
    path = f"{place}.{name}" if place else name
    json_type = {float: "number", dict: "object", list: "array"}[type(value)]
    assert result.schema_paths.filter(path=path, json_type=json_type).height == 1


@pytest.mark.parametrize(
    "words",
    [
        '<a id="source-section-3"></a>',
        "<b></b>",
        "![](/a.png)",
        "Copy markdown",
        "View PDF",
        "https://hub.example/papers",
    ],
)
@pytest.mark.parametrize("place", ["title", "outer_title", "organization_name", "submitter_name", "author"])
def test_a_title_or_name_that_says_nothing_is_in_quarantine(words: str, place: str) -> None:
    outer = {
        "title": {},
        "outer_title": {"title": words},
        "author": {},
        "organization_name": {"organization": {"name": "lamps", "fullname": words}},
        "submitter_name": {"submittedBy": {"name": "goran", "fullname": words}},
    }
    paper = {"title": {"title": words}, "author": {"authors": [{"name": "Ada Abel"}, {"name": words}]}}.get(place)
    made = collected(page([item(paper, **outer[place])]))
    assert made.sightings.is_empty()
    assert made.quarantine["rule"].to_list() == ["list_element" if place == "author" else "no_words"]
    assert "only markup, the words of a button, or an address" in made.quarantine["detail"].item()
