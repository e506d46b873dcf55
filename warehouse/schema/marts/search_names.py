"""`search_names`: which words names have, so that a search looks at names only where it can find one."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema.mart import Mart
from warehouse.schema.search_rules import LETTERS, PLAINLY, letters, name_hash

SEARCH_NAMES = Mart(
    name="search_names",
    grain="One word of an author's name, or the whole of an organization's.",
    answers="Which words are in names: a query with any other names nobody, and no name need be read to tell.",
    key=("word_hash", "field"),
    columns=(
        c.text.but(
            name="word_hash",
            meaning="The first eight digits of the MD5 of a word of a name, in lower case without accents; of an "
            "organization that of its login in lower case, and that of the letters and digits of its name.",
            source="computed from paper_authors.name, papers.organization_login and papers.organization_name",
            sources=("paper_authors.name", "papers.organization_login", "papers.organization_name"),
        ),
        c.choice.but(
            name="field",
            meaning="Whose name: that of an `author`, or of an `org`.",
            source="computed",
            allowed=("author", "org"),
        ),
    ),
    parts={
        "hash": name_hash("word"),
        "author_folded": PLAINLY.format("name"),
        "letter_run": f"[{LETTERS}]+",
        "organization_letters": letters("organization_name"),
    },
)
