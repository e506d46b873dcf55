"""Files of another user, and a read-only lake, are named with the next step: exit code 7, no traceback."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from flows.runtime.lake import open_lake
from tests.processes import ROOT, finished
from warehouse.archive.archive import Archive
from warehouse.release.latest import require_latest

# Root may read whatever it likes unless it gives that right up
PLAIN = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search")
# Each command with a path of the lake shut: mode 0, as a file of another user is to us; or all of the lake unwritable
COMMANDS = """
import json, os, sys
from contextlib import redirect_stderr, redirect_stdout
from datetime import datetime
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from flows.runtime.lake import open_lake
from flows.steps.land_inputs import land_inputs
from paperlake.cli import main
from warehouse.archive.captured import Limits
from warehouse.errors import PaperlakeError

def done(words):
    sys.argv = ["paperlake", *words, "--lake", str(lake)]
    with redirect_stdout(TextIOWrapper(BytesIO())), redirect_stderr(StringIO()) as said:
        try:
            if words == ["land"]:
                land_inputs(open_lake(str(lake)), [Path("tests/sample/saved.txt")], limits=Limits(), now=datetime(2026, 11, 21))
            else:
                main.main()
        except PaperlakeError as error:
            return error.exit_code, str(error)
        except SystemExit as end:
            return end.code, said.getvalue()
    return 0, said.getvalue()

lake = Path(sys.argv[1])
answers = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # `sql` answers from a process of its own
for shut, mode, words in json.loads(sys.argv[2]):
    paths = [lake, *lake.rglob("*")] if shut == "." else [lake / shut]
    before = [(path, path.stat().st_mode) for path in paths]
    for path in reversed(paths):
        path.chmod(path.stat().st_mode & mode)
    found = done(words)
    for path, was in before:
        path.chmod(was)
    print(json.dumps(found), file=answers, flush=True)
"""
SHUT, UNWRITABLE = 0, 0o555


@pytest.fixture(scope="module")
def small(one_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(one_release, tmp_path_factory.mktemp("other") / "lake")


def outcomes(lake: Path, cases: list[tuple[str, int, list[str]]]) -> list[tuple[int, str]]:
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root may read everything, and there is no setpriv(1) to give that up")
    plain = PLAIN if os.geteuid() == 0 else ()
    done = finished(*plain, sys.executable, "-c", COMMANDS, lake, json.dumps(cases), cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def test_files_that_may_not_be_read_are_named(small: Path) -> None:
    version, [entry] = require_latest(open_lake(str(small))).version, Archive(open_lake(str(small))).index()
    release, warc = f"releases/{version}", f"raw/warc/{entry.filename}"
    cases = {
        (f"{release}/paperlake.duckdb", "sql", "FROM papers"): f"{release}/paperlake.duckdb",
        (f"{release}/paperlake.duckdb", "verify"): f"{release}/paperlake.duckdb",
        (release, "sql", "FROM papers"): f"{release}/paperlake.duckdb",
        (release, "tables"): f"{release}/paperlake.duckdb",
        (release, "releases"): f"{release}/manifest.json",
        (f"{release}/data", "verify"): f"{release}/data in ",
        (f"{release}/data/coverage.parquet", "status"): f"{release}/data/coverage.parquet",
        ("releases/latest.json", "show", "paper", "x"): "releases/latest.json",
        ("raw/index", "verify", "--raw"): "raw/index in ",
        (warc, "show", "raw", entry.capture_id): warc,
        (warc, "verify", "--raw"): warc,
        (".", "status"): "raw/index",
    }
    found = outcomes(small, [(shut, SHUT, words) for shut, *words in cases])
    for (case, name), (code, said) in zip(cases.items(), found, strict=True):
        assert code == 7, (case, said)
        assert f"could not read {name}" in said, case
        assert "permission denied; give your user access to it" in said, case


def test_a_lake_that_may_only_be_read(small: Path) -> None:
    """Commands that only read work; those that write say why they cannot."""
    [entry] = Archive(open_lake(str(small))).index()
    reading = (["sql", "FROM papers"], ["tables"], ["status"], ["releases"], ["verify"], ["verify", "--raw"])
    cases = [*reading, ["verify", "--all"], ["show", "raw", entry.capture_id], ["land"]]
    *found, (code, said) = outcomes(small, [(".", UNWRITABLE, words) for words in cases])
    assert found == [(0, "")] * len(found)
    assert code == 7
    assert "could not write raw/warc/" in said
    assert "permission denied; give your user access to it, or name a place you own (PAPERLAKE_LAKE" in said
