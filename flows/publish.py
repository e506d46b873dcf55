"""Flow `publish`: the draft that passed the gate becomes a release; then, and only then, the latest one."""

from __future__ import annotations

from prefect import flow
from prefect.artifacts import create_markdown_artifact

from flows.documents.page.leading import lead_to_latest
from flows.runtime.deployed import ENDS
from flows.runtime.lake import open_lake
from flows.runtime.now import utc_now
from flows.runtime.retries import step
from flows.runtime.settings import load
from flows.steps.nothing_new import NOTHING_NEW
from flows.steps.signing import sign_release
from flows.steps.write_release import is_waiting, move_latest, write_release
from flows.watch.lineage import traced
from warehouse.release.manifest import Draft, Manifest
from warehouse.store.local_files import LocalFiles, local_files

write_task = step("write release")(write_release)
move_task = step("move latest")(move_latest)


@flow(name="publish", **ENDS)
def publish(lake: str) -> Manifest | None:
    """Publish the draft that passed the gate. None: no draft is waiting, and the latest release stands."""
    with local_files(open_lake(lake)) as files:
        if not is_waiting(files.store):
            lead_to_latest(files.store)
            return None
        return publish_in(files)


def publish_in(files: LocalFiles, draft: Draft | None = None) -> Manifest:
    """The steps of the flow, within a flow run that has begun; without a `draft`, of the one that waits."""
    now = utc_now()
    with traced(files.store, "publish") as run:
        manifest = write_task(files, draft, today=now.date())
        sign_release(files.store, manifest, load().signing_key)
        move_task(files.store, manifest, now=now)
        if run:
            run.published(manifest)
    create_markdown_artifact(
        f"release {manifest.version}, {len(manifest.files)} files, parent {manifest.parent}\n",
        key="paperlake-release",
        description="What was published",
    )
    return manifest


def summary_line(manifest: Manifest | None) -> str:
    """What a run published, in a line."""
    if manifest is None:
        return f"{NOTHING_NEW}; no new release"
    size = sum(file.bytes for file in manifest.files) / 1e6
    return f"published {manifest.version}: {len(manifest.files)} files, {size:,.1f} MB"
