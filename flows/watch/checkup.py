"""The checks of `paperlake doctor`: one finding a check, with the next step where something is wrong."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Final, Literal, NamedTuple
from uuid import uuid4

from flows.hub.budget import Clock
from flows.hub.client import Hub
from flows.running.alerts import is_alerting
from flows.running.mail import config_of, is_set_up, require_packages
from flows.runtime.environment import has_prefect_settings, variable
from flows.runtime.lake import journal_folder, open_lake
from flows.runtime.settings import Settings, unknown_settings
from flows.steps.capture_due import require_same_clock
from flows.steps.corrections_file import corrections_of
from flows.steps.signing import signer
from flows.tasks.scratch_place import shared_scratch
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Failed, instant_of
from warehouse.errors import NothingThere, PaperlakeError, SourceFailed, StoreFailed, UsageError
from warehouse.printable import counted
from warehouse.release.latest import DRAFTS, LAKE_FORMAT, LATEST, latest, latest_manifest
from warehouse.schema.catalog import SCHEMA_VERSION
from warehouse.store.store import Store
from warehouse.store.temporary import temporary_place

LIBRARIES: Final = ("duckdb", "polars", "prefect", "pyarrow", "s3fs")
RACERS: Final = 8
ROOM: Final = 3  # releases: the one that is there, the draft, and the next one
LEAST_ROOM: Final = 1 << 30  # bytes, before the first release says how large one is


class CheckupFinding(NamedTuple):
    """The finding of a check; `code` is the exit code of its error, 0 where nothing is wrong."""

    check: str
    state: Literal["ok", "note", "wrong"]
    words: str
    code: int = 0

    def __str__(self) -> str:
        return f"{self.state:<6} {self.check:<11} {self.words}"


def run_check(check: str, look: Callable[[], str]) -> CheckupFinding:
    """Run a check: its words where all is well, else its error with the next step."""
    try:
        return CheckupFinding(check, "ok", look())
    except NothingThere as error:
        return CheckupFinding(check, "note", str(error))
    except PaperlakeError as error:
        return CheckupFinding(check, "wrong", str(error), error.exit_code)


def check_up(lake: str, settings: Settings, clock: Clock, *, asks_hub: bool) -> Iterator[CheckupFinding]:
    """Run every check, in the order in which one would put things right; with `asks_hub` that of the Hub too."""
    yield run_check("versions", versions)
    yield run_check("settings", lambda: check_settings(settings))
    if has_prefect_settings():
        yield run_check("prefect", check_prefect)
    found = run_check("lake", lambda: check_lake(open_lake(lake)))
    yield found
    if found.state != "wrong":  # else each of these would say the same
        store = open_lake(lake)
        yield run_check("conditions", lambda: check_conditional_writes(store))
        yield run_check("clock", lambda: check_clock(store, clock))
        yield run_check("disk", lambda: check_disk(store, settings))
        yield run_check("journal", lambda: check_journal(store))
        if path := settings.corrections:
            yield run_check("corrections", lambda: f"{corrections_of(path, None, store).height:,} in {path}")
        if settings.dask:
            yield run_check("cluster", lambda: check_cluster(store, settings))
    if asks_hub:
        yield run_check("hub", lambda: check_hub(settings))
    else:
        yield CheckupFinding(
            "hub", "note", f"{settings.hub_url} was not asked; --hub asks for its robots.txt, one call"
        )


def versions() -> str:
    """The versions of paperlake, of Python, and of the libraries on which bytes or flows depend."""
    python = ".".join(map(str, sys.version_info[:3]))
    listed = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    ours = f"paperlake {version('paperlake')}, schema {SCHEMA_VERSION}, lake format {LAKE_FORMAT}"
    return f"{ours}, Python {python}, {listed}"


def check_settings(settings: Settings) -> str:
    """Name what is set up; UsageError where settings do not go together. Each value was checked when it was read."""
    extras = []
    if is_set_up(settings):
        require_packages()
        extras.append(f"digest from {config_of(settings).sender.addr_spec}")
    if is_alerting(settings):
        extras.append("alerts")
    if settings.semantic:
        from flows.runtime.encoder import encoder

        encoder()
        extras.append("language model")
    if sign := signer(settings.signing_key):
        sign(b"")
        extras.append("signatures")
    unknown = "".join(f"; {name} is no setting" for name in unknown_settings())
    return f"all readable; set up: {', '.join(extras) or 'the lake alone'}{unknown}"


def check_prefect() -> str:
    """Whether Prefect can read its settings, and the server answers that they name, which then has the runs."""
    from flows.running.prefect_server import named_server

    return f"{url} answers" if (url := named_server()) else "each run starts a server of its own"


def check_lake(store: Store) -> str:
    """The latest release, and how many captures the archive has; NothingThere before the first release."""
    captures = counted(len(Archive(store).index()), "capture")
    manifest = latest_manifest(store)
    if manifest is None:
        raise NothingThere(f'{store.url} has {captures} and no release yet; run "paperlake run"')
    return f"{store.url}: release {manifest.version} by paperlake {manifest.code_version}, {captures}"


def check_conditional_writes(store: Store) -> str:
    """Try on the store itself, beside the drafts, what a lake relies on: put if absent, and compare-and-swap."""
    if store.folder is not None and not store.folder.exists():
        raise NothingThere(f"{store.url} is not there yet; the first run makes it, and this can be tried then")
    folder = f"{DRAFTS}/doctor-{uuid4().hex}"
    key = f"{folder}/probe"
    try:
        with ThreadPoolExecutor(RACERS) as racers:
            won = list(racers.map(lambda number: store.put_new(key, b"%d" % number), range(RACERS)))
        kept = store.read(key)
        is_honoured = (
            won.count(True) == 1
            and kept == b"%d" % won.index(True)
            and not store.put_new(key, b"late")
            and not store.swap(key, b"other", b"not what is there")
            and store.read(key) == kept
            and store.swap(key, b"next", kept)
            and store.read(key) == b"next"
        )
    finally:
        store.delete_prefix(folder)
    if not is_honoured:
        raise StoreFailed(
            f"{store.url} accepts a write that it should refuse, so that two runs may overwrite each other; use a "
            "store that honours If-None-Match and If-Match (docs/operators.md)"
        )
    return f"put if absent and compare-and-swap are honoured: 1 of {RACERS} racing writers won"


def check_clock(store: Store, clock: Clock) -> str:
    """Check this machine's clock: nothing in the lake may be from the future, but a page that was set aside."""
    now, release, named = clock.now(), latest_manifest(store), latest(store)
    aside = {one.capture_id for one in release.decisions if one.is_aside} if release else set()
    pages = ((one.fetched_at, one.capture_id) for one in Archive(store).index() if one.capture_id not in aside)
    found = [(at, "a page was fetched", f", or disown page {page}") for at, page in pages if at]
    found += [(instant_of(named.moved_at), f"{LATEST} was moved", "")] if named and named.moved_at else []
    at, what, step = max(found, default=(now, "", ""))
    if at > now:
        raise SourceFailed(f"{what} at {at:%Y-%m-%d %H:%M} UTC, in the future; set the clock (NTP){step}")
    return f"{now:%Y-%m-%d %H:%M:%S} UTC; nothing in the lake is newer"


