"""`paper_systems` and `paper_claims`: extracted from the titles and abstracts in `papers` and `paper_texts`.

`version_claims` has those of every version of an abstract that changed.

The result depends on the text and the extractor's version alone, so a text that a release has is not read again. All
rows of a release are of one version: if it is the present one, all texts of that release were read by it, also those
that gave no row.
"""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

import polars as pl
from msgspec.structs import asdict

from transforms.claims.one_abstract import claims_of_each
from transforms.core.papers import best_text
from transforms.names.main_system import systems_of
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS, VERSION_CLAIMS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPER_VERSIONS, PAPERS
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
    """The claims of each version of abstracts that changed; they are few, and read each time."""
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
    """The rows found in the texts, for every paper that has them: taken from `known`, or read now."""
    unread, found = texts.select(on).unique(), []
    if known:
        rows: pl.DataFrame = getattr(known, table.name)
        found.append(known.texts.join(rows, on="paper_id").select(found_schema(table, on).names()).unique())
        unread = unread.join(known.texts, on=on, how="anti", nulls_equal=True)
    return texts.join(pl.concat([*found, read(unread)]), on=on, nulls_equal=True)
