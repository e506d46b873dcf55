"""A release as a bundle for an archive: what is in it, that it is the same each time, and whole or not there."""

import hashlib
import json
import shutil
from datetime import datetime
from pathlib import Path
from zipfile import ZipFile

import pytest

from flows.runtime.lake import open_lake
from flows.steps.deposit import datacite, deposit
from warehouse.errors import Damaged, NothingThere, UsageError
from warehouse.release import moves
from warehouse.store.store import Store

VERSION, DOI = "2026.11.21.2", "10.5281/zenodo.1234567"
TOP = f"paperlake-{VERSION}/"


@pytest.fixture
def store(published_twice: str, tmp_path: Path) -> Store:
    return open_lake(str(shutil.copytree(published_twice, tmp_path / "lake")))


def test_a_bag_is_complete_by_its_own_hashes(published_twice: str, tmp_path: Path) -> None:
    store, path = open_lake(published_twice), tmp_path / "deposit.zip"
    assert deposit(store, VERSION, path, doi=DOI, publisher="An archive") == path.stat().st_size
    manifest = moves.published(store, VERSION)
    with ZipFile(path) as bundle:
        files = {name.removeprefix(TOP): bundle.read(name) for name in bundle.namelist()}
        assert all(name.startswith(TOP) for name in bundle.namelist())
    assert files["bagit.txt"] == b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
    payload = {key for key in files if key.startswith("data/")}
    assert payload == {f"data/{file.key}" for file in manifest.files} | {"data/manifest.json"}
    for sums, keys in (
        ("manifest-sha256.txt", payload),
        ("tagmanifest-sha256.txt", files.keys() - payload - {"tagmanifest-sha256.txt"}),
    ):
        told = dict(line.split("  ")[::-1] for line in files[sums].decode().splitlines())
        assert told == {key: hashlib.sha256(files[key]).hexdigest() for key in keys}
    oxum = f"Payload-Oxum: {sum(len(files[key]) for key in payload)}.{len(payload)}\n"
    assert oxum in files["bag-info.txt"].decode()
    assert f"External-Identifier: {DOI}\n" in files["bag-info.txt"].decode()
    assert files["LICENSE.md"] == files["data/LICENSE.md"]
    assert f"https://doi.org/{DOI}" in files["README.md"].decode()
    again = tmp_path / "again.zip"
    deposit(store, VERSION, again, doi=DOI, publisher="An archive")
    assert again.read_bytes() == path.read_bytes()
    described = json.loads(files["metadata/datacite.json"])
    assert (described["doi"], described["version"], described["publicationYear"]) == (DOI, VERSION, "2026")
    assert described["publisher"] == {"name": "An archive"}
    assert described["types"]["resourceTypeGeneral"] == "Dataset"
    assert described["dates"][1]["date"] == "2024-03-14/2026-10-05"
    licences = {one.get("rightsIdentifier") for one in described["rightsList"]}
    assert licences == {"CC0-1.0", "Apache-2.0", None}


def test_without_a_doi_none_is_stated(published_twice: str) -> None:
    manifest = moves.published(open_lake(published_twice), VERSION)
    assert "doi" not in json.loads(datacite(manifest, "", None, "An archive"))


def test_a_changed_release_is_not_deposited(store: Store, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    path = tmp_path / "out" / "deposit.zip"
    path.write_bytes(b"an older one")
    damaged = store.local_path(f"releases/{VERSION}/NOTES.md")
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"!")
    with pytest.raises(Damaged, match=r"NOTES.md of release 2026\.11\.21\.2 is not what was published"):
        deposit(store, VERSION, path, publisher="An archive")
    assert [(one.name, one.read_bytes()) for one in path.parent.iterdir()] == [("deposit.zip", b"an older one")]


@pytest.mark.parametrize("doi", ["https://doi.org/10.5281/zenodo.1", "10.5281/", "10.5281/a b", "10.5281/a\nb"])
def test_an_invalid_doi_is_refused(published_twice: str, tmp_path: Path, doi: str) -> None:
    with pytest.raises(UsageError, match="is no DOI"):
        deposit(open_lake(published_twice), VERSION, tmp_path / "x.zip", doi=doi, publisher="An archive")


def test_a_retracted_or_missing_release_is_not_deposited(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NothingThere, match="no release '2026"):
        deposit(store, "2026.11.21.9", tmp_path / "x.zip", publisher="An archive")
    with pytest.raises(UsageError, match="name another place"):
        deposit(store, VERSION, tmp_path / "none" / "x.zip", publisher="An archive")
    moves.retract(store, VERSION, at=datetime(2026, 11, 22), why="wrong stars")
    with pytest.raises(UsageError, match="was retracted 2026-11-22T00:00:00Z: wrong stars; deposit another one"):
        deposit(store, VERSION, tmp_path / "x.zip", publisher="An archive")
