"""Commands of whoever runs a lake: `metrics`, `doctor`, `erase`, `export`. Each imports what is heavy when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from flows.runtime.lake import open_lake, sole_writer
from flows.runtime.progress import configure
from paperlake.cli.options import Commands, lake_option, quiet_option, say, say_found, text_or_json
from warehouse.printable import printable
from warehouse.store.local_files import whole_file
from warehouse.store.opening import open_store


@click.command()
@lake_option
@click.option("--output", "-o", metavar="FILE", type=Path, help="Write it there, whole at once.")
def metrics(lake: str, output: Path | None) -> None:
    """Print metrics of the lake and of runs on it, as OpenMetrics. Runs are those of this machine.

    Example: paperlake metrics

    Example: paperlake metrics --output /var/lib/node_exporter/paperlake.prom
    """
    from flows.hub.fetch import CLOCK
    from flows.runtime.settings import load
    from flows.watch.metrics import metrics_text

    text = metrics_text(lake, load().scope(), CLOCK)
    if output is None:
        click.echo(text, nl=False)
        return
    with whole_file(output) as part:  # the exporter reads *.prom only
        part.write_bytes(text)
        part.chmod(0o644)  # the exporter is another user


@click.command()
@lake_option
@click.option("--hub", "asks_hub", is_flag=True, help="Ask the Hub for its robots.txt too, one call.")
def doctor(lake: str, asks_hub: bool) -> None:
    """Check that a lake can run here, and say what to do. Conditional writes are tried on the store.

    Example: paperlake doctor

    Example: paperlake doctor --hub --lake s3://bucket/lake
    """
    from flows.hub.fetch import CLOCK
    from flows.runtime.settings import load
    from flows.watch.checkup import check_up

    code = 0
    for finding in check_up(lake, load(), CLOCK, asks_hub=asks_hub):
        say(printable(str(finding)))
        code = code or finding.code
    if code:
        raise click.exceptions.Exit(code)


@click.command()
@click.argument("who", metavar="LOGIN|NAME", help="A login of the Hub, or a submitter's name.")
@click.option("--why", metavar="RULE", required=True, help="By which rule; it is kept for good, so name nobody.")
@lake_option
@click.option("--authorship", is_flag=True, help="Their name as an author on papers, too.")
@click.option("--words", is_flag=True, help="The login as a word in titles and abstracts, too.")
@click.option("--really", is_flag=True, help="Erase; without it, what would be erased is only listed.")
@text_or_json
def erase(
    who: str, why: str, lake: str, authorship: bool, words: bool, really: bool, output_format: Literal["text", "json"]
) -> None:
    """Erase a person from raw and every release, for good. Counts stay. Without --really nothing is changed.

    Example: paperlake erase some-login --why "GDPR art. 17" --really
    """
    from flows.people.erase import Machine, Wish, look
    from flows.people.erase import erase as carry_out
    from flows.runtime.environment import prefect_home
    from flows.runtime.settings import load
    from paperlake.texts.lake_texts import Receipt, dry_run_text, receipt_text
    from warehouse.archive.archive import Archive
    from warehouse.release.latest import latest

    store, settings, wish = open_lake(lake), load(), Wish(who, why, authorship, words)
    machine = Machine(prefect_home(), settings.cache.expanduser(), settings.signing_key)
    if really:
        if latest(store) is None:
            Archive(store).require_any()
        with sole_writer(store, "erase") as held:
            done = carry_out(held, wish, machine)
        receipt = Receipt(store.url, done.record, done.left, done.words)
        say_found(receipt, receipt_text(receipt), output_format)
        return
    _, _, found = look(store, wish, machine)
    text = dry_run_text(found) + "nothing was changed; --really erases, for good\n"
    say_found(found, text, output_format)


target_argument = click.argument("target", help="Where the tables go: a folder or s3://bucket/path.")
history_option = click.option(
    "--history", is_flag=True, help="On the first export, every release, not the latest alone."
)


@click.group(cls=Commands)
def export() -> None:
    """Export releases as Iceberg tables. Spark, Trino, Snowflake and others read them.

    Example: paperlake export iceberg ./warehouse
    """


@export.command()
@target_argument
@click.option("--catalog", metavar="URL", help="SQL catalog, as SQLAlchemy names it; else a file.")
@click.option("--namespace", default="paperlake", help="Namespace of the tables.")
@history_option
@lake_option
@quiet_option
def iceberg(target: str, catalog: str | None, namespace: str, history: bool, lake: str, quiet: bool) -> None:
    """Export as Iceberg tables. Only what was published since the last export is added; it follows `latest`.

    Example: paperlake export iceberg ./warehouse

    Example: paperlake export iceberg s3://bucket/warehouse --history
    """
    from flows.runtime.environment import require_extra
    from flows.runtime.settings import load

    configure(quiet=quiet)
    require_extra("this export", "iceberg", "pyiceberg")
    from paperlake.export.iceberg_export import export_iceberg, open_target

    settings = load()
    with open_target(target, catalog, namespace, settings.s3_options(), settings.state.expanduser()) as opened:
        click.echo(export_iceberg(open_lake(lake), opened, history=history))


@export.command()
@target_argument
@history_option
@lake_option
@quiet_option
def delta(target: str, history: bool, lake: str, quiet: bool) -> None:
    """Export as Delta tables. Only what was published since the last export is added; it follows `latest`.

    Example: paperlake export delta ./delta
    """
    from flows.runtime.environment import require_extra
    from flows.runtime.settings import load

    configure(quiet=quiet)
    require_extra("this export", "delta", "deltalake")
    from paperlake.export.delta_export import export_delta

    options = load().s3_options()
    click.echo(export_delta(open_lake(lake), open_store(target, options), options, history=history))
