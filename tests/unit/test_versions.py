"""`paper_versions`: what counts as a change, and when it was seen."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from tests.builders import FOUR, ONE, THREE, TIDES, TWO, WOVEN, A, B, C, D, E, frame, sighting
from transforms.collect.cleaning import content_key
from transforms.core.papers import paper_versions


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
    texts = pl.DataFrame({"text": [one, other]}).select(content_key(pl.col("text"))).to_series()
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Looms 2", "Looms 3"), ("Context {A}", "Con {A}"), ("???", "!!!"), ("Looms", "Loom")),
        *((r"\emph{A}", r"\emph{B}"), ("github.com/looms", "gitlab.com/looms")),
        ("huggingface.co/looms", "huggingface.co/reeds"),
    ],
)
def test_texts_that_differ_in_words_are_two_versions(one: str, other: str) -> None:
    texts = pl.DataFrame({"text": [one, other]}).select(content_key(pl.col("text"))).to_series()
    assert texts[0] != texts[1]


def test_a_text_that_never_changed_is_one_row_and_not_kept_again() -> None:
    rows = [sighting(A, ONE, title="Looms"), sighting(B, THREE, title="Looms"), sighting(C, None, title="Looms")]
    assert versions(*rows) == [(WOVEN, 1, None, ONE, THREE, 3, B)]


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
    assert versions(*rows) == [(WOVEN, 1, "Looms", ONE, THREE, 2, C), (WOVEN, 2, "Reeds", TWO, TWO, 1, B)]


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
