"""Packages keep to their layers, and a command that only reads imports nothing heavy."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests import house
from tests.processes import finished

ROOT = Path(__file__).parents[1]
ENVIRONMENT = {"environ", "environb", "getenv", "getenvb", "putenv"}
HEAVY = {"prefect", "great_expectations", "pandas"}
# Looked at in one process, one after the other
SAYING = (
    *("paperlake.cli.main", "paperlake.cli.digest_commands", "paperlake.cli.operator_commands"),
    "paperlake.sql.shell",
)
FINDING = ("paperlake.reading.lakes", "paperlake.find.finder", "paperlake.find.reasons")
READING = (
    *("paperlake.sql.answers", "flows.steps.read_back", "paperlake.cli.lake_texts", "warehouse.release.write"),
    *("warehouse.archive.archive", "expectations.gate", "flows.steps.build_draft"),
)
SERVERS = {"s3fs", "httpx", "starlette", "uvicorn", "itsdangerous", "prometheus_client"}


def run(program: str) -> subprocess.CompletedProcess[str]:
    return finished(sys.executable, "-c", program, cwd=ROOT, timeout=240)


def test_import_contracts() -> None:
    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(cache_dir=None))"
    done = run(program)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_no_file_of_flows_hides_a_module() -> None:
    """Prefect's path entrypoints put `flows/` first on sys.path: a file there would hide a module of its name."""
    ours = {path.stem for path in (ROOT / "flows").iterdir() if path.suffix in {"", ".py"} and path.stem[:2] != "__"}
    assert ours
    rooms = {"paperlake", "flows", "transforms", "expectations", "warehouse", "tests", "bench"}
    others = {name for name, owners in packages_distributions().items() if set(owners) != {"paperlake"}} - rooms
    assert not ours & (sys.stdlib_module_names | others)


@pytest.mark.parametrize(
    ("modules", "heavy"),
    [
        (SAYING, HEAVY | SERVERS | {"polars", "duckdb", "sqlite3", "pydantic", "fastwarc"}),
        (FINDING, HEAVY | {"polars", "numpy", "pyarrow", "pydantic", "s3fs"}),
        (READING, HEAVY | {"prefect_dask", "dask", "distributed", "tornado"}),
        (("flows.steps.land_inputs",), HEAVY | {"openlineage", "polars"}),
        (("transforms.collect.collect",), {"duckdb", "prefect", "httpx", "s3fs"}),
        (("flows.schedules",), {"dkim", "css_inline", "itsdangerous", "flufl"}),
    ],
)
def test_what_importing_modules_does_not_import(modules: tuple[str, ...], heavy: set[str]) -> None:
    program = f"import sys, {', '.join(modules)}; print(*(set({heavy!r}) & set(sys.modules)))"
    done = run(program)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], "")


@pytest.mark.slow
def test_importing_starts_no_worker_of_polars() -> None:
    """A process that is forked later has none of them, and waits for them for ever."""
    names = "*(path.read_text() for path in pathlib.Path('/proc').glob('self/task/*/comm'))"
    modules = "transforms.collect.collect, expectations.runner, flows.steps.make_draft"
    done = run(f"import pathlib, {modules}; print({names})")
    assert (done.returncode, "polars-0" in done.stdout.split()) == (0, False)


def test_no_module_holds_a_type_of_duckdb() -> None:
    """By an evaluated annotation or another name: DuckDB tells of it, as leaked, when a process exits."""
    texts = {path: path.read_text("utf-8") for room in house.ROOMS for path in (ROOT / room).rglob("*.py")}
    asking = {path: text for path, text in texts.items() if "duckdb.DuckDB" in text or "from duckdb import" in text}
    assert asking
    for path, text in asking.items():
        assert "from __future__ import annotations" in text, path
        assert not re.search(r"^from duckdb import", text, re.MULTILINE), path


def test_settings_are_read_in_one_place() -> None:
    """What pydantic does not read from the environment is Prefect's: our own server's, our defaults, and its levels.

    `encoder` reads none: it tells ONNX Runtime to tell nobody. Nor does `flows`, which tells numpy and Polars their threads.
    `forked` hands all of it to `warm`, which gives it to a run.
    """
    paths = (path for room in house.ROOMS for path in (ROOT / room).rglob("*.py"))
    named = {path.relative_to(ROOT).as_posix(): set(house.source(path).mentions) for path in paths}
    readers = {path for path, names in named.items() if names & ENVIRONMENT}
    ours = {f"flows/runtime/{name}.py" for name in ("encoder", "environment", "forked")}
    prefect = {f"flows/running/{name}.py" for name in ("guarded_prefect", "prefect_server", "warm")}
    assert readers <= {"flows/__init__.py", "flows/schedules.py", *ours, *prefect}
    assert {path for path, names in named.items() if "BaseSettings" in names} == {"flows/runtime/settings.py"}


def test_a_folder_has_fifteen_modules_at_most() -> None:
    assert {folder.as_posix(): count for folder, count in house.modules_a_folder().items() if count > 15} == {}


def test_a_stem_names_one_thing() -> None:
    assert {stem: [path.as_posix() for path in paths] for stem, paths in house.stems().items()} == {}


def test_no_two_folders_import_each_other() -> None:
    assert house.folders_that_import_each_other() == []


def test_no_modules_import_each_other() -> None:
    assert house.modules_in_a_circle() == []


def test_a_type_name_means_one_thing() -> None:
    assert house.types_of_two_meanings() == {}


@pytest.mark.parametrize("room", house.ROOMS)
def test_few_private_functions_are_used_once(room: str) -> None:
    found = house.functions(room)
    assert found.share < 0.15, "\n".join(found.used_once)


def test_every_imported_distribution_is_declared() -> None:
    """By the module names of installed distributions; ours and the standard library's do not count.

    What is of an extra and not installed goes by its own name.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *(one for name, wanted in extras.items() if name != "dev" for one in wanted)]
    wanted = extras["dev"]
    ours = {*house.ROOMS, "tests", "bench", "_typeshed", *sys.stdlib_module_names}
    owners = packages_distributions()
    for folders, declared in ((house.ROOMS, needed), (("tests", "bench"), needed + wanted)):
        names = {normalised(re.split(r"[<>=!~;\[ ]", one)[0]) for one in declared}
        imported = house.imported(folders) - ours
        assert {name for name in imported if not {*map(normalised, owners.get(name, [name]))} & names} == set()


def normalised(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def test_every_package_tells_that_it_is_typed() -> None:
    assert [room for room in house.ROOMS if not (ROOT / room / "py.typed").is_file()] == []
