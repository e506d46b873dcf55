"""Commands that take a lake or a release elsewhere: to a copy, a file, an archive, the Hub, programs that ask.

What is heavy is imported when a command runs.
"""

from pathlib import Path
from typing import Final

import click

import paperlake
from flows.runtime.environment import require_extra, secret_text, variable
from flows.runtime.lake import open_lake, sole_writer, warn_of_retraction
from flows.runtime.progress import configure
from paperlake.cli.options import lake_anywhere, lake_option, memory_option, quiet_option, say
from paperlake.cli.release_commands import version_argument
from warehouse.errors import UsageError
from warehouse.limits import QueryLimits
from warehouse.people.ledger import Ledger
from warehouse.printable import counted
from warehouse.release.latest import require_latest
from warehouse.release.made_again import write_database
from warehouse.release.moves import published
from warehouse.store.lease import undisturbed


@click.command()
@click.argument("source", metavar="FROM", help="The lake: a folder or s3://bucket/path.")
@click.argument("target", metavar="TO", help="A copy of it, or an empty place.")
@click.option(
    "--releases", "releases_only", is_flag=True, help="Leave out the raw captures: enough to read, not to build on."
)
@quiet_option
def copy(source: str, target: str, releases_only: bool, quiet: bool) -> None:
    """Copy a lake to another place, or bring a copy up to date. What was sent is read back; a killed copy goes on.

    Example: paperlake copy ./lake s3://bucket/backup
    """
    from flows.steps.copy_lake import copy_lake, require_apart

    configure(quiet=quiet)
    original, place = open_lake(source), open_lake(target)
    require_apart(original, place)
    with undisturbed(original), sole_writer(place, "copy") as written:
        copied = copy_lake(original, written, releases_only=releases_only)
    sent = f"{counted(copied.sent_count, 'file')} ({copied.sent_bytes / 1e6:.1f} MB sent)"
    say(f"copied {sent}, {copied.kept_count:,} were there")


@click.command()
@click.argument("target", metavar="COPY", type=Path, help="A DuckDB file; it is made where there is none.")
@lake_anywhere(help="A folder, s3://bucket/path or https://")
@click.option("--whole", is_flag=True, help="Go there at once: take each table whole that differs.")
def follow(target: Path, lake: str, whole: bool) -> None:
    """Keep the latest tables in a DuckDB file of your own. Only what changed is fetched.

    Example: paperlake follow papers.duckdb --lake https://lake.example/papers
    """
    with paperlake.open(lake).latest() as release:
        passed = release.follow(target, whole=whole)
        news = f", through {len(passed)} releases" if len(passed) > 1 else "" if passed else ", already"
        say(f"{target} is at release {release.version}{news}")


@click.command()
@click.argument("target", metavar="OWNER/NAME", envvar=variable("push"), help="A dataset repository of the Hub.")
@click.option("--private", is_flag=True, help="If it is made by this, make it private.")
@click.option("--dry-run", is_flag=True, help="Only say what would be sent and deleted.")
@lake_option
@quiet_option
def push(target: str, private: bool, dry_run: bool, lake: str, quiet: bool) -> None:
    """Push the latest release to the Hub, as a dataset. One commit and one tag; only what is new there is sent.

    Example: paperlake push owner/daily-papers --dry-run

    Example: paperlake push owner/daily-papers
    """
    from flows.runtime.settings import load

    configure(quiet=quiet)
    require_extra("a push", "hub", "huggingface_hub")
    from paperlake.push.hub_push import push as push_release
    from paperlake.push.hub_repository import HubRepository

    repository = HubRepository.of(load(), target, is_looked_at=dry_run)
    with undisturbed(store := open_lake(lake)):
        say(push_release(store, repository, private=private, dry_run=dry_run))


@click.command()
@version_argument
@lake_option
@click.option("-o", "--output", metavar="FILE", type=Path, help="Where; else paperlake-VERSION.zip.")
@click.option("--doi", metavar="DOI", help="The one that the archive has reserved.")
@click.option("--publisher", metavar="NAME", default="Zenodo", help="The archive that holds it.")
@quiet_option
def deposit(version: str, lake: str, output: Path | None, doi: str | None, publisher: str, quiet: bool) -> None:
    """Bundle a release for an archive. Its files with hashes, DataCite metadata, licences: a BagIt bag in a zip file.

    Example: paperlake deposit 2026.11.21.1 --doi 10.5281/zenodo.1234567
    """
    from flows.steps.deposit import deposit as bundle

    configure(quiet=quiet)
    path = output or Path(f"paperlake-{version}.zip")
    size = bundle(open_lake(lake), version, path, doi=doi, publisher=publisher)
    click.echo(f"{path}: release {version}, {size / 1e6:,.1f} MB")


@click.command()
@version_argument
@lake_option
@click.option("-o", "--output", metavar="FILE", type=Path, help="Where; else paperlake-VERSION.duckdb.")
def materialize(version: str, lake: str, output: Path | None) -> None:
    """Write the DuckDB database of any release to a file. Where it is not kept it is made again, of its Parquet.

    Example: paperlake materialize 2026.11.21.1 -o papers.duckdb
    """
    path, store = output or Path(f"paperlake-{version}.duckdb"), open_lake(lake)
    Ledger(store).require_quiet()
    warn_of_retraction(require_latest(store), version)
    size = write_database(store, published(store, version), path)
    click.echo(f"{path}: release {version}, {size / 1e6:,.1f} MB")


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
    require_extra("the MCP server", "mcp", "mcp")
    if token_file and http is None:
        raise UsageError("--token-file is for --http: on standard input there is nobody else")
    from flows.documents.card import skill
    from paperlake.mcp.mcp_server import create_server, serve_http
    from paperlake.mcp.query_process import QueryProcess
    from warehouse.schema.catalog import ALL_TABLES

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
