"""The command that serves programs which ask on somebody's behalf: `mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from flows.runtime.progress import configure
from flows.runtime.variables import LAKE, SQL_MEMORY
from paperlake.cli.options import LakeUrl, Memory
from warehouse.errors import UsageError
from warehouse.limits import QueryLimits

CALL_SECONDS: Final = 30.0  # other calls wait meanwhile


def mcp(  # what a client's settings name
    lake: LakeUrl = LAKE,
    http: Annotated[
        int | None,
        typer.Option(metavar="PORT", min=0, max=65535, help="Over HTTP on this machine.", show_default=False),
    ] = None,
    release: Annotated[
        str | None, typer.Option(metavar="VERSION", help="This release, not the latest.", show_default=False)
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A secret that HTTP calls must bear.", show_default=False)
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.001, help="Longest a call may take.")] = CALL_SECONDS,
    memory: Memory = SQL_MEMORY,
) -> None:
    """Serve the lake to AI agents by the Model Context Protocol. Read-only; on standard input and output.

    Example: paperlake mcp --lake ./lake

    Example: paperlake mcp --http 8765 --token-file secret.txt
    """
    from flows.runtime.environment import require_extra, secret_text

    require_extra("the MCP server", "mcp", "mcp")
    if token_file and http is None:
        raise UsageError("--token-file is for --http: on standard input there is nobody else")
    import paperlake
    from flows.documents.for_agents import skill
    from paperlake.mcp.mcp_server import create_server
    from paperlake.mcp.query_process import QueryProcess
    from paperlake.mcp.serving import serve_http
    from warehouse.schema.catalog.tables import ALL_TABLES

    configure(quiet=False)
    secret = secret_text("--token-file", str(token_file)) if token_file else None
    if secret is not None and not secret.strip():
        raise UsageError(f"--token-file: {token_file} is empty, and nobody would be kept out")
    opened = paperlake.open(lake)
    _ = opened[release] if release else opened.latest()  # what is not there is said before a client connects
    with QueryProcess(lake, release, QueryLimits(memory, seconds)) as process:
        server = create_server(process, skill(ALL_TABLES))
        if http is None:
            server.run("stdio")
        else:
            serve_http(server, http, secret)
