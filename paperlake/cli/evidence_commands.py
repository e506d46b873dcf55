"""Commands that make evidence one can hand over, and check it: `evidence`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flows.runtime.environment import utc_now
from flows.runtime.lake import database_of, open_lake
from paperlake.cli.options import Commands, lake_option, say, signed_by_option
from warehouse.errors import Damaged, UsageError
from warehouse.printable import printable
from warehouse.release.latest import manifest_of, require_latest
from warehouse.store.local_files import whole_file

if TYPE_CHECKING:
    from paperlake.evidence.facts import Fact
    from warehouse.release.manifest import Manifest
    from warehouse.release.query import Database
    from warehouse.release.snapshot import Snapshot

paper_argument = click.argument("paper", metavar="PAPER", help="arXiv id, paper_id, address or title.")
day_argument = click.argument("day", metavar="DAY", help="Day of the daily list: 2026-10-01.")
output_option = click.option("-o", "--output", metavar="FILE", type=Path, help="Where; else a name of its own.")
key_option = click.option(
    "--key", "key_file", metavar="FILE", type=Path, help="A private ECDSA key, which signs the package."
)


@contextmanager
def _opened(lake: str) -> Iterator[tuple[Database, Snapshot[Manifest]]]:
    """The latest release, and its database."""
    from warehouse.release.query import opened
    from warehouse.release.snapshot import open_snapshot

    store = open_lake(lake)
    named = require_latest(store)
    with opened(database_of(store, named)) as database, open_snapshot(store, manifest_of(store, named)) as release:
        yield database, release


@click.group(cls=Commands)
def evidence() -> None:
    """Make evidence of a fact, or check it: one WACZ file. It has the captured pages, with a certificate.

    Example: paperlake evidence listing 2604.03274 2026-04-07
    """


@evidence.command("row")
@click.argument("table", help="A table whose rows name the page behind them.")
@click.argument("key", metavar="COLUMN=VALUE…", nargs=-1, required=True, help="The row's key.")
@lake_option
@click.option("--column", multiple=True, help="Only this column; may be repeated.")
@output_option
@key_option
def evidence_row(
    table: str, key: tuple[str, ...], lake: str, column: tuple[str, ...], output: Path | None, key_file: Path | None
) -> None:
    """Make evidence of a row of a table.

    Example: paperlake evidence row papers paper_id=2604.03759 --column title
    """
    from paperlake.evidence.facts import row_fact

    if wrong := [one for one in key if "=" not in one]:
        raise UsageError(f"{wrong[0]!r} is no part of a key; write COLUMN=VALUE")
    named = dict(one.split("=", 1) for one in key)
    _write(lake, lambda database: row_fact(database, table, named, column), output, key_file)


@evidence.command("listing")
@paper_argument
@day_argument
@lake_option
@output_option
@key_option
def evidence_listing(paper: str, day: str, lake: str, output: Path | None, key_file: Path | None) -> None:
    """Make evidence of a paper's place on the list of a day. With its upvotes on the same page.

    Example: paperlake evidence listing 2604.03274 2026-04-07 -o place.wacz
    """
    from paperlake.evidence.facts import listing_fact

    _write(lake, lambda database: listing_fact(database, paper, day), output, key_file)


@evidence.command("count")
@paper_argument
@click.argument("moment", metavar="MOMENT", help="As last seen by then, UTC.")
@lake_option
@output_option
@key_option
def evidence_count(paper: str, moment: str, lake: str, output: Path | None, key_file: Path | None) -> None:
    """Make evidence of the upvotes of a paper at a moment.

    Example: paperlake evidence count 2604.03274 2026-04-08T12:00
    """
    from paperlake.evidence.facts import count_fact

    _write(lake, lambda database: count_fact(database, paper, moment), output, key_file)


@evidence.command("claim")
@paper_argument
@click.argument("position", metavar="POSITION", type=click.IntRange(min=1), help="As `paperlake show paper` has it.")
@lake_option
@output_option
@key_option
def evidence_claim(paper: str, position: int, lake: str, output: Path | None, key_file: Path | None) -> None:
    """Make evidence of the sentence of a claim.

    Example: paperlake evidence claim 2604.03274 1
    """
    from paperlake.evidence.facts import claim_fact

    _write(lake, lambda database: claim_fact(database, paper, position), output, key_file)


@evidence.command("rank")
@paper_argument
@day_argument
@lake_option
@output_option
def evidence_rank(paper: str, day: str, lake: str, output: Path | None) -> None:
    """Write a rank certificate. A few hundred bytes that prove a paper's place on the list of a day.

    Example: paperlake evidence rank 2604.03274 2026-04-07
    """
    from paperlake.answers.one_paper import paper_named
    from paperlake.evidence.facts import rank_certificate
    from paperlake.reading.moments import day_of

    with _opened(lake) as (database, release):
        made = rank_certificate(release, paper_named(database, paper), day_of(day))
    text = json.dumps(made, separators=(",", ":")) + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        with whole_file(output) as part:
            part.write_text(text)


@evidence.command("check")
@click.argument("file", type=Path, help="A WACZ file of `paperlake evidence`, or a rank certificate.")
@signed_by_option
@click.option("--since", metavar="CHECKPOINT", help="What `verify` printed: the log must have it.")
@click.option("--roots", metavar="FILE", type=Path, help="`roots.json` of the release, for a rank certificate.")
def evidence_check(file: Path, signed_by: Path | None, since: str | None, roots: Path | None) -> None:
    """Check evidence, offline and without a lake. Says what it proves and what not; exits with 6 where it is not good.

    Example: paperlake evidence check place.wacz --signed-by signers
    """
    from paperlake.evidence.check_evidence import Anchors, Wrong, check
    from warehouse.release.chain import checkpoint_of

    try:
        signers = signed_by.read_text("utf-8", "replace") if signed_by else None
        anchors = Anchors(signers, checkpoint_of(since) if since else None, roots.read_bytes() if roots else None)
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from error
    try:
        say(str(check(data, anchors)))
    except Wrong as wrong:
        raise Damaged(f"{file} is no good evidence: {wrong}") from wrong


def _write(lake: str, ask: Callable[[Database], Fact], output: Path | None, key_file: Path | None) -> None:
    """Make the evidence of a fact of the latest release, and say what it states."""
    from paperlake.evidence.check_evidence import Wrong, check
    from paperlake.evidence.package import evidence_package

    with _opened(lake) as (database, release):
        fact = ask(database)
        made = evidence_package(database, release, fact, now=utc_now(), key=key_file)
    parts = [fact.table.name, *map(str, fact.key.values())]
    path = output or Path(
        "".join(one if one.isalnum() or one in ".-" else "-" for one in "-".join(parts))[:120] + ".wacz"
    )
    try:
        found = check(made)  # nothing is handed out that a reader would refuse
    except Wrong as wrong:
        raise Damaged(f'release {release.name} and the archive do not fit: {wrong}; run "paperlake verify"') from wrong
    with whole_file(path) as part:
        part.write_bytes(made)
    say(f"{path}: {len(made) / 1e3:,.1f} kB: {printable(found.statement)}")
