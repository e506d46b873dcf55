"""`paper_systems` and `paper_claims`: the text and page that a row names, what the gate checks."""

from __future__ import annotations

from hashlib import sha256

import polars as pl
import pytest

from expectations import across, history
from expectations.comparison import Comparison
from tests.builders import ONE, THREE, TIDES, TWO, A, B, C, D, columns, frame, sighting
from tests.one_text import claims_of
from transforms.core.claims import EXTRACTOR_VERSION, systems_and_claims
from transforms.core.papers import paper_texts, paper_versions, papers
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
