"""Commands of the digest: `paperlake digest …`. Each imports what it needs when it runs, and says what is missing."""

import signal
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, Literal

import click

from flows.runtime.environment import utc_now
from flows.runtime.lake import latest_database
from flows.runtime.progress import configure, log
from paperlake.cli.options import Commands, format_option, lake_option, quiet_option, table_or_json
from warehouse.errors import UsageError
from warehouse.printable import screen_width

MOST_AT_ONCE: Final = 100  # requests; more are answered with 503


@click.group(cls=Commands)
def digest() -> None:
    """Send the daily papers by mail, to those who asked for it.

    Example: paperlake digest preview
    """
    from flows.running.mail import require_packages

    require_packages()


@digest.command()
@lake_option
@quiet_option
def send(lake: str, quiet: bool) -> None:
    """Send the letters that are due. Each subscriber has an hour and a time zone.

    Example: paperlake digest send
    """
    from flows.running.how import How
    from flows.running.mail import config_of
    from flows.running.run_statistics import recorded
    from flows.runtime.settings import load
    from paperlake.digest.sending import NOTHING_DUE, is_any_due, send_of_latest

    configure(quiet=quiet)
    config = config_of(load())
    with latest_database(lake) as database:
        is_due = is_any_due(config, database, utc_now())
    if not is_due:
        click.echo(NOTHING_DUE)
        return
    with recorded(lake, "digest"):
        click.echo(How(lake).step("send letters", send_of_latest, lake))


@digest.command()
@lake_option
@click.option("--query", default="", help="Papers that this search finds.")
@click.option("--authors", default="", help="Or papers by one of these: A, B.")
@click.option("--organizations", default="", help="Or papers of one of these: A, B.")
@click.option("--keywords", default="", help="Or papers with one of these: a, b.")
@format_option("text", "html", words="Which part of the letter.")
def preview(
    lake: str, query: str, authors: str, organizations: str, keywords: str, output_format: Literal["text", "html"]
) -> None:
    """Print the letter that a new subscriber would get. It has the newest list.

    Example: paperlake digest preview

    Example: paperlake digest preview --query "kv cache" --format html
    """
    from paperlake.digest.letters import preview_text
    from paperlake.digest.register import wishes_of

    wishes = wishes_of({"query": query, "authors": authors, "organizations": organizations, "keywords": keywords})
    with latest_database(lake) as database:
        click.echo(preview_text(database, wishes, is_html=output_format == "html"), nl=False)


@digest.command()
@click.option("--erase", metavar="ADDRESS", help="Forget this address, and never write to it again.")
@click.option("--allow", metavar="ADDRESS", help="Let this address subscribe again, erased or bounced.")
@table_or_json
def subscribers(erase: str | None, allow: str | None, output_format: Literal["table", "json"]) -> None:
    """List the subscribers, erase one, or allow one again. Their addresses are shown.

    Example: paperlake digest subscribers

    Example: paperlake digest subscribers --erase ada@example.org
    """
    from flows.running.mail import config_of
    from flows.runtime.settings import load
    from paperlake.digest.register import allow_address, erase_address, subscribers_text

    if erase is not None and allow is not None:
        raise UsageError("give --erase or --allow: one of them")
    if erase is None and allow is None:
        click.echo(subscribers_text(load().state.expanduser(), output_format, screen_width(sys.stdout)), nl=False)
        return
    config = config_of(load())
    click.echo(allow_address(config, allow) if allow is not None else erase_address(config, erase or "", utc_now()))


@digest.command()
@lake_option
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option("--port", type=click.IntRange(min=0, max=65535), default=8025, help="Port to listen on.")
@quiet_option
def serve(lake: str, host: str, port: int, quiet: bool) -> None:
    """Serve the pages to subscribe, choose and unsubscribe. It runs until it is stopped.

    Example: paperlake digest serve --port 8025
    """
    from uvicorn import Config, Server

    from flows.running.mail import config_of
    from flows.runtime.settings import load
    from flows.runtime.web_servers import listen
    from paperlake.digest.sending import quiet_database
    from paperlake.digest.web import create_app

    configure(quiet=quiet)
    config = config_of(load())
    app = create_app(config, utc_now, partial(quiet_database, lake))
    with listen(host, port) as listening:
        log.info("pages of %s on http://%s:%d; Ctrl-C ends it", config.url, host, listening.getsockname()[1])
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        # No log of requests: the address of a page holds a signed token
        how = Config(app, access_log=False, log_level="error", server_header=False, limit_concurrency=MOST_AT_ONCE)
        with suppress(KeyboardInterrupt):  # which uvicorn raises again when it has ended in order
            Server(how).run(sockets=[listening])


@digest.command()
@click.argument(
    "files", metavar="[FILE]...", type=Path, nargs=-1, help="Letters that came back; by default standard input."
)
def bounce(files: tuple[Path, ...]) -> None:
    """Read letters that came back. An address that refuses letters for good gets no more.

    Example: paperlake digest bounce ~/Maildir/new/*
    """
    from flows.running.mail import config_of
    from flows.runtime.settings import load
    from paperlake.digest.deliveries import MOST_BYTES, process_bounce
    from paperlake.digest.state import opened

    config, found = config_of(load()), []
    paths: list[Path | None] = [*files] if files else [None]
    with opened(config.folder) as connection:
        for path in paths:
            try:
                letter = read_start(path, MOST_BYTES)
                found.append(process_bounce(connection, letter, config.secret, utc_now()))
            except UsageError as error:
                click.echo(f"{path or 'the letter'} is set aside: {error}", err=True)
    names = ", ".join(repr(one) for one in found if one)
    click.echo(f"{len(found)} read; no more letters to {names or 'nobody else'}")


def read_start(path: Path | None, most: int) -> bytes:
    """The first bytes of a file, or of standard input."""
    if path is None:
        return sys.stdin.buffer.read(most)
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise UsageError(f"cannot read it: {error.strerror}") from error
