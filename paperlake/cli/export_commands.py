"""Commands that export: `paperlake export …`. Each imports what it needs when it runs, and says what is missing."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.runtime.variables import LAKE
from paperlake.cli.options import Lake, Quiet

TargetArgument = Annotated[str, typer.Argument(help="Where the tables go: a folder or s3://bucket/path.")]
History = Annotated[bool, typer.Option("--history", help="On the first export, every release, not the latest alone.")]

export = typer.Typer(invoke_without_command=True, rich_markup_mode=None)


@export.callback()
def export_releases(context: typer.Context) -> None:
    """Export releases as tables that Spark, Trino, Snowflake and others read.

    Example: paperlake export iceberg ./warehouse
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


@export.command()
def iceberg(
    warehouse: TargetArgument,
    catalog: Annotated[
        str | None,
        typer.Option(metavar="URL", help="SQL catalog, as SQLAlchemy names it; else a file.", show_default=False),
    ] = None,
    namespace: Annotated[str, typer.Option(help="Namespace of the tables.")] = "paperlake",
    history: History = False,
    lake: Lake = LAKE,
    quiet: Quiet = False,
) -> None:
    """Export as Iceberg tables. Only what was published since the last export is added; it follows `latest`.

    Example: paperlake export iceberg ./warehouse

    Example: paperlake export iceberg s3://bucket/warehouse --history
    """
    from flows.runtime.lake import open_lake
    from flows.runtime.progress import configure
    from flows.runtime.settings import load
    from paperlake.export.releases_of import require_extra

    configure(quiet=quiet)
    require_extra("iceberg", "pyiceberg")
    from paperlake.export.iceberg_export import export_iceberg, open_target

    settings = load()
    with open_target(warehouse, catalog, namespace, settings.s3_options(), settings.state.expanduser()) as target:
        typer.echo(export_iceberg(open_lake(lake), target, history=history))


@export.command()
def delta(target: TargetArgument, history: History = False, lake: Lake = LAKE, quiet: Quiet = False) -> None:
    """Export as Delta tables. Only what was published since the last export is added; it follows `latest`.

    Example: paperlake export delta ./delta
    """
    from flows.runtime.lake import open_lake
    from flows.runtime.progress import configure
    from flows.runtime.settings import load
    from paperlake.export.releases_of import require_extra

    configure(quiet=quiet)
    require_extra("delta", "deltalake")
    from paperlake.export.delta_export import export_delta
    from warehouse.store.opening import open_store

    options = load().s3_options()
    typer.echo(export_delta(open_lake(lake), open_store(target, options), options, history=history))
