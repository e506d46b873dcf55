"""Flow runs of Prefect: their steps are its tasks, their log goes to its server, a deployed one has its own lake."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from prefect import Flow, Task, task
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import FlowRun, State, TaskRun
from prefect.logging.handlers import APILogHandler
from prefect.runtime import deployment

from flows.running import how
from flows.running.how import How
from flows.running.run_statistics import SUCCEEDED, note_failure, notifying_of_errors, recorded, run_statistics
from flows.runtime.environment import variable
from flows.runtime.lake import open_lake
from flows.runtime.progress import configure, log
from flows.runtime.settings import load
from warehouse.errors import StoreFailed, UsageError
from warehouse.release.latest import LATEST

P = ParamSpec("P")
R = TypeVar("R")


class AsTasks(How):
    """Runs the steps of a flow run as tasks, and keeps what they show as artifacts."""

    def __init__(self, lake: str, *, is_deployed: bool) -> None:
        super().__init__(lake)
        self.is_deployed = is_deployed

    def step(self, name: str, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        run: Task[P, R] = task(
            name=name,
            retries=len(how.DELAYS_SECONDS),
            retry_delay_seconds=list(how.DELAYS_SECONDS),
            retry_condition_fn=_may_pass,
            cache_policy=NO_CACHE,  # its key would be a hash over an open store
        )(how.timed(self._lake, name, function))
        return run(*args, **kwargs)

    def show(self, key: str, words: str, shown: str | Sequence[Mapping[str, object]]) -> None:
        if isinstance(shown, str):
            create_markdown_artifact(shown, key=key, description=words)
        else:
            create_table_artifact([dict(row) for row in shown], key=key, description=words)


@contextmanager
def flow_run(lake: str, name: str, paths: Sequence[str] | None = None) -> Iterator[AsTasks]:
    """The block of a flow run: how it ends is recorded, its log sent to Prefect; of a deployed one to stderr too."""
    is_deployed = deployment.id is not None
    if is_deployed:
        configure(quiet=False)
    with _logged(name if is_deployed else None), recorded(lake, name):
        if is_deployed:
            require_own(lake, paths)
            require_there(lake)
        yield AsTasks(lake, is_deployed=is_deployed)


@contextmanager
def _logged(deployed: str | None) -> Iterator[None]:
    """Send our log to Prefect's server; of a `deployed` flow its error too, which no command line prints."""

    def say(error: Exception) -> None:
        if deployed:
            log.error("%s ended as %s: %s", deployed, type(error).__name__, error)

    handler = APILogHandler()
    log.addHandler(handler)
    try:
        with notifying_of_errors(say):
            yield
    finally:
        log.removeHandler(handler)
        handler.flush()


def require_own(lake: str, paths: Sequence[str] | None) -> None:
    """UsageError where a deployed run is of another lake than its worker's, or lands files: any of its machine.

    Who starts a run chooses its parameters. A relative path is no lake either: a worker runs in a folder of its own.
    """
    if not is_anywhere(lake):
        raise UsageError(
            f"the deployment's lake is {lake!r}, and a worker runs in a folder of its own; deploy again with "
            "PAPERLAKE_LAKE set to s3://bucket/lake or to a path from the root"
        )
    if lake.rstrip("/") != (own := load().lake).rstrip("/"):
        raise UsageError(
            f"a deployed run is of the lake of its worker, {variable('lake')}={own}, and this one was to be of {lake}; "
            f"start the worker with {variable('lake')} set to the lake that was deployed"
        )
    if paths:
        raise UsageError("a deployed run lands no files of its worker's machine; land them with: paperlake land")


def require_there(lake: str) -> None:
    """StoreFailed where a lake of this machine is gone, of which a run succeeded: the next one would make another."""
    store, (_, ends) = open_lake(lake), run_statistics(lake)
    is_there = store.folder is None or store.exists(LATEST) or bool(store.list())
    if not is_there and any(end.kind == SUCCEEDED for end in ends):
        raise StoreFailed(
            f'the lake {lake} is gone; see that its disk is mounted, or begin a new one there by "paperlake run"'
        )


def is_anywhere(lake: str) -> bool:
    """Whether the lake is the same from any working folder: a URL or an absolute path."""
    return "://" in lake or Path(lake).is_absolute()


def note_crash(flow: Flow[..., Any], run: FlowRun, state: State[Any]) -> None:
    """Record a run that could not do so itself, as its process was ended; Prefect's runner sees that."""
    if run.deployment_id is not None:
        log.error("%s ended as %s: %s", flow.name, state.name, state.message)
    kind = state.name or state.type.value
    note_failure(str(run.parameters["lake"]), flow.name, kind, f"{flow.name} ended as {kind}")


async def _may_pass(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    error = await state.aresult(raise_on_failure=False)
    return isinstance(error, StoreFailed) and error.may_pass


CRASHES: Final[dict[str, Any]] = {"on_crashed": [note_crash]}
