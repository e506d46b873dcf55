"""The schedule of each flow. `prefect.yaml` repeats it for work pools, and a test holds the two together."""

import asyncio
import os
import shlex
import signal
import sys
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from datetime import datetime
from functools import partial
from json import JSONDecodeError
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
from prefect import Flow
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy, WorkerStatus
from prefect.deployments.runner import DeploymentApplyError, RunnerDeployment
from prefect.exceptions import ObjectAlreadyExists, ObjectNotFound
from prefect.schedules import Cron
from prefect.settings import PREFECT_API_URL, PREFECT_UI_URL, temporary_settings
from prefect.types.entrypoint import EntrypointType

from flows.daily import daily
from flows.hub.fetch import CLOCK
from flows.retain import retain
from flows.running.alerts import is_alerting
from flows.running.deployed import is_anywhere
from flows.running.mail import config_of, is_set_up, require_packages
from flows.running.prefect_server import FAILED, OwnServer, named_server, prefect_server, until_gone
from flows.running.warm import WANTED, warm_process
from flows.runtime import forked
from flows.runtime.environment import keep_only, run_environment, variable, warm_environment
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.settings import load
from flows.runtime.web_servers import LOOPBACK
from flows.steps.release_documents import prepare
from flows.verify import freshness, verify
from flows.watch.metrics import metrics_server, metrics_text
from warehouse.errors import StoreFailed, UsageError
from warehouse.schema.daily_lists import NEW_YORK
from warehouse.store.temporary import writing

ZONE: Final = NEW_YORK.key  # the source's clock: its lists open at 21:30 there, summer and winter

POOL: Final = "paperlake-serve"  # whose worker `serve` is
ANOTHER_LAKE: Final = (
    "Prefect's server runs the lake {} for another `paperlake serve`, and runs one alone; set PREFECT_HOME, or "
    "PREFECT_API_URL, to one of this lake's own; where that other was killed, wait two minutes"
)
PREPARE: Final = f"{prepare.__module__}:{prepare.__name__}"
ENGINE: Final = (sys.executable, "-m", forked.__name__, "prefect.engine")  # what a run is, but for its imports


class When(NamedTuple):
    """Five cron fields, in New York time, and the reason for that time."""

    cron: str
    why: str


# Fetches of older days fall due at 21:30 as well, some days later, and are made by the same runs
DAILY: Final = (
    When("40 22 * * *", "a list is an hour old at 22:30: its first fetch; ten minutes to spare"),
    When("40 3 * * *", "six hours old: its second fetch, and the moment from which a missing list is an error"),
    When("40 12 * * *", "nothing falls due: what an earlier run missed or did not get is caught up the same day"),
)
DIGEST: Final = (When("5,35 * * * *", "letters are due by the hour, in time zones of half an hour too"),)
PUSH: Final = (When("50 * * * *", "an hour after a release is soon enough; where there is none it only looks"),)
FRESHNESS: Final = (When("20 * * * *", "an hour late is soon enough for a lake that is 30 hours old"),)
RETAIN: Final = (When("10 7 * * *", "between two daily runs, of which one would hold the lake"),)
VERIFY: Final = (When("40 6 * * 6", "Saturday, between two daily runs: no list opens that day"),)
# Enqueued, not cancelled: what falls due while a backfill by hand or a slow run holds the slot is still fetched
ONE_AT_A_TIME: Final = ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.ENQUEUE)


def hours(
    cron: str | None,
    *,
    digest: Flow[..., Any] | None = None,
    push: Flow[..., Any] | None = None,
    is_alerting: bool = False,
) -> dict[Flow[..., Any], tuple[When, ...]]:
    """When each flow runs; with `cron` the daily one runs then, in place of its usual hours.

    Letters are sent from the machine that has the subscribers, and releases pushed from that which has the token, so
    that no work pool has their flows; a lake's age is checked only where alerts are set up.
    """
    usual: dict[Flow[..., Any], tuple[When, ...]]
    usual = {daily: DAILY if cron is None else (When(cron, "asked for"),), verify: VERIFY, retain: RETAIN}
    asked = ({digest: DIGEST} if digest else {}) | ({push: PUSH} if push else {})
    return usual | asked | ({freshness: FRESHNESS} if is_alerting else {})


async def deployment(flow: Flow[..., Any], when: Sequence[When], lake: str) -> RunnerDeployment:
    """A deployment of a flow on a lake, named after the flow. It holds no secret: a run reads those where it runs."""
    return await flow.ato_deployment(
        flow.name,
        schedules=[Cron(one.cron, timezone=ZONE) for one in when],
        concurrency_limit=ONE_AT_A_TIME,
        parameters={"lake": lake},
        entrypoint_type=EntrypointType.MODULE_PATH,
        paused=False,  # it was when an earlier `serve` ended
    )


