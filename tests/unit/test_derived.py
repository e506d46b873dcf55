"""The tables made of sightings, on a handful of sightings each."""

from datetime import date, datetime
from typing import Any

import polars as pl
import pytest

from tests.builders import DAY, FOUR, ONE, THREE, TIDES, TWO, WOVEN, A, B, C, D, E, columns, frame, only, sighting
from tests.derived import organizations
from transforms.core.attached import paper_authors, paper_keywords, paper_links, repository
from transforms.core.papers import daily_listings, list_appearances, paper_observations, paper_texts, papers
from transforms.timeline import by_precedence, in_time
from warehouse.schema.core.attached import ORGANIZATIONS


class TestTimeline:
    def test_sightings_are_ordered_by_time(self) -> None:
        rows = [sighting(B, TWO), sighting(A, TWO, position=2), sighting(A, TWO), sighting(C, None), sighting(D, ONE)]
        assert columns(in_time(frame(*rows)), "capture_id", "position") == [(C, 1), (D, 1), (A, 1), (A, 2), (B, 1)]

    def test_sightings_are_ordered_by_precedence(self) -> None:
        rows = [sighting(A, THREE, source="text"), sighting(B, ONE, source="api"), sighting(C, TWO, source="html")]
        rows += [sighting(D, None, source="api")]
        assert by_precedence(frame(*rows))["capture_id"].to_list() == [A, C, D, B]


class TestPapers:
    def test_texts_are_those_of_the_best_source(self) -> None:
        sightings = frame(
            sighting(A, ONE, title=r"$\ell_p$ Looms", abstract=r"$\alpha$", author_count=3),
            sighting(B, TWO, source="html", title="lp Looms!", abstract="alpha!", author_count=4),
            sighting(C, THREE, source="text", arxiv_id=None, title="ell_p Looms", author_count=5),
        )
        row = only(papers(sightings))
        assert (row["title"], row["author_count"]) == (r"$\ell_p$ Looms", 3)
        assert paper_texts(sightings).rows() == [(WOVEN, r"$\alpha$", ONE, A)]
        assert (row["arxiv_id"], row["capture_id"], row["sighting_count"]) == (WOVEN, C, 3)
        assert (row["first_seen_at"], row["last_seen_at"]) == (ONE, THREE)

    def test_later_pages_win_within_a_source(self) -> None:
        row = only(papers(frame(sighting(B, TWO, title="New"), sighting(A, THREE, title="Newest"), sighting(C, ONE))))
        assert row["title"] == "Newest"

    def test_a_worse_source_fills_what_the_best_left_out(self) -> None:
        sightings = frame(sighting(A, TWO), sighting(B, ONE, source="text", abstract="Saved.", author_count=9))
        assert only(papers(sightings))["author_count"] == 9
        assert paper_texts(sightings).rows() == [(WOVEN, "Saved.", ONE, B)]

    def test_counts_are_the_last_known_of_any_source(self) -> None:
        row = only(
            papers(
                frame(
                    sighting(A, ONE, upvote_count=5, comment_count=2, github_star_count=70),
                    sighting(B, TWO, source="html", upvote_count=9),
                    sighting(C, THREE, source="text", comment_count=0),
                    sighting(D, None, upvote_count=99),
                )
            )
        )
        assert (row["upvote_count"], row["comment_count"], row["github_star_count"]) == (9, 0, 70)

    def test_a_stated_day_before_an_inferred_one(self) -> None:
        inferred = {"published_on": date(2025, 9, 30), "published_basis": "inferred"}
        stated = {"published_on": date(2024, 9, 30), "published_basis": "stated"}
        for worse, better in (("text", "text"), ("api", "text")):
            row = only(
                papers(frame(sighting(A, TWO, source=worse, **inferred), sighting(B, ONE, source=better, **stated)))
            )
            assert (row["published_on"], row["published_basis"]) == (date(2024, 9, 30), "stated")

    def test_the_instant_stays_when_the_source_cuts_it(self) -> None:
        day, instant = date(2025, 9, 30), datetime(2025, 9, 30, 17, 59, 58)
        told = {"published_on": day, "published_basis": "stated"}
        row = only(papers(frame(sighting(A, ONE, published_at=instant, **told), sighting(B, TWO, **told))))
        assert (row["published_on"], row["published_at"]) == (day, instant)

    def test_days_listed_and_first_submission(self) -> None:
        days = [date(2025, 10, 7), date(2025, 10, 1), None]
        submitted = [datetime(2025, 10, 7, 3), None, datetime(2025, 9, 30, 3)]
        rows = [
            sighting(letter, listed_on=day, submitted_at=moment, submitted_basis=moment and "stated")
            for letter, day, moment in zip((A, B, C), days, submitted, strict=True)
        ]
        row = only(papers(frame(*rows)))
        assert (row["first_listed_on"], row["last_listed_on"], row["submitted_at"]) == (days[1], days[0], submitted[2])

    def test_an_organization_is_of_one_page(self) -> None:
        both = {"organization_login": "loomworks", "organization_name": "Loomworks"}
        name = {"organization_login": None, "organization_name": "Tidal Research"}
        for rows, told in (
            ((sighting(A, ONE, **both), sighting(B, TWO, **name)), (None, "Tidal Research")),
            ((sighting(A, ONE, **both), sighting(B, TWO, source="text", **name)), ("loomworks", "Loomworks")),
            ((sighting(A, ONE, **both), sighting(B, TWO)), ("loomworks", "Loomworks")),
        ):
            row = only(papers(frame(*rows)))
            assert (row["organization_login"], row["organization_name"]) == told

    def test_an_unknown_fetch_time_is_the_earliest(self) -> None:
        row = only(papers(frame(sighting(B, None, title="Undated"), sighting(A, ONE, title="Dated"))))
        assert (row["title"], row["first_seen_at"], row["capture_id"]) == ("Dated", ONE, A)


