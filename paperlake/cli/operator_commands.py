"""Commands of whoever runs a lake: `metrics`, `doctor`, `erase`, `export`, and `captures`, which decides about pages.

Each imports what is heavy when it runs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from flows.runtime.environment import prefect_home, require_extra, utc_now
from flows.runtime.lake import open_lake, sole_writer
from flows.runtime.progress import configure
from paperlake.cli.options import (
    Commands,
    lake_option,
    quiet_option,
    say,
    say_found,
    table_or_json,
    text_or_json,
    why_option,
)
from warehouse.printable import printable, screen_width
from warehouse.release.latest import latest, require_latest
from warehouse.store.local_files import local_files, whole_file
from warehouse.store.opening import open_store

if TYPE_CHECKING:
    from flows.steps.standing import Change


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
        if part.is_file():
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
@why_option("--why", metavar="RULE", required=True, help="By which rule; it is kept for good, so name nobody.")
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
    from flows.runtime.settings import load
    from paperlake.cli.lake_texts import Receipt, dry_run_text, receipt_text
    from warehouse.archive.archive import Archive

    store, settings, wish = open_lake(lake), load(), Wish(who, why, authorship, words)
    machine = Machine(prefect_home(), settings.cache.expanduser(), settings.signing_key)
    if really:
        if latest(store) is None:
            Archive(store).require_any()
        with sole_writer(store, "erase") as held:
            done = carry_out(held, wish, machine)
        receipt = Receipt(store.url, done.record, done.left, done.words)
        say_found(receipt, receipt_text(receipt, words=words, width=screen_width(sys.stdout)), output_format)
        return
    _, _, found = look(store, wish, machine)
    text = dry_run_text(found, words=words, width=screen_width(sys.stdout))
    say_found(found, f"{text}nothing was changed; --really erases, for good\n", output_format)


target_argument = click.argument("target", help="Where the tables go: a folder or s3://bucket/path.")
history_option = click.option(
    "--history", is_flag=True, help="On the first export, every release, not the latest alone."
)


@click.group(cls=Commands)
def export() -> None:
    """Export releases as Iceberg or Delta tables. Spark, Trino, Snowflake and others read them.

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
    from flows.runtime.settings import load

    configure(quiet=quiet)
    require_extra("this export", "iceberg", "pyiceberg")
    from paperlake.export.iceberg_export import export_iceberg, open_target
    from paperlake.export.releases_of import require_no_lake

    settings, store = load(), open_lake(lake)
    require_no_lake(open_store(target, settings.s3_options()), store)
    with open_target(target, catalog, namespace, settings.s3_options(), settings.state.expanduser()) as opened:
        click.echo(export_iceberg(store, opened, history=history))


@export.command()
@target_argument
@history_option
@lake_option
@quiet_option
def delta(target: str, history: bool, lake: str, quiet: bool) -> None:
    """Export as Delta tables. Only what was published since the last export is added; it follows `latest`.

    Example: paperlake export delta ./delta
    """
    from flows.runtime.settings import load

    configure(quiet=quiet)
    require_extra("this export", "delta", "deltalake")
    from paperlake.export.delta_export import export_delta
    from paperlake.export.releases_of import require_no_lake

    options, store = load().s3_options(), open_lake(lake)
    require_no_lake(place := open_store(target, options), store)
    click.echo(export_delta(store, place, options, history=history))


capture_id_argument = click.argument("capture_id", metavar="ID", help="A page, as `paperlake captures` lists it.")
because_option = why_option("--because", metavar="WHY", required=True, help="Why; it is kept with the release.")
NOTHING: Final = "nothing is decided about any page"


@click.group(cls=Commands, invoke_without_command=True)
@click.option(
    "--standing", type=click.Choice(["set_aside", "confirmed", "disowned"]), help="Only those of this standing."
)
@lake_option
@table_or_json
@click.pass_context
def captures(
    context: click.Context,
    standing: Literal["set_aside", "confirmed", "disowned"] | None,
    lake: str,
    output_format: Literal["table", "json"],
) -> None:
    """List the pages that were set aside, confirmed or disowned. With who did so, and why.

    Example: paperlake captures

    Example: paperlake captures confirm 3f9c0b7a5d2e41688c10 --because "renamed"
    """
    if context.invoked_subcommand:
        return
    from flows.steps.standing import last_published
    from paperlake.cli.release_texts import decided_captures, decided_text
    from warehouse.release.snapshot import latest_release

    require_latest(store := open_lake(lake))
    with local_files(store) as files:
        newest = last_published(files, latest_release(files))
    found = decided_captures(store, newest.of, standing) if newest else []
    say_found(found, decided_text(found, screen_width(sys.stdout)) if found else NOTHING, output_format)


@captures.command()
@capture_id_argument
@because_option
@lake_option
@quiet_option
def confirm(capture_id: str, because: str, lake: str, quiet: bool) -> None:
    """Take a page although the gate set it aside. Builds and publishes a release.

    Example: paperlake captures confirm 3f9c0b7a5d2e41688c10 --because "renamed"
    """
    from flows.steps.standing import decided

    _publish(lake, lambda held: decided(held, capture_id, "confirmed", because, utc_now()), quiet=quiet)


@captures.command()
@capture_id_argument
@because_option
@lake_option
@quiet_option
def disown(capture_id: str, because: str, lake: str, quiet: bool) -> None:
    """Take nothing from a page that no guard found false. Builds and publishes a release.

    Example: paperlake captures disown 3f9c0b7a5d2e41688c10 --because "a copy"
    """
    from flows.steps.standing import decided

    _publish(lake, lambda held: decided(held, capture_id, "disowned", because, utc_now()), quiet=quiet)


@captures.command()
@capture_id_argument
@lake_option
@quiet_option
def withdraw(capture_id: str, lake: str, quiet: bool) -> None:
    """Take back what was decided about a page. What was decided before holds again. Builds and publishes a release.

    Example: paperlake captures withdraw 3f9c0b7a5d2e41688c10
    """
    from flows.steps.standing import withdrawn

    _publish(lake, lambda held: withdrawn(held, capture_id), quiet=quiet)


def _publish(lake: str, change: Change, *, quiet: bool) -> None:
    configure(quiet=quiet)
    require_latest(store := open_lake(lake))
    from flows.running.how import How
    from flows.running.run_statistics import recorded
    from flows.steps.build_draft import build_and_publish
    from flows.steps.write_release import summary_line

    with recorded(lake, "captures"), local_files(store) as files:
        say(summary_line(build_and_publish(files, None, How(lake), change)))