def serve(  # noqa: PLR0913 - what `paperlake serve` may be given
    lake: str,
    cron: str | None = None,
    host: str = LOOPBACK,
    port: int = 0,
    *,
    digest: Flow[..., Any] | None = None,
    push: Flow[..., Any] | None = None,
) -> None:
    """Run the deployments at their hours until SIGINT or SIGTERM. A run that is under way then is cancelled.

    Metrics of the lake are at `host` and `port`. `digest` is the flow that sends letters, `push` the one that pushes
    releases, where they are set up.
    """
    settings = load()  # a wrong setting is an error now, not tonight
    if is_set_up(settings):
        require_packages()
        config_of(settings)
    open_lake(lake)
    lake = lake if is_anywhere(lake) else str(Path(lake).absolute())
    try:
        served = hours(cron and Cron(cron).cron, digest=digest, push=push, is_alerting=is_alerting(settings))
    except ValueError as error:
        raise UsageError(f"--cron {cron!r}: it is five fields, for example '*/10 * * * *'") from error
    try:
        coming = asyncio.run(first_runs(served))
    except ValueError as error:
        raise UsageError(f"--cron {cron!r}: that time never comes") from error
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    keep_only(
        run_environment(
            os.environ,
            is_mailing=digest is not None,
            is_alerting=is_alerting(settings),
            is_pushing=push is not None,
        )
    )
    os.environ[variable("lake")] = lake  # the only one that its runs may be of
    measured = partial(metrics_text, lake, settings.scope(), CLOCK)
    warm = [*WANTED, *sorted({flow.fn.__module__ for flow in served}), PREPARE]
    with (
        suppress(KeyboardInterrupt),
        warm_process(warm, warm_environment()) as found,
        metrics_server(measured, host, port) as metrics,
        _api() as pages,
        Path(os.devnull).open("w") as nowhere,
        redirect_stdout(nowhere),  # Prefect prints the traceback of each call that fails; runs write to stderr
    ):
        os.environ.update(found)
        log.info("serving %s; pages at %s, metrics at %s; Ctrl-C ends it", lake, pages, metrics)
        asyncio.run(_serve(served, lake, coming))


async def first_runs(served: Mapping[Flow[..., Any], Sequence[When]]) -> dict[str, datetime]:
    """When each flow, by its name, runs next, in New York; ValueError where one never does."""
    from prefect.server.schemas.schedules import CronSchedule

    crons = {flow.name: [CronSchedule(cron=one.cron, timezone=ZONE) for one in when] for flow, when in served.items()}
    return {name: min([(await one.get_dates(1))[0] for one in these]) for name, these in crons.items()}


@contextmanager
def _api() -> Iterator[str]:
    """The Prefect server that PREFECT_API_URL names, or one of our own; gives the address of its pages."""
    if url := named_server():
        yield PREFECT_UI_URL.value() or url
        return
    with prefect_server() as own, temporary_settings(own.settings), secret_file(own) as path:
        log.info("its pages ask for a secret; it is in %s", path)
        yield own.url


@contextmanager
def secret_file(own: OwnServer) -> Iterator[Path]:
    """A file in PAPERLAKE_STATE, for its owner alone, with the secret of our own server; gone at the end."""
    folder = load().state.expanduser()
    path = folder / f"prefect-{own.url.rpartition(':')[2]}.secret"
    with writing(path.name, folder, f"set {variable('state')} to a folder of yours with room"):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.unlink(missing_ok=True)  # of one that was killed
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(f"{own.secret}\n")
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


async def _serve(served: Mapping[Flow[..., Any], Sequence[When]], lake: str, coming: Mapping[str, datetime]) -> None:
    """Be the worker of a work pool of this machine. Its runs are forked from the warm process."""
    from prefect.workers.process import ProcessWorker

    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with get_client() as client:
        with suppress(ObjectAlreadyExists):
            template = ProcessWorker.get_default_base_job_template()
            await client.create_work_pool(WorkPoolCreate(name=POOL, type="process", base_job_template=template))
        await _require_sole(client, lake)
        for flow, when in served.items():
            deployed = await deployment(flow, when, lake)
            deployed.job_variables = {"command": shlex.join(ENGINE)}
            try:
                await deployed.aapply(work_pool_name=POOL)
            except (DeploymentApplyError, JSONDecodeError) as error:  # the latter of a proxy's answer
                raise StoreFailed(FAILED.format("does not take our deployments")) from error
            log.info("%s runs next at %s in New York", flow.name, f"{coming[flow.name]:%Y-%m-%d %H:%M}")
        await _work(ProcessWorker(POOL, name=POOL).start(printer=log.debug), stopped)
        ours = {"work_pool_name": POOL, "name": POOL}
        with suppress(httpx.HTTPError):  # else it counts as one that runs for 90 s more
            await client.request("DELETE", "/work_pools/{work_pool_name}/workers/{name}", path_params=ours)


async def _require_sole(client: PrefectClient, lake: str) -> None:
    """UsageError where another `serve` runs another lake by this server: our deployments have the names of its own."""
    with suppress(ObjectNotFound):
        known = (await client.read_deployment_by_name(f"{daily.name}/{daily.name}")).parameters.get("lake", lake)
        workers = await client.read_workers_for_work_pool(POOL)
        if known != lake and any(one.status == WorkerStatus.ONLINE for one in workers):
            raise UsageError(ANOTHER_LAKE.format(known))


async def _work(worker: Coroutine[None, None, None], stopped: asyncio.Event) -> None:
    """Run what falls due until it is stopped; StoreFailed where the server stays away, or refuses."""
    working = asyncio.create_task(worker)
    stopping = asyncio.create_task(stopped.wait())
    watching = asyncio.create_task(until_gone(str(PREFECT_API_URL.value())))
    await asyncio.wait({working, stopping, watching}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not working.done():
        log.info("stopping")
        working.cancel()
    try:
        await working
    except asyncio.CancelledError:
        pass
    except ExceptionGroup as error:  # a call was refused, or too many failed
        raise StoreFailed(FAILED.format("does not answer our worker as it should")) from error
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
