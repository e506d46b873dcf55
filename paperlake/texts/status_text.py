"""A lake's status in words, for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final

from flows.watch.status import LastList, Status
from transforms.core.coverage import Gap
from warehouse.archive.captured import shown
from warehouse.printable import counted
from warehouse.schema.list_outcomes import in_words, told

WIDTH: Final = 80
LABEL: Final = 12
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

    >>> span(timedelta(hours=47)), span(timedelta(seconds=59))
    ('1 day', 'less than a minute')
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
        return f"{line}, {told(last.state, None)}"
    return f"{line}\n{'':<{LABEL}}{shown(told(last.state, last.reason), WIDTH - LABEL)}"


def _gaps(gaps: tuple[Gap, ...], until: date) -> Iterator[str]:
    if not gaps:
        yield "no gaps: every expected list is there"
        return
    yield f"{counted(len(gaps), 'gap')} until {until}, the longest first"
    width = max(len(counted(gap.day_count, "day")) for gap in gaps[:GAPS_SHOWN])
    for gap in gaps[:GAPS_SHOWN]:
        dates = f"{gap.first_on}" if gap.first_on == gap.last_on else f"{gap.first_on} \N{EN DASH} {gap.last_on}"
        days = counted(gap.day_count, "day")
        yield shown(f"{dates:<23}  {days:>{width}}  {told(gap.state, gap.reason)}", WIDTH)
    if len(gaps) > GAPS_SHOWN:
        yield f"and {len(gaps) - GAPS_SHOWN:,} more:\n  {MORE}"
