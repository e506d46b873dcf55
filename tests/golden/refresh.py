"""What the declarations render to. After a change that is meant, from the project's root:

    python -m tests.golden.refresh

and the difference shows in review.
"""

from __future__ import annotations

import json
from pathlib import Path

from expectations.suites import suite_for
from warehouse.database import macro_sql
from warehouse.render.ddl import comments, create_macro, create_main_view, create_schemas, create_table
from warehouse.render.dictionary import dictionary
from warehouse.tables import ALL_TABLES, CORE_TABLES, MACROS, widening

HERE = Path(__file__).parent


def rendered() -> dict[str, str]:
    """File name → text, as it should stand beside this module."""
    return {"schema.sql": _schema(), "dictionary.md": dictionary(ALL_TABLES, MACROS), "suites.json": _suites()}


def _schema() -> str:
    """Every statement, but of marts without their queries; of a mart that is a view the comments only."""
    stored = [table for table in ALL_TABLES if not table.is_view]
    tables = ["\n".join([create_table(table), *comments(table)]) for table in stored]
    views = ["\n".join(comments(table)) for table in ALL_TABLES if table.is_view]
    main = [create_main_view(table, widening(table)) for table in ALL_TABLES]
    macros = ["\n".join(create_macro(macro, macro_sql(macro))) for macro in MACROS]
    return "\n\n".join(["\n".join(create_schemas(ALL_TABLES)), *tables, *views, "\n".join(main), *macros]) + "\n"


def _suites() -> str:
    """JSON: suite → its expectations, sorted, one a line."""
    blocks = (f"{json.dumps(suite.name)}: [\n{_lines(suite)}\n]" for suite in map(suite_for, CORE_TABLES))
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def _lines(suite) -> str:
    configurations = (expectation.configuration for expectation in suite.expectations)
    return ",\n".join(sorted(json.dumps({"type": each.type, "kwargs": each.kwargs}) for each in configurations))


if __name__ == "__main__":
    for name, text in rendered().items():
        (HERE / name).write_text(text, encoding="utf-8")
