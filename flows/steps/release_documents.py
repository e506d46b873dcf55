"""The documents of a release, each declared once: the writer writes them, the card and the page list them.

All are rendered: the same bytes for the same release, whoever writes them, and whenever. To add one, write a function
that makes its bytes in a module of this folder, and declare it in DOCUMENTS.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from expectations.report import Report
from flows.documents.card import SKILL, card, citation, licences, llms, skill
from flows.documents.catalogues import DCAT, croissant, dcat
from flows.documents.changes import index_json
from flows.documents.contract import contract, datapackage, schema_of, schemas
from flows.documents.dictionary import dictionary
from flows.documents.edition import DICTIONARY, LICENCES, Edition, ReadTable, edition_of
from flows.documents.notes import Notes, notes_text
from flows.documents.page import beside
from flows.documents.page.findings import AskDatabase
from flows.documents.page.page import release_page
from flows.documents.release_feeds import feed_files, feeds_index
from flows.documents.rendering import compile_templates
from flows.documents.roots import ROOTS, roots
from flows.documents.site_files import explore_page, explore_parts, has_explorer
from warehouse.changes.row_steps import INDEX as CHANGES_INDEX
from warehouse.changes.row_steps import NO_STEP, MadeStep
from warehouse.release.about import LINEAGE, Followed
from warehouse.release.database import whole_script
from warehouse.release.latest import DATABASE, EXPLORER, MANIFEST, PAGE
from warehouse.release.made_again import SCRIPT
from warehouse.release.manifest import Draft, TableFiles, packed
from warehouse.release.write import SUMS
from warehouse.schema.catalog import ABOUT_TABLES, ALL_TABLES, CHANGES, MACROS

CARD: Final = "README.md"


@dataclass(frozen=True)
class Material:
    """The input of a release's documents, all known before the first of them is written."""

    draft: Draft
    report: Report
    notes: Notes
    followed: Sequence[Followed]
    read: ReadTable
    path: Callable[[str], Path]
    marts: Sequence[TableFiles]
    ask: AskDatabase
    changes: pl.DataFrame = field(default_factory=CHANGES.empty)
    step: MadeStep = NO_STEP
    about: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def edition(self) -> Edition:
        return edition_of(self.draft, self.notes.version, self.marts)


class Document(NamedTuple):
    """A file of a release: its key, what it is in a few words, and how its bytes are made.

    `parts` are files that it links to and that no list needs to name, by their path from the document's folder.
    """

    key: str
    words: str
    render: Callable[[Material], bytes]
    parts: Callable[[Material], Mapping[str, bytes]] = lambda _: {}


