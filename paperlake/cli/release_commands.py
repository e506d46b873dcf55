"""Commands on releases: list, compare, go back, drop. What is heavy is imported when a command runs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Final, Literal

import click

from flows.runtime.environment import utc_now
from flows.runtime.lake import open_lake, sole_writer, warn_of_retraction
from paperlake.cli.options import lake_option, say, say_found, table_or_json, text_or_json, why_option
from warehouse.errors import Damaged, NothingThere, UsageError
from warehouse.people.ledger import Ledger
from warehouse.printable import printable, screen_width
from warehouse.release import moves
from warehouse.release.latest import PAGE, manifest_of, release_key, require_latest
from warehouse.store.store import Store

LISTED: Final = "A release, as `paperlake releases` lists it."
version_argument = click.argument("version", metavar="VERSION", help=LISTED)
kept = partial(
    click.option,
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    help="The last release of each of so many stays.",
)


@click.command()
@lake_option
@table_or_json
def releases(lake: str, output_format: Literal["table", "json"]) -> None:
    """List the releases. When published, what they hold, what the gate found, which one is the latest.

    Example: paperlake releases --format json
    """
    from flows.documents.release_index import summaries
    from paperlake.cli.release_texts import summaries_text

    found = summaries(open_lake(lake))
    say_found(found, summaries_text(found, screen_width(sys.stdout)), output_format)


@click.command()
@click.argument("before", metavar="[OLD]", required=False, help=LISTED)
@click.argument("after", metavar="[NEW]", required=False, help=LISTED)
@lake_option
@text_or_json
@click.option("--keys", metavar="FILE", type=Path, help="Parquet file for every key that changed, and how.")
@click.option("--all-columns", is_flag=True, help="Compare bookkeeping too: when, where and how often it was seen.")
@click.option("--why", is_flag=True, help="Show the cause of each difference, those of marts too.")
def diff(
    before: str | None,
    after: str | None,
    lake: str,
    output_format: Literal["text", "json"],
    keys: Path | None,
    all_columns: bool,
    why: bool,
) -> None:
    """Compare two releases, by default the last two. By rows, columns, shares of nulls and ranges.

    Example: paperlake diff

    Example: paperlake diff --why

    Example: paperlake diff 2026.11.20.1 2026.11.21.1 --keys changed.parquet
    """
    from paperlake.cli.release_texts import diff_text, two_releases
    from warehouse.changes.diff import diff as compare
    from warehouse.changes.explain import diff_with_causes

    if why and all_columns:
        raise UsageError("--why leaves out bookkeeping columns; leave out --all-columns, or run diff twice")
    chosen = two_releases(store := open_lake(lake), before, after)
    found = diff_with_causes(store, *chosen, keys) if why else compare(store, *chosen, keys, all_columns=all_columns)
    say_found(found, diff_text(found, screen_width(sys.stdout)), output_format)


@click.command()
@click.argument("version", metavar="VERSION", help="The release to go to: an older one, or forward again.")
@why_option("--why", metavar="REASON", default="rolled back", help="Why; it is kept with the move.")
@lake_option
@click.option("--retracted", is_flag=True, help="Even to one that was retracted.")
def rollback(version: str, why: str, lake: str, retracted: bool) -> None:
    """Make another release the latest. Nothing else changes, the move is kept, and the same command undoes it.

    Example: paperlake rollback 2026.11.20.1 --why "stars of the 21st are wrong"
    """
    from warehouse.release.write import faults

    with _moving(lake, "rollback", why) as (store, sign):
        if wrong := faults(store, moves.published(store, version)):
            raise Damaged("\n".join([f"release {version} is not sound, latest was not moved:", *wrong]))
        moved = moves.go_to(store, version, at=utc_now(), why=why, even_retracted=retracted, sign=sign)
    say(f"latest is {moved.version} (move {moved.number}: {printable(moved.why)})")


@contextmanager
def _moving(lake: str, command: str, why: str) -> Iterator[tuple[Store, moves.Sign | None]]:
    """The lake for a move, and what signs it; in the end pages lead to the latest release."""
    from flows.documents.release_index import lead_to_latest
    from flows.steps.signing import own_signer

    require_latest(store := open_lake(lake))
    with sole_writer(store, command) as held:
        Ledger(held).require_unnamed([why])
        yield held, own_signer()
        lead_to_latest(held)


@click.command()
@version_argument
@why_option("--why", metavar="REASON", required=True, help="Why; it is shown to whoever opens the release.")
@click.option("--affected", metavar="TABLE[:KEY]", multiple=True, help="Which part is wrong; by default all.")
@lake_option
@click.option("--undo", is_flag=True, help="Take it back; which release is the latest stays.")
def retract(version: str, why: str, affected: tuple[str, ...], lake: str, undo: bool) -> None:
    """Say that a release is wrong. Its files stay, readers get the one before, and later releases list it.

    Example: paperlake retract 2026.11.21.1 --why "bad stars" --affected papers
    """
    from warehouse.schema.catalog import DECLARED

    for part in affected:
        if part.partition(":")[0] not in DECLARED:
            raise UsageError(f'--affected {part} names no table; "paperlake tables" lists them')
    with _moving(lake, "retract", why) as (store, sign):
        if undo:
            moved = moves.restore(store, version, at=utc_now(), why=why, sign=sign)
        else:
            moved = moves.retract(store, version, at=utc_now(), why=why, affected=affected, sign=sign)
    say(f"latest is {moved.version} (move {moved.number}: {printable(moved.why)})")


@click.command()
@version_argument
@why_option("--why", metavar="REASON", required=True, help="Why; it is kept with the move.")
@lake_option
def keep(version: str, why: str, lake: str) -> None:
    """Keep a release for five years. No rule of `retain` drops it, and it cannot be undone.

    Example: paperlake keep 2026.11.21.1 --why "our figures are of it"
    """
    with _moving(lake, "keep", why) as (store, sign):
        moved = moves.keep(store, version, at=utc_now(), why=why, sign=sign)
    say(f"release {version} is kept until {moved.kept[-1].kept_until} (move {moved.number})")


@click.command()
@click.option("--keep-last", metavar="N", type=click.IntRange(min=1), help="How many of the newest releases stay.")
@kept("--keep-days")
@kept("--keep-weeks")
@kept("--keep-months")
@kept("--keep-quarters")
@lake_option
@click.option("--apply", is_flag=True, help="Really drop them; without it they are only listed.")
def retain(
    keep_last: int | None, keep_days: int, keep_weeks: int, keep_months: int, keep_quarters: int, lake: str, apply: bool
) -> None:
    """Drop old releases by a rule, on record. Never the latest, none that is kept long-term or could not be rebuilt.

    Without a rule it is that of PAPERLAKE_KEEP, by which `serve` and a work pool drop releases every day.

    Example: paperlake retain --keep-last 30 --keep-months 24
    """
    from flows.runtime.settings import load
    from flows.steps.drop_releases import retain as drop
    from flows.steps.signing import own_signer
    from paperlake.cli.release_texts import retained_text
    from warehouse.inventory.keep_rule import KeepRule

    given = (keep_last or 1, keep_days, keep_weeks, keep_months, keep_quarters)
    rule = KeepRule(*given) if keep_last or any(given[1:]) else load().keep
    if rule is None:
        raise UsageError("say which releases stay: --keep-last 30, or for every day PAPERLAKE_KEEP=30d,26w,20q")
    require_latest(store := open_lake(lake))
    with sole_writer(store, "retain") if apply else nullcontext(store) as store:
        sign = own_signer() if apply else None
        say(retained_text(drop(store, rule, apply=apply, at=utc_now(), sign=sign)))


@click.command()
@click.argument("version", required=False, help="A release; the latest by default.")
@lake_option
def open(version: str | None, lake: str) -> None:  # noqa: A001 - as the command is called
    """Open the page of a release in a browser. Where it is, is printed too.

    Example: paperlake open
    """
    import webbrowser

    from flows.documents.release_index import page_address

    store = open_lake(lake)
    latest = require_latest(store)
    named = moves.published(store, version).version if version else latest.version
    if not store.exists(key := release_key(named, PAGE)):
        raise NothingThere(f"release {named} has no {PAGE}: an older paperlake wrote none")
    warn_of_retraction(latest, named)  # which a page that is opened as a file does not say
    click.echo(page_address(store, named))
    sys.stdout.flush()
    if (path := store.local_path(key)) is not None:  # a browser knows no s3://
        webbrowser.open(path.resolve().as_uri())


@click.command()
@lake_option
@click.option(
    "--port", type=click.IntRange(min=0, max=65535), default=0, help="Port to listen on; 0 is any that is free."
)
@click.option("--host", default="127.0.0.1", help="Address to listen on; 0.0.0.0 is all of them.")
@click.option("--browser/--no-browser", "is_opened", default=True, help="Whether to open the browser, too.")
def explore(lake: str, port: int, host: str, is_opened: bool) -> None:
    """Look at the papers of the latest release in a browser. Until Ctrl-C; only on this machine, without --host.

    Example: paperlake explore

    Example: paperlake explore --no-browser --port 8080
    """
    import webbrowser

    from paperlake.explore import ReleaseServer

    store = open_lake(lake)
    with ReleaseServer(store, manifest_of(store, require_latest(store)), port, host, follows=True) as server:
        click.echo(f"release {server.version} is at {server.address} (Ctrl-C ends it)")
        sys.stdout.flush()
        if is_opened:
            webbrowser.open(server.address)
        server.serve_until_stopped()
