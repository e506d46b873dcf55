"""`paper_systems` and `paper_claims`: extracted from the titles and abstracts in `papers` and `paper_texts`.

`version_claims` has those of every version of an abstract that changed.

The result depends on the text and the extractor's version alone.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

import polars as pl
from msgspec.structs import asdict

from transforms.claims.one_abstract import claims_of_each
from transforms.core.papers import best_text
from transforms.names.main_system import systems_of
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS, VERSION_CLAIMS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPER_VERSIONS, PAPERS
from warehouse.schema.table import Table

EXTRACTOR_VERSION: Final = 11  # goes up with every change that could read a text differently
OF_SYSTEM: Final = ("title", "abstract")  # the texts in which a system is found
OF_CLAIM: Final = ("abstract",)  # and a claim
OF_A_PAPER: Final = {"paper_id", "capture_id"}  # every other column depends on the text alone


def found_schema(table: Table, texts: tuple[str, ...]) -> pl.Schema:
    """The schema of what is found: the texts, then the columns of a table that depend on them."""
    own = {name: dtype for name, dtype in table.schema.items() if name not in OF_A_PAPER}
    return pl.Schema({**{name: pl.String() for name in texts}, **own})


def systems_in(texts: pl.DataFrame) -> pl.DataFrame:
    """One row for each `title` and `abstract` (or null) that name a system."""

    def rows() -> Iterator[dict[str, Any]]:
        systems = systems_of(texts["title"], texts["abstract"].fill_null(""))
        for (title, abstract), system in zip(texts.select(OF_SYSTEM).iter_rows(), systems, strict=True):
            if system:
                source = read_in(title if system.field == "title" else abstract)
                yield {"title": title, "abstract": abstract} | asdict(system) | source

    return pl.DataFrame(list(rows()), found_schema(PAPER_SYSTEMS, OF_SYSTEM))


def claims_in(texts: pl.DataFrame) -> pl.DataFrame:
    """One row for each claim of each `abstract`."""

    def rows() -> Iterator[dict[str, Any]]:
        for abstract, claims in zip(texts["abstract"], claims_of_each(texts["abstract"]), strict=True):
            if claims:
                source = {"abstract": abstract} | read_in(abstract)
                yield from (source | asdict(claim) for claim in claims)

    return pl.DataFrame(list(rows()), found_schema(PAPER_CLAIMS, OF_CLAIM))


def read_in(text: str) -> dict[str, object]:
    """The columns that identify the text a row was read in, and the version of the rules."""
    return {"text_sha256": sha256(text.encode()).hexdigest(), "extractor_version": EXTRACTOR_VERSION}


def systems_and_claims(sightings: pl.DataFrame, tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """The three tables, from the texts of papers and of their versions, with the pages that show them."""
    titles = best_text(sightings, "title").select("paper_id", of_title="capture_id")
    titles = titles.join(tables[PAPERS.name].select("paper_id", "title"), on="paper_id")
    abstracts = tables[PAPER_TEXTS.name].select("paper_id", "abstract", of_abstract="capture_id")
    texts = titles.join(abstracts, on="paper_id", how="left")
    shown_on = pl.when(field="title").then("of_title").otherwise("of_abstract")
    systems = texts.join(systems_in(texts.select(OF_SYSTEM).unique()), on=OF_SYSTEM, nulls_equal=True)
    claims = _with_claims(texts.drop_nulls("abstract")).rename({"of_abstract": "capture_id"})
    changed = tables[PAPER_VERSIONS.name].filter(field="abstract").drop_nulls("text")
    versions = _with_claims(changed.select("paper_id", "version_number", "capture_id", abstract="text"))
    return {
        PAPER_SYSTEMS.name: PAPER_SYSTEMS.conform(systems.with_columns(capture_id=shown_on)),
        PAPER_CLAIMS.name: PAPER_CLAIMS.conform(claims),
        VERSION_CLAIMS.name: VERSION_CLAIMS.conform(versions),
    }


def _with_claims(texts: pl.DataFrame) -> pl.DataFrame:
    """The claims of each `abstract`, with the columns beside it."""
    return texts.join(claims_in(texts.select(OF_CLAIM).unique()), on=OF_CLAIM)
