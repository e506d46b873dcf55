"""The query language: words, phrases, exclusions and fields, read from what somebody typed; and their conditions.

A hyphen inside a word is never a NOT, and a text of many words is a pasted one: words alone, whatever signs it has.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from transforms.search.spoken import fold, tokens_of
from warehouse.errors import UsageError
from warehouse.schema.search_rules import FOLDED, LETTERS, MOST_CORRECTED, SIGN

if TYPE_CHECKING:
    from warehouse.release.query import Database


Sort = Literal["relevance", "date", "upvotes"]
Has = Literal["code", "project", "models"]

FILTERS: Final = ("title", "author", "org", "keyword", "has", "id", "since", "until", "list")
FIELDS: Final = (*FILTERS, "sort", "like")
ITEM: Final = re.compile(r'(?P<no>-?)(?:(?P<field>[a-z]+):(?!//))?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+"?))')
TYPED: Final = re.compile(r"(?:[^\s\"]|\"[^\"]*\")+|\S")  # what stands between spaces that are not quoted
LONGEST: Final = 60  # characters of what was typed that an error repeats


class Condition(NamedTuple):
    """What a hit must have, or with `is_not` must not have. A `phrase` is of title or abstract, letter by letter."""

    field: str
    value: str
    is_not: bool = False


class Query(NamedTuple):
    """A parsed query. `words` rank papers, and those of phrases too; every condition must hold."""

    text: str
    words: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    like: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    sort: Sort = "relevance"

    @property
    def is_plain(self) -> bool:
        """Whether it is words alone: only then can it be a title."""
        return not (self.excluded or self.conditions or self.like or self.unlike)


def parse(text: str) -> Query:
    """Parse a query; UsageError where a field has a value that it cannot have. What names no field is words."""
    typed = TYPED.findall(text)
    if len(typed) > MOST_CORRECTED:
        return Query(text, words=spoken(text))
    words: list[str] = []
    excluded: list[str] = []
    conditions: list[Condition] = []
    like: list[str] = []
    unlike: list[str] = []
    sort: Sort = "relevance"
    for item in typed:
        found = ITEM.fullmatch(item)
        if found is None:
            words += spoken(item)
            continue
        is_not, field, value = bool(found["no"]), found["field"], found["phrase"] or found["word"] or ""
        if field is not None and field not in FIELDS:
            (excluded if is_not else words).extend(spoken(item))
            continue
        if field == "sort":
            sort = _sort(value, is_not=is_not)
        elif field == "like":
            (unlike if is_not else like).extend(filter(None, value.split(",")))
        elif field is not None:
            conditions.append(condition(field, value, is_not=is_not))
        elif found["phrase"] is not None:
            conditions += [Condition("phrase", value, is_not)] * bool(spoken(value))
            words += () if is_not else spoken(value)
        else:
            (excluded if is_not else words).extend(spoken(value))
    return Query(text, tuple(words), tuple(excluded), tuple(conditions), tuple(like), tuple(unlike), sort)


def spoken(text: str) -> tuple[str, ...]:
    """The words of a text as the index has them, each once."""
    return tuple(dict.fromkeys(word for token in tokens_of(fold(text)) for word in token.words))


def condition(field: str, value: str, *, is_not: bool) -> Condition:
    if not value:
        raise UsageError(f'{field}: has no value; write for example {field}:"…"')
    if field in {"since", "until", "list"}:
        try:
            value = date.fromisoformat(value).isoformat()
        except ValueError:
            raise UsageError(
                f"{field}:{value[:LONGEST]!r} is not a day; write for example {field}:2026-11-20"
            ) from None
    if field == "has" and value not in get_args(Has):
        raise _unknown("has", value, get_args(Has))
    return Condition(field, value, is_not)


def _sort(value: str, *, is_not: bool) -> Sort:
    for sort in get_args(Sort):
        if value == sort and not is_not:
            return sort  # type: ignore[no-any-return]
    raise _unknown("sort", value, get_args(Sort))


def _unknown(field: str, value: str, known: tuple[str, ...]) -> UsageError:
    return UsageError(
        f"{field}:{value[:LONGEST]!r} is not known; there are {', '.join(f'{field}:{one}' for one in known)}"
    )


SPOKEN: Final = re.compile(f"[{LETTERS}]+")


def _spoken(text: str) -> str:
    """A text as its words with a space around each, in SQL."""
    return f"' ' || trim(regexp_replace({FOLDED.format(text)}, '{SIGN}+', ' ', 'g')) || ' '"


TITLE: Final = f"SELECT paper_id FROM core.papers WHERE contains({_spoken('title')}, {_spoken('$1')})"  # noqa: S608
IN_ABSTRACT: Final = (
    f"SELECT paper_id FROM core.paper_texts WHERE contains({FOLDED.format('abstract')}, $2) "  # noqa: S608
    f"AND contains({_spoken('abstract')}, {_spoken('$1')})"
)
DAY: Final = "SELECT DISTINCT paper_id FROM core.daily_listings WHERE listed_on"
SQL: Final = {
    "title": TITLE,
    "phrase": f"{TITLE} UNION {IN_ABSTRACT}",
    "author": f"SELECT DISTINCT paper_id FROM core.paper_authors WHERE contains({_spoken('name')}, {_spoken('$1')}) "  # noqa: S608
    "OR lower(login) = lower($1)",
    "org": "SELECT paper_id FROM core.papers WHERE lower(organization_login) = lower($1) "  # noqa: S608
    f"OR contains({_spoken('organization_name')}, {_spoken('$1')})",
    "keyword": "SELECT DISTINCT paper_id FROM core.paper_keywords "  # noqa: S608
    f"WHERE contains({_spoken('keyword')}, {_spoken('$1')})",
    "code": "SELECT DISTINCT paper_id FROM core.paper_links WHERE kind = 'github'",
    "project": "SELECT DISTINCT paper_id FROM core.paper_links WHERE kind = 'project'",
    "models": "SELECT DISTINCT paper_id FROM core.paper_observations WHERE model_count > 0",
    "id": "SELECT paper_id FROM core.paper_aliases WHERE alias = $1 "
    "UNION SELECT paper_id FROM core.papers WHERE paper_id = $1",
    "since": f"{DAY} >= CAST($1 AS DATE)",
    "until": f"{DAY} <= CAST($1 AS DATE)",
    "list": f"{DAY} = CAST($1 AS DATE)",
}
ALL: Final = "SELECT paper_id FROM core.search_vectors"
WITH_WORDS: Final = """
SELECT DISTINCT paper_id
FROM term_points((SELECT list(term) FROM core.search_words WHERE word IN (SELECT unnest($1))))
"""


def kept_papers(database: Database, query: Query) -> list[str] | None:
    """The papers that satisfy every condition, and have no excluded word; None where nothing leaves one out."""
    if not (query.conditions or query.excluded):
        return None
    kept = _ids(database, ALL)
    for condition in query.conditions:
        found = papers_with(database, condition)
        kept = kept - found if condition.is_not else kept & found
    return sorted(kept - _ids(database, WITH_WORDS, query.excluded) if query.excluded else kept)


def papers_with(database: Database, condition: Condition) -> set[str]:
    """The papers that satisfy a condition, whether it keeps them or leaves them out."""
    name = condition.value if condition.field == "has" else condition.field
    parameters = [] if condition.field == "has" else [condition.value]
    if name == "phrase":
        # its longest word, for a quick test of every abstract before signs are removed from it
        parameters.append(max(SPOKEN.findall(fold(condition.value)), key=len))
    return _ids(database, SQL[name], *parameters)


def _ids(database: Database, sql: str, *parameters: object) -> set[str]:
    return {paper_id for (paper_id,) in database.rows(sql, parameters).rows}
