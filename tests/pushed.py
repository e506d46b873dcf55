"""Releases pushed to a stand-in of the Hub, by the command itself, which may be killed at one of its requests."""

import os
import signal
import subprocess
from contextlib import suppress
from datetime import datetime

from flows.runtime.lake import open_lake
from tests.hub.dataset_site import CUT, REPOSITORY, TOKEN, Answer, Asked, DatasetSite, Reply
from tests.processes import paperlake
from warehouse.release import moves
from warehouse.release.latest import MANIFEST, release_key
from warehouse.store.store import Store

AT = datetime(2026, 11, 22, 9)


def environment(site: DatasetSite, lake: str, **changed: str) -> dict[str, str]:
    """What a push needs; the Hub's own client keeps what it keeps in a folder that goes away."""
    home = str(site.home)
    kept = {"PATH": os.environ["PATH"], "TMPDIR": home, "HOME": home, "HF_HOME": f"{home}/hf"}
    ours = {"PAPERLAKE_LAKE": lake, "PAPERLAKE_HUB_URL": site.url, "PAPERLAKE_PUSH_TOKEN": TOKEN}
    return {**kept, **ours, "HF_HUB_DISABLE_XET": "1", **changed}


def push(site: DatasetSite, lake: str, *words: str, **changed: str) -> subprocess.CompletedProcess[str]:
    """The command, to its end."""
    return paperlake("push", REPOSITORY, *words, environment=environment(site, lake, **changed))


def push_killed(site: DatasetSite, lake: str, where: str, nth: int, *, is_done: bool) -> bool:
    """The command, killed at the n-th request whose path matches, which is carried out all the same where `is_done`;
    False where it made fewer.
    """
    running: list[int] = []

    def killing(asked: Asked, right: Answer) -> Reply:
        with suppress(ProcessLookupError):
            os.kill(running[0], signal.SIGKILL)
        if is_done:
            right(asked)
        return CUT

    site.rules.clear()
    site.misbehave(killing, "", where, nth)
    done = paperlake("push", REPOSITORY, environment=environment(site, lake), started=running.append)
    site.rules.clear()
    assert done.returncode in {0, -signal.SIGKILL}, done.stderr
    return done.returncode != 0


def go_to(lake: str, version: str) -> None:
    """Make a release the latest."""
    store = open_lake(lake)
    if moves.moves(store)[-1].version != version:
        moves.go_to(store, version, at=AT, why="to be pushed")


def bytes_of(store: Store, version: str) -> dict[str, bytes]:
    """Every file that a release has, as its manifest says, and the manifest itself."""
    keys = [*(file.key for file in moves.published(store, version).files), MANIFEST]
    return {key: store.read(release_key(version, key)) for key in keys}


def versions(lake: str) -> list[str]:
    """Every release there was, the oldest first."""
    return sorted({move.version for move in moves.moves(open_lake(lake))}, key=moves.order_of)
