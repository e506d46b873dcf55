"""Flow `push`: the latest release to the repository of PAPERLAKE_PUSH. Its only parameter is the lake, no secret."""

from prefect import flow

from flows.running.deployed import CRASHES, flow_run
from flows.runtime.environment import variable
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.settings import load
from paperlake.push.hub_push import push as push_release
from paperlake.push.hub_repository import HubRepository
from warehouse.errors import UsageError
from warehouse.release.latest import latest
from warehouse.store.lease import undisturbed


@flow(name="push", **CRASHES)
def push(lake: str) -> str:
    """Push the latest release to the Hub, if it is not there."""
    with flow_run(lake, "push") as how:
        summary = how.step("push the latest release", push_latest, lake)
        if how.is_deployed:
            log.info(summary)
        return summary


def push_latest(lake: str) -> str:
    """Push what is published, if anything is, and say what was done."""
    repository = own_repository()
    with undisturbed(store := open_lake(lake)):
        return push_release(store, repository) if latest(store) else "nothing is published yet; nothing to push"


def own_repository() -> HubRepository:
    """The repository that the settings name; UsageError where they name none."""
    settings = load()
    if settings.push is None:
        raise UsageError(f"set {variable('push')} to a dataset repository of the Hub, OWNER/NAME")
    return HubRepository.of(settings, settings.push)
