"""The release in words, for people and for programs that read.

For people `README.md`, a dataset card for the Hub, `LICENSE.md` and `CITATION.cff`; for programs SKILL.md, how to ask a
lake, and `llms.txt`, a release's files and tables.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from flows.documents.contract import as_yaml
from flows.documents.edition import (
    DESCRIPTION,
    DICTIONARY,
    KEYWORDS,
    LICENCES,
    NAME,
    SOURCE_URL,
    TITLE,
    Edition,
    origins,
    pattern_of,
)
from flows.documents.rendering import render_text
from warehouse.release.latest import DATABASE
from warehouse.schema.provenance import Origin
from warehouse.schema.table import Table

FIRST_SHOWN: Final = "papers"  # the table that the Hub's viewer opens
SIZES: Final = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGER: Final = "1M<n<10M"


def card(edition: Edition, files: Mapping[str, str]) -> bytes:
    """A card whose front matter gives the Hub's viewer one configuration a table and a mart, in one split.

    It links to `files`, each with its words.
    """
    return _words(
        "README.md.j2",
        edition=edition,
        files=files,
        front_matter=as_yaml(front_matter(edition)),
        origins=list(origins(table for table, _ in edition.tables)),
        pattern_of=pattern_of,
        database=DATABASE,
        licences=LICENCES,
    ).encode()


def _words(template: str, **values: object) -> str:
    known = {"title": TITLE, "description": DESCRIPTION, "source_url": SOURCE_URL, "dictionary": DICTIONARY}
    return render_text(f"words/{template}", **known, **values)


def front_matter(edition: Edition) -> dict[str, Any]:
    """The front matter of a card, which the Hub reads.

    Tables without rows have no configuration: the viewer shows an error for them.
    """
    shown = [(table, files) for table, files in edition.parts if files.row_count]
    configs = []
    for table, files in sorted(shown, key=lambda one: one[0].name != FIRST_SHOWN):
        config = {"config_name": table.name, "data_files": [{"split": "train", "path": pattern_of(files)}]}
        configs.append(config | ({"default": True} if table.name == FIRST_SHOWN else {}))
    longest = max((files.row_count for _, files in edition.tables), default=0)
    return {
        "pretty_name": TITLE,
        "language": ["en"],
        "license": "other",
        "license_name": "by-column",
        "license_link": LICENCES,
        "size_categories": [next((name for limit, name in SIZES if longest < limit), LARGER)],
        "tags": [word.lower().replace(" ", "-") for word in KEYWORDS],
        "configs": configs,
    }


def licences(edition: Edition) -> bytes:
    """Every column under the licence of its origin."""
    tables = [table for table, _ in edition.parts]

    def columns_of(origin: Origin) -> Iterator[tuple[str, list[str]]]:
        for table in tables:
            if names := [f"`{one.name}`" for one in table.columns if one.origin == origin]:
                yield table.name, names

    return _words("LICENSE.md.j2", origins=list(origins(tables)), columns_of=columns_of).encode()


def citation(edition: Edition) -> bytes:
    """How to cite the release (Citation File Format 1.2). It names no licence: the format has room for one only."""
    document = {
        "cff-version": "1.2.0",
        "message": "Please cite the release that you used, by its version.",
        "type": "dataset",
        "title": TITLE,
        "abstract": DESCRIPTION,
        "authors": [{"name": f"{NAME} contributors"}],
        "version": edition.version,
        "date-released": edition.released_on,
        "keywords": list(KEYWORDS),
        "references": [
            {
                "type": "website",
                "title": "Hugging Face Daily Papers",
                "authors": [{"name": "Hugging Face"}],
                "url": SOURCE_URL,
            }
        ],
    }
    return as_yaml(document).encode()


SKILL: Final = "SKILL.md"
MADE_FOR_US: Final = ("search_", "identity_", "schema_")  # what our own searches and builds stand on
SKILL_FOR: Final = (
    "Ask an open data lake of Hugging Face Daily Papers, with its past. Which papers were listed, when, how many "
    "upvotes they had at a moment, what they claim, what changed and why, and the captured page behind every number."
)


def skill(tables: Iterable[Table]) -> str:
    """The skill, with those of these tables that answer questions about papers, in a sentence each."""
    shown = [table for table in tables if not table.name.startswith(MADE_FOR_US)]
    return _words("SKILL.md.j2", name=NAME, what_for=SKILL_FOR, tables=shown)


def llms(edition: Edition, files: Mapping[str, str]) -> str:
    """The release in the form of llms.txt: what it is, and its files with what is in each."""
    return _words("llms.txt.j2", edition=edition, files=files)
