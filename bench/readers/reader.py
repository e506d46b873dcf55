"""A release as one reader's own users read it: `python bench/readers/reader.py READER RELEASE` prints what it saw.

It runs in an environment of its own (`bench/readers/__main__.py`), of which paperlake is no part: the oldest version of
each reader has to do, too. Of every column it prints how many values there are, and one number for them all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, Final

Columns = Mapping[str, Iterable[Any]]
Tables = Iterator[tuple[str, Columns]]


def places(release: Path, *layers: str) -> dict[str, str]:
    """Where each table is: a file, or all files of a folder."""
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    keys = {one["name"]: Path(one["files"][0]["key"]) for layer in layers for one in manifest[layer]}
    found = {name: key if len(key.parts) == 2 else key.parent / "*.parquet" for name, key in keys.items()}
    return {name: str(release / place) for name, place in found.items()}


def everything(release: Path) -> Iterator[tuple[str, str]]:
    return iter(places(release, "tables", "marts").items())


def of_duckdb(release: Path) -> Tables:
    duckdb = import_module("duckdb")
    with duckdb.connect(str(release / "paperlake.duckdb"), read_only=True) as lake:
        for schema, layer in (("core", "tables"), ("mart", "marts")):
            for name in places(release, layer):
                yield name, by_column(lake.sql(f"FROM {schema}.{name}"))


def of_duckdb_parquet(release: Path) -> Tables:
    duckdb = import_module("duckdb")
    for name, place in everything(release):
        yield name, by_column(duckdb.sql(f"FROM '{place}'"))


def by_column(relation: Any) -> Columns:
    rows = relation.fetchall()
    return {name: [row[at] for row in rows] for at, name in enumerate(relation.columns)}


def of_polars(release: Path) -> Tables:
    polars = import_module("polars")
    for name, place in everything(release):
        yield name, polars.read_parquet(place).to_dict(as_series=False)


def of_pyarrow(release: Path) -> Tables:
    parquet = import_module("pyarrow.parquet")
    for name, place in everything(release):
        yield name, parquet.read_table(place.removesuffix("/*.parquet")).to_pydict()


def of_pandas(release: Path) -> Tables:
    pandas = import_module("pandas")
    for name, place in everything(release):
        yield name, of_frame(pandas.read_parquet(place.removesuffix("/*.parquet")))


def of_dask(release: Path) -> Tables:
    dataframe = import_module("dask.dataframe")
    for name, place in everything(release):
        yield name, of_frame(dataframe.read_parquet(place).compute())


def of_frame(frame: Any) -> Columns:
    return {name: values.dropna() for name, values in frame.items()}


def of_spark(release: Path) -> Tables:
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[2]")
    spark = builder.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1").getOrCreate()
    for name, place in everything(release):
        table = spark.read.parquet(place)
        rows = table.collect()
        yield name, {column: [row[at] for row in rows] for at, column in enumerate(table.columns)}


def of_datasets(release: Path) -> Tables:
    """By the card, as the Hub's viewer does; it names no table without rows. Who names none gets `papers`."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {"HF_HOME": cache, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
        datasets = import_module("datasets")
        for name in datasets.get_dataset_config_names(str(release)):
            named = [] if name == "papers" else [name]
            yield name, datasets.load_dataset(str(release), *named, split="train").to_dict()