def check_disk(store: Store, settings: Settings) -> str:
    """Check the free space where files are made: the lake's disk, temporary files, the cache of a lake in a bucket."""
    manifest = latest_manifest(store) if latest(store) else None
    needed = max(LEAST_ROOM, ROOM * sum(file.bytes for file in manifest.files) if manifest else 0)
    places = {"TMPDIR": temporary_place(), variable("state"): settings.state}
    places |= {variable("lake"): store.folder} if store.folder else {variable("cache"): settings.cache}
    rooms = []
    for name, place in places.items():
        there = next(
            path for path in (place.expanduser().absolute(), *place.expanduser().absolute().parents) if path.exists()
        )
        if not (there.is_dir() and os.access(there, os.W_OK)):
            raise UsageError(f"{name}: {there} is no folder that can be written to; set it to one")
        free = shutil.disk_usage(there).free
        if free < needed:
            raise StoreFailed(f"{name} ({there}) has room for {free / 1e9:,.1f} GB; {needed / 1e9:,.1f} GB are needed")
        rooms.append(f"{name} {free / 1e9:,.0f} GB free")
    return ", ".join(rooms)


def check_journal(store: Store) -> str:
    """How many files of captures a killed run left on this machine."""
    left = sorted(journal_folder(store).glob("*")) if journal_folder(store).exists() else []
    return f"{counted(len(left), 'file')} left by a killed run; the next run lands them" if left else "nothing waits"


def check_cluster(store: Store, settings: Settings) -> str:
    """Whether a running scheduler has workers that can build; a cluster that each build starts is not tried."""
    if "://" not in (settings.dask or ""):
        raise NothingThere(f"each build starts a cluster by {settings.dask}; that was not tried")
    from flows.tasks.on_dask import look_at_workers

    with shared_scratch(store) as place:
        return look_at_workers(settings, place)


def check_hub(settings: Settings) -> str:
    """Whether the Hub answers, and whether its clock agrees with this machine's."""
    with Hub(settings) as asked:
        answer = asked.robots()
        if isinstance(answer, Failed):
            raise SourceFailed(f"{settings.hub_url}: {answer.reason}; look at the network, or {variable('hub_url')}")
        require_same_clock(asked.clock_skew)
    return f"{settings.hub_url} answers"