class TestDailyListings:
    def day(self, capture_id: str, at: datetime, position: int, **told: Any) -> dict[str, Any]:
        listed = {"list_kind": "daily", "listed_on": DAY, "listed_basis": "request"}
        return sighting(capture_id, at, **(listed | {"position": position} | told))

    def test_rank_of_the_last_fetch(self) -> None:
        row = only(daily_listings(frame(self.day(A, ONE, 9), self.day(B, THREE, 2), self.day(C, TWO, 5))))
        assert row == {
            "listed_on": DAY,
            "paper_id": WOVEN,
            "rank": 2,
            "submitter_login": None,
            "submitter_name": None,
            "submitted_at": None,
            "submitted_basis": None,
            "first_seen_at": ONE,
            "last_seen_at": THREE,
            "sighting_count": 3,
            "capture_id": B,
        }

    def test_a_page_that_lost_the_submitter_does_not_take_it(self) -> None:
        told = {"submitter_login": "ada", "submitter_name": "Ada", "submitted_at": ONE, "submitted_basis": "stated"}
        row = only(daily_listings(frame(self.day(A, ONE, 1, **told), self.day(B, TWO, 1))))
        assert {name: row[name] for name in told} == told

    def test_a_paper_on_two_days(self) -> None:
        table = daily_listings(frame(self.day(A, ONE, 3), self.day(B, TWO, 1, listed_on=date(2025, 10, 7))))
        assert columns(table, "listed_on", "paper_id", "rank") == [(DAY, WOVEN, 3), (date(2025, 10, 7), WOVEN, 1)]

    def test_an_undated_answer_adds_a_listing_without_rank(self) -> None:
        latest = {"list_kind": "latest", "listed_on": DAY, "listed_basis": "item"}
        table = daily_listings(frame(sighting(A, position=4, **latest), sighting(A, paper_id=TIDES, listed_on=None)))
        assert columns(table, "paper_id", "rank", "capture_id") == [(WOVEN, None, A)]

    def test_an_undated_answer_does_not_change_the_rank(self) -> None:
        latest = sighting(C, THREE, position=40, listed_on=DAY, listed_basis="item", submitter_login="rosa")
        row = only(daily_listings(frame(self.day(A, ONE, 3, submitter_login="ada"), latest)))
        assert (row["rank"], row["submitter_login"], row["capture_id"]) == (3, "ada", A)
        assert (row["last_seen_at"], row["sighting_count"]) == (THREE, 2)

    def test_papers_of_a_day(self) -> None:
        table = daily_listings(frame(self.day(A, ONE, 1, paper_id=TIDES), self.day(A, ONE, 2)))
        assert columns(table, "paper_id", "rank") == [(WOVEN, 2), (TIDES, 1)]


def test_list_appearances() -> None:
    kinds = ["daily", "paper", "weekly", "monthly", "trending", "latest", "search", "saved"]
    rows = [sighting(letter * 20, list_kind=kind) for letter, kind in zip("01234567", kinds, strict=True)]
    rows.append(sighting(A, None, list_kind="search", position=3, list_query="looms", paper_id=TIDES))
    rows.append(sighting(B, ONE, list_kind="weekly", list_period="2025-W40"))
    table = list_appearances(frame(*rows))
    assert columns(table, "list_kind", "list_query", "list_period", "position", "paper_id")[6:] == [
        ("search", "looms", None, 3, TIDES),
        ("weekly", None, "2025-W40", 1, WOVEN),
    ]
    assert table["list_kind"].to_list()[:6] == kinds[2:]


