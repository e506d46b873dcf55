"""Temporary folders of commands that were killed."""

import errno
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import PIPE
from threading import Event

import pytest

from tests.processes import python
from warehouse.errors import StoreFailed
from warehouse.store import temporary
from warehouse.store.local_files import whole_file

HOLD = """
from pathlib import Path
from subprocess import PIPE
from threading import Event
from warehouse.store.local_files import scratch
with scratch() as folder:
    (folder / "data").mkdir()
    (folder / "data" / "rows").write_text("of somebody")
    print(folder, flush=True)
    wait()
"""


def test_what_a_killed_process_left_is_swept_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "paperlake-abcd_123").mkdir()  # of an older paperlake, which locks none
    with python(HOLD, "lake", stdin=PIPE) as killed, python(HOLD, "lake", stdin=PIPE) as alive:
        gone, kept = (Path(one.stdout.readline().strip()) for one in (killed, alive))
        killed.kill()
        killed.wait()
        temporary.sweep()
        assert (gone.exists(), (kept / "data" / "rows").read_text()) == (False, "of somebody")
        alive.kill()
    temporary.sweep()
    assert [one.name for one in tmp_path.iterdir()] == ["paperlake-abcd_123"]


WRITE = """
from pathlib import Path
from warehouse.store.local_files import whole_file
with whole_file(Path(sys.argv[2])) as part:
    part.write_text("of somebody")
    print(part, flush=True)
    wait()
"""


def test_what_a_killed_process_left_beside_its_file_goes_with_the_next(tmp_path: Path) -> None:
    """A database that `materialize` made, or a deposit, may have a person who is erased later."""
    place, mine = tmp_path / "papers[1].duckdb", tmp_path / ".papers[1].duckdb.backup"
    mine.mkdir()
    with python(WRITE, "lake", place, stdin=PIPE) as killed, python(WRITE, "lake", place, stdin=PIPE) as alive:
        gone, kept = (Path(one.stdout.readline().strip()) for one in (killed, alive))
        killed.kill()
        killed.wait()
        assert gone.read_text() == "of somebody"
        with whole_file(place) as part:
            part.write_text("whole")
        assert (gone.exists(), kept.read_text(), place.read_text()) == (False, "of somebody", "whole")
        alive.communicate()
    assert (place.read_text(), sorted(tmp_path.iterdir())) == ("of somebody", [mine, place])


def test_folders_are_made_while_others_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the making of a folder and its lock another process may take it for one that was left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    is_done = Event()

    def make(_: int) -> bool:
        with temporary.temporary_folder() as folder:
            (folder / "file").touch()
            time.sleep(0.001)
            return (folder / "file").exists()

    def sweep() -> None:
        while not is_done.is_set():
            temporary.sweep()

    with ThreadPoolExecutor(4) as pool:
        sweeping = [pool.submit(sweep), pool.submit(sweep)]
        try:
            found = list(pool.map(make, range(200)))
        finally:
            is_done.set()
        assert [done.result() for done in sweeping] == [None, None]
    assert (all(found), list(tmp_path.iterdir())) == (True, [])


def test_where_no_folder_can_be_made_nothing_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that needs none, as `retract`, goes on; another one says what to do."""

    def nowhere() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    temporary.sweep()
    with pytest.raises(StoreFailed, match=r"no usable .* set TMPDIR"), temporary.temporary_folder():
        pass
