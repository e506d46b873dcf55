"""Extracts the claims of an abstract: finds figures, groups them in series, keeps results, reads what they measure.

`claims_in` and `systems_in` give the claims and the systems of many texts as frames. Each text is read once, however
many papers have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

import polars as pl
from msgspec.structs import asdict

from transforms.claims.figures import UNIT_OF, Figure, figures_of
from transforms.claims.measures import bound_of, clause_of, direction_of, metric_of
from transforms.claims.results import rule_of
from transforms.claims.series import Claim, Series, comparator_of, sentence_at, sentences_of, series_of
from transforms.claims.worded import HOOKS, value_of, worded_figures
from transforms.claims.words import OWN
from transforms.hooks import WordPlaces, hooked
from transforms.systems.main_system import systems_of
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS
from warehouse.schema.table import Table

SHARED = {"up to", "average"}  # bounds that all numbers of a list share
# Between two numbers of one phrase: `up to 12% on forces, 4% on energies`
GOES_ON = re.compile(r"\s(?:on|in|for|at)\s[^\d,;:.]{1,40},?(?:\sand)?\s")
BESIDE = 40  # code points at most between a bound and its number


def claims_of(abstract: str) -> list[Claim]:
    """The results an abstract claims, in the order of the text."""
    return next(claims_of_each(pl.Series([abstract])))


def claims_of_each(abstracts: pl.Series) -> Iterator[list[Claim]]:
    """The claims of each of many abstracts."""
    for text, places in hooked(abstracts, *HOOKS):
        yield _claims_of(text, places)


def _claims_of(text: str, places: list[WordPlaces]) -> list[Claim]:
    figures: list[Figure] = []
    worded = worded_figures(text, places)
    # Of figures that overlap the longer one that begins first: `three orders of magnitude` before what it contains
    for figure in sorted([*figures_of(text), *worded], key=lambda one: (one.start, -one.end)):
        if not figures or figure.start >= figures[-1].end:
            figures.append(figure)
    if not figures:
        return []
    lower, sentences = lowered(text), sentences_of(text)
    # Sentences before the first one about the paper's own work are background
    own = OWN.search(lower)
    first = sentence_at(sentences, own.start()) if own else 0
    claims: list[Claim] = []
    for series in series_of(text, lower, figures, sentences):
        if series.number >= first:
            _claim(text, lower, series, claims)
    return claims


def _claim(text: str, lower: str, series: Series, claims: list[Claim]) -> None:
    """Append the claims of a series to `claims`, where it reports results."""
    start, end = series.sentence
    previous = claims[-1] if claims and claims[-1].sentence_start == start else None
    rule = rule_of(series, previous.rule if previous else None)
    if rule is None:
        return
    clause = clause_of(series)
    metric = metric_of(series, clause, previous)
    direction = direction_of(series, clause, previous)
    bound = None
    if previous and GOES_ON.fullmatch(lower, previous.span_end, series.figures[0].start):
        bound, direction = previous.bound, previous.direction if direction == "level" else direction
    comparator = comparator_of(text, series, direction, previous)
    for figure in series.figures:
        before, after = lower[max(start, figure.start - BESIDE) : figure.start], lower[figure.end : figure.end + BESIDE]
        bound = bound_of(before, after) or (bound if bound in SHARED else None)
        claims.append(
            Claim(
                position=len(claims) + 1,
                text=text[figure.start : figure.end],
                span_start=figure.start,
                span_end=figure.end,
                sentence_start=start,
                sentence_end=end,
                value=value_of(figure, figure.low),
                value_high=value_of(figure, figure.high) if figure.high else None,
                unit="x" if rule == "factor" else UNIT_OF[figure.shape],
                metric=metric,
                direction=direction,
                bound=bound,
                comparator=comparator,
                rule=rule,
            )
        )


def lowered(text: str) -> str:
    """A text in lower case of the same length: letters that become two in lower case are kept as they are."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


EXTRACTOR_VERSION: Final = 1  # goes up with every change that could read a text differently
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