class TestObservations:
    def test_each_fetch_time_is_one_row(self) -> None:
        rows = [sighting(A, ONE, upvote_count=1), sighting(B, TWO, upvote_count=1), sighting(C, None, upvote_count=7)]
        table = paper_observations(frame(*rows))
        assert columns(table, "observed_at", "upvote_count", "capture_id") == [(ONE, 1, A), (TWO, 1, B)]

    def test_two_pages_of_one_instant_complement_each_other(self) -> None:
        row = only(
            paper_observations(
                frame(
                    sighting(D, ONE, source="text", upvote_count=9, comment_count=4, space_count=1),
                    sighting(C, ONE, source="html", upvote_count=8, dataset_count=2),
                    sighting(A, ONE, source="api", upvote_count=7, model_count=31),
                )
            )
        )
        assert row == {
            "paper_id": WOVEN,
            "observed_at": ONE,
            "upvote_count": 7,
            "comment_count": 4,
            "github_star_count": None,
            "model_count": 31,
            "dataset_count": 2,
            "space_count": 1,
            "capture_id": A,
        }

    def test_zero_is_an_observation_and_null_is_not(self) -> None:
        rows = [sighting(A, ONE, upvote_count=0), sighting(B, ONE, comment_count=5)]
        row = only(paper_observations(frame(*rows)))
        assert (row["upvote_count"], row["comment_count"]) == (0, 5)


class TestAuthors:
    def author(self, name: str, login: str | None = None, *, hidden: bool = False) -> dict[str, Any]:
        return {"name": name, "login": login, "claim_status": login and "claimed_verified", "is_hidden": hidden}

    def test_the_whole_list_of_the_best_page(self) -> None:
        early = [self.author("Ada Holm"), self.author("Rosa Kral")]
        late = [self.author("Rosa Kral", "rosa"), self.author("Ada Holm", hidden=True), self.author("Rosa Kral")]
        rows = [
            sighting(A, ONE, authors=early),
            sighting(B, TWO, authors=late),
            sighting(C, THREE),
            sighting(D, FOUR, source="html", authors=early),
        ]
        assert paper_authors(frame(*rows)).rows() == [
            (WOVEN, 1, "Rosa Kral", "rosa", "claimed_verified", False, B),
            (WOVEN, 2, "Ada Holm", None, None, True, B),
            (WOVEN, 3, "Rosa Kral", None, None, False, B),
        ]

    def test_papers_do_not_mix(self) -> None:
        rows = [
            sighting(A, authors=[self.author("Ada")]),
            sighting(A, paper_id=TIDES, position=2, authors=[self.author("Ivo"), self.author("Ada")]),
        ]
        table = paper_authors(frame(*rows))
        assert columns(table, "paper_id", "position", "name") == [
            (WOVEN, 1, "Ada"),
            (TIDES, 1, "Ivo"),
            (TIDES, 2, "Ada"),
        ]


def test_organizations() -> None:
    works = {"organization_login": "loomworks", "organization_name": "Loomworks"}
    rows = [
        sighting(A, ONE, **works),
        sighting(B, TWO, **works | {"organization_name": "Loomworks Ltd"}),
        sighting(B, TWO, TIDES, position=2, organization_login="loomworks"),
        sighting(C, THREE, organization_name="LoomWorks"),
        sighting(D, FOUR, TIDES, organization_name="LOOMWORKS"),
        sighting(E, FOUR),
    ]
    assert organizations(frame(*rows)).rows() == [
        ("loomworks", "loomworks", "Loomworks Ltd", "Loomworks Ltd", 2, ONE, TWO, 3, B),
        ("name:loomworks", None, "LOOMWORKS", "LOOMWORKS", 2, THREE, FOUR, 2, D),
    ]


def test_organizations_of_one_name_have_one_group() -> None:
    """A university has a login for each department; a name that differs in a word is another organization."""
    seen = [
        ("tide-lab", "Tidal Universit\N{LATIN SMALL LETTER E WITH ACUTE}", (WOVEN,)),
        ("tide", "Tidal  Universite", (WOVEN, TIDES)),
        ("tide-cs", "TIDAL-UNIVERSITE", (TIDES,)),
        ("tide-2", "Tidal Universite 2", (TIDES,)),
        ("nameless", None, (WOVEN,)),
        ("unnamed", None, (WOVEN,)),
        ("sign", "-", (WOVEN,)),
    ]
    rows = [
        sighting(A, ONE, paper, organization_login=login, organization_name=name)
        for login, name, papers in seen
        for paper in papers
    ]
    assert columns(organizations(frame(*rows)), "organization_login", "group_name") == [
        ("nameless", "nameless"),
        ("sign", "-"),
        ("tide", "Tidal  Universite"),
        ("tide-2", "Tidal Universite 2"),
        ("tide-cs", "Tidal  Universite"),
        ("tide-lab", "Tidal  Universite"),
        ("unnamed", "unnamed"),
    ]


