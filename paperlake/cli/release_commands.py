"""Commands on releases: list, compare, go back, drop. What is heavy is imported when a command runs."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Final

import typer

from flows.runtime.lake import open_lake, sole_writer
from flows.runtime.now import utc_now
from flows.runtime.variables import LAKE
from paperlake.cli.options import AsTable, AsText, LakeUrl, say, say_found
from warehouse.errors import Damaged, NothingThere, UsageError
from warehouse.release import moves
from warehouse.release.latest import manifest_of, release_key, require_latest
from warehouse.release.manifest import encode

LISTED: Final = "A release, as `paperlake releases` lists it."


def releases(
    lake: LakeUrl = LAKE,
    output_format: AsTable = "table",
) -> None:
    """List the releases. When published, what they hold, what the gate found, which one is the latest.

    Example: paperlake releases --format json
    """
    from flows.documents.release_index import summaries
    from paperlake.texts.releases import summaries_text

    found = summaries(open_lake(lake))
    say_found(found, summaries_text(found), output_format)


def diff(
    before: Annotated[str | None, typer.Argument(metavar="OLD", help=LISTED, show_default=False)] = None,
    after: Annotated[str | None, typer.Argument(metavar="NEW", help=LISTED, show_default=False)] = None,
    lake: LakeUrl = LAKE,
    output_format: AsText = "text",
    keys: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Parquet file for every key that changed, and how.", show_default=False),
    ] = None,
    all_columns: Annotated[
        bool, typer.Option("--all-columns", help="Compare bookkeeping too: when, where and how often it was seen.")
    ] = False,
    why: Annotated[bool, typer.Option("--why", help="Show the cause of each difference, those of marts too.")] = False,
) -> None:
    """Compare two releases, by default the last two. By rows, columns, shares of nulls and ranges.

    Example: paperlake diff

    Example: paperlake diff --why

    Example: paperlake diff 2026.11.20.1 2026.11.21.1 --keys changed.parquet
    """
    from paperlake.texts.releases import diff as compare
    from paperlake.texts.releases import diff_text

    if why and all_columns:
        raise UsageError("--why leaves out bookkeeping columns; leave out --all-columns, or run diff twice")
    store = open_lake(lake)
    if why:
        from paperlake.texts.releases import two_releases
        from warehouse.changes.explain import diff_with_causes

        found = diff_with_causes(store, *two_releases(store, before, after), keys)
    else:
        found = compare(store, before, after, keys, all_columns=all_columns)
    typer.echo(diff_text(found) if output_format == "text" else encode(found), nl=False)


def rollback(
    version: Annotated[
        str, typer.Argument(metavar="VERSION", help="The release to go to: an older one, or forward again.")
    ],
    why: Annotated[str, typer.Option(metavar="REASON", help="Why; it is kept with the move.")] = "rolled back",
    lake: LakeUrl = LAKE,
    retracted: Annotated[bool, typer.Option("--retracted", help="Even to one that was retracted.")] = False,
) -> None:
    """Make another release the latest. Nothing else changes, the move is kept, and the same command undoes it.

    Example: paperlake rollback 2026.11.20.1 --why "stars of the 21st are wrong"
    """
    from flows.documents.release_index import lead_to_latest
    from flows.steps.signing import own_signer
    from warehouse.release.faults import faults

    require_latest(store := open_lake(lake))
    with sole_writer(store, "rollback") as store:
        if wrong := faults(store, moves.published(store, version)):
            raise Damaged("\n".join([f"release {version} is not sound, latest was not moved:", *wrong]))
        moved = moves.go_to(store, version, at=utc_now(), why=why, even_retracted=retracted, sign=own_signer())
        lead_to_latest(store)
    say(f"latest is {moved.version} (move {moved.number}: {moved.why})")


def retract(
    version: Annotated[str, typer.Argument(metavar="VERSION", help=LISTED)],
    why: Annotated[str, typer.Option(metavar="REASON", help="Why; it is shown to whoever opens the release.")],
    affected: Annotated[
        list[str] | None,
        typer.Option(
            "--affected", metavar="TABLE[:KEY]", help="Which part is wrong; by default all.", show_default=False
        ),
    ] = None,
    lake: LakeUrl = LAKE,
    undo: Annotated[bool, typer.Option("--undo", help="Take it back; which release is the latest stays.")] = False,
) -> None:
    """Say that a release is wrong. Its files stay, readers get the one before, and later releases list it.

    Example: paperlake retract 2026.11.21.1 --why "wrong stars" --affected papers
    """
    from flows.documents.release_index import lead_to_latest
    from flows.steps.signing import own_signer
    from warehouse.schema.catalog.tables import ALL_TABLES

    names = {table.name for table in ALL_TABLES}
    for part in affected or ():
        if part.partition(":")[0] not in names:
            raise UsageError(f'--affected {part} names no table; "paperlake tables" lists them')
    require_latest(store := open_lake(lake))
    with sole_writer(store, "retract") as store:
        if undo:
            moved = moves.restore(store, version, at=utc_now(), why=why, sign=own_signer())
        else:
            moved = moves.retract(store, version, at=utc_now(), why=why, affected=affected or (), sign=own_signer())
        lead_to_latest(store)
    say(f"latest is {moved.version} (move {moved.number}: {moved.why})")


def keep(
    version: Annotated[str, typer.Argument(metavar="VERSION", help=LISTED)],
    why: Annotated[str, typer.Option(metavar="REASON", help="Why; it is kept with the move.")],
    lake: LakeUrl = LAKE,
) -> None:
    """Keep a release for five years, whatever rule `retain` is given. It cannot be undone.

    Example: paperlake keep 2026.11.21.1 --why "our figures are of it"
    """
    from flows.documents.release_index import lead_to_latest
    from flows.steps.signing import own_signer

    require_latest(store := open_lake(lake))
    with sole_writer(store, "keep") as store:
        moved = moves.keep(store, version, at=utc_now(), why=why, sign=own_signer())
        lead_to_latest(store)
    say(f"release {version} is kept until {moved.kept[-1].kept_until} (move {moved.number})")


Kept = Annotated[int, typer.Option(min=0, metavar="N", help="The last release of each of so many stays.")]


def retain(
    keep_last: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How many of the newest releases stay.", show_default=False)
    ] = None,
    keep_days: Kept = 0,
    keep_weeks: Kept = 0,
    keep_months: Kept = 0,
    keep_quarters: Kept = 0,
    lake: LakeUrl = LAKE,
    apply: Annotated[bool, typer.Option("--apply", help="Really drop them; without it they are only listed.")] = False,
) -> None:
    """Drop old releases by a rule, on record. Never the latest, none that is kept long-term or could not be rebuilt.

    Without a rule it is that of PAPERLAKE_KEEP, by which `serve` and a work pool drop releases every day.

    Example: paperlake retain --keep-last 30 --keep-months 24
    """
    from flows.runtime.settings import load
    from flows.steps.drop_releases import retain as drop
    from flows.steps.signing import own_signer
    from paperlake.texts.releases import retained_text
    from warehouse.inventory.keep_rule import KeepRule

    given = (keep_last or 1, keep_days, keep_weeks, keep_months, keep_quarters)
    rule = KeepRule(*given) if keep_last or any(given[1:]) else load().keep
    if rule is None:
        raise UsageError("say which releases stay: --keep-last 30, or for every day PAPERLAKE_KEEP=30d,26w,20q")
    require_latest(store := open_lake(lake))
    with sole_writer(store, "retain") if apply else nullcontext(store) as store:
        sign = own_signer() if apply else None
        say(retained_text(drop(store, rule, apply=apply, at=utc_now(), sign=sign)))


def open(  # noqa: A001 - as the command is called
    version: Annotated[str | None, typer.Argument(help="A release; the latest by default.", show_default=False)] = None,
    lake: LakeUrl = LAKE,
) -> None:
    """Open the page of a release in a browser, and print where it is.

    Example: paperlake open
    """
    import webbrowser

    from flows.documents.release_index import page_address
    from warehouse.release.latest import PAGE

    store = open_lake(lake)
    named = moves.published(store, version).version if version else require_latest(store).version
    if not store.exists(key := release_key(named, PAGE)):
        raise NothingThere(f"release {named} has no {PAGE}: an older paperlake wrote none")
    typer.echo(page_address(store, named))
    sys.stdout.flush()
    if (path := store.local_path(key)) is not None:  # a browser knows no s3://
        webbrowser.open(path.resolve().as_uri())


def explore(
    lake: LakeUrl = LAKE,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 is any that is free.")] = 0,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is all of them.")] = "127.0.0.1",
    is_opened: Annotated[bool, typer.Option("--browser/--no-browser", help="Whether to open the browser, too.")] = True,
) -> None:
    """Look at the papers of the latest release in a browser. Until Ctrl-C; only on this machine, without --host.

    Example: paperlake explore

    Example: paperlake explore --no-browser --port 8080
    """
    import webbrowser

    from paperlake.explore.server import ReleaseServer

    store = open_lake(lake)
    with ReleaseServer(store, manifest_of(store, require_latest(store)), port, host, follows=True) as server:
        typer.echo(f"release {server.version} is at {server.address} (Ctrl-C ends it)")
        sys.stdout.flush()
        if is_opened:
            webbrowser.open(server.address)
        server.serve_until_stopped()
