"""`paperlake erase`: erase a person from a lake. Imports what it needs when it runs."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from flows.runtime.variables import LAKE
from paperlake.cli.options import Lake


def erase(
    who: Annotated[str, typer.Argument(metavar="LOGIN|NAME", help="A login of the Hub, or a submitter's name.")],
    why: Annotated[str, typer.Option(metavar="RULE", help="By which rule; it is kept for good, so name nobody.")],
    lake: Lake = LAKE,
    authorship: Annotated[bool, typer.Option("--authorship", help="Their name as an author on papers, too.")] = False,
    words: Annotated[bool, typer.Option("--words", help="The login as a word in titles and abstracts, too.")] = False,
    really: Annotated[
        bool, typer.Option("--really", help="Erase; without it, what would be erased is only listed.")
    ] = False,
    output_format: Annotated[
        Literal["text", "json"], typer.Option("--format", "-f", help="For a person or a script.")
    ] = "text",
) -> None:
    """Erase a person from raw and every release, for good. Counts stay. Without --really nothing is changed.

    Example: paperlake erase some-login --why "GDPR art. 17" --really
    """
    from flows.people.erase import Machine, Wish, look
    from flows.people.erase import erase as carry_out
    from flows.runtime.environment import prefect_home
    from flows.runtime.lake import open_lake
    from flows.runtime.settings import load
    from paperlake.texts.receipt import Receipt, dry_run_text, receipt_text
    from warehouse.release.manifest import encode

    store, settings, wish = open_lake(lake), load(), Wish(who, why, authorship, words)
    machine = Machine(prefect_home(), settings.cache.expanduser(), settings.signing_key)
    if really:
        done = carry_out(store, wish, machine)
        receipt = Receipt(store.url, done.record, done.left, done.words)
        typer.echo(receipt_text(receipt) if output_format == "text" else encode(receipt), nl=False)
        return
    _, _, found = look(store, wish, machine)
    text = dry_run_text(found) + "nothing was changed; --really erases, for good\n"
    typer.echo(text if output_format == "text" else encode(found), nl=False)
