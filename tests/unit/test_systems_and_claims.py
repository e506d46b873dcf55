"""Systems and claims: the text and page that a row names, what the gate checks; and in the sentences of `sentences.txt`.

There a case is a line of JSON under the words of what it shows: all the claims of what an abstract `says`, some `among`
them, each by the parts that matter, or numbers that are `never` one; or the `system` of a title and an abstract.
"""

import json
import time
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

from expectations import across, history
from expectations.comparison import Comparison
from tests.builders import ONE, THREE, TIDES, TWO, A, B, C, D, columns, frame, sighting
from tests.one_text import claims_of, system_of
from transforms.core.claims import EXTRACTOR_VERSION, systems_and_claims
from transforms.core.papers import paper_texts, paper_versions, papers
from transforms.hooks import words_of
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS
from warehouse.schema.core.identity import PAPER_ALIASES

SAVED = "title:" + "0" * 16
TITLE, ABSTRACT = "PlumServe: Fast Orchards", "We are 2x and 3% faster than Pear. That is all."
OTHER = "Pruning is slow. We introduce QuinceFS, a library that is \U0001f34e 1.75times faster on trees."
SIGHTINGS = frame(
    sighting(A, ONE, title="Fast Orchards", abstract=OTHER),
    sighting(B, TWO, title=TITLE, abstract=ABSTRACT),
    sighting(C, THREE, title=TITLE),
    sighting(D, ONE, TIDES, title="Orchards at Night", abstract=OTHER),
    sighting(D, ONE, SAVED, title="Orchards", abstract="We are slow.", position=2),
    sighting(D, ONE, "2503.04322", title=TITLE, position=3),
)


def release(sightings: pl.DataFrame) -> dict[str, pl.DataFrame]:
    made = (papers, paper_texts, paper_versions)
    tables = {make.__name__: make(sightings) for make in made}
    return tables | systems_and_claims(sightings, tables)


def test_a_row_names_the_text_it_was_read_in_and_the_page_that_shows_it() -> None:
    tables = release(SIGHTINGS)
    assert columns(tables["paper_systems"], "paper_id", "name", "field", "rule", "capture_id") == [
        ("2503.01234", "PlumServe", "title", "title", B),  # C says it again
        ("2503.04321", "QuinceFS", "abstract", "introduced", D),
        ("2503.04322", "PlumServe", "title", "title", D),
    ]
    assert columns(tables["paper_claims"], "paper_id", "position", "text", "capture_id") == [
        ("2503.01234", 1, "2x", B),
        ("2503.01234", 2, "3%", B),
        ("2503.04321", 1, "1.75times", D),
    ]
    told = {sha256(text.encode()).hexdigest() for text in (ABSTRACT, OTHER)}
    assert set(tables["paper_claims"]["text_sha256"]) == told
    assert set(tables["paper_claims"]["extractor_version"]) == {EXTRACTOR_VERSION}


def failed(tables: dict[str, pl.DataFrame]) -> list[str]:
    compared = Comparison(tables)
    results = [one.result(compared) for one in across.GUARDS if one.applies(compared)]
    return [f"{one.table}.{one.rule}: {'; '.join(one.examples)}" for one in results if not one.passed]


@pytest.mark.parametrize(
    ("table", "lie", "told"),
    [
        ("paper_systems", {"name": "PlumServer"}, "paper_systems.spans_exact: paper_id=2503.04321"),
        ("paper_systems", {"field": "title"}, "paper_systems.spans_exact: paper_id=2503.04321"),
        ("paper_claims", {"text": "1.75\\times"}, "paper_claims.spans_exact: paper_id=2503.04321, position=1"),
        ("paper_claims", {"span_end": 70}, "paper_claims.spans_exact: paper_id=2503.04321, position=1"),
        (
            "paper_claims",
            {"span_start": 900, "span_end": 909},
            "paper_claims.spans_exact: paper_id=2503.04321, position=1",
        ),
        ("paper_claims", {"text_sha256": "0" * 64}, "paper_claims.spans_exact: paper_id=2503.04321, position=1"),
        ("paper_claims", {"comparator": "Pear"}, "paper_claims.words_quoted: paper_id=2503.04321, position=1"),
    ],
)
def test_a_row_that_does_not_match_its_text_closes_the_gate(table: str, lie: dict[str, object], told: str) -> None:
    tables = release(SIGHTINGS)
    assert failed(tables) == []
    changes = [pl.when(paper_id=TIDES).then(pl.lit(value)).otherwise(name).alias(name) for name, value in lie.items()]
    assert failed(tables | {table: tables[table].with_columns(changes)}) == [told]


def test_a_row_of_a_paper_without_that_text_closes_the_gate() -> None:
    tables = release(SIGHTINGS)
    gone = tables["paper_texts"].filter(pl.col("paper_id") != TIDES)
    assert len(failed(tables | {"paper_texts": gone})) == 3


def lost(now: dict[str, pl.DataFrame], before: dict[str, pl.DataFrame]) -> list[str]:
    rest = {one.name: one.empty() for one in (CAPTURES, QUARANTINE, PAPER_ALIASES)} | {"sightings": SIGHTINGS}
    compared = Comparison(now | rest, before | rest)
    guards = [
        one for one in history.GUARDS if one.rule == "keys_kept" and one.table in {"paper_systems", "paper_claims"}
    ]
    assert all(one.applies(compared) for one in guards)
    return [one.table for one in guards if not one.result(compared).passed]


def many(count: int, version: int) -> dict[str, pl.DataFrame]:
    """A release with so many rows of each table."""
    row = release(SIGHTINGS)
    number = pl.lit(version, pl.Int32).alias("extractor_version")
    names = pl.Series("paper_id", [f"2503.{place:05}" for place in range(count)], pl.String)
    tables = {
        one.name: pl.concat([row[one.name].head(1)] * max(count, 1)).head(count)
        for one in (PAPER_SYSTEMS, PAPER_CLAIMS)
    }
    return row | {name: table.with_columns(names, number) for name, table in tables.items()}


def test_few_rows_may_go_or_all_with_another_extractor() -> None:
    assert lost(many(80, 1), many(100, 1)) == []  # abstracts are revised
    assert lost(many(70, 1), many(100, 1)) == ["paper_systems", "paper_claims"]
    assert lost(many(70, 2), many(100, 1)) == []
    assert lost(many(0, 2), many(100, 1)) == ["paper_systems", "paper_claims"]


def test_a_text_of_any_length_is_read_and_cited_exactly() -> None:
    abstract = "We are 2x faster. " + "\U0001f34e" * 9_000 + " We are 3x faster."
    tables = release(frame(sighting(abstract=abstract)))
    assert tables["paper_claims"]["text"].to_list() == [claim.text for claim in claims_of(abstract)]
    assert failed(tables) == []


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
    assert_linear(lambda text: (claims_of(f"We show {text}"), system_of(text, f"We show {text}")), unit, 2_000)


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
