"""Extracts the claims and the systems of many texts as frames. Each text is read once, however many papers have it."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

import polars as pl
from msgspec.structs import asdict

from transforms.claims.one_abstract import claims_of_each
from transforms.systems.main_system import systems_of
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS
from warehouse.schema.table import Table

EXTRACTOR_VERSION: Final = 10  # goes up with every change that could read a text differently
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