def test_an_organization_s_name_can_grow_in_lower_case() -> None:
    table = organizations(frame(sighting(organization_name="\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}" * 500)))
    assert ORGANIZATIONS.split(table)[1].is_empty()
    assert table.height == 1


def test_paper_keywords() -> None:
    rows = [
        sighting(A, ONE, keywords=["looms", "Looms", "tides"]),
        sighting(B, TWO, keywords=["tides"]),
        sighting(C, THREE, keywords=[]),
        sighting(D, None),
        sighting(E, TWO, TIDES, keywords=["tides"]),
    ]
    assert paper_keywords(frame(*rows)).rows() == [
        (WOVEN, "Looms", "loom", ONE, ONE, 1, A),
        (WOVEN, "looms", "loom", ONE, ONE, 1, A),
        (WOVEN, "tides", "tide", ONE, TWO, 2, B),
        (TIDES, "tides", "tide", TWO, TWO, 1, E),
    ]


class TestLinks:
    def test_kinds_first_and_last_seen(self) -> None:
        github, page, film = "https://github.com/Holm/Looms", "https://looms.example", "https://x.example/a.mp4"
        rows = [
            sighting(A, ONE, github_url=github, project_url=page),
            sighting(B, TWO, github_url=github, github_added_by="user", media_urls=[film, "https://x.example/b.png"]),
            sighting(C, THREE, github_url=github, media_urls=[film]),
            sighting(D, FOUR, project_url=github, media_urls=[]),
        ]
        assert paper_links(frame(*rows)).rows() == [
            (WOVEN, "github", github, "holm/looms", "user", ONE, THREE, 3, C),
            (WOVEN, "media", film, None, None, TWO, THREE, 2, C),
            (WOVEN, "media", "https://x.example/b.png", None, None, TWO, TWO, 1, B),
            (WOVEN, "project", github, "holm/looms", None, FOUR, FOUR, 1, D),
            (WOVEN, "project", page, None, None, ONE, ONE, 1, A),
        ]

    @pytest.mark.parametrize(
        ("url", "name"),
        [
            ("https://github.com/Holm/Looms", "holm/looms"),
            ("http://github.com/Holm/Looms", "holm/looms"),
            ("HTTPS://WWW.GitHub.com/Holm/Looms", "holm/looms"),
            ("https://github.com/Holm/Looms/", "holm/looms"),
            ("https://github.com/Holm/Looms///", "holm/looms"),
            ("https://github.com/Holm/Looms.git", "holm/looms"),
            ("https://github.com/Holm/Looms.git/", "holm/looms"),
            ("https://github.com/Holm/Looms.git?tab=readme", "holm/looms"),
            ("https://github.com/Holm/Looms/tree/main/weft-2", "holm/looms"),
            ("https://github.com/Holm/Looms/blob/main/", "holm/looms"),
            ("https://github.com/Holm/Looms?tab=readme-ov-file", "holm/looms"),
            ("https://github.com/Holm/Looms#weft", "holm/looms"),
            ("https://github.com/Holm/Looms.", "holm/looms"),
            ("https://github.com/Holm/loom.js", "holm/loom.js"),
            ("https://github.com/Holm/.github", "holm/.github"),
            ("https://github.com/Holm/git", "holm/git"),
            ("https://github.com/holm_works/a-b_c.d-2", "holm_works/a-b_c.d-2"),
            ("https://github.com/Holm", None),
            ("https://github.com/Holm/", None),
            ("https://github.com/Holm/.git", None),
            ("https://github.com/Holm/..", None),
            ("https://github.com", None),
            ("https://holm.github.io/looms", None),
            ("https://gist.github.com/Holm/123", None),
            ("https://github.company.example/Holm/Looms", None),
            ("https://gitlab.com/github.com/Looms", None),
            ("https://x.example/?to=https://github.com/Holm/Looms", None),
            (None, None),
        ],
    )
    def test_a_repository_is_named_by_its_address(self, url: str | None, name: str | None) -> None:
        assert pl.DataFrame({"url": [url]}, schema={"url": pl.String}).select(repository(pl.col("url"))).item() == name
