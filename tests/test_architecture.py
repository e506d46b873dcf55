"""The house keeps its rooms apart, and a command that only reads starts nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READING = (
    "flows.cli.commands",
    "flows.cli.answers",
    "flows.steps.read_back",
    "flows.cli.status_text",
    "warehouse.release.write",
    "warehouse.archive.archive",
)


def run(program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_import_contracts() -> None:
    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(cache_dir=None))"
    done = run(program)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_no_file_of_flows_hides_a_module() -> None:
    """Prefect's path entrypoints put `flows/` first on sys.path: a file there would stand in for its namesake."""
    ours = {path.stem for path in (ROOT / "flows").iterdir() if path.suffix in {"", ".py"} and path.stem[:2] != "__"}
    assert ours
    rooms = {"flows", "transforms", "expectations", "warehouse", "tests", "bench"}
    others = {name for name, owners in packages_distributions().items() if set(owners) != {"paperlake"}} - rooms
    assert not ours & (sys.stdlib_module_names | others)


@pytest.mark.parametrize(
    ("module", "heavy"),
    [(module, {"prefect", "great_expectations", "pandas"}) for module in READING]
    + [
        ("flows.cli.commands", {"polars", "duckdb", "s3fs", "fastwarc", "httpx"}),
        ("expectations.gate", {"great_expectations", "pandas"}),
        ("transforms.collect.collect", {"duckdb", "prefect", "httpx", "s3fs"}),
        ("flows.publish", {"matplotlib"}),
    ],
)
def test_what_importing_a_module_does_not_import(module: str, heavy: set[str]) -> None:
    program = f"import sys, {module}; print(*(set({heavy!r}) & set(sys.modules)))"
    done = run(program)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], "")
