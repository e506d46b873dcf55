"""Near titles, twins and papers of two ids; precision, recall and cost on invented labelled pairs (tests/linkage.py)."""

import random
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from flows.documents.changes import changes
from flows.documents.notes import Rekeyed
from tests.linkage import NOTHING, SCHEMA, Maker, identify, labelled_pairs, quality, resolve, sightings_of
from transforms.core.papers import paper_aliases, rekeyed
from transforms.identity.blocking import LEADERS, NEIGHBOURS, candidates
from transforms.identity.cluster import paper_clusters
from transforms.identity.records import fingerprinted, index_of, records
from warehouse.release import parquet
from warehouse.release.draft import write_part
from warehouse.release.manifest import Manifest, TableFiles
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.identity import PAPER_ALIASES, PAPER_CLUSTERS
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.store.local_files import LocalFiles
from warehouse.store.opening import open_store

ID, OTHER_ID = "2503.00001", "2503.00002"
TITLE = "Patient Looms: Weaving Sparse Ledgers from Restless Harbours"
MAKER = Maker(5)
ABSTRACT, ANOTHER = (MAKER.work().abstract for _ in range(2))


def frame(*rows: dict[str, Any]) -> pl.DataFrame:
    return pl.DataFrame([{"title": TITLE} | row for row in rows], schema=SCHEMA)


def joins(**seen: Any) -> bool:
    """Whether a sighting without an id joins the paper of that title, abstract, five authors and date."""
    known = {"arxiv_id": ID, "abstract": ABSTRACT, "author_count": 5, "published_on": date(2025, 3, 3)}
    return identify(frame(known, seen))["paper_id"].to_list() == [ID, ID]


def test_precision_and_recall_on_labelled_pairs() -> None:
    pairs = labelled_pairs(11, 2_400)
    ids = identify(sightings_of(pairs))["paper_id"].to_list()
    said = [left == right for left, right in zip(ids[:2_400], ids[2_400:], strict=True)]
    right = sum(same and pair.is_same for same, pair in zip(said, pairs, strict=True))
    assert right / sum(said) >= 0.99
    assert right / sum(pair.is_same for pair in pairs) >= 0.95
    precision, recall = quality(pairs, ids)  # over all pairs of sightings: no labelled pair runs into another
    assert precision >= 0.99
    assert recall >= 0.95


