"""Commands that take a lake or a release elsewhere: to a copy, a file, an archive, the Hub. What is heavy is imported
when a command runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.runtime.lake import open_lake, sole_writer
from flows.runtime.progress import configure
from flows.runtime.variables import LAKE, variable
from paperlake.cli.options import LakeUrl, Quiet, say
from warehouse.store.lease import undisturbed


def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The lake: a folder or s3://bucket/path.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="A copy of it, or an empty place.")],
    releases_only: Annotated[
        bool, typer.Option("--releases", help="Leave out the raw captures: enough to read, not to build on.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Copy a lake to another place, or bring a copy up to date. What was sent is read back; a killed copy goes on.

    Example: paperlake copy ./lake s3://bucket/backup
    """
    from flows.steps.copy_lake import copy_lake

    configure(quiet=quiet)
    original = open_lake(source)
    with undisturbed(original), sole_writer(open_lake(target), "copy") as written:
        copied = copy_lake(original, written, releases_only=releases_only)
    say(f"copied {copied.sent_count:,} files ({copied.sent_bytes / 1e6:.1f} MB sent), {copied.kept_count:,} were there")


def follow(
    target: Annotated[Path, typer.Argument(metavar="COPY", help="A DuckDB file; it is made where there is none.")],
    lake: Annotated[
        str,
        typer.Option("--lake", metavar="LAKE", envvar=variable("lake"), help="A folder, s3://bucket/path or https://"),
    ] = LAKE,
    whole: Annotated[
        bool, typer.Option("--whole", help="Go there at once: take each table whole that differs.", show_default=False)
    ] = False,
) -> None:
    """Keep the tables of the latest release in a DuckDB file of your own. Only what changed is fetched.

    Example: paperlake follow papers.duckdb --lake https://lake.example/papers
    """
    import paperlake

    with paperlake.open(lake).latest() as release:
        passed = release.follow(target, whole=whole)
        news = f"through {len(passed)} releases" if len(passed) > 1 else "by one step" if passed else "already"
        say(f"{target} is at release {release.version}, {news}")


def push(
    target: Annotated[
        str, typer.Argument(metavar="OWNER/NAME", envvar=variable("push"), help="A dataset repository of the Hub.")
    ],
    private: Annotated[bool, typer.Option("--private", help="If it is made by this, make it private.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be sent and deleted.")] = False,
    lake: LakeUrl = LAKE,
    quiet: Quiet = False,
) -> None:
    """Push the latest release to the Hub, as a dataset. One commit and one tag; only what is new there is sent.

    Example: paperlake push owner/daily-papers --dry-run

    Example: paperlake push owner/daily-papers
    """
    from flows.runtime.environment import require_extra
    from flows.runtime.settings import load

    configure(quiet=quiet)
    require_extra("a push", "hub", "huggingface_hub")
    from paperlake.push.hub_push import push as push_release
    from paperlake.push.hub_repository import HubRepository

    repository = HubRepository.of(load(), target, is_looked_at=dry_run)
    with undisturbed(store := open_lake(lake)):
        say(push_release(store, repository, private=private, dry_run=dry_run))


def deposit(
    version: Annotated[str, typer.Argument(metavar="VERSION", help="A release, as `paperlake releases` lists it.")],
    lake: LakeUrl = LAKE,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Where; else paperlake-VERSION.zip.", show_default=False),
    ] = None,
    doi: Annotated[
        str | None, typer.Option(metavar="DOI", help="The one that the archive has reserved.", show_default=False)
    ] = None,
    publisher: Annotated[str, typer.Option(metavar="NAME", help="The archive that holds it.")] = "Zenodo",
    quiet: Quiet = False,
) -> None:
    """Bundle a release for an archive. Its files with hashes, DataCite metadata, licences: a BagIt bag in a zip file.

    Example: paperlake deposit 2026.11.21.1 --doi 10.5281/zenodo.1234567
    """
    from flows.steps.deposit import deposit as bundle

    configure(quiet=quiet)
    path = output or Path(f"paperlake-{version}.zip")
    size = bundle(open_lake(lake), version, path, doi=doi, publisher=publisher)
    typer.echo(f"{path}: release {version}, {size / 1e6:,.1f} MB")


def materialize(
    version: Annotated[str, typer.Argument(metavar="VERSION", help="A release, as `paperlake releases` lists it.")],
    lake: LakeUrl = LAKE,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Where; else paperlake-VERSION.duckdb.", show_default=False
        ),
    ] = None,
) -> None:
    """Write the DuckDB database of any release to a file. Where it is not kept it is made again, of its Parquet.

    Example: paperlake materialize 2026.11.21.1 -o papers.duckdb
    """
    from warehouse.release.made_again import write_database
    from warehouse.release.moves import published

    path, store = output or Path(f"paperlake-{version}.duckdb"), open_lake(lake)
    size = write_database(store, published(store, version), path)
    typer.echo(f"{path}: release {version}, {size / 1e6:,.1f} MB")
