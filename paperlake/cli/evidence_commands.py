"""Commands that make evidence one can hand over, and check it: `evidence`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.runtime.lake import database_of, open_lake
from flows.runtime.now import utc_now
from flows.runtime.variables import LAKE
from paperlake.cli.options import LakeUrl, SignedBy, require_command, say
from warehouse.errors import Damaged, UsageError
from warehouse.printable import printable
from warehouse.release.latest import require_latest
from warehouse.store.local_files import whole_file

if TYPE_CHECKING:
    from paperlake.evidence.facts import Fact
    from warehouse.release.query import Database

evidence = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
PaperNamed = Annotated[str, typer.Argument(metavar="PAPER", help="arXiv id, paper_id, address or title.")]
ListDay = Annotated[str, typer.Argument(metavar="DAY", help="Day of the daily list: 2026-10-01.")]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Where; else a name of its own.", show_default=False),
]
KeyFile = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="A private ECDSA key, which signs the package.", show_default=False),
]


@evidence.callback()
def evidence_of_facts(context: typer.Context) -> None:
    """Make evidence of a fact, or check it: the captured pages behind it, with a certificate, in one WACZ file.

    Example: paperlake evidence listing 2604.03274 2026-04-07
    """
    require_command(context)


@evidence.command("row")
def evidence_row(
    table: Annotated[str, typer.Argument(help="A table whose rows name the page behind them.")],
    key: Annotated[list[str], typer.Argument(metavar="COLUMN=VALUE…", help="The row's key.")],
    lake: LakeUrl = LAKE,
    column: Annotated[
        list[str] | None, typer.Option("--column", help="Only this column; may be repeated.", show_default=False)
    ] = None,
    output: Output = None,
    key_file: KeyFile = None,
) -> None:
    """Make evidence of a row of a table.

    Example: paperlake evidence row papers paper_id=2604.03759 --column title
    """
    from paperlake.evidence.facts import row_fact

    if wrong := [one for one in key if "=" not in one]:
        raise UsageError(f"{wrong[0]!r} is no part of a key; write COLUMN=VALUE")
    named = dict(one.split("=", 1) for one in key)
    _write(lake, lambda database: row_fact(database, table, named, column or ()), output, key_file)


@evidence.command("listing")
def evidence_listing(
    paper: PaperNamed, day: ListDay, lake: LakeUrl = LAKE, output: Output = None, key: KeyFile = None
) -> None:
    """Make evidence of a paper's place on the list of a day. With its upvotes on the same page.

    Example: paperlake evidence listing 2604.03274 2026-04-07 -o place.wacz
    """
    from paperlake.evidence.facts import listing_fact

    _write(lake, lambda database: listing_fact(database, paper, day), output, key)


@evidence.command("count")
def evidence_count(
    paper: PaperNamed,
    moment: Annotated[str, typer.Argument(metavar="MOMENT", help="As last seen by then, UTC.")],
    lake: LakeUrl = LAKE,
    output: Output = None,
    key: KeyFile = None,
) -> None:
    """Make evidence of the upvotes of a paper at a moment.

    Example: paperlake evidence count 2604.03274 2026-04-08T12:00
    """
    from paperlake.evidence.facts import count_fact

    _write(lake, lambda database: count_fact(database, paper, moment), output, key)


@evidence.command("claim")
def evidence_claim(
    paper: PaperNamed,
    position: Annotated[int, typer.Argument(metavar="POSITION", min=1, help="As `paperlake show paper` has it.")],
    lake: LakeUrl = LAKE,
    output: Output = None,
    key: KeyFile = None,
) -> None:
    """Make evidence of the sentence of a claim.

    Example: paperlake evidence claim 2604.03274 1
    """
    from paperlake.evidence.facts import claim_fact

    _write(lake, lambda database: claim_fact(database, paper, position), output, key)


@evidence.command("rank")
def evidence_rank(paper: PaperNamed, day: ListDay, lake: LakeUrl = LAKE, output: Output = None) -> None:
    """Write a rank certificate. A few hundred bytes that prove a paper's place on the list of a day.

    Example: paperlake evidence rank 2604.03274 2026-04-07
    """
    from datetime import date

    from paperlake.answers.one_paper import paper_named
    from paperlake.evidence.proofs import rank_certificate
    from warehouse.release.latest import manifest_of
    from warehouse.release.query import opened
    from warehouse.release.snapshot import open_snapshot

    store = open_lake(lake)
    named = require_latest(store)
    with opened(database_of(store, named)) as database, open_snapshot(store, manifest_of(store, named)) as release:
        try:
            made = rank_certificate(release, paper_named(database, paper), date.fromisoformat(day))
        except ValueError as error:
            raise UsageError(f"{day!r} is no day; write 2026-10-01") from error
    text = json.dumps(made, separators=(",", ":")) + "\n"
    if output is None:
        typer.echo(text, nl=False)
    else:
        _put(output, text.encode())


@evidence.command("check")
def evidence_check(
    file: Annotated[Path, typer.Argument(help="A WACZ file of `paperlake evidence`, or a rank certificate.")],
    signed_by: SignedBy = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="CHECKPOINT", help="What `verify` printed: the log must have it.", show_default=False),
    ] = None,
    roots: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="`roots.json` of the release, for a rank certificate.", show_default=False),
    ] = None,
) -> None:
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


def _write(lake: str, ask: Callable[[Database], Fact], output: Path | None, key: Path | None) -> None:
    """Make the evidence of a fact of the latest release, and say what it states."""
    from paperlake.evidence.check_evidence import Wrong, check
    from paperlake.evidence.package import evidence_package
    from warehouse.release.latest import manifest_of
    from warehouse.release.query import opened
    from warehouse.release.snapshot import open_snapshot

    store = open_lake(lake)
    named = require_latest(store)
    with opened(database_of(store, named)) as database, open_snapshot(store, manifest_of(store, named)) as release:
        fact = ask(database)
        made = evidence_package(database, release, fact, now=utc_now(), key=key)
    parts = [fact.table.name, *map(str, fact.key.values())]
    path = output or Path(
        "".join(one if one.isalnum() or one in ".-" else "-" for one in "-".join(parts))[:120] + ".wacz"
    )
    try:
        found = check(made)  # nothing is handed out that a reader would refuse
    except Wrong as wrong:
        raise Damaged(f'release {named.version} and the archive do not fit: {wrong}; run "paperlake verify"') from wrong
    _put(path, made)
    say(f"{path}: {len(made) / 1e3:,.1f} kB: {printable(found.statement)}")


def _put(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    try:
        with whole_file(path) as part:
            part.write_bytes(data)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}; name another place with -o") from error
