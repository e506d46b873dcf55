"""The declarations that the explorer needs, as JSON: the rules of search and of BibTeX, and the schema for its SQL.

Nothing of them is written a second time in JavaScript, so that both say the same by construction.
"""

from __future__ import annotations

import json
from typing import Any, Final

from warehouse.schema import search_rules
from warehouse.schema.ddl import create_macro, create_main_view, create_schemas, create_table, qualified
from warehouse.schema.macros import tex_rules
from warehouse.schema.mart import in_order_of_creation
from warehouse.schema.tables import ALL_TABLES, CORE_TABLES, MACROS, MART_TABLES, widening

SEARCH: Final = (
    "LETTERS",
    "WORD",
    "JOINER",
    "POSSESSIVE",
    "LONGEST_WORD",
    "PLAIN_WORD",
    "FEWEST_LETTERS",
    "LONG_WORD",
    "MOST_CORRECTED",
    "TITLE_TIMES",
    "K1_TENTHS",
    "B_TENTHS",
    "AVERAGE_LENGTH",
    "WEIGHT_MOST",
    "QUERY_MOST",
    "MEANING_TENTHS",
    "CANDIDATES",
    "SAME_TITLE",
    "NAMED_TENTHS",
)


def rule_files() -> dict[str, bytes]:
    """Name → bytes; the same for every release that this paperlake writes."""
    named = {"bibtex.json": _bibtex(), "schema.json": _schema()}
    named["search.json"] = {name.lower(): getattr(search_rules, name) for name in SEARCH}
    return {name: json.dumps(rules, ensure_ascii=False).encode() for name, rules in named.items()}


def _bibtex() -> dict[str, Any]:
    return {
        "plain": tex_rules.PLAIN,
        "names": tex_rules.NAMES,
        "font": tex_rules.FONT,
        "command": tex_rules.COMMAND,
        "piece": tex_rules.PIECE,
        "piece_or_math": tex_rules.PIECE_OR_MATH,
        "spaces": tex_rules.SPACES,
        "unseen": tex_rules.UNSEEN,
        "letters": tex_rules.characters(),
        "one_name": tex_rules.ONE_NAME,
        "no_letters": tex_rules.NO_LETTERS,
    }


def _schema() -> dict[str, Any]:
    """The statements that create the database without its rows; the grain and the columns of each table."""
    marts = tuple(in_order_of_creation(MART_TABLES))
    tables = [create_table(table) for table in (*CORE_TABLES, *(mart for mart in marts if not mart.is_view))]
    views = [f"CREATE VIEW {qualified(mart)} AS {mart.sql};" for mart in marts if mart.is_view]
    main = [create_main_view(table, widening(table)) for table in ALL_TABLES]
    macros = [statement for macro in MACROS for statement in create_macro(macro) if statement.startswith("CREATE")]
    return {
        # In the browser a statement ends at its first NUL; the rules of BibTeX have one, in a class of characters
        "statements": [
            one.replace("\0", r"\x00") for one in (*create_schemas(ALL_TABLES), *tables, *views, *main, *macros)
        ],
        "tables": [
            {
                "name": table.name,
                "layer": table.layer,
                "grain": table.grain,
                "columns": [[column.name, str(column.dtype), column.description] for column in table.columns],
                "widened_by": [wide.name for wide in widening(table)],
            }
            for table in ALL_TABLES
        ],
        "sql": {mart.name: mart.sql for mart in marts if mart.is_view} | {macro.name: macro.sql for macro in MACROS},
    }
