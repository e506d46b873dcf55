"""`search_names`: which words names have, so that a search looks at names only where it can find one.

`acronyms`: what acronyms stand for, where papers agree. `search_postings`: `search_lists` with a row for each paper.
"""

from warehouse.schema import columns as c
from warehouse.schema import search_rules as rules
from warehouse.schema import shared as m
from warehouse.schema.core.search import PAPER_ACRONYMS, SEARCH_TERMS
from warehouse.schema.mart import Mart

SEARCH_NAMES = Mart(
    name="search_names",
    grain="One word of an author's name, or the whole of an organization's.",
    answers="Which words are in names: a query with any other names nobody, and no name need be read to tell.",
    key=("word_hash", "field"),
    of_search=True,
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
        "hash": rules.name_hash("word"),
        "author_folded": rules.FOLDED.format("name"),
        "letter_run": f"[{rules.LETTERS}]+",
        "organization_letters": rules.letters("organization_name"),
    },
)


ACRONYMS = Mart(
    name="acronyms",
    grain="One acronym with one meaning.",
    answers=f"What acronyms stand for, as at least {rules.FEWEST_EXPLAINED} papers explain it, and one in "
    f"{rules.OF_EXPLAINED} of those that explain the acronym. A search for the one finds the other. An acronym that "
    f"one in {rules.OF_HAVING} papers that have it does not explain is left out: it may be an ordinary word.",
    key=("term", "form_terms"),
    columns=(
        PAPER_ACRONYMS.column("acronym").but(meaning="The acronym, as most papers write it."),
        PAPER_ACRONYMS.column("long_form").but(meaning="What it stands for, as most of them write it, in lower case."),
        PAPER_ACRONYMS.column("term"),
        PAPER_ACRONYMS.column("term").but(
            name="plural",
            meaning="The term of its plural, where that is another: `llms`.",
            null="no paper has it, or it is the same term",
        ),
        PAPER_ACRONYMS.column("form_terms"),
        m.PAPER_COUNT.but(meaning="Papers that explain it so.", source="counted in paper_acronyms", minimum=1),
    ),
    parts={
        "fewest_explained": str(rules.FEWEST_EXPLAINED),
        "of_explained": str(rules.OF_EXPLAINED),
        "of_having": str(rules.OF_HAVING),
    },
)


SEARCH_POSTINGS = Mart(
    name="search_postings",
    grain="One term of one paper.",
    answers="Which terms a paper has, and how much each counts in it: `search_lists` with a row for each paper.",
    key=("term", "paper_id"),
    is_view=True,
    of_search=True,
    columns=(
        SEARCH_TERMS.column("term"),
        c.paper_id,
        SEARCH_TERMS.column("paper_count").but(
            name="weight",
            unit=f"1/{rules.WEIGHT_UNIT}",
            meaning="How much the term counts in the paper (BM25F), as a function of the paper's text alone.",
            source="computed",
            maximum=rules.WEIGHT_MOST,
        ),
    ),
    parts={"weight": rules.WEIGHT},
)
