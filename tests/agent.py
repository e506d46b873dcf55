"""Asks the MCP server in memory, as an agent's client does."""

from typing import Any

import anyio
from mcp.client.client import Client

from flows.documents.card import skill
from paperlake.mcp.mcp_server import create_server
from paperlake.mcp.query_process import QueryProcess
from warehouse.schema.catalog import ALL_TABLES

NOW, BEFORE = "2026-07-28", "2025-11-25"
MOST_BYTES = 64 << 10


class Answer:
    """What a client gets of a call."""

    def __init__(self, result: Any) -> None:
        self.text, self.is_error = result.content[0].text, result.is_error
        self.found = result.structured_content
        self.size = len(result.model_dump_json(by_alias=True))


def ask(process: QueryProcess, *calls: tuple[str, dict[str, Any]], mode: str = NOW) -> list[Answer]:
    async def asked() -> list[Answer]:
        async with Client(create_server(process, skill(ALL_TABLES)), mode=mode) as client:
            return [Answer(await client.call_tool(name, arguments)) for name, arguments in calls]

    return anyio.run(asked)


def leaf(error: BaseException) -> BaseException:
    return leaf(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def sql(process: QueryProcess, query: str, **more: Any) -> Answer:
    [found] = ask(process, ("sql", {"query": query, **more}))
    return found
