"""The command that serves programs which ask on somebody's behalf: `mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from flows.runtime.progress import configure
from paperlake.cli.options import lake_option, memory_option
from warehouse.errors import UsageError
from warehouse.limits import QueryLimits

CALL_SECONDS: Final = 30.0  # other calls wait meanwhile


@click.command()
@lake_option
@click.option("--http", metavar="PORT", type=click.IntRange(min=0, max=65535), help="Over HTTP on this machine.")
@click.option("--release", metavar="VERSION", help="This release, not the latest.")
@click.option("--token-file", metavar="FILE", type=Path, help="A secret that HTTP calls must bear.")
@click.option("--seconds", type=click.FloatRange(min=0.001), default=CALL_SECONDS, help="Longest a call may take.")
@memory_option
def mcp(lake: str, http: int | None, release: str | None, token_file: Path | None, seconds: float, memory: str) -> None:
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