def of_mlcroissant(release: Path) -> Tables:
    """A list of unknown elements alone is missing here: it reads both as one unknown element (docs/release.md)."""
    dataset = import_module("mlcroissant").Dataset(str(release / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert not issues.errors | issues.warnings, issues.report()
    for records in dataset.metadata.record_sets:
        rows = list(dataset.records(records.uuid))
        names = {field.uuid: field.uuid.rsplit("/", 1)[1] for field in records.fields}
        columns = {name: [row[uuid] for row in rows] for uuid, name in names.items()}
        yield records.name, {name: [known(value) for value in values] for name, values in columns.items()}


def known(value: Any) -> Any:
    parts = value if isinstance(value, list) else [value]
    said = (any(one.values()) if isinstance(one, dict) else one is not None for one in parts)
    return value if parts == [] or any(said) else None


def of_dbt(release: Path) -> Tables:
    """A model of every table and mart, over sources that are the Parquet, and two tests of a key."""
    tables = dict(everything(release))
    outputs = {"one": {"type": "duckdb", "path": "built.duckdb"}}
    sources = [{"name": name, "config": {"external_location": place}} for name, place in tables.items()]
    with tempfile.TemporaryDirectory() as name:
        project = Path(name)
        (project / "models").mkdir()
        model = {"name": "papers_model", "columns": [{"name": "paper_id", "data_tests": ["unique", "not_null"]}]}
        written = {
            "dbt_project.yml": {"name": "reader", "profile": "reader", "models": {"+materialized": "table"}},
            "profiles.yml": {"reader": {"target": "one", "outputs": outputs}},
            "models/sources.yml": {"sources": [{"name": "lake", "tables": sources}], "models": [model]},
        }
        for path, content in written.items():
            (project / path).write_text(json.dumps(content), "utf-8")
        for table in tables:
            text = f"select * from {{{{ source('lake', '{table}') }}}}"
            (project / "models" / f"{table}_model.sql").write_text(text, "utf-8")
        dbt = Path(sys.executable).with_name("dbt")
        quiet = os.environ | {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DO_NOT_TRACK": "1"}
        done = subprocess.run([dbt, "build"], cwd=project, env=quiet, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stdout)
        with import_module("duckdb").connect(str(project / "built.duckdb"), read_only=True) as built:
            for table in tables:
                yield table, by_column(built.sql(f"FROM {table}_model"))


def of_datacontract(release: Path) -> dict[str, Any]:
    """Every check of the contract, against the database that it names."""
    os.chdir(release)
    run = import_module("datacontract.data_contract").DataContract(data_contract_file="contract.yaml").test()
    failed = [f"{check.name}: {check.reason}" for check in run.checks if check.result != "passed"]
    return {"saw": f"{len(run.checks):,} checks", "failed": failed}


def of_frictionless(release: Path) -> dict[str, Any]:
    """The descriptor, then keys, references and rows of each table; the rest it cannot tell of Parquet.

    Its parser goes by pandas, and counts no bytes: it takes NaN for an integer, and no array for a list.
    """
    os.chdir(release)
    frictionless = import_module("frictionless")
    deaf = frictionless.Checklist(skip_errors=["byte-count", "type-error", "constraint-error"])
    package = frictionless.Package("datapackage.json")
    report = package.validate(deaf, limit_errors=10**6)
    failed = [str(one) for one in report.flatten(["title", "message"])]
    return {"saw": f"{len(report.tasks)} tables' keys and references", "failed": failed}


def weight(value: Any) -> float:
    """One number for a value: seconds for a time, the sum of the bytes of a text and of the parts of what is nested."""
    if value is None:
        return 0
    if isinstance(value, date):
        moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
        return moment.replace(tzinfo=UTC).timestamp()
    if isinstance(value, (str, bytes)):
        return sum(value.encode() if isinstance(value, str) else value)
    if hasattr(value, "__iter__"):
        return sum(map(weight, value.values() if isinstance(value, dict) else value))
    return float(value)


def measured(values: Iterable[Any]) -> tuple[int, float]:
    there = [value for value in values if value is not None]
    return len(there), sum(map(weight, there))


READERS: Final[dict[str, tuple[str, Callable[[Path], Any]]]] = {
    "duckdb": ("duckdb", of_duckdb),
    "duckdb on Parquet": ("duckdb", of_duckdb_parquet),
    "polars": ("polars", of_polars),
    "pyarrow": ("pyarrow", of_pyarrow),
    "pandas": ("pandas", of_pandas),
    "dask": ("dask", of_dask),
    "spark": ("pyspark", of_spark),
    "datasets": ("datasets", of_datasets),
    "mlcroissant": ("mlcroissant", of_mlcroissant),
    "dbt-duckdb": ("dbt-duckdb", of_dbt),
    "datacontract-cli": ("datacontract-cli", of_datacontract),
    "frictionless": ("frictionless", of_frictionless),
}


def main() -> None:
    package, read = READERS[sys.argv[1]]
    found = read(Path(sys.argv[2]).absolute())
    if not isinstance(found, dict):
        found = {"tables": {name: {key: measured(of) for key, of in table.items()} for name, table in found}}
    print(json.dumps({"version": metadata.version(package), **found}))


if __name__ == "__main__":
    main()
