"""Systems and claims of all real captures: measured as declared, and read otherwise by a new version alone."""

import hashlib
import re

import polars as pl
import pytest

from bench.claims import LABELS, SHARED, Count, labels, score
from transforms.core.claims import EXTRACTOR_VERSION
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS

# What the rules of a version read in all real captures: rules that read otherwise are another version
READ = {11: "8e393a0d8ad74cf96432f7a356ab3f0916dc00aa762c13dbe232e029954d660c"}
NOTHING_NAMED = 91, 329  # listings of the saved dumps


def test_every_listing_of_a_dump_has_a_row_or_names_nothing(tables: dict[str, pl.DataFrame]) -> None:
    listings = tables["sightings"].filter(source="text", list_kind="saved")
    either = pl.concat([tables["paper_systems"]["paper_id"], tables["paper_claims"]["paper_id"]])
    nothing_named = listings.filter(~pl.col("paper_id").is_in(either.implode()))
    assert (nothing_named.height, listings.height) == NOTHING_NAMED


def test_rules_that_read_otherwise_have_another_version(tables: dict[str, pl.DataFrame]) -> None:
    found = (tables[one.name].drop("capture_id", "paper_id").unique() for one in (PAPER_SYSTEMS, PAPER_CLAIMS))
    lines = sorted(repr(row) for rows in found for row in rows.iter_rows())
    read = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    assert read == READ[EXTRACTOR_VERSION], "rules that read a text differently raise EXTRACTOR_VERSION"


def as_declared(count: Count) -> list[str]:
    """Precision, recall and F1 as the declarations write them."""
    parts = count.right / count.found, count.right / count.expected, 2 * count.right / (count.found + count.expected)
    return [f"{part:.2f}".removeprefix("0") for part in parts]


def test_the_declared_figures_are_those_that_are_measured() -> None:
    found = score(labels("held_out"))
    for table, kind in ((PAPER_SYSTEMS, "systems"), (PAPER_CLAIMS, "exact")):
        precision, recall, f1 = as_declared(getattr(found, kind))
        assert f"precision {precision}, recall {recall}, F1 {f1}" in table.measured
    for name in (
        "unit",
        "scale",
        "role",
        "is_own",
        "metric",
        "polarity",
        "direction",
        "bound",
        "comparator",
        "benchmark",
    ):
        assert f"{name} {as_declared(found.fields[name])[0]}" in PAPER_CLAIMS.measured


def test_hardly_a_baseline_is_published_as_a_result() -> None:
    """Of all claims that are labelled baselines, those that are not told as such, as a share of all claims found."""
    found = score(labels("held_out"))
    assert found.baselines_told_as_results <= 0.02 * found.exact.found  # 6 of 317 (2026-11-29)


@pytest.mark.skipif(not (SHARED / "claims").is_dir(), reason="the labels are not beside the repository")
def test_the_labels_of_the_first_guide_are_still_met() -> None:
    found = score(labels("first"))
    assert [float(part) for part in as_declared(found.systems)[2:]] >= [0.95]
    assert [float(part) for part in as_declared(found.exact)[2:]] >= [0.86]


def test_labels_quote_no_text() -> None:
    """The labels here are offsets and words of ours: no text of a paper is in the repository."""
    for sort in ("tuning", "held_out"):
        text = (LABELS / f"claims_{sort}.json").read_text("utf-8")
        assert max(map(len, re.findall(r'"([^"]*)"', text))) <= len("is_system_disputed")
