"""What a release would hold, had fewer pages been captured: made by today's code, of the papers concerned alone.

Whole tables that need few columns of all sightings are made too. What no page says of a paper (the search index, the
index of identities) is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from flows.steps.next_tables import SHOWN
from transforms.core.coverage import coverage
from transforms.core.derive import of_papers
from transforms.core.people import organizations
from transforms.identity import identify
from warehouse.release.changes.cells import Unlike, cells_between
from warehouse.release.changes.mart_cells import figures_unlike
from warehouse.release.cohorts.near import Near
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.core.people import ORGANIZATIONS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table

WHOLE: Final = (CAPTURES, QUARANTINE, COVERAGE, ORGANIZATIONS)
NAMED: Final = ("capture_id", "position", "paper_id")


def papers_concerned(
    before: Snapshot[Manifest], after: Snapshot[Manifest | Draft], captures: pl.DataFrame
) -> pl.DataFrame:
    """The papers that these captures show, by every name that either release has for them."""
    shown = after.select(SIGHTINGS, NAMED).join(captures, on="capture_id", how="semi")["paper_id"].unique()
    near = after.select(SIGHTINGS, NAMED).filter(pl.col("paper_id").is_in(shown.implode()))
    earlier = before.select(SIGHTINGS, NAMED).join(near, on=NAMED[:2], how="semi")["paper_id"]
    return pl.DataFrame({"paper_id": pl.concat([shown, earlier]).unique().sort()})


class Counterfactual(NamedTuple):
    """The release `after` of fewer captures: `tables` has the rows of `papers`, and whole tables."""

    after: Snapshot[Manifest | Draft]
    papers: pl.DataFrame
    tables: Mapping[str, pl.DataFrame]

    @classmethod
    def of(cls, after: Snapshot[Manifest | Draft], papers: pl.DataFrame, captures: pl.DataFrame) -> Counterfactual:
        """The release as it would be, of these `captures` alone."""
        seen = Near(after, papers["paper_id"]).rows(SIGHTINGS).join(captures, on="capture_id", how="semi")
        tables = of_papers(SIGHTINGS.conform(identify(seen)))
        shown = after.select(SIGHTINGS, SHOWN).join(captures, on="capture_id", how="semi")
        pages, rejected = (
            after.read(table).join(captures, on="capture_id", how="semi", maintain_order="left")
            for table in (CAPTURES, QUARANTINE)
        )
        whole = {CAPTURES.name: pages, QUARANTINE.name: rejected, ORGANIZATIONS.name: organizations(shown)}
        return cls(after, papers, tables | whole | {COVERAGE.name: coverage(pages, shown, rejected)})

    def unlike(self, table: Table) -> pl.DataFrame | None:
        """The cells of a core table in which the release differs from this; None for one that is not made here."""
        if table.name not in self.tables:
            return None
        held = self.after.read(table) if table in WHOLE else Near(self.after, self.papers["paper_id"]).rows(table)
        return cells_between(table, Unlike(self.tables[table.name], held))

    def figures_unlike(self, marts: Mapping[str, Sequence[Path]]) -> dict[str, pl.DataFrame]:
        """The figures of each mart, by its files, in which the release differs from this."""
        return figures_unlike(self.after, self.papers, self.tables, marts)
