"""A change of the declarations must show in the golden files: `python -m tests.golden.refresh` renews them."""

from __future__ import annotations

import json

import pytest

from tests.golden.refresh import HERE, rendered
from warehouse.schema.catalog import CORE_TABLES

NAMES = sorted(path.name for path in HERE.iterdir() if path.suffix not in {".py", ""})


@pytest.fixture(scope="module")
def fresh():
    return rendered()


@pytest.mark.parametrize("name", NAMES)
def test_golden_file_is_what_the_declarations_render_to(fresh, name):
    golden = (HERE / name).read_text(encoding="utf-8")
    assert fresh[name].splitlines() == golden.splitlines(), "if this is meant: python -m tests.golden.refresh"


def test_every_check_of_a_column_has_its_expectation(fresh):
    suites = json.loads(fresh["suites.json"])
    for table in CORE_TABLES:
        named = [rule for rule in suites[f"core.{table.name}"] if "column" in rule["kwargs"]]
        checks = [
            check.name
            for column in table.columns
            for check in column.checks()
            if not column.dtype.is_nested() or check.name.endswith("_not_null")
        ]
        assert len(named) == len(checks)


def test_the_dictionary_has_a_row_for_every_column(fresh):
    tables, _, _ = fresh["dictionary.md"].partition("## Source precedence")
    rows = [line for line in tables.splitlines() if line.startswith("| `")]
    assert all(len(row.replace(r"\|", "").split("|")) == 11 for row in rows)
    assert {f"`{column.name}`" for table in CORE_TABLES for column in table.columns} <= {
        row.split("|")[1].strip() for row in rows
    }
