"""`conflicts` and `paper_versions`: which values disagree, which won and why; what counts as a change, when it was seen."""

from datetime import date
from typing import Any

import polars as pl
import pytest

from tests.builders import DAY, FOUR, ONE, THREE, TIDES, TWO, WOVEN, A, B, C, D, E, frame, sighting
from transforms.collect.cleaning import content_key
from transforms.core.conflicts import conflicts
from transforms.core.papers import paper_texts, paper_versions, papers

ISSUE = date(2025, 9, 29)


def found(*rows: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Field, value, rule (None: it won), whether the content is the same, source, place."""
    table = conflicts(frame(*rows))
    return table.select("field", "value", "rule", "is_same_content", "source", "place").rows()


def test_the_outer_title_conflicts_with_the_inner_one_and_loses() -> None:
    rows = [sighting(A, ONE, title="2times Looms", outer_title=r"2$\times$ Looms"), sighting(B, TWO, TIDES, title="X")]
    assert conflicts(frame(*rows)).rows() == [
        (WOVEN, "title", r"2$\times$ Looms", False, True, "inner", "api", "outer", None, ONE, ONE, 1, A),
        (WOVEN, "title", "2times Looms", True, True, None, "api", "inner", None, ONE, ONE, 1, A),
    ]


def test_what_an_outer_object_said_stays_when_the_inner_one_is_revised() -> None:
    rows = [sighting(A, ONE, title="Looms", outer_title="Looms?"), sighting(B, TWO, title="Reeds")]
    assert found(*rows) == [
        ("title", "Looms?", "inner", False, "api", "outer"),
        ("title", "Reeds", None, True, "api", "inner"),
    ]


def test_the_same_words_in_all_places_are_no_conflict() -> None:
    rows = [sighting(A, ONE, abstract="We weave."), sighting(B, TWO, source="html", abstract="We weave.")]
    assert found(*rows, sighting(C, None, source="text")) == []


def test_the_api_wins_over_a_saved_text() -> None:
    rows = [sighting(A, ONE, title=r"$\ell_p$ Looms", author_count=3)]
    rows.append(sighting(D, None, source="text", title="ell_p Looms", author_count=4))
    assert found(*rows) == [
        ("author_count", "3", None, True, "api", "inner"),
        ("author_count", "4", "source", False, "text", "inner"),
        ("title", r"$\ell_p$ Looms", None, True, "api", "inner"),
        ("title", "ell_p Looms", "source", True, "text", "inner"),
    ]


def test_a_stated_day_stands_above_an_inferred_one_of_a_better_source() -> None:
    stated = {"published_on": ISSUE, "published_basis": "stated"}
    inferred = {"published_on": date(2024, 9, 29), "published_basis": "inferred"}
    table = conflicts(frame(sighting(A, ONE, source="text", **stated), sighting(B, TWO, source="html", **inferred)))
    assert table.select("field", "value", "is_winner", "rule", "source", "basis").rows() == [
        ("published_on", "2024-09-29", False, "stated", "html", "inferred"),
        ("published_on", "2025-09-29", True, None, "text", "stated"),
    ]


def test_two_pages_of_one_source_are_compared_where_one_inferred_the_year() -> None:
    stated = {"published_on": ISSUE, "published_basis": "stated"}
    inferred = {"published_on": date(2024, 9, 29), "published_basis": "inferred"}
    rows = [sighting(A, ONE, source="text", **stated), sighting(B, None, source="text", **inferred)]
    assert [row[2] for row in found(*rows)] == ["stated", None]


@pytest.mark.parametrize("source", ["api", "html", "text"])
def test_a_change_within_one_place_is_a_revision(source: str) -> None:
    rows = [sighting(A, ONE, source=source, title="Looms"), sighting(B, TWO, source=source, title="Looms, Revised")]
    assert found(*rows) == []


def test_an_old_page_that_agreed_when_it_was_made_is_a_revision() -> None:
    rows = [
        sighting(A, ONE, title="Looms"),
        sighting(B, ONE, source="html", title="Looms"),
        sighting(C, TWO, title="Looms, Revised"),
    ]
    assert found(*rows) == []


def test_the_last_value_of_each_place_counts() -> None:
    rows = [
        sighting(A, ONE, source="text", title="Reeds"),
        sighting(B, TWO, source="text", title="Looms"),
        sighting(C, ONE, title="Looms"),
    ]
    assert found(*rows) == []
    assert [row[1] for row in found(*rows, sighting(D, THREE, source="text", title="Kettles"))] == ["Kettles", "Looms"]


def test_counts_change_and_are_never_in_conflict() -> None:
    rows = [sighting(A, ONE, upvote_count=1, comment_count=0), sighting(B, ONE, source="html", upvote_count=9)]
    assert found(*rows) == []


def test_a_missing_value_contradicts_nothing() -> None:
    assert found(sighting(A, ONE, author_count=3), sighting(B, ONE, source="text")) == []


def test_one_value_of_two_places_is_one_row_of_the_better() -> None:
    rows = [
        sighting(A, ONE, author_count=3),
        sighting(B, TWO, source="html", author_count=4),
        sighting(C, None, source="text", author_count=4),
    ]
    table = conflicts(frame(*rows)).filter(is_winner=False)
    assert table.select("value", "source", "first_seen_at", "last_seen_at", "sighting_count", "capture_id").rows() == [
        ("4", "html", TWO, TWO, 2, B)
    ]


def test_submitters_of_two_lists_need_not_agree_but_those_of_one_answer_do() -> None:
    daily = {"list_kind": "daily", "listed_basis": "request"}
    rows = [
        sighting(A, ONE, listed_on=DAY, submitter_login="ada", **daily),
        sighting(B, TWO, source="html", listed_on=date(2025, 10, 2), submitter_login="rosa", **daily),
    ]
    assert found(*rows) == []
    said = sighting(C, THREE, listed_on=DAY, submitter_login="ada", outer_submitter_login="goran", **daily)
    assert found(*rows, said) == [
        ("submitter_login", "ada", None, True, "api", "inner"),
        ("submitter_login", "goran", "inner", False, "api", "outer"),
    ]


def test_an_organization_is_compared_as_one_value() -> None:
    """A page with only a name replaces name and login: the login is then unknown."""
    rows = [
        sighting(A, TWO, organization_name="Tidal Research"),
        sighting(B, ONE, source="html", organization_login="loomworks", organization_name="Loomworks"),
    ]
    assert found(*rows) == [
        ("organization_name", "Loomworks", "source", False, "html", "inner"),
        ("organization_name", "Tidal Research", None, True, "api", "inner"),
    ]


def test_the_winner_is_what_papers_has() -> None:
    rows = [
        sighting(A, ONE, abstract="We weave.", published_on=ISSUE, published_basis="stated", outer_abstract="We knot."),
        sighting(B, TWO, source="html", abstract="We drift.", published_on=DAY, published_basis="stated"),
        sighting(C, None, source="text", abstract="We rest.", published_on=DAY, published_basis="inferred"),
    ]
    (paper,) = papers(frame(*rows)).iter_rows(named=True)
    (text,) = paper_texts(frame(*rows)).iter_rows(named=True)
    table = conflicts(frame(*rows))
    assert dict(table.filter("is_winner").select("field", "value").rows()) == {
        "abstract": text["abstract"],
        "published_on": str(paper["published_on"]),
    }
    assert table.filter(field="abstract").select("value", "rule").rows() == [
        ("We drift.", "source"),
        ("We knot.", "inner"),
        ("We rest.", "source"),
        ("We weave.", None),
    ]


def versions(*rows: dict[str, Any], field: str = "title") -> list[tuple[Any, ...]]:
    found = paper_versions(frame(*rows)).filter(field=field).drop("field")
    return found.rows()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"Looms in $\ell_p$", "Looms in ell_p"),
        (r"2.61$\times$ Faster", "2.61times faster"),
        (r"$\textit{Trans-Loom}$: Tides", "Trans-Loom: Tides"),
        (r"LLM\textsc{weave}", "LLMweave"),
        ("texttt{D}ual Looms", "Dual Looms"),
        (r"{\scriptsize Looms} & Reeds", "{scriptsize Looms} & Reeds"),
        (r"100\% of Looms", "100% of Looms"),
        ("Looms:\n  Tides", "Looms: Tides"),
        ("\N{LATIN SMALL LIGATURE FI}ne Looms", "Fine Looms"),
        ("At https://huggingface.co/looms.", "At https://huggingface.lamps.example/looms."),
        ("At https://huggingface.co/looms.", "At https://hf-mirror.example/looms."),
    ],
)
def test_texts_that_differ_in_markup_are_one_version(one: str, other: str) -> None:
    assert keys_of(one, other).n_unique() == 1


def keys_of(*texts: str) -> pl.Series:
    return pl.DataFrame({"text": texts}).select(content_key(pl.col("text"))).to_series()


def test_texts_that_differ_in_words_are_versions_each() -> None:
    texts = ["Looms", "Looms 2", "Looms 3", "Loom", "Context {A}", "Con {A}", "???", "!!!", r"\emph{A}", r"\emph{B}"]
    texts += ["github.com/looms", "gitlab.com/looms", "huggingface.co/looms", "huggingface.co/reeds"]
    assert keys_of(*texts).n_unique() == len(texts)


def test_a_text_that_never_changed_is_one_row_and_not_kept_again() -> None:
    rows = [sighting(A, ONE, title="Looms"), sighting(B, THREE, title="Looms"), sighting(C, None, title="Looms")]
    assert versions(*rows) == [(WOVEN, 1, None, ONE, THREE, 3, C)]


def test_markup_of_the_best_source_shows_the_content() -> None:
    rows = [
        sighting(A, ONE, title=r"$\ell_p$ Looms"),
        sighting(B, TWO, source="text", title="ell_p looms"),
        sighting(C, THREE, title="New Looms"),
    ]
    assert versions(*rows) == [
        (WOVEN, 1, r"$\ell_p$ Looms", ONE, TWO, 2, A),
        (WOVEN, 2, "New Looms", THREE, THREE, 1, C),
    ]


def test_a_content_that_comes_back_is_one_row() -> None:
    rows = [sighting(A, ONE, title="Looms"), sighting(B, TWO, title="Reeds"), sighting(C, THREE, title="Looms")]
    assert versions(*rows) == [(WOVEN, 1, "Looms", ONE, THREE, 2, A), (WOVEN, 2, "Reeds", TWO, TWO, 1, B)]


def test_what_was_seen_at_an_unknown_time_comes_first() -> None:
    rows = [sighting(A, ONE, title="Looms"), sighting(D, None, source="text", title="Reeds")]
    assert versions(*rows) == [(WOVEN, 1, "Reeds", None, None, 1, D), (WOVEN, 2, "Looms", ONE, ONE, 1, A)]


def test_what_a_copy_rewrites_is_no_version() -> None:
    own = [sighting(A, ONE, title="Looms"), sighting(B, TWO, title="Reeds")]
    copies = [
        sighting(C, THREE, source="copy", title="Looms (mirrored)"),
        sighting(D, FOUR, TIDES, source="copy", title="Tides"),
        sighting(E, FOUR, TIDES, source="copy", title="Slow Tides"),
    ]
    assert versions(*own, *copies) == [
        (WOVEN, 1, "Looms", ONE, ONE, 1, A),
        (WOVEN, 2, "Reeds", TWO, TWO, 1, B),
        (TIDES, 1, "Slow Tides", FOUR, FOUR, 1, E),
        (TIDES, 2, "Tides", FOUR, FOUR, 1, D),
    ]


def test_every_text_of_every_paper_has_its_versions() -> None:
    rows = [
        sighting(A, ONE, abstract="We weave.", ai_summary="Looms."),
        sighting(B, TWO, abstract="We weave!", ai_summary="Weaving."),
        sighting(B, TWO, TIDES, position=2),
    ]
    assert versions(*rows, field="abstract") == [(WOVEN, 1, None, ONE, TWO, 2, B)]
    assert versions(*rows, field="ai_summary") == [
        (WOVEN, 1, "Looms.", ONE, ONE, 1, A),
        (WOVEN, 2, "Weaving.", TWO, TWO, 1, B),
    ]
    assert [row[0] for row in versions(*rows)] == [WOVEN, TIDES]
