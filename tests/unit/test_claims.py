"""Systems and claims, in the sentences of `sentences.txt` and in texts that are none.

There a case is a line of JSON under the words of what it shows: all the claims of what an abstract `says`, some `among`
them, each by the parts that matter, or numbers that are `never` one; or the `system` of a title and an abstract.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

from tests.one_text import claims_of, system_of
from transforms.hooks import words_of


def cases(about: str) -> list[Any]:
    found, heading = [], ""
    for number, line in enumerate(Path(__file__).with_name("sentences.txt").read_text("utf-8").splitlines(), 1):
        if line.startswith("#"):
            heading = line.removeprefix("# ")
        elif line and about in (case := json.loads(line)):
            found.append(pytest.param(case, id=f"line {number}: {heading}"))
    return found


@pytest.mark.parametrize("case", cases("says"))
def test_a_sentence_claims_what_is_said_of_it(case: dict[str, Any]) -> None:
    found = [asdict(one) for one in claims_of(case["says"])]
    if "never" in case:
        assert not {one["text"] for one in found} & set(case["never"])
    else:
        stated = case["claims"] if "claims" in case else case["among"]
        told = [one for one in found if "claims" in case or one["text"] in {parts["text"] for parts in stated}]
        assert [{name: one[name] for name in parts} for one, parts in zip(told, stated, strict=True)] == stated
    require_exact(case["says"])


@pytest.mark.parametrize("case", cases("system"))
def test_a_system_is_what_is_said_of_it(case: dict[str, Any]) -> None:
    found, stated = system_of(case["title"], case["abstract"]), case["system"]
    assert stated == (found and {name: getattr(found, name) for name in stated})
    require_exact_system(case["title"], case["abstract"])


def test_a_claim_knows_its_sentence() -> None:
    abstract = "Orchards grow, e.g. in Kent. We prune 3.5x faster. That is all."
    [claim] = claims_of(abstract)
    assert abstract[claim.sentence_start : claim.sentence_end] == "We prune 3.5x faster."


PIECES = st.sampled_from(
    words_of(
        "We our 2.5x 8.7\\% 1.75\\times $ ( ) , . ; 3 to 5 and % points by reduce speedup twice half orders of magnitude"
        " three out of 4 /7 - \u2013 \u0130 \U0001f34e AUC 0.9 tokens/s introduce PlumServe: (PS) is a library called than"
        " Pear up to only 12 steps on GSM8K PlumBench SWE-bench Verified AIME 2024 from vs."
    )
)
WILD = st.one_of(
    st.text(), st.lists(st.one_of(PIECES, st.text(max_size=4))).map(" ".join), st.lists(PIECES).map("".join)
)


@given(WILD, WILD)
@settings(deadline=None, max_examples=100)
def test_spans_are_exact(title: str, abstract: str) -> None:
    require_exact(abstract)
    require_exact_system(title, abstract)


def require_exact(abstract: str) -> None:
    """Each claim, and what it names, stands in the text where it says."""
    claims = claims_of(abstract)
    assert [claim.position for claim in claims] == list(range(1, len(claims) + 1))
    for claim in claims:
        assert abstract[claim.span_start : claim.span_end] == claim.text
        assert claim.sentence_start <= claim.span_start < claim.span_end
        for words, place in (
            (claim.comparator, claim.comparator_start),
            (claim.metric_text, claim.metric_start),
            (claim.benchmark, claim.benchmark_start),
            (claim.split, claim.split_start),
        ):
            assert (words is None) == (place is None)
            assert words is None or abstract[place:].startswith(words)
        assert claim.baseline_position is None or claim.baseline_position < claim.position
    assert all(one.span_end <= other.span_start for one, other in pairwise(claims))


def require_exact_system(title: str, abstract: str) -> None:
    if system := system_of(title, abstract):
        text = title if system.field == "title" else abstract
        assert text[system.span_start : system.span_end] == system.name


UNITS = (
    "1", "1.", "1,", "(", ")", "\\", "1%", "2x ", "1-", "$1\\times$ ", "a (B) ", "3.5% and ", "we propose A", "Aa1 ",
    "than ", "up to ", "1/2 ",
)  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_reading_grows_with_its_text(unit: str) -> None:
    assert_linear(lambda text: (claims_of(f"We show {text}"), system_of(text, f"We show {text}")), unit, 4_000)


def assert_linear(read: Callable[[str], object], unit: str, length: int) -> None:
    def seconds(size: int) -> float:
        text, best = unit * (size // len(unit)), float("inf")
        for _ in range(2):
            start = time.process_time()
            read(text)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(4 * length) < 10 * seconds(length) + 0.02


def test_a_million_letters_are_read_as_far_as_an_abstract_goes() -> None:
    beginning = "We are 2x faster. "
    assert [claim.text for claim in claims_of(beginning + "(" * 1_000_000)] == ["2x"]
    assert claims_of("(" * 1_000_000 + beginning) == []
