"""An older DuckDB with extensions, in an environment of its own: releases must be readable by other clients."""

import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.built_once import built_once

HTTPFS, LAKES = ("httpfs",), ("avro", "httpfs", "iceberg", "delta")  # each brings the duckdb of its version
OLDEST, OLD = "1.2.2", "1.5.5"
# Statements as JSON on stdin; rows of the last one and seconds of them all on stdout
SCRIPT = """
import importlib, json, sys, time
from pathlib import Path
import duckdb
statements = json.load(sys.stdin)
connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
connection.execute("SET enable_progress_bar = false")  # which is drawn on stdout
for name in sys.argv[1:]:
    package = importlib.import_module(f"duckdb_extension_{name}")
    [extension] = Path(package.__file__).parent.glob(f"extensions/*/{name}.duckdb_extension")
    connection.execute(f"LOAD '{extension}'")
start = time.perf_counter()
for statement in statements:
    rows = connection.execute(statement).fetchall()
print(json.dumps({"rows": rows, "seconds": time.perf_counter() - start}, default=str))
"""


class CannotInstall(Exception):
    """No package registry answers."""


class Answer(NamedTuple):
    """Rows of the last statement, with values that JSON lacks as text; seconds of all statements."""

    rows: list[list[Any]]
    seconds: float


class OldClient:
    """A Python with DuckDB of a version and extensions of it, in the order in which they are loaded."""

    def __init__(self, folder: Path, extensions: Sequence[str]) -> None:
        self.extensions = extensions
        self.python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"

    def install(self, version: str) -> None:
        venv.create(self.python.parents[1])
        pip = [sys.executable, "-m", "pip", "--python", self.python]  # its own would take longer to come than DuckDB
        wheels = [f"duckdb-extension-{name}=={version}" for name in self.extensions]
        command = [*pip, "install", "--quiet", "--disable-pip-version-check", *wheels]
        installed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if installed.returncode:
            raise CannotInstall(installed.stderr.strip().rpartition("\n")[2])

    def ask(self, *statements: str) -> Answer:
        """Run the statements in a process of their own, so that nothing is cached from the query before."""
        asked = subprocess.run(
            [self.python, "-c", SCRIPT, *self.extensions],
            input=json.dumps(statements),
            capture_output=True,
            text=True,
            check=False,
        )
        assert asked.returncode == 0, asked.stderr
        return Answer(**json.loads(asked.stdout))


@pytest.fixture(scope="session")
def old_client(tmp_path_factory: pytest.TempPathFactory) -> OldClient:
    return _client(tmp_path_factory, OLD, LAKES)


@pytest.fixture(scope="session")
def oldest_client(tmp_path_factory: pytest.TempPathFactory) -> OldClient:
    return _client(tmp_path_factory, OLDEST, HTTPFS)


def _client(tmp_path_factory: pytest.TempPathFactory, version: str, extensions: Sequence[str]) -> OldClient:
    def install(folder: Path) -> None:
        OldClient(folder, extensions).install(version)

    try:
        return OldClient(built_once(tmp_path_factory, f"client-{version}", install), extensions)
    except CannotInstall as error:
        pytest.skip(f"no older DuckDB can be installed here: {error}")
