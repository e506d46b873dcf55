"""How a query is read in plain SQL: its language, what it names, its words and what these stand for."""

from collections.abc import Iterator
from typing import Final

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema import search_rules as rules
from warehouse.schema.core.search import PAPER_ACRONYMS, SEARCH_WORDS
from warehouse.schema.ddl import literal
from warehouse.schema.mart import Macro, sql_of
from warehouse.schema.provenance import HUB

WORD, TERM = SEARCH_WORDS.column("word"), SEARCH_WORDS.column("term")
TERMS: Final = "terms of `search_terms`, as `read_words` gives them"
CONDITION = c.text.but(
    name="field",
    meaning="Field of the language, or `phrase`.",
    null="plain words",
    source="computed from the query",
)


def spaced(words: tuple[str, ...]) -> str:
    """SQL for a text in which a word of these is found by the spaces around it: DuckDB makes a list a join."""
    return literal(f" {' '.join(words)} ")


def _in_sql() -> Iterator[tuple[str, str]]:
    """Every rule by its name in lower case, as it stands in SQL; tenths by their name without that too, as a share."""
    for name, rule in vars(rules).items():
        if name.isupper():
            yield name.lower(), str(list(rule) if isinstance(rule, tuple) else rule)
            if name.endswith("_TENTHS"):
                yield name.removesuffix("_TENTHS").lower(), str(rule / 10)


RULES: Final = dict(_in_sql())
NAME_PARTS: Final = RULES | {
    "folded": f"trim({rules.FOLDED.format('given')})",
    "trailing": rules.TRAILING.replace("'", "''"),
    "letter_run": f"[{rules.LETTERS}]+",
    "organization_letters": rules.letters("organization_name"),
    "author_folded": rules.FOLDED.format("name"),
    "asked_hash": rules.name_hash("asked.word"),
    "title_folded": rules.FOLDED.format("title"),
}


def names_ids(said: str) -> str:
    """SQL for the ids in a text, which is the `folded` one of `said`."""
    return sql_of("macros", "names_ids", {**NAME_PARTS, "said": said}).rstrip()


def names_in(given: str, *, with_digits: bool) -> str:
    """SQL for what a text names, `names_in`; `given` is SQL for a row with it. Ids and days have digits."""
    parts = {**NAME_PARTS, "given": given}
    said, known, people, days = (
        sql_of("macros", f"names_{name}", parts).rstrip() for name in ("said", "known", "people", "days")
    )
    kinds = [names_ids("said"), days, people] if with_digits else [people]
    all_parts = {**parts, "names_said": said, "names_known": known, "kinds": "\n    UNION ALL\n".join(kinds)}
    return sql_of("macros", "names_in", all_parts).rstrip()


JOINED: Final = f"regexp_replace(stem, {literal(rules.JOINER)}, '', 'g')"
# SQL for the words that stems of a text stand for
SAID: Final = rf"""[word for word in flatten([
            CASE
                WHEN regexp_matches(stem, {literal(rules.RUN)})
                THEN [substring(stem, nth, 2) for nth in range(1, greatest(length(stem), 2))]
                ELSE regexp_split_to_array(stem, {literal(rules.JOINER)})
                    || [
                        {JOINED},
                        regexp_replace({JOINED}, {literal(rules.TO)}, '\1to\2')
                    ]
            END
            for stem in stems
        ]) if length(word) BETWEEN 1 AND {rules.LONGEST_WORD}]"""


def stems(text: str) -> str:
    """SQL for the runs of letters of a text, those that hyphens join as one."""
    found = f"regexp_extract_all({rules.FOLDED.format(text)}, {literal(rules.WORD)})"
    return f"[regexp_replace(token, {literal(rules.POSSESSIVE)}, '') for token in {found}]"


READ_QUERY = Macro(
    name="read_query",
    parameters={"query": "what somebody typed, in the language of docs/search.md"},
    answers="How a query is read. An error where a field has a value that it cannot have.",
    grain="One word, phrase or field of the query, in its order.",
    columns=(
        c.total.but(name="place", meaning="Its place in the query.", minimum=1, source="computed from the query"),
        CONDITION,
        CONDITION.but(name="value", meaning="What was typed, without field and quotes.", null=None),
        c.flag.but(name="is_not", meaning="Whether papers with it are left out.", source="computed from the query"),
        CONDITION.but(name="words", dtype=pl.List(c.TEXT), meaning="Its words, as the index has them.", null=None),
    ),
    parts=RULES
    | {
        "stems": stems("value"),
        "said": SAID,
        "fields": spaced(rules.FIELDS),
        "known_sorts": literal(", ".join(f"sort:{one}" for one in rules.SORTS)),
        "known_has": literal(", ".join(f"has:{one}" for one in rules.HAS)),
    },
)

NAMED_PAPERS = Macro(
    name="named_papers",
    parameters={"text": "an id, an address, a name, a day, a month or a year; NULL: names nothing"},
    answers="Papers that a text names: by an arXiv id, DOI or address in it, or as a whole by a list day, a month, a "
    "year, an organization or an author, whose names may be turned round and shortened. Of names with `and` between "
    "them the papers of all, or else of most.",
    grain="One paper by one name of it.",
    columns=(
        CONDITION.but(meaning="What the text names: `id`, `list`, `year`, `month`, `org` or `author`.", null=None),
        c.text.but(
            name="value",
            whose="author",
            meaning="The name, as the lake has it.",
            source="paper_aliases, papers, paper_authors",
            origin=HUB,
        ),
        c.paper_id.but(null="an id, a day or a month that no paper of this release has"),
    ),
    parts={"names_in": names_in("(SELECT unnest([text::VARCHAR]) AS given)", with_digits=True)},
)

NAMED_BY_WORDS = Macro(
    name="named_by_words",
    parameters={"text": "a text without digits"},
    answers="As `named_papers`, of organizations and authors alone: ids and days have digits.",
    grain=NAMED_PAPERS.grain,
    columns=NAMED_PAPERS.columns,
    parts={"names_in": names_in("(SELECT unnest([text::VARCHAR]) AS given)", with_digits=False)},
)

READ_WORDS = Macro(
    name="read_words",
    parameters={"words": "a list of words in lower case without accents"},
    answers="How a search reads words: as the word of the index, or of an unknown one as the word that it misspells.",
    grain="One word that was given, in this order.",
    columns=(
        WORD,
        WORD.but(
            name="known", meaning="The word of the index that it is read as.", null="no paper has it, or one like it"
        ),
        TERM.but(null="no paper has it, or it is a function word, by which nothing is found"),
    ),
    parts=RULES,
)

TERM_FORMS = Macro(
    name="term_forms",
    parameters={"terms": TERMS},
    answers="What else terms are found by: acronyms by their long forms, long forms that are asked for whole by their "
    "acronyms, singulars by plurals, a name and a number by both as one word.",
    grain="One term, and terms that stand for it together.",
    columns=(
        TERM,
        TERM.but(name="found_by", dtype=pl.List(c.TEXT), meaning="Terms that stand for it, where a paper has all."),
        PAPER_ACRONYMS.column("long_form").but(
            name="says", meaning="What they say, in words.", null="a plural, a singular or one word", source="acronyms"
        ),
    ),
    parts={"most_corrected": str(rules.MOST_CORRECTED)},
)
