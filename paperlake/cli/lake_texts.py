"""Texts for the operator of a lake, 80 columns wide: its status, an erasure's dry run and its receipt.

The last two are JSON as well, and neither names the person.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final

from msgspec import Struct

from flows.people.whereabouts import Found
from flows.watch.status import LastList, Status
from paperlake.sql.drawing import aligned
from transforms.core.coverage import Gap
from warehouse.archive.captured import shown
from warehouse.printable import counted
from warehouse.release.latest import Erasure
from warehouse.schema.daily_lists import in_words, outcome_text

WIDTH: Final = 80
LABEL: Final = 13  # two spaces behind the longest, by which a terminal knows it (`broken`)
GAPS_SHOWN: Final = 10
UNITS: Final = (("day", timedelta(days=1)), ("hour", timedelta(hours=1)), ("minute", timedelta(minutes=1)))
MORE: Final = "paperlake sql \"FROM coverage WHERE is_expected AND state <> 'complete'\""


def status_text(status: Status, now: datetime) -> str:
    """Some lines about the lake, and a table of its longest gaps."""
    release, unreleased = status.release, status.unreleased_capture_count
    lines = {
        "lake": shown(status.lake, WIDTH - LABEL),
        "release": f"{release.version}: {counted(release.paper_count, 'paper')} from "
        f"{counted(release.capture_count, 'captured page')}, {release.bytes / 1e6:,.1f} MB",
        "lake holds": f"{counted(status.held.release_count, 'release')}, {status.held.release_bytes / 1e6:,.1f} MB; "
        f"captured pages, {status.held.capture_bytes / 1e6:,.1f} MB",
        "newest list": _newest_list(status.last_list, now),
        "daily lists": f"{sum(status.days.values()):,} expected until {status.last_covered_on or 'now'}\n{'':<{LABEL}}"
        + in_words(status.days),
        "since then": f"{status.later_day_count:,} expected until {status.last_closed_on}, none in the release",
        "unreleased": f'{counted(unreleased, "capture")}; "paperlake build" reads them' if unreleased else "nothing",
        "due": f"{status.due.count:,} to fetch now" if status.due.count else "nothing now",
    }
    if release.set_aside_count:
        lines["set aside"] = f'{counted(release.set_aside_count, "page")}; "paperlake captures" says why'
    if not status.later_day_count:
        del lines["since then"]
    if next_at := status.due.next_at:
        lines["due"] += f"; next at {next_at:%Y-%m-%d %H:%M} UTC, in {span(next_at - now)}"
    labelled = [f"{name:<{LABEL}}{line}" for name, line in lines.items()]
    return "\n".join([*labelled, "", *_gaps(status.gaps, status.last_closed_on)]) + "\n"


def span(length: timedelta) -> str:
    """A length of time in words, in its largest unit.

    >>> span(timedelta(hours=47)), span(timedelta(minutes=1)), span(timedelta(seconds=59))
    ('1 day', '1 minute', 'less than a minute')
    """
    for name, unit in UNITS:
        if length >= unit:
            return counted(length // unit, name)
    return "less than a minute"


def _newest_list(last: LastList | None, now: datetime) -> str:
    if last is None:
        return "none with papers"
    if last.fetched_at is None:
        fetched = "at an unknown time"
    elif last.fetched_at > now:
        fetched = "in the future: a clock is wrong"
    else:
        fetched = f"{span(now - last.fetched_at)} ago"
    line = f"{last.listed_on:%Y-%m-%d %a}: {counted(last.paper_count, 'paper')}, fetched {fetched}"
    if last.reason is None:
        return f"{line}, {outcome_text(last.state, None)}"
    return f"{line}\n{'':<{LABEL}}{shown(outcome_text(last.state, last.reason), WIDTH - LABEL)}"


def _gaps(gaps: tuple[Gap, ...], until: date) -> Iterator[str]:
    if not gaps:
        yield "no gaps: every expected list is there"
        return
    yield f"{counted(len(gaps), 'gap')} until {until}, the longest first"
    width = max(len(counted(gap.day_count, "day")) for gap in gaps[:GAPS_SHOWN])
    for gap in gaps[:GAPS_SHOWN]:
        dates = f"{gap.first_on}" if gap.first_on == gap.last_on else f"{gap.first_on} \N{EN DASH} {gap.last_on}"
        days = counted(gap.day_count, "day")
        yield shown(f"{dates:<23}  {days:>{width}}  {outcome_text(gap.state, gap.reason)}", WIDTH)
    if len(gaps) > GAPS_SHOWN:
        yield f"and {len(gaps) - GAPS_SHOWN:,} more:\n  {MORE}"


HEAD = ("where", "what", "count")
CHECKS = ("paperlake verify --raw", "paperlake verify --all")


class Receipt(Struct, frozen=True):
    """A receipt: what was done, and how anybody can check it."""

    lake: str
    erasure: Erasure | None
    left: tuple[str, ...]
    words_kept: int
    checks: tuple[str, ...] = CHECKS
    not_reached: tuple[str, ...] = (
        "copies of this lake that were made before: erase there too, or replace them by a new copy",
        "mail that subscribers got, and files that others downloaded",
        "pictures that show the name, and other spellings of it, as `A. Weaver`: they were not looked for",
    )


def dry_run_text(found: Found, *, words: bool, width: int | None = None) -> str:
    """A table of what would be erased, from prose too where `words` go."""
    rows = [HEAD, *places_rows(found)]
    logins = ", ".join(shown(login) for login in found.logins)
    more = f"by its id the account has the logins {logins}: all go\n" if len(found.logins) > 1 else ""
    return aligned(rows, [2], width) + more + _words(found.words, words=words)


def places_rows(found: Found) -> Iterator[tuple[str, str, str]]:
    """Rows of that table: where, what, and how many."""
    for warc in found.warcs:
        yield f"raw/warc/{warc.filename}", "records", f"{warc.record_count:,}"
        if warc.moved_count:
            yield f"raw/warc/{warc.filename}", "records that move with them", f"{warc.moved_count:,}"
    for version, places in found.releases:
        if places.keys:
            yield f"releases/{version}", "files", f"{len(places.keys):,}"
        for cell in places.cells:
            yield f"releases/{version}", f"rows, {cell.table}.{cell.column}", f"{cell.row_count:,}"
    yield from ((key, "record", "1") for key in found.texts)
    others = {"drafts": found.drafts, "journal": range(found.journal_count), "Prefect": range(found.prefect_rows)}
    what = {"drafts": "files, all of them", "journal": "files, to be landed first", "Prefect": "values"}
    yield from ((where, what[where], f"{len(things):,}") for where, things in others.items() if len(things))


def _words(count: int, *, words: bool) -> str:
    prose, hint = ("", "") if words else (" in prose or", " (--words: it goes from prose)")
    where = f"as a word,{prose} in a printed name, and stays there{hint}"
    return f"the login also stands {counted(count, 'time')} {where}\n" if count else ""


def receipt_text(receipt: Receipt, *, words: bool, width: int | None = None) -> str:
    """The receipt in sentences; `words` went from prose too, or did not."""
    done = receipt.erasure
    lines = [f"A person was erased from {receipt.lake}."]
    if done:
        rows = [("release", "table", "column", "rows")]
        rows += [(cell.version, cell.table, cell.column, f"{cell.row_count:,}") for cell in done.cells]
        lines += [
            f"when: {done.erased_at}, under: {done.why}, record: log/erasures/{done.name}.json",
            f"WARC files written anew: {done.warc_count:,}, records: {done.record_count:,}",
            f"files of releases written anew: {done.file_count:,}",
            aligned(rows, [3], width).rstrip("\n"),
        ]
    lines += [_words(receipt.words_kept, words=words).rstrip("\n")] if receipt.words_kept else []
    lists = {"left to do": receipt.left, "not reached": receipt.not_reached, "how to check": receipt.checks}
    lines += [f"{head}: {item}" for head, items in lists.items() for item in items]
    return "\n".join(lines) + "\n"
