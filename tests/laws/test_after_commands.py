"""After every command that changes a lake, raw still gives the release: `build --from-raw` as `build`, byte for byte.

And `verify` finds every release and every record of raw sound. After a run, which is a flow: tests/flows/test_prefect.py.
The lakes are of the sample, as the commands fill them; the first release has all documents and passed the gate; those that
follow have few, and pass any.
"""

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

import pytest

from flows.steps.read_back import verify_raw, verify_release
from tests.flows import steps
from tests.processes import paperlake
from warehouse.release.latest import latest_manifest
from warehouse.release.manifest import Draft
from warehouse.store.opening import open_store

PAGES = ("2026-04-07-later.json", "2026-10-01-morning.json", "2026-10-01-later.json", "list.html", "search.json")
LOGIN = "priya"  # of a submitter
CORRECTION = """
- table: papers
  key: {paper_id: "2604.03274"}
  column: title
  seen: "Lunar Compasses for Sparse Retrieval: Part 7.1"
  right: "CompassNet: Lunar Compasses"
  reason: the Hub has the title of another paper
  source: https://arxiv.example/abs/2604.03274
"""

# Command lines that follow each other; what a word in braces stands for is in `Lake.named`.
PUBLISHED = ("land {page}", "build", "publish")
COMMANDS = {
    "published": PUBLISHED,
    "landed in two goes": ("land {page}", "land {page}", "build", "publish"),
    "landed beside a draft": ("land {page}", "build", "land {page}", "publish", "build", "publish"),
    "built from raw": ("land {page}", "build --from-raw", "publish"),
    "rolled back": ("rollback {first}",),
    "retracted": ("retract {last} --why 'wrong stars'",),
    "restored": ("retract {last} --why 'wrong stars'", "retract {last} --why 'right stars' --undo", "rollback {last}"),
    "kept": ("keep {first} --why 'our figures are of it'",),
    "retained": ("retain --keep-last 1 --apply",),
    "erased": ("erase {login} --why 'GDPR art. 17' --really",),
    "erased as an author": ("erase {login} --why 'GDPR art. 17' --authorship --really",),
    "erased in prose": ("erase {login} --why 'GDPR art. 17' --words --really",),
    "corrected": ("PAPERLAKE_CORRECTIONS={corrections} build", "publish"),
    "copied": ("copy {lake} {copy}",),
}
# Each stands in a walk, where it meets what those before left; by the login of a word: tests/flows/test_erasure.py.
WALKS = [
    ("rolled back", "erased", "corrected", "published", "copied"),
    ("corrected", "erased as an author", "landed in two goes"),
    ("restored", "retracted", "erased in prose", "landed beside a draft", "kept"),
    ("rolled back", "retained", "built from raw", "retracted", "published"),
]


@dataclass
class Lake:
    """A lake at work: its folder, which moves with a copy, what lies beside it, and the pages not landed so far."""

    path: Path
    beside: Path
    pages: Iterator[Path]
    is_bare: bool = True

    def carry_out(self, name: str) -> None:
        for line in COMMANDS[name]:
            self.command(line)

    def command(self, line: str) -> str:
        settings = {}
        words = [self.named(word) for word in shlex.split(line)]
        while "=" in words[0]:
            variable, _, value = words.pop(0).partition("=")
            settings[variable] = value
        is_of_two = words[0] == "copy"
        at = () if is_of_two else ("--lake", str(self.path))
        of_walk = {"is_bare": self.is_bare, "has_gate": not self.is_bare}
        done = paperlake(*words, *at, environment=os.environ | settings, **of_walk)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        if is_of_two:
            self.path = Path(words[-1])
        return done.stdout

    def named(self, word: str) -> str:
        """What the word in braces stands for now."""
        versions = sorted(path.name for path in self.path.glob("releases/2*"))
        known = {
            "{page}": lambda: next(self.pages),
            "{first}": lambda: versions[0],
            "{last}": lambda: versions[-1],
            "{login}": lambda: LOGIN,
            "{lake}": lambda: self.path,
            "{copy}": lambda: self.beside / "copy",
        }
        if word in known:
            return str(known[word]())
        return word.replace("{corrections}", str(self.beside / "corrections.yaml"))


def require_laws(lake: Path) -> None:
    """Raw and the release say the same; where the release is not of all captures, its next draft does."""
    assert files(lake, steps.make_draft(str(lake), from_raw=True)) == files(lake, steps.make_draft(str(lake)))
    store = open_store(str(lake))
    assert (verify_release(store, every=True)[1], verify_raw(store)[1]) == ([], [])


def files(lake: Path, draft: Draft | None) -> dict[str, str]:
    """SHA-256 of every Parquet file of a draft, or of the latest release where nothing is to be built."""
    found = draft or latest_manifest(open_store(str(lake)))
    return {file.key: file.sha256 for table in found.tables for file in table.files}


@pytest.fixture(scope="module")
def two_releases(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a lake of two releases, and with the pages that it may land; tests only read it."""
    folder = tmp_path_factory.mktemp("two_releases")
    pages = Path(copytree(sample, folder / "pages"))
    (folder / "corrections.yaml").write_text(CORRECTION, "utf-8")
    lake = Lake(folder / "lake", folder, (pages / name for name in PAGES))
    for lake.is_bare in (False, True):
        lake.carry_out("published")
    return folder


@pytest.fixture
def lake(two_releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lake:
    """A copy to change, with a machine that has nothing of it."""
    for variable in ("PREFECT_HOME", "PAPERLAKE_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    folder = Path(copytree(two_releases, tmp_path / "at"))
    return Lake(folder / "lake", folder, (folder / "pages" / name for name in PAGES[2:]))


def test_each_command_is_in_a_walk() -> None:
    assert {name for walk in WALKS for name in walk} == set(COMMANDS)


@pytest.mark.slow
@pytest.mark.parametrize("walk", WALKS, ids=", then ".join)
def test_raw_gives_the_release_after(lake: Lake, walk: Sequence[str]) -> None:
    """What is wrong amid a walk is still so at its end, as each build goes on from the release before."""
    for name in walk:
        lake.carry_out(name)
    require_laws(lake.path)
