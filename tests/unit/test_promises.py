"""Each promise names an existing check; a column leaves only after a release announced it, and after its time."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from flows.documents.contract import schema_property
from flows.documents.dictionary import dictionary
from tests.golden.refresh import HERE, released_columns
from warehouse.schema.catalog import ALL_TABLES
from warehouse.schema.core.attached import PAPER_KEYWORDS
from warehouse.schema.ddl import comments
from warehouse.schema.table import LEAVES_AFTER, Deprecation, Table

LINE = re.compile(r"(?P<name>\S+)(?: deprecated in (?P<version>\S+), leaves on (?P<day>\S+))?")
HEADING = re.compile(r"^## (\S+) \((\d{4}-\d\d-\d\d|unreleased)\)$", re.MULTILINE)
RELEASED = {"0.3.0": "2027-09-01", "0.2.0": "2027-01-10", "0.1.0": "2026-11-21"}


def broken(known: str, tables: tuple[Table, ...], released: Mapping[str, str]) -> Iterator[str]:
    """Columns that left, or are to leave, too early; `released` are the versions of paperlake, newest first."""
    declared = {f"{table.name}.{column.name}" for table in tables for column in table.columns}
    today = released[next(iter(released))]
    for found in filter(None, map(LINE.fullmatch, known.splitlines())):
        name, version, day = found.groups()
        if name not in declared and day is None:
            yield f"{name} left without a word: declare it again, with `deprecated`"
        elif name not in declared and today < day:
            yield f"{name} left before {day}"
        elif (
            day
            and released[version] != "unreleased"
            and date.fromisoformat(released[version]) + LEAVES_AFTER > date.fromisoformat(day)
        ):
            yield f"{name} is to leave too early after {version}"


def test_no_column_that_was_released_left_before_its_time() -> None:
    released = dict(HEADING.findall(Path("CHANGELOG.md").read_text("utf-8")))
    assert list(broken((HERE / "released_columns.txt").read_text("utf-8"), ALL_TABLES, released)) == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("paper_keywords.colour", "paper_keywords.colour left without a word: declare it again, with `deprecated`"),
        (
            "paper_keywords.colour deprecated in 0.2.0, leaves on 2027-10-01",
            "paper_keywords.colour left before 2027-10-01",
        ),
        (
            "paper_keywords.keyword deprecated in 0.2.0, leaves on 2027-07-08",
            "paper_keywords.keyword is to leave too early after 0.2.0",
        ),
        ("paper_keywords.keyword deprecated in 0.2.0, leaves on 2027-07-09", None),
        ("paper_keywords.colour deprecated in 0.2.0, leaves on 2027-09-01", None),
    ],
)
def test_a_column_that_left_too_early_is_named(line: str, words: str | None) -> None:
    assert list(broken(line, (PAPER_KEYWORDS,), RELEASED)) == ([words] if words else [])


def test_each_promise_names_a_check_that_is_there() -> None:
    rows = re.findall(r"^\| (.*) \| (.*) \|$", Path("docs/promises.md").read_text("utf-8"), re.MULTILINE)
    files = {path.name for path in Path("tests").rglob("test_*.py")}
    named = {words: re.findall(r"test_\w+\.py", held) for words, held in rows if words not in {"promise", "---"}}
    assert len(named) > 20
    assert [words for words, tests in named.items() if not tests or not files.issuperset(tests)] == []


def test_every_document_says_that_a_column_leaves() -> None:
    leaves = Deprecation("0.2.0", date(2027, 8, 1), "use normal_keyword")
    keyword = PAPER_KEYWORDS.column("keyword").but(deprecated=leaves)
    table = replace(
        PAPER_KEYWORDS, columns=tuple(keyword if one.name == "keyword" else one for one in PAPER_KEYWORDS.columns)
    )
    words = "Deprecated in 0.2.0, leaves on 2027-08-01 or later: use normal_keyword."
    assert words in dictionary([table], [])
    assert [line for line in comments(table) if words in line]
    said = schema_property(table, keyword)
    assert words in said["description"]
    assert {"property": "leavesOn", "value": "2027-08-01"} in said["customProperties"]
    known = released_columns("gone.column\n", [table])
    assert "paper_keywords.keyword deprecated in 0.2.0, leaves on 2027-08-01\n" in known
    assert known.startswith("gone.column\n")
