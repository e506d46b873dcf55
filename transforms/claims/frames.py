"""Systems and claims of many texts, as the rows of `paper_systems` and `paper_claims`.

Each text is read once, however many rows it stands in. A row tells which text it was read in by the SHA-256 of that
text, so that a span can be checked against the text alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

import polars as pl
from msgspec.structs import asdict, fields

from transforms.claims.extract import claims_of
from transforms.claims.found import Claim, System
from transforms.claims.systems import system_of

EXTRACTOR_VERSION = 1  # goes up with every change that could read a text differently

KEYS = {"paper_id": pl.String}
SOURCE = {"text_sha256": pl.String, "extractor_version": pl.Int32, "capture_id": pl.String}
NUMBERS = {
    **dict.fromkeys(("position", "span_start", "span_end", "sentence_start", "sentence_end"), pl.Int32),
    **dict.fromkeys(("value", "value_high"), pl.Float64),
}
OF_SYSTEM = {one.name: NUMBERS.get(one.name, pl.String) for one in fields(System)}
OF_CLAIM = {one.name: NUMBERS.get(one.name, pl.String) for one in fields(Claim)}


def paper_systems(texts: pl.DataFrame) -> pl.DataFrame:
    """One row a paper that names a system, from its `title` and its `abstract`; `texts` has one row a paper."""
    pairs = texts.select("title", "abstract").unique(maintain_order=True)
    rows = [
        {"title": title, "abstract": abstract, "text_sha256": digest(named), **asdict(system)}
        for title, abstract in pairs.iter_rows()
        if (system := system_of(title or "", abstract or "")) is not None
        and (named := title if system.field == "title" else abstract) is not None
    ]
    found = pl.DataFrame(rows, {"title": pl.String, "abstract": pl.String, "text_sha256": pl.String, **OF_SYSTEM})
    return _with_source(texts, found, ["title", "abstract"], OF_SYSTEM).sort("paper_id")


def paper_claims(texts: pl.DataFrame) -> pl.DataFrame:
    """One row a claim, from each paper's `abstract`; `texts` has one row a paper."""
    rows = [
        {"abstract": abstract, "text_sha256": hexed, **asdict(claim)}
        for abstract in texts["abstract"].drop_nulls().unique(maintain_order=True)
        if (claims := claims_of(abstract)) and (hexed := digest(abstract))
        for claim in claims
    ]
    found = pl.DataFrame(rows, {"abstract": pl.String, "text_sha256": pl.String, **OF_CLAIM})
    return _with_source(texts, found, ["abstract"], OF_CLAIM).sort("paper_id", "position")


def digest(text: str) -> str:
    """The SHA-256 of a text in UTF-8, in hex digits."""
    return sha256(text.encode()).hexdigest()


def _with_source(texts: pl.DataFrame, found: pl.DataFrame, on: list[str], columns: Iterable[str]) -> pl.DataFrame:
    joined = texts.join(found, on=on, nulls_equal=True).with_columns(
        extractor_version=pl.lit(EXTRACTOR_VERSION, pl.Int32)
    )
    return joined.select(*KEYS, *columns, *SOURCE)
