"""Every byte of a lake has an owner: what nobody wrote is found, and what a killed command leaves goes."""

import fcntl
import os
import select
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from flows.steps.read_back import verify_release
from tests.drills.writes import next_run
from tests.flows.test_cli import paperlake
from tests.flows.test_signing import made_key, newest, sign, signers
from warehouse.store.opening import open_store

NEVER = "2020.01.01"


def test_a_hundred_files_that_nothing_lists_are_all_found(one_release: Path, tmp_path: Path) -> None:
    lake = Path(shutil.copytree(one_release, tmp_path / "lake"))
    store, key = open_store(str(lake)), made_key(tmp_path / "key")
    sign(store, key)
    manifest = newest(store)
    assert verify_release(store, signed_by=signers(key))[1] == []
    forms = (
        f"releases/{manifest.version}/data/daily_listings/zzz{{}}.parquet",
        f"releases/{manifest.version}/notes{{}}.html",
        f"releases/{NEVER}.1{{}}/data/papers.parquet",
        "releases/latest/data{}.parquet",
        "raw/warc/2026-11/pages{}.warc.gz",
        "log/moves/notes{}.json",
        f"log/dropped/{NEVER}.1{{}}.json",
        "drafts/papers{}.parquet",
        ".tmp/papers{}.parquet",
        "digest{}.sqlite3",
    )
    made = [form.format(number) for form in forms for number in range(10)]
    for name in made:
        (lake / name).parent.mkdir(parents=True, exist_ok=True)
        (lake / name).write_bytes(b"{}")
    wrong = verify_release(store, signed_by=signers(key))[1]
    assert {line.partition(" is ")[0] for line in wrong} == {*made}
    next_run(lake)
    assert all((lake / name).is_file() for name in made), "they are evidence"


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (("sql", "FROM papers", "-o"), "lake/x.csv"),
        (("materialize", "{}", "-o"), "link/x.duckdb"),
        (("follow",), "link/x.duckdb"),
        (("diff", "{}", "{}", "--keys"), "lake/releases/{}/x.parquet"),
        (("diff", "{}", "{}", "--why", "--keys"), "none/x.parquet"),
        (("sql", "FROM papers", "-o"), "landed/x.csv"),  # a lake without a release
        (("export", "delta"), "landed/tables"),
    ],
)
def test_no_answer_is_written_into_a_lake_or_where_no_folder_is(
    one_release: Path, tmp_path: Path, words: tuple[str, ...], place: str
) -> None:
    lake = Path(shutil.copytree(one_release, tmp_path / "lake"))
    version = newest(open_store(str(lake))).version
    (tmp_path / "link").symlink_to(lake / "raw")
    shutil.copytree(lake / "raw", tmp_path / "landed/raw")
    made = tmp_path / place.format(version)
    done = paperlake(*(word.format(version) for word in words), str(made), lake=str(lake))
    assert (done.returncode, str(made) in done.stderr, made.exists()) == (2, True, False), done


@pytest.mark.parametrize(
    "words", [("metrics", "-o"), ("deposit", "{}", "-o"), ("materialize", "{}", "-o"), ("diff", "{}", "{}", "--keys")]
)
def test_no_file_takes_the_place_of_a_pipe(one_release: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    """Nor that of a device, which root could replace."""
    os.mkfifo(pipe := tmp_path / "pipe")
    held = os.open(pipe, os.O_RDWR)  # a short answer is written though nobody reads it
    version = newest(open_store(str(one_release))).version
    with ThreadPoolExecutor() as pool:
        done = pool.submit(paperlake, *(word.format(version) for word in words), str(pipe), lake=str(one_release))
        while not done.done():
            if select.select([held], [], [], 0.1)[0]:
                os.read(held, 1 << 20)
    assert pipe.is_fifo(), done.result()


def is_locked(path: Path) -> bool:
    with path.open("r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_what_a_killed_writer_began_goes_and_what_a_living_one_begins_stays(tmp_path: Path) -> None:
    lake, pipe = tmp_path / "lake", tmp_path / "pipe"
    left = lake / ".tmp" / ("0" * 24)
    left.parent.mkdir(parents=True)
    left.write_bytes(b"half")
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        written = pool.submit(open_store(str(lake)).put_file_new, "large", pipe)
        with pipe.open("wb") as file:
            file.write(b"a living one's")
            file.flush()
            while not (begun := [path for path in left.parent.iterdir() if path != left and is_locked(path)]):
                time.sleep(0.01)
            open_store(str(lake)).sweep()
            assert list(left.parent.iterdir()) == begun
        assert written.result()
    assert open_store(str(lake)).temporary() == []
