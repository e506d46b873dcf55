"""Resolving new sightings against the index of a release, with the same result as comparing all sightings at once.

A record's keys, and the likeness of two records, depend on them alone. So a pair that was compared before keeps its
result; only pairs that arise from new records are compared, and only their texts are read.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import polars as pl

from transforms.identity.blocking import candidates, lookalikes, repeats
from transforms.identity.cluster import works
from transforms.identity.compare import MATCH, compared, shared_abstracts
from transforms.identity.records import EVIDENCE, FINGERPRINT, Index, fingerprinted, index_of, records
from warehouse.schema.core.identity import IDENTITY_PAIRS, IDENTITY_RECORDS

# The agreement from which abstracts are nearly the same. Of all pairs of real papers two reach it, with 0.98 and 0.99;
# the next, by one author on one theory, have 0.78, 0.74 and 0.65, then 0.40 (docs/identity.md)
TWIN_AGREEMENT = 0.85
PAIRS_AT_A_TIME: Final = 20_000  # with their texts, which bounds the memory and does not change the result
KINDS: Final = {"match": candidates, "likeness": lookalikes, "repeat": repeats}
OF_A_PAIR: Final = ("kind", "record", "other")
FETCHED: Final = ("capture_id", "position", "paper_id", "arxiv_id", "title", *EVIDENCE)
Fetch = Callable[[pl.Series], pl.DataFrame]  # ids of papers → these columns of all sightings a release has of them


class Resolved(NamedTuple):
    """New sightings with their `paper_id`; old sightings that belong to another paper now; the new index.

    `moved` has `capture_id`, `position`, `paper_id`, and `old_paper_id`.
    """

    sightings: pl.DataFrame
    moved: pl.DataFrame
    known: Index


def described(sightings: pl.DataFrame, known: pl.DataFrame | None = None, fetch: Fetch | None = None) -> pl.DataFrame:
    """The rows of the index for these sightings that the records `known` lack; all rows of an arXiv id, if it has any.

    `fetch` gives what else is known of an id: without it, these are all sightings of their ids.
    """
    fingerprints = fingerprinted(sightings.drop("paper_id", strict=False))
    found = records(fingerprints)
    return index_of(found if known is None or fetch is None else _completed(found, fingerprints, known, fetch))


def resolved(
    new: pl.DataFrame, unnamed: pl.DataFrame, known: Index, fetch: Fetch, gone: pl.DataFrame | None = None
) -> Resolved:
    """Find the papers of new sightings, and the old sightings that they move to another paper.

    `new` are the rows that `described` gives for the new sightings, `unnamed` those without an arXiv id, which alone
    get their `paper_id` here. Texts are fetched only for pairs in a common block. Records `gone` are no longer in the
    index, unless they are among the new ones.
    """
    plain = unnamed.drop("paper_id", strict=False)
    fingerprints = fingerprinted(plain)
    fresh = records(fingerprints)
    # New records of an arXiv id replace all old ones of it
    ids = new.filter("has_arxiv_id").select("paper_id", "has_arxiv_id").unique()
    stay = known.records.join(ids, on=("paper_id", "has_arxiv_id"), how="anti")
    if gone is not None:
        stay = stay.join(gone, on="record", how="anti")
    after = pl.concat([stay, new])
    pairs = _paired(after, fresh, known, fetch)
    found = works(after, pairs.filter(pl.col("kind") == "match"), MATCH)
    renamed = after.join(found, on="record", how="left").select(
        "record", old_paper_id="paper_id", paper_id=pl.coalesce("work_id", "paper_id")
    )
    named = IDENTITY_RECORDS.conform(after.drop("paper_id").join(renamed, on="record"))
    index = Index(named, IDENTITY_PAIRS.conform(pairs.rename({"other": "other_record"})))
    return Resolved(plain.with_columns(_papers_of(fingerprints, renamed)), _moved(renamed, fetch), index)


def _completed(fresh: pl.DataFrame, fingerprints: pl.DataFrame, known: pl.DataFrame, fetch: Fetch) -> pl.DataFrame:
    """The records that are not in the index, those of an arXiv id completed by the release's sightings of the id.

    The evidence of all pages of an id is merged: where new pages show nothing new, nothing changes.
    """
    new = fresh.join(known, on="record", how="anti")
    ids = new["arxiv_id"].drop_nulls().unique()
    held = known.filter("has_arxiv_id")["paper_id"].unique()
    known_ids = ids.filter(ids.is_in(held.implode()))
    if known_ids.is_empty():
        return new
    old = fingerprinted(fetch(known_ids)).drop("paper_id").filter(pl.col("arxiv_id").is_in(known_ids.implode()))
    both = pl.concat([old, fingerprints.filter(pl.col("arxiv_id").is_in(known_ids.implode()))], how="diagonal_relaxed")
    others = new.filter(~pl.col("arxiv_id").is_in(known_ids.implode()).fill_null(False))
    return pl.concat([others, records(both).select(others.columns)])


def _paired(after: pl.DataFrame, fresh: pl.DataFrame, known: Index, fetch: Fetch) -> pl.DataFrame:
    """All pairs that are alike: known ones that still share a block, and those of the new pairs that are found alike.

    Only blocks of added or removed records give other pairs than before, so only these are looked at.
    """
    came = after.join(known.records, on="record", how="anti")
    changed = pl.concat([came, known.records.join(after, on="record", how="anti")])
    now, before = _blocked(after, changed), _blocked(known.records, changed)
    pairs = known.pairs.rename({"other_record": "other"})
    lost = before.join(now, on=OF_A_PAIR, how="anti").join(pairs, on=OF_A_PAIR, how="semi")
    if lost.height:  # unless they meet in another block
        now, before = _blocked(after, after), _blocked(known.records, known.records)
    held = pairs.join(before.join(now, on=OF_A_PAIR, how="anti"), on=OF_A_PAIR, how="anti")
    unknown = now.join(before, on=OF_A_PAIR, how="anti").join(held, on=OF_A_PAIR, how="anti").sort("record", "other")
    parts = list(unknown.iter_slices(PAIRS_AT_A_TIME)) or [unknown]
    found = [_alike(part, _texts(part, after, fresh, fetch)) for part in parts]
    return pl.concat([held, *found], how="diagonal_relaxed")


def _texts(pairs: pl.DataFrame, after: pl.DataFrame, fresh: pl.DataFrame, fetch: Fetch) -> pl.DataFrame:
    """The records of these pairs with their texts and evidence; those that are not fresh are fetched."""
    asked = pl.concat([pairs["record"], pairs["other"]]).unique()
    absent = after.filter(pl.col("record").is_in(asked.implode())).join(fresh, on="record", how="anti")
    if absent.is_empty():
        return fresh
    fetched = records(fingerprinted(fetch(absent["paper_id"].unique()))).join(absent, on="record", how="semi")
    return pl.concat([fresh, fetched.select(fresh.columns)])


def _alike(pairs: pl.DataFrame, texts: pl.DataFrame) -> pl.DataFrame:
    title, text = (pairs.filter((pl.col("kind") == "repeat") == is_text) for is_text in (False, True))
    alike = title.join(compared(texts, title.select("record", "other").unique()), on=("record", "other"))
    agreed = shared_abstracts(texts, text).filter(pl.col("agreement") >= TWIN_AGREEMENT)
    return pl.concat([alike, agreed.with_columns(kind=pl.lit("repeat"))], how="diagonal_relaxed")


def _blocked(index: pl.DataFrame, of: pl.DataFrame) -> pl.DataFrame:
    """Pairs, by kind, of the blocks with a key of a record in `of`."""
    pairs = {kind: meet(index, of) for kind, meet in KINDS.items()}
    return pl.concat(found.select(pl.lit(kind).alias("kind"), "record", "other") for kind, found in pairs.items())


def _papers_of(fingerprints: pl.DataFrame, named: pl.DataFrame) -> pl.Series:
    """The paper of each sighting: its arXiv id, else its record's."""
    alone = fingerprints.with_row_index("row").filter(pl.col("arxiv_id").is_null())
    papers = records(alone).select("record", *FINGERPRINT).join(named.select("record", "paper_id"), on="record")
    found = alone.select("row", *FINGERPRINT).join(papers, on=FINGERPRINT, nulls_equal=True).select("row", "paper_id")
    rows = (
        fingerprints.select("arxiv_id").with_row_index("row").join(found, on="row", how="left", maintain_order="left")
    )
    return rows.select(paper_id=pl.coalesce("arxiv_id", "paper_id")).to_series()


def _moved(renamed: pl.DataFrame, fetch: Fetch) -> pl.DataFrame:
    """Old sightings without an arXiv id whose record belongs to another paper now."""
    moved = renamed.filter((pl.col("old_paper_id") != "") & (pl.col("old_paper_id") != pl.col("paper_id")))
    if moved.is_empty():
        return _NONE_MOVED
    # those that a release has: new ones have no name yet
    old = fetch(moved["old_paper_id"].unique()).filter(pl.col("arxiv_id").is_null(), pl.col("paper_id") != "")
    placed = old.select("capture_id", "position", _papers_of(fingerprinted(old), renamed), old_paper_id="paper_id")
    return placed.filter(pl.col("old_paper_id") != pl.col("paper_id"))


_NONE_MOVED: Final = pl.DataFrame(
    schema={"capture_id": pl.String, "position": pl.Int32, "paper_id": pl.String, "old_paper_id": pl.String}
)
