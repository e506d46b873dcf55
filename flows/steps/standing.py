"""Decisions about captured pages, so that one false page does not close the gate: see docs/guards.md."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from expectations.report import CheckResult, PageFault, Report
from flows.documents.release_index import release_index
from flows.runtime.progress import log
from transforms.readers.reading import Reject
from warehouse.errors import Damaged, NothingThere
from warehouse.printable import to_the_second
from warehouse.release.latest import manifest_of, require_latest
from warehouse.release.manifest import Decision, Decisions, Manifest, Parent
from warehouse.release.snapshot import Snapshot
from warehouse.store.local_files import LocalFiles

Times: TypeAlias = Mapping[str, datetime | None]  # when each page was fetched
Change: TypeAlias = Callable[[Decisions], Decisions]  # of what is decided
Standing: TypeAlias = Literal["confirmed", "disowned"]  # that a person gives a page
LATER: Final = "a later look says otherwise: {}"


def last_published(files: LocalFiles, release: Snapshot[Manifest] | None) -> Snapshot[Manifest] | None:
    """The release that was published last, given the latest one, which is another after a rollback.

    It has what persons decided, about pages and by corrections: that is about the lake, and outlives a rollback.
    """
    for one in reversed(release_index(files.store, require_latest(files.store)).releases if release else ()):
        if release and one.version == release.name:
            break
        try:
            if one.dropped_at is None:
                return Snapshot(manifest_of(files.store, Parent(one.version, one.manifest_sha256)), files)
        except (Damaged, NothingThere) as error:
            log.warning("what was decided in release %s is not known: %s", one.version, error)
    return release


def decided_otherwise(before: Decisions, now: Decisions) -> frozenset[str]:
    """The pages that are read in another way under the second decisions."""
    kept, wanted = ({one.capture_id: reason_of(one) for one in some if one.is_aside} for some in (before, now))
    return frozenset(one for one in {**kept, **wanted} if kept.get(one) != wanted.get(one))


def reason_of(decision: Decision) -> Reject:
    """The reason in quarantine for each item of a page that is set aside."""
    return Reject(rule=decision.rule or decision.standing, detail=decision.why)


def judged(report: Report, held: Decisions, times: Times, now: datetime, accepted: str | None) -> Decisions | None:
    """The decisions after a gate that found these pages at fault; None where it found none.

    With an `accepted` reason the pages are confirmed. Else each is set aside, or what it contradicts; and pages that
    were set aside against one that goes now are judged again.
    """
    faults = [(one, fault) for one in report.failed for fault in one.faults or ()]
    if not faults:
        return None
    since = to_the_second(now)
    if accepted is not None:
        asides = (Decision(page.capture_id, "set_aside", one.meaning, since, one.name) for one, page in faults)
        found = [replace(one, standing="confirmed", why=accepted, before=one) for one in asides]
    else:
        found = _set_aside(faults, held, times, since)
    gone = {one.capture_id for one in found}
    kept = [one for one in held if one.capture_id not in gone and one.against not in gone]
    return in_order({one.capture_id: one for one in (*kept, *reversed(found))}.values())


def decided(held: Decisions, page: str, standing: Standing, why: str, now: datetime) -> Decisions:
    """The decisions, once a person has decided about a page."""
    before = next((one for one in held if one.capture_id == page), None)
    of_gate = before if before and before.standing == "set_aside" else None
    rule, against = (of_gate.rule, of_gate.against) if of_gate else ("", "")
    made = Decision(page, standing, why, to_the_second(now), rule, against, before)
    return in_order([*(one for one in held if one.capture_id != page), made])


def withdrawn(held: Decisions, page: str) -> Decisions:
    """The decisions, once what was decided about a page is taken back; NothingThere where nothing was."""
    before = [one.before for one in held if one.capture_id == page]
    if not before:
        raise NothingThere(f'nothing is decided about page {page}; "paperlake captures" lists the decisions')
    others = (one for one in held if one.capture_id != page)
    return in_order([*others, *(one for one in before if one)])


def in_order(decisions: Iterable[Decision]) -> Decisions:
    return tuple(sorted(decisions, key=lambda one: one.capture_id))


def _set_aside(
    faults: list[tuple[CheckResult, PageFault]], held: Decisions, times: Times, since: str
) -> list[Decision]:
    """For each fault, in order of time, the page that goes: a page is compared with those before it.

    Pages that are false in themselves go first. What was compared with a page that goes is judged again.
    """

    def at(capture_id: str) -> datetime:
        return times.get(capture_id) or datetime(1, 1, 1)

    found: dict[str, Decision] = {}
    confirmed = {one.capture_id for one in held if not one.is_aside}
    lacking = {(one.rule, one.against) for one in held}  # by an earlier look already
    for one, (page, other, is_other_held, is_less) in sorted(
        faults, key=lambda found: (bool(found[1].other), at(found[1].capture_id), found[1].capture_id)
    ):
        if page in found or other in found:
            continue
        is_kept = is_other_held or other in confirmed or (is_less and (one.name, other) not in lacking)
        if not other or is_kept or at(other) > at(page):
            found[page] = Decision(page, "set_aside", one.meaning, since, one.name, other)
        else:
            found[other] = Decision(other, "set_aside", LATER.format(one.meaning), since, one.name, page)
    return list(found.values())
