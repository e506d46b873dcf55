"""An older DuckDB with its httpfs, in an environment of its own, for what must be open to clients that are not ours."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any, NamedTuple

import pytest

HTTPFS = "duckdb-extension-httpfs"  # brings the duckdb of its version
OLDEST, OLD = "1.2.2", "1.5.5"
# Statements as JSON on stdin; rows of the last one and seconds of them all on stdout
SCRIPT = """
import json, sys, time
from pathlib import Path
import duckdb, duckdb_extension_httpfs
statements = json.load(sys.stdin)
[httpfs] = Path(duckdb_extension_httpfs.__file__).parent.glob("extensions/*/httpfs.duckdb_extension")
connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
connection.execute(f"LOAD '{httpfs}'")
start = time.perf_counter()
for statement in statements:
    rows = connection.execute(statement).fetchall()
print(json.dumps({"rows": rows, "seconds": time.perf_counter() - start}, default=str))
"""


class CannotInstall(Exception):
    """No package registry answers."""


class Told(NamedTuple):
    """Rows of the last statement, values that JSON has not as text; seconds of all statements."""

    rows: list[list[Any]]
    seconds: float


class OldClient:
    """A Python with DuckDB of a version and its httpfs."""

    def __init__(self, folder: Path, version: str = OLD) -> None:
        venv.create(folder)
        self.python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        pip = [sys.executable, "-m", "pip", "--python", self.python]  # its own would take longer to come than DuckDB
        command = [*pip, "install", "--quiet", "--disable-pip-version-check", f"{HTTPFS}=={version}"]
        installed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if installed.returncode:
            raise CannotInstall(installed.stderr.strip().rpartition("\n")[2])

    def ask(self, *statements: str) -> Told:
        """Run the statements in a process of their own, so that nothing is cached from the question before."""
        asked = subprocess.run(
            [self.python, "-c", SCRIPT], input=json.dumps(statements), capture_output=True, text=True, check=False
        )
        assert asked.returncode == 0, asked.stderr
        return Told(**json.loads(asked.stdout))


@pytest.fixture(scope="session")
def old_client(tmp_path_factory: pytest.TempPathFactory) -> OldClient:
    return _client(tmp_path_factory, OLD)


@pytest.fixture(scope="session")
def oldest_client(tmp_path_factory: pytest.TempPathFactory) -> OldClient:
    return _client(tmp_path_factory, OLDEST)


def _client(tmp_path_factory: pytest.TempPathFactory, version: str) -> OldClient:
    try:
        return OldClient(tmp_path_factory.mktemp("client") / "old", version)
    except CannotInstall as error:
        pytest.skip(f"no older DuckDB can be installed here: {error}")
