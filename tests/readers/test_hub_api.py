"""Answers of the JSON API: every era it had, and what each field becomes."""

from datetime import date, datetime
from functools import cache
from typing import Any

import pytest

from tests.api_items import item, rows
from tests.collected import capture_of, collected, each, outcome, page
from tests.invented import HUB
from transforms.collect.collect import Collected
from warehouse.archive.captured import Capture

UPLOAD = "https://cdn-uploads.hub.example/woven.png"
THUMBNAIL = "https://cdn-thumbnails.hub.example/social-thumbnails/papers/2503.01234.png"
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
        {"published_on": date(2026, 4, 3), "published_basis": "contradicted", "published_at": None},
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
    invented = {"doubts": result.sightings["doubts"].to_list()[0]}  # of an abstract of three words
    assert result.sightings.row(0, named=True) == BASE | seen | told | invented
    assert outcome(result) == ("api_list", "read", 1, 0, 0)
    assert capture_of(result)["reason"] is None


ACCOUNT = {"avatarUrl": "/a.svg", "isPro": True, "fullname": "A. Holm", "user": "ada", "type": "user"}
MATCHED = {"_id": "0" * 24, "name": "Ada  Holm", "status": "claimed_verified", "hidden": False}


@pytest.mark.parametrize(
    ("author", "kept"),
    [
        *(
            (MATCHED | {"user": ACCOUNT | identifier}, ("Ada Holm", "ada", "claimed_verified", False))
            for identifier in ({}, {"id": "4" * 24}, {"_id": "4" * 24}, {"_id": "4" * 24, "name": "ada"})
        ),
        ({"name": "Ada Holm", "user": {"name": "ada"}}, ("Ada Holm", "ada", None, None)),
        ({"name": "Ada", "user": {"user": " \n"}, "status": ""}, ("Ada", None, None, None)),
        (
            {"name": "Ivo Lund", "user": {"user": "ivo"}, "status": "admin_assigned", "hidden": True},
            ("Ivo Lund", None, None, True),
        ),
        (
            {"name": "Ivo Lund", "status": "extracted_infirmed", "hidden": False},
            ("Ivo Lund", None, "extracted_infirmed", False),
        ),
    ],
)
def test_of_an_author_name_and_login_are_kept(author: dict[str, Any], kept: tuple[Any, ...]) -> None:
    """The Hub account changed shape thrice (docs/source.md §4); only its login is kept, and of the hidden the name."""
    (row,) = rows(item({"authors": [author]}))
    assert (row["author_count"], [tuple(one.values()) for one in row["authors"]]) == (1, [kept])


def test_authors_stay_in_order_each_with_its_paper() -> None:
    named = {"2503.00001": ["B", "A", "B"], "2503.00002": None, "2503.00003": ["C"], "2503.00004": []}
    papers = [
        item({"id": key, "authors": names and [{"name": name} for name in names]}) for key, names in named.items()
    ]
    found = [([one["name"] for one in row["authors"] or ()], row["author_count"]) for row in rows(*papers)]
    assert found == [(["B", "A", "B"], 3), ([], None), (["C"], 1), ([], None)]


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
    def test_by_fetch(self, fetched_at: str | None, stated: str, submitted_at: str | None, basis: str | None) -> None:
        seen = datetime.fromisoformat(fetched_at) if fetched_at else None
        (row,) = rows(item(publishedAt=stated), fetched_at=seen)
        told = datetime.fromisoformat(submitted_at) if submitted_at else None
        assert (row["submitted_at"], row["submitted_basis"], row["observed_at"]) == (told, basis, seen)

    def test_the_papers_own_submitter_before_the_items(self) -> None:
        by = {"user": "rosa", "fullname": "Rosa Lund"}
        (row,) = rows(item({"submittedOnDailyBy": by}, submittedBy=PERSON))
        assert (row["submitter_login"], row["submitter_name"]) == ("rosa", "Rosa Lund")

    @pytest.mark.parametrize("inner", [{}, {"login": "goran"}, {"user": "", "fullname": "Rosa"}, {"user": "goran"}])
    def test_what_one_place_lacks_another_may_have(self, inner: dict[str, str]) -> None:
        looms = {"name": "loomworks", "fullname": "Loomworks"}
        paper = {"submittedOnDailyBy": inner, "organization": {"_id": "3" * 24}, "mediaUrls": [UPLOAD + "2"]}
        (row,) = rows(item(paper, submittedBy=PERSON, organization=looms, mediaUrls=[UPLOAD]))
        assert (row["submitter_login"], row["submitter_name"], row["outer_submitter_login"]) == (
            "goran",
            "Goran Kral",
            None,
        )
        assert (row["organization_login"], row["organization_name"]) == ("loomworks", "Loomworks")
        assert row["media_urls"] == [UPLOAD, UPLOAD + "2"]


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
