"""The flow that drops old releases by the rule of PAPERLAKE_KEEP, and has those that were replaced share files."""

from prefect import flow

from flows.documents.release_index import pages_instead
from flows.running.deployed import CRASHES, flow_run
from flows.runtime.environment import utc_now
from flows.runtime.lake import PATIENCE_SECONDS, open_lake, sole_writer
from flows.runtime.progress import log
from flows.runtime.settings import load
from flows.steps.drop_releases import retain as drop
from flows.steps.signing import own_signer
from warehouse.inventory.pool_files import pool_all


@flow(name="retain", **CRASHES)
def retain(lake: str) -> None:
    """Drop the releases that PAPERLAKE_KEEP does not keep; without it none. Of the others all but the latest share.

    InUse where another command is at work for longer than a run would take.
    """
    alone = sole_writer(open_lake(lake), "retain", patience=PATIENCE_SECONDS)
    with flow_run(lake, "retain") as how, alone as store:
        if (rule := load().keep) is None:
            how.step("share files", pool_all, store, pages_instead, at=utc_now())
            log.info("PAPERLAKE_KEEP is not set: no release is dropped")
            return
        done = how.step("drop releases", drop, store, rule, apply=True, at=utc_now(), sign=own_signer())
        log.info("kept %s; dropped %s", rule, ", ".join(done.dropped) or "none")
