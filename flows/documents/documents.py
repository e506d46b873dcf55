"""The documents of a release, all rendered: the same bytes for the same release, whoever writes them, and whenever."""

from __future__ import annotations

from collections.abc import Sequence

from expectations.report import Report
from flows.documents.card import card, citation, licences
from flows.documents.changes import notes_json
from flows.documents.contract import contract
from flows.documents.croissant import croissant
from flows.documents.datapackage import datapackage
from flows.documents.dictionary import dictionary
from flows.documents.edition import edition_of
from flows.documents.notes import Notes, notes_text
from flows.documents.quality import quality_pages
from warehouse.release.about import LINEAGE, Followed
from warehouse.release.manifest import Draft, encode
from warehouse.schema.about_tables import ABOUT_TABLES
from warehouse.schema.tables import ALL_TABLES, MACROS


def documents(draft: Draft, report: Report, notes: Notes, followed: Sequence[Followed]) -> dict[str, bytes]:
    """Key in the release → its bytes."""
    edition = edition_of(draft, notes.version)
    pages = quality_pages(report, title=f"release {notes.version}")
    return {
        "README.md": card(edition),
        "LICENSE.md": licences(edition),
        "CITATION.cff": citation(edition),
        "DICTIONARY.md": dictionary((*ALL_TABLES, *ABOUT_TABLES), MACROS).encode(),
        "NOTES.md": notes_text(notes).encode(),
        "notes.json": notes_json(notes),
        "croissant.json": croissant(edition),
        "datapackage.json": datapackage(edition),
        "contract.yaml": contract(edition),
        LINEAGE: encode(followed),
        **{f"quality/{name}": page for name, page in pages.items()},
    }
