"""What the declarations render to. After a change that is meant, from the project's root:

    python -m tests.golden.refresh

and the difference shows in review.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import anyio

from expectations.gate import GUARDS
from expectations.report import ACCEPTABLE
from expectations.runner import demands_of
from flows.documents.card import card, citation, licences, skill
from flows.documents.catalogues import DCAT, croissant, dcat
from flows.documents.contract import contract, datapackage, schemas
from flows.documents.dictionary import dictionary
from flows.documents.edition import Edition
from flows.steps.release_documents import CARD, listed
from paperlake.mcp.mcp_server import create_server
from paperlake.mcp.query_process import QueryProcess
from warehouse.limits import QueryLimits
from warehouse.release.manifest import File, TableFiles, digest
from warehouse.schema.catalog import ABOUT_TABLES, ALL_TABLES, CORE_TABLES, MACROS, SCHEMA_VERSION, widening
from warehouse.schema.ddl import comments, create_macro, create_main_view, create_schemas, create_table
from warehouse.schema.table import Table

HERE = Path(__file__).parent
GUARDS_HEAD = (
    "# Every guard, with its limit",
    "",
    "The last column is what 494 real captures show (462 daily lists of 2024-03 to 2026-07, 49 papers seen again).",
    "",
    "| guard | what it promises | on the real captures |",
    "|---|---|---|",
)


def _files(table: Table) -> TableFiles:
    """A made-up file of a table, two of one that is cut by cohort."""
    names = [f"{table.name}/2025", f"{table.name}/2026"] if table.cohort_rows else [table.name]
    folder = "data" if table.layer == "core" else "marts"
    files = tuple(File(f"{folder}/{name}.parquet", 1_000, digest(name.encode())) for name in names)
    days = ("2026-09-30", "2026-10-02") if "listed_on" in table.key else (None, None)
    return TableFiles(table.name, 100, files, *days)


EDITION = Edition(
    "2026.10.03.1",
    SCHEMA_VERSION,
    tuple((table, _files(table)) for table in CORE_TABLES),
    tuple((table, _files(table)) for table in ALL_TABLES if table.layer == "mart" and not table.is_view),
)

# A table with lists of objects, one of list days, and a mart: what is long is shown of these alone. That it holds
# every table and column is checked by tests/unit/test_documents.py, and each column is in dictionary.md and schema.sql.
EXCERPT = EDITION._replace(
    tables=tuple(one for one in EDITION.tables if one[0].name in {"sightings", "daily_listings"}),
    marts=tuple(one for one in EDITION.marts if one[0].name == "papers_by_month"),
)


def rendered() -> dict[str, str]:
    """File name → text, as it should stand beside this module."""
    documents = {
        "croissant.json": _indented(croissant(EXCERPT)),
        "datapackage.json": _indented(datapackage(EXCERPT)),
        "schema_of_sightings.json": _indented(schemas(EXCERPT)["schemas/sightings.json"]),
        "contract.yaml": contract(EXCERPT),
        DCAT: _indented(dcat(EXCERPT)),
        "card.md": card(EDITION, listed(CARD)),
        "licences.md": licences(EDITION),
        "citation.cff": citation(EDITION),
    }
    return {
        "schema.sql": _schema(),
        "dictionary.md": dictionary((*ALL_TABLES, *ABOUT_TABLES), MACROS),
        "suites.json": _suites(),
        "guards.md": _guards(),
        "released_columns.txt": released_columns((HERE / "released_columns.txt").read_text("utf-8"), ALL_TABLES),
        "../../SKILL.md": skill(ALL_TABLES),
        "mcp_tools.json": tools_listed(),
        **{name: document.decode() for name, document in documents.items()},
    }


def _indented(document: bytes) -> bytes:
    """A document as a person reads what changed in it."""
    return (json.dumps(json.loads(document), indent=2, ensure_ascii=False) + "\n").encode()


def tools_listed() -> str:
    """What a client of the MCP server is told of its tools. A tool that is renamed breaks every client."""
    server = create_server(QueryProcess("", None, QueryLimits()), skill(ALL_TABLES))
    listed = anyio.run(server.list_tools)
    return json.dumps([tool.model_dump(by_alias=True, exclude_none=True) for tool in listed], indent=1) + "\n"


def released_columns(known: str, tables: Iterable[Table]) -> str:
    """Every column that any release may have had, a line each; a removed one keeps its last line."""
    lines = {line.partition(" ")[0]: line for line in known.splitlines()}
    for table in tables:
        for column in table.columns:
            name, leaves = f"{table.name}.{column.name}", column.deprecated
            said = f" deprecated in {leaves.deprecated_in}, leaves on {leaves.leaves_on}" if leaves else ""
            lines[name] = name + said
    return "".join(f"{lines[name]}\n" for name in sorted(lines))


def _schema() -> str:
    """Every statement, but of marts without their queries; of a mart that is a view the comments only."""
    stored = [table for table in (*ALL_TABLES, *ABOUT_TABLES) if not table.is_view]
    tables = ["\n".join([create_table(table), *comments(table)]) for table in stored]
    views = ["\n".join(comments(table)) for table in ALL_TABLES if table.is_view]
    main = [create_main_view(table, widening(table)) for table in ALL_TABLES]
    macros = ["\n".join(create_macro(macro)) for macro in MACROS]
    schemas = create_schemas((*ALL_TABLES, *ABOUT_TABLES))
    return "\n\n".join(["\n".join(schemas), *tables, *views, "\n".join(main), *macros]) + "\n"


def _guards() -> str:
    """The guards that may be accepted, those of one promise in a row."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for one in GUARDS:
        if one.kind in ACCEPTABLE:
            alike.setdefault((one.rule, one.promise, one.evidence), []).append(f"`{one.table}.{one.rule}`")
    rows = (f"| {', '.join(names)} | {promise} | {found} |" for (_, promise, found), names in alike.items())
    return "\n".join([*GUARDS_HEAD, *rows]) + "\n"


def _suites() -> str:
    """JSON: suite → its expectations, sorted, one a line."""
    blocks = []
    for table in CORE_TABLES:
        each = (one.configuration for column in table.columns for one in demands_of(column))
        lines = ",\n".join(sorted(json.dumps({"type": one.type, "kwargs": one.kwargs}) for one in each))
        blocks.append(f'"{table.layer}.{table.name}": [\n{lines}\n]')
    return "{\n" + ",\n".join(blocks) + "\n}\n"


if __name__ == "__main__":
    for name, text in rendered().items():
        (HERE / name).write_text(text, encoding="utf-8")
