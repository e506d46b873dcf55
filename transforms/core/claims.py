"""`paper_systems` and `paper_claims`: extracted from the titles and abstracts in `papers` and `paper_texts`.

`version_claims` has those of every version of an abstract that changed.

The result depends on the text and the extractor's version alone, so a text that a release has is not read again. All
rows of a release are of one version: if it is the present one, all texts of that release were read by it, also those
that gave no row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import polars as pl

from transforms.claims.extract import (
    EXTRACTOR_VERSION,
    OF_CLAIM,
    OF_SYSTEM,
    claims_in,
    found_schema,
    systems_in,
)
from transforms.core.papers import best_text
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS, VERSION_CLAIMS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPER_VERSIONS, PAPERS
from warehouse.schema.table import Table


class ReadTexts(NamedTuple):
    """A release's tables, from which the results of texts that are known are reused."""

    papers: pl.DataFrame
    paper_texts: pl.DataFrame
    paper_systems: pl.DataFrame
    paper_claims: pl.DataFrame

    @property
    def is_current(self) -> bool:
        """Whether this version of the extractor read the texts; False where there is no row that shows it."""
        versions = pl.concat([self.paper_systems["extractor_version"], self.paper_claims["extractor_version"]])
        return versions.unique().to_list() == [EXTRACTOR_VERSION]

    @property
    def texts(self) -> pl.DataFrame:
        """Each paper with its title and, where one was shown, its abstract."""
        titles, abstracts = self.papers.select("paper_id", "title"), self.paper_texts.select("paper_id", "abstract")
        return titles.join(abstracts, on="paper_id", how="left")


def systems_and_claims(
    sightings: pl.DataFrame, tables: Mapping[str, pl.DataFrame], known: ReadTexts | None = None
) -> dict[str, pl.DataFrame]:
    """The three tables, from the texts of `papers`, `paper_texts` and `paper_versions`, with the pages that show them.

    Texts that `known` has are not read again, if the same version read them.
    """
    known = known if known and known.is_current else None
    titles = best_text(sightings, "title").select("paper_id", of_title="capture_id")
    titles = titles.join(tables[PAPERS.name].select("paper_id", "title"), on="paper_id")
    abstracts = tables[PAPER_TEXTS.name].select("paper_id", "abstract", of_abstract="capture_id")
    texts = titles.join(abstracts, on="paper_id", how="left")
    shown_on = pl.when(field="title").then("of_title").otherwise("of_abstract")
    systems = _found(PAPER_SYSTEMS, OF_SYSTEM, texts, systems_in, known).with_columns(capture_id=shown_on)
    with_abstract = texts.drop_nulls("abstract")
    claims = _found(PAPER_CLAIMS, OF_CLAIM, with_abstract, claims_in, known).rename({"of_abstract": "capture_id"})
    versions = of_versions(tables[PAPER_VERSIONS.name])
    return {
        PAPER_SYSTEMS.name: PAPER_SYSTEMS.conform(systems),
        PAPER_CLAIMS.name: PAPER_CLAIMS.conform(claims),
        VERSION_CLAIMS.name: VERSION_CLAIMS.conform(versions),
    }


def of_versions(versions: pl.DataFrame) -> pl.DataFrame:
    """What each version of the abstracts that changed claims; they are few, and read each time."""
    changed = versions.filter(field="abstract").drop_nulls("text")
    texts = changed.select("paper_id", "version_number", "capture_id", abstract="text")
    return texts.join(claims_in(texts.select(OF_CLAIM).unique()), on=OF_CLAIM)


def _found(
    table: Table,
    on: tuple[str, ...],
    texts: pl.DataFrame,
    read: Callable[[pl.DataFrame], pl.DataFrame],
    known: ReadTexts | None,
) -> pl.DataFrame:
    """What is found in the texts, for every paper that has them: taken from `known`, or read now."""
    unread, found = texts.select(on).unique(), []
    if known:
        rows: pl.DataFrame = getattr(known, table.name)
        found.append(known.texts.join(rows, on="paper_id").select(found_schema(table, on).names()).unique())
        unread = unread.join(known.texts, on=on, how="anti", nulls_equal=True)
    return texts.join(pl.concat([*found, read(unread)]), on=on, nulls_equal=True)
