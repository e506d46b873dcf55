"""How paperlake comes onto a machine: its two locks, and its wheel."""

import json
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("paperlake", "flows", "transforms", "expectations", "warehouse")


def pinned(lock: str) -> dict[str, str]:
    """Each package as `name ==version`, with the whole of its entry."""
    entries = re.split(r"^(?=[a-z0-9])", (ROOT / lock).read_text(), flags=re.MULTILINE)[1:]
    return {entry.partition(" ")[0].replace("==", " =="): entry for entry in entries}


def test_every_package_of_a_lock_has_hashes_and_no_address() -> None:
    for lock in (
        "requirements.lock",
        "requirements-dev.lock",
        "flows/documents/explorer/npm/node.lock",
        "bench/peers.lock",
        *(f"bench/readers/{place}.lock" for place in ("oldest", "duckdb", "dbt", "contract", "spark")),
    ):
        text = (ROOT / lock).read_text()
        assert not re.search(r"://|^-|^#", text, re.MULTILINE)
        assert all("--hash=sha256:" in entry for entry in pinned(lock).values())


def test_the_locks_have_the_oldest_prefect() -> None:
    """So that CI tests with it; the newest was tried by hand when its bound was set."""
    [oldest] = re.findall(r'"prefect>=([\d.]+),', (ROOT / "pyproject.toml").read_text())
    for lock in ("requirements.lock", "requirements-dev.lock", "docs/deploy/requirements.lock"):
        assert f"prefect =={oldest}" in pinned(lock)


@pytest.mark.parametrize(
    ("lock", "names"),
    [
        ("flows/documents/explorer/npm", {"hyparquet", "fzstd"}),
        ("flows/documents/explorer/npm/sql", {"@duckdb/duckdb-wasm", "apache-arrow", "hyparquet-writer"}),
        ("flows/documents/explorer/npm/check", {"@biomejs/biome", "axe-core", "hyparquet", "typescript"}),
        ("bench/readers", {"@duckdb/node-api", "hyparquet", "hyparquet-compressors"}),
    ],
)
def test_every_package_from_npm_has_a_hash_and_no_address(lock: str, names: set[str]) -> None:
    text = (ROOT / lock / "package-lock.json").read_text()
    assert "://" not in text
    packages = json.loads(text)["packages"]
    del packages[""]
    assert {f"node_modules/{name}" for name in names} <= packages.keys()
    assert [name for name, one in packages.items() if "sha512-" not in one["integrity"]] == []


def test_tests_run_on_what_runs_a_lake() -> None:
    run, dev = pinned("requirements.lock"), pinned("requirements-dev.lock")
    assert run.items() <= dev.items()
    assert {name.split()[0] for name in dev} >= {"pytest", "uv", "pip"}
    assert not {name.split()[0] for name in run} & {"pytest", "matplotlib"}


def test_the_wheel_has_every_file_of_the_rooms(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [wheel] = tmp_path.glob("*.whl")
    files = {path for room in ROOMS for path in (ROOT / room).rglob("*") if path.is_file()}
    carried = (path for path in files if path.suffix != ".pyc" and "explorer/npm" not in path.as_posix())
    there = {path.relative_to(ROOT).as_posix() for path in carried}
    assert {Path(name).suffix for name in there} >= {".py", ".sql", ".j2", ".css", ".js", ".typed"}
    with ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if ".dist-info/" not in name} == there