DOCUMENTS: Final = (
    Document(
        PAGE,
        "the release at a glance, as a web page",
        lambda given: release_page(
            given.draft,
            given.marts,
            given.followed,
            listed(PAGE),
            given.notes,
            read=given.read,
            ask=given.ask,
            has_explorer=has_explorer(),
        ),
    ),
    Document(
        EXPLORER,
        "an explorer: every list and every paper, in a browser",
        lambda given: explore_page(given.notes.version, (*given.draft.tables, *given.marts)),
        lambda given: explore_parts((*given.draft.tables, *given.marts), given.read, given.path),
    ),
    Document(
        CARD,
        "the dataset card",
        lambda given: card(given.edition, listed(CARD)),
    ),
    Document(
        DICTIONARY,
        "every table and column: meaning, unit, source, what null means",
        lambda _: dictionary((*ALL_TABLES, *ABOUT_TABLES), MACROS).encode(),
    ),
    Document(
        "dictionary.html",
        "the same as a web page, with a search",
        lambda _: beside.dictionary_page(),
    ),
    Document(
        "coverage.html",
        "what became of the list of every day, as a web page",
        lambda given: beside.coverage_page(given.notes.version, given.read),
        lambda given: beside.coverage_of_years(given.read),
    ),
    Document(
        "NOTES.md",
        "what changed since the previous release",
        lambda given: notes_text(given.notes).encode(),
    ),
    Document(
        "notes.html",
        "the same as a web page",
        lambda given: beside.notes_page(given.notes),
    ),
    Document(
        "notes.json",
        "the same as JSON",
        lambda given: packed(given.notes),
    ),
    Document(
        CHANGES_INDEX,
        "why it differs from the previous release, and by which rows; `rows/` has them",
        lambda given: index_json(given.notes, given.changes, given.step.tables),
        lambda given: {key.removeprefix("changes/"): data for key, data in given.step.files.items()},
    ),
    Document(
        beside.QUALITY,
        "what was checked, table by table, as a web page",
        lambda given: beside.quality_page(given.report, f"Release {given.notes.version}", given.draft),
        lambda given: {beside.CHECKS_PAGE: beside.checks_page(given.report)},
    ),
    Document(
        "feeds/index.html",
        "feeds of the daily list, trending papers, new bests, releases and retractions: Atom, JSON Feed",
        lambda given: feeds_index(given.read),
        lambda given: feed_files(given.read, given.followed, given.notes.errata),
    ),
    Document(
        LINEAGE,
        "rows, bytes and checks of this release and of earlier ones",
        lambda given: packed(given.followed),
    ),
    Document(
        ROOTS,
        "a hash for each daily list and for all pages, under which each can be proved",
        lambda given: roots(given.read),
    ),
    Document(
        "croissant.json",
        "Croissant: files, hashes and records, for machine learning",
        lambda given: croissant(given.edition),
    ),
    Document(
        "datapackage.json",
        "Frictionless data package: schemas, keys, references",
        lambda given: datapackage(given.edition),
        lambda given: schemas(given.edition),
    ),
    Document(
        DCAT,
        "DCAT record: the release and its files with hashes, for portals of open data",
        lambda given: dcat(given.edition),
    ),
    Document(
        "contract.yaml",
        "data contract (ODCS): what consumers may rely on",
        lambda given: contract(given.edition),
    ),
    Document(
        SCRIPT,
        "what makes the database's tables and macros; with the rows of the Parquet it is made again",
        lambda _: whole_script().encode(),
        lambda given: given.about,
    ),
    Document(
        LICENCES,
        "every column under the licence of its origin",
        lambda given: licences(given.edition),
    ),
    Document(
        SKILL,
        "how to ask the lake, and what its answers mean, for programs that read",
        lambda _: skill(ALL_TABLES).encode(),
    ),
    Document(
        "llms.txt",
        "the files and tables of the release, for programs that read",
        lambda given: llms(given.edition, listed("llms.txt")).encode(),
    ),
    Document(
        "CITATION.cff",
        "how to cite the release, for tools",
        lambda given: citation(given.edition),
    ),
)
# The files that the writer of a release adds to the documents
RELEASE_FILES: Final = {
    DATABASE: "every table and mart in one DuckDB file, with a comment on each table and column",
    MANIFEST: "version, parent, inputs, every file with its SHA-256, every check",
    SUMS: "the hashes again, for sha256sum --check",
}


def documents(given: Material) -> dict[str, bytes]:
    """Render every document: key in the release → bytes."""
    made = {document.key: document.render(given) for document in DOCUMENTS}
    parts = ((document.key.rpartition("/")[0], document.parts(given)) for document in DOCUMENTS)
    return made | {f"{folder}/{path}".lstrip("/"): data for folder, files in parts for path, data in files.items()}


def prepare() -> None:
    """Make what is the same in every release, for the releases that this process, and those forked from it, write."""
    compile_templates()
    schema_of(tuple(table for table in ALL_TABLES if not table.is_view))
    beside.dictionary_page()


def listed(but: str) -> dict[str, str]:
    """Every file of a release that people may open, with its words; `but` is the one that lists them."""
    found = RELEASE_FILES | {document.key: document.words for document in DOCUMENTS}
    return {key: words for key, words in found.items() if key != but}