class TestNearTitles:
    @pytest.mark.parametrize(
        "title",
        [
            "Patient Looms: Weaving Sprse Ledgers from Restless Harbours",
            "Patient Looms: Weaving SparseLedgers from Restless Harbours",
            "Patient Looms: Weaving Sparse Ledgers from Harbours",
            "Patient Looms",
        ],
    )
    def test_with_an_abstract_that_agrees(self, title: str) -> None:
        assert joins(title=title, abstract=ABSTRACT)
        assert joins(title=title, abstract=ABSTRACT[: len(ABSTRACT) // 3] + "...")
        assert not joins(title=title, abstract=ANOTHER)

    def test_without_an_abstract_a_slip_is_enough(self) -> None:
        assert joins(title=TITLE.replace("Sparse", "Sprase"))
        assert not joins(title=TITLE.replace("Sparse", "Dense"))

    def test_without_an_abstract_authors_and_date_decide(self) -> None:
        shorter = TITLE.replace("Restless ", "")
        assert not joins(title=shorter)
        assert joins(title=shorter, author_count=5, published_on=date(2025, 3, 3))
        assert not joins(author_count=9, published_on=date(2021, 3, 3))

    def test_a_number_that_differs_keeps_apart(self) -> None:
        known = {"arxiv_id": ID, "title": f"{TITLE}, Part 2", "abstract": ABSTRACT}
        assert identify(frame(known, {"title": f"{TITLE}, Part 3"}))["paper_id"][1] != ID

    def test_the_ai_summary_in_place_of_the_abstract(self) -> None:
        summary = "Looms weave ledgers with patience and settle wherever harbours are restless."
        told = frame({"arxiv_id": ID, "abstract": ABSTRACT}, {"abstract": summary})
        assert identify(told)["paper_id"].n_unique() == 2
        shown = told.with_columns(ai_summary=pl.Series([summary, None]))
        assert identify(shown)["paper_id"].to_list() == [ID, ID]

    def test_what_may_be_a_summary_agrees_and_never_contradicts(self) -> None:
        summary = "Looms weave ledgers with patience and settle wherever harbours are restless."
        twins = ({"arxiv_id": ID, "abstract": ABSTRACT}, {"arxiv_id": OTHER_ID, "abstract": ANOTHER})

        def joined(description: str, *rows: dict[str, Any]) -> str:
            told = frame(*rows, {}).with_columns(
                ai_summary=pl.Series([*(row.get("ai_summary") for row in rows), None], dtype=pl.String),
                description=pl.Series([*(None for _ in rows), description]),
            )
            return str(identify(told)["paper_id"][-1])

        assert joined(summary, twins[0]) == ID
        assert [joined(text, *twins) for text in (ABSTRACT, ANOTHER)] == [ID, OTHER_ID]
        assert joined(summary, twins[0], twins[1] | {"ai_summary": summary}) == OTHER_ID

    def test_authors_decide_where_abstracts_are_unsure(self) -> None:
        names, others = ([{"name": name} for name in text.split(", ")] for text in ("Ada Abel, Bo Dorn", "Cy Fabre"))
        told = {"arxiv_id": ID, "abstract": ABSTRACT, "authors": names}
        unsure = " ".join([*ABSTRACT.split()[:30], *ANOTHER.split()[:34]])  # agrees by half
        assert identify(frame(told, {"abstract": unsure, "authors": names[::-1]}))["paper_id"][1] == ID
        assert identify(frame(told, {"abstract": unsure, "authors": others}))["paper_id"][1] != ID


def clustered(sightings: pl.DataFrame) -> pl.DataFrame:
    found = resolve(sightings)
    return paper_clusters(found.known, found.sightings.select("paper_id", "capture_id").unique("paper_id"))


class TestClusters:
    def clusters(self, *rows: dict[str, Any]) -> list[tuple[Any, ...]]:
        found = clustered(placed(frame(*rows)))
        assert PAPER_CLUSTERS.split(found)[1].is_empty()
        return found.drop("score", "agreement", "capture_id").rows()

    def test_two_ids_of_one_work_stay_two_papers_and_are_shown(self) -> None:
        rows = ({"arxiv_id": ID, "abstract": ABSTRACT}, {"arxiv_id": OTHER_ID, "abstract": f"{ABSTRACT} More."})
        assert self.clusters(*rows) == [("same_work", ID, ID, "title"), ("same_work", ID, OTHER_ID, "title")]

    def test_a_near_title_is_the_same_work(self) -> None:
        rows = (
            {"arxiv_id": ID, "abstract": ABSTRACT},
            {"arxiv_id": OTHER_ID, "title": f"{TITLE}s", "abstract": ABSTRACT},
        )
        assert self.clusters(*rows) == [("same_work", ID, ID, "near_title"), ("same_work", ID, OTHER_ID, "near_title")]

    def test_papers_of_one_title_are_shown_as_twins(self) -> None:
        rows = ({"arxiv_id": ID, "abstract": ABSTRACT}, {"title": TITLE.upper(), "abstract": ANOTHER})
        (first, second) = self.clusters(*rows)
        assert first == ("twin_title", ID, ID, "title")
        assert (second[:2], second[2][:6]) == (("twin_title", ID), "title:")

    @pytest.mark.parametrize(
        ("repeated", "agreement"),
        [
            (f"{ABSTRACT} {ANOTHER.split('. ')[0]}.", 1.0),  # more is added
            ("We weave. " + ABSTRACT.split(". ", 1)[1], 0.95),  # another first sentence
        ],
    )
    def test_two_papers_with_nearly_one_abstract(self, repeated: str, agreement: float) -> None:
        other = "Ledgers That Outlast Their Harbours"
        rows = ({"arxiv_id": ID, "abstract": ABSTRACT}, {"arxiv_id": OTHER_ID, "title": other, "abstract": repeated})
        found = clustered(placed(frame(*rows, {"arxiv_id": "2503.00003", "title": "Slow Tides", "abstract": ANOTHER})))
        assert PAPER_CLUSTERS.split(found)[1].is_empty()
        assert found.select("kind", "paper_id", "method", "score").rows() == [
            ("twin_abstract", ID, "abstract", None),
            ("twin_abstract", OTHER_ID, "abstract", None),
        ]
        assert found["agreement"].to_list() == [pytest.approx(agreement, abs=0.01)] * 2

    def test_the_beginning_of_an_abstract_is_no_twin(self) -> None:
        rows = (
            {"arxiv_id": ID, "abstract": ABSTRACT},
            {"arxiv_id": OTHER_ID, "title": "Harbours", "abstract": ABSTRACT[:200]},
        )
        assert self.clusters(*rows) == []

    def test_one_paper_is_no_cluster(self) -> None:
        assert self.clusters({"arxiv_id": ID, "abstract": ABSTRACT}, {"abstract": ABSTRACT}) == []


PLACE = {"capture_id": "a" * 20, "observed_at": datetime(2025, 3, 1), "position": 1}


def placed(seen: pl.DataFrame) -> pl.DataFrame:
    return seen.with_columns(pl.lit(value).alias(name) for name, value in PLACE.items())


def released(folder: Path, day: str, aliases: pl.DataFrame) -> Snapshot[Manifest]:
    """A release of nothing but the names of papers."""
    version, store = f"2026.11.{day}.1", open_store(str(folder))
    tables = []
    for table, rows in ((PAPER_ALIASES, aliases), (DAILY_LISTINGS, DAILY_LISTINGS.empty())):
        files = tuple(write_part(folder / "releases" / version, part) for part in parquet.parts(table, rows))
        tables.append(TableFiles(table.name, rows.height, files))
    return Snapshot(Manifest(version, 2, "0", None, 1, "", tuple(tables), ()), LocalFiles(store, folder))


class TestRekeyed:
    def aliases(self, *rows: dict[str, Any]) -> pl.DataFrame:
        return paper_aliases(identify(placed(frame(*rows))).with_columns(outer_title=pl.lit(None, pl.String)))

    def test_an_id_that_arrives_later(self) -> None:
        saved = ({"abstract": ABSTRACT}, {"title": "Something Else Entirely", "abstract": ANOTHER})
        before = self.aliases(*saved)
        after = self.aliases(*saved, {"arxiv_id": ID, "title": f"{TITLE}.", "abstract": ABSTRACT})
        old = before.filter(pl.col("alias") == TITLE)["paper_id"].item()
        assert rekeyed(before, after).rows() == [(old, ID, TITLE)]
        assert rekeyed(after, after).is_empty()
        assert rekeyed(before.clear(), after).is_empty()

    def test_the_notes_name_it(self, tmp_path: Path) -> None:
        saved = {"abstract": ABSTRACT}
        before, after = self.aliases(saved), self.aliases(saved, {"arxiv_id": ID, "title": TITLE, "abstract": ABSTRACT})
        one, other = (released(tmp_path, day, aliases) for day, aliases in (("20", before), ("21", after)))
        assert changes(one, other)["rekeyed"] == (Rekeyed(before["paper_id"][0], ID, TITLE),)
        assert changes(other, other)["rekeyed"] == ()

    def test_how_a_near_title_was_matched(self) -> None:
        near = TITLE.replace("Sparse", "Sprse")
        found = self.aliases({"arxiv_id": ID, "abstract": ABSTRACT}, {"title": near, "abstract": ABSTRACT})
        method, score = found.filter(pl.col("alias") == near).select("method", "score").row(0)
        assert method == "near_title"
        assert 0.99 < score < 1
        nameless = self.aliases({"abstract": ABSTRACT}, {"title": near, "abstract": ABSTRACT})
        assert nameless["score"].to_list() == [score, score]


def test_many_texts_of_one_title_are_not_all_compared() -> None:
    texts = [{"abstract": " ".join(MAKER.said(20))} for _ in range(600)]
    told = index_of(records(fingerprinted(frame(*texts))))
    assert candidates(told, told).height < 600 * (4 * NEIGHBOURS + LEADERS)
    assert identify(frame(*texts))["paper_id"].n_unique() == 600


silent = [
    {"abstract": text} | told for text in (None, "We do so.", ABSTRACT[:300]) for told in ({}, {"author_count": 5})
]
chain = [" ".join([ABSTRACT, *ANOTHER.split(". ")[:cut]]) for cut in range(5)]
known_rows = [{"arxiv_id": one, "abstract": text} for one in (ID, OTHER_ID) for text in (ABSTRACT, ANOTHER, None)]
# Titles with letters lost, twins, cut abstracts, chains, ids that come later, what pages of one id show and others not
mixed = placed(
    pl.concat(
        [
            sightings_of(labelled_pairs(31, 60)),
            frame(
                *silent,
                *({"abstract": text} for text in (*chain, ANOTHER, ANOTHER[:250])),
                *({"title": f"{TITLE}{tail}", "abstract": ANOTHER} for tail in (", Part 2", "s", "", " of the Sea")),
                *known_rows,
                *(row | {"author_count": 5, "title": TITLE.upper()} for row in known_rows),
                {"arxiv_id": "2503.00003", "title": "Slow Tides", "abstract": f"We weave. {ABSTRACT}"},
            ),
        ]
    )
).with_columns(
    position=pl.int_range(1, pl.len() + 1, dtype=pl.Int32), capture_id=pl.format("{}", pl.int_range(pl.len()))
)


class Release:
    """Sightings with their papers, and their index, as builds of parts of them leave them."""

    def __init__(self) -> None:
        self.sightings, self.known = mixed.clear().with_columns(paper_id=pl.lit(None, pl.String)), NOTHING
        self.moved = 0

    def build(self, new: pl.DataFrame) -> None:
        held = self.sightings
        found = resolve(new, self.known, lambda papers: held.filter(pl.col("paper_id").is_in(papers.implode())))
        place = ("capture_id", "position")
        moved = held.drop("paper_id").join(found.moved.drop("old_paper_id"), on=place)
        stayed = held.join(found.moved, on=place, how="anti")
        self.sightings = pl.concat([stayed, moved.select(held.columns), found.sightings.select(held.columns)])
        self.known, self.moved = found.known, self.moved + found.moved.height


@pytest.fixture(scope="module")
def at_once() -> Release:
    release = Release()
    release.build(mixed)
    return release


@pytest.mark.parametrize("seed", range(2))
def test_builds_in_any_order_find_the_papers_of_all_at_once(seed: int, at_once: Release) -> None:
    """The same papers, the same index, the same clusters: whatever came first, and in however many builds."""
    dice = random.Random(seed)
    places, release = dice.sample(range(mixed.height), mixed.height), Release()
    cuts = sorted(dice.sample(range(1, mixed.height), dice.choice([1, 2, 5, 20])))
    for start, end in zip([0, *cuts], [*cuts, mixed.height], strict=True):
        release.build(mixed[places[start:end]])
    assert release.sightings.sort("position").equals(at_once.sightings.sort("position"))
    assert release.known.records.equals(at_once.known.records)
    assert release.known.pairs.equals(at_once.known.pairs)
    assert release.moved > 0
