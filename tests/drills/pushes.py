"""`kill -9` of pushes at requests by chance, which the Hub carries out or not; then a push that is left alone.

At every moment readers of the branch and of each tag see one whole release; there is one tag a version at the end, and
what was pushed is byte for byte what the manifest says.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from flows.runtime.lake import open_lake
from tests.flows.conftest import of_days
from tests.hub.dataset_server import dataset_site
from tests.hub.dataset_site import REPOSITORY, DatasetSite
from tests.pushed import bytes_of, go_to, push, push_killed, versions

# Requests at which a push is killed: whose path matches, and among how many of them
MOMENTS = (("", 12), ("", 120), ("/lfs/", 60), ("/commit/", 1), ("/tag/", 1), ("/refs|/tree/|/commits/", 12))
DAYS = (date(2026, 9, 30), date(2026, 10, 1), date(2026, 10, 2))


@dataclass
class Pushes:
    """What came of the kills."""

    seed: int
    kills: int = 0
    pushed: int = 0
    at: Counter[str] = field(default_factory=Counter)
    sent_bytes: int = 0
    wanted_bytes: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        where = ", ".join(f"{name} {count}" for name, count in sorted(self.at.items()))
        head = f"pushes, seed {self.seed}: {self.pushed} releases, {self.kills} kills ({where})"
        sent = f"{self.sent_bytes / 1e6:.1f} MB sent of {self.wanted_bytes / 1e6:.1f} MB that were new"
        return f"{head}; {sent}; {len(self.wrong)} wrong"


def drill(seed: int, count: int, folder: Path) -> Pushes:
    """So many kills, of pushes of three releases in turn to a repository that is empty again after each round."""
    found, chance = Pushes(seed), random.Random(seed)
    lake = folder / "lake"
    of_days(*DAYS)(lake)
    while found.kills < count:
        with dataset_site() as site:
            for version in versions(str(lake)):
                _one_release(found, chance, site, str(lake), folder, version)
    return found


def _one_release(  # noqa: PLR0917
    found: Pushes, chance: random.Random, site: DatasetSite, lake: str, folder: Path, version: str
) -> None:
    """A release, of which pushes are killed some times before one is left alone."""
    go_to(lake, version)
    store, before, sent = open_lake(lake), site.files, site.sent_bytes
    whole = {known: bytes_of(store, known) for known in versions(lake)}
    for _ in range(chance.randint(1, 6)):
        asked = len(site.asked)
        where, most = chance.choice(MOMENTS)
        if push_killed(site, lake, folder, where, chance.randint(1, most), is_done=chance.random() < 0.5):
            found.kills += 1
            found.at[kind_of(site.asked[-1].path) if len(site.asked) > asked else "start"] += 1
        if site.files not in (before, whole[version]):
            found.wrong.append(f"half: the branch, when {version} was pushed")
        found.wrong += [f"half: tag {name}" for name, oid in site.tags.items() if site.files_of(oid) != whole[name]]
    done = push(site, lake, folder)
    if done.returncode:
        found.wrong.append(f"blocked: {version}: {done.stderr}")
    elif site.files != whole[version] or site.files_of(site.tags[version]) != whole[version]:
        found.wrong.append(f"lost: {version} is not what its manifest says")
    titles = [commit.title for commit in site.history(site.head)]
    if len(set(titles)) < len(titles):
        found.wrong.append(f"twice: {titles}")
    found.pushed += 1
    found.sent_bytes += site.sent_bytes - sent
    found.wanted_bytes += sum(len(data) for key, data in whole[version].items() if before.get(key) != data)


def kind_of(path: str) -> str:
    """What a request is for.

    >>> kind_of("/api/datasets/ada/papers/tree/0123"), kind_of("/lfs/0123"), kind_of("/api/repos/create")
    ('tree', 'upload', 'create')
    """
    if path.startswith("/lfs/"):
        return "upload"
    rest = path.partition(f"{REPOSITORY}/")[2] or path.partition("repos/")[2] or path.rpartition("/")[2]
    return rest.partition("/")[0]
