"""Signed releases: a file that was swapped together with its manifest is found by the missing signature."""

import shutil
import subprocess
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from flows.running.how import How
from flows.runtime.lake import open_lake
from flows.steps.read_back import require_moved_lately, verify_release
from flows.steps.signing import sign_release, signer
from flows.steps.write_release import publish_in
from paperlake.cli.app import app
from tests.drills import signed
from tests.flows import steps
from warehouse.errors import Damaged, TooOld, UsageError
from warehouse.release.chain import signature_key
from warehouse.release.latest import LATEST, MANIFEST, SIGNATURE, latest_manifest, release_key
from warehouse.release.manifest import File, Latest, Manifest, decode, digest, encode, packed
from warehouse.store.local_files import local_files
from warehouse.store.store import Store

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this machine")
NOTES = "NOTES.md"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return made_key(tmp_path / "key")


def made_key(path: Path, passphrase: str = "") -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", path], check=True)
    return path


def signers(key: Path) -> Path:
    """The file of trusted signers."""
    path = key.with_suffix(".signers")
    path.write_text(f"lake@paperlake.example {key.with_suffix('.pub').read_text()}")
    return path


@pytest.fixture
def store(one_release: Path, lake: str) -> Store:
    return open_lake(str(shutil.copytree(one_release, lake)))


def newest(store: Store) -> Manifest:
    return latest_manifest(store)


def rewritten(store: Store, manifest: Manifest) -> None:
    """Change a document, and the manifest and `latest.json` with it: only a signature can show it."""
    path = release_key(manifest.version, NOTES)
    text = store.read(path).replace(b"#", b"##", 1)
    files = [File(NOTES, len(text), digest(text)) if file.key == NOTES else file for file in manifest.files]
    sums = "".join(f"{file.sha256}  {file.key}\n" for file in files if file.key != "SHA256SUMS").encode()
    files = [File(file.key, len(sums), digest(sums)) if file.key == "SHA256SUMS" else file for file in files]
    made = encode(replace(manifest, files=tuple(files)))
    store.put(path, text)
    store.put(release_key(manifest.version, "SHA256SUMS"), sums)
    store.put(release_key(manifest.version, MANIFEST), made)
    named = decode(store.read(LATEST), Latest, LATEST)
    store.put(LATEST, encode(Latest(named.version, digest(made), named.number, named.moved_at, named.why)))


def sign(store: Store, key: Path) -> None:
    """Sign the latest release and the move that made it so, as a publisher with a key does."""
    sign_release(store, newest(store), key)
    made = signer(key)
    store.put(signature_key(digest(store.read(LATEST))), made(store.read(LATEST)))


def test_a_file_and_its_manifest_swapped_together_are_found(store: Store, key: Path) -> None:
    manifest = newest(store)
    sign(store, key)
    sound, wrong = verify_release(store, signed_by=signers(key))
    assert (wrong, f", signed by somebody in {signers(key)}" in sound) == ([], True)
    rewritten(store, manifest)
    assert verify_release(store)[1] == []
    move, release = verify_release(store, signed_by=signers(key))[1]
    assert f"is not there: the newest move, in {LATEST}, was not signed as it is" in move
    assert release.startswith(f"releases/{manifest.version}/{SIGNATURE} is of nobody in ")


def test_ssh_keygen_and_paperlake_agree_on_single_changed_bytes(tmp_path: Path) -> None:
    assert signed.drill(1, 30, tmp_path).wrong == []


@pytest.mark.parametrize("more", [b', "note": 1}', b', "version": "2026.11.21.9"}'])
def test_unknown_and_doubled_fields_are_refused(store: Store, more: bytes) -> None:
    """Of a manifest whose hash `latest.json` has, and of that itself, which is read before."""
    key = release_key(newest(store).version, MANIFEST)
    for record, kind, written in ((key, Manifest, packed), (LATEST, Latest, encode)):
        data = store.read(record)
        with pytest.raises(Damaged, match=rf"{record} is not what paperlake wrote: .*(unknown field|twice)"):
            decode(data.rstrip().removesuffix(b"}") + more, kind, record)
        assert written(decode(data.replace(b",", b",\n  "), kind, record)) == data


def test_the_next_reader_of_a_checkpoint_is_told_what_moved(store: Store) -> None:
    lake = ["--lake", store.url]
    said = CliRunner().invoke(app, ["verify", *lake])
    since = said.stdout.splitlines()[-1].removeprefix("checkpoint: ")
    rests = CliRunner().invoke(app, ["verify", *lake, "--since", since, "--max-age", "1h"])
    assert "; nothing was moved since the checkpoint, 2026-11-21T" in rests.stdout
    assert isinstance(rests.exception, TooOld)
    require_moved_lately(store, timedelta(hours=30), datetime(2026, 11, 21))
    with pytest.raises(TooOld, match="the newest move, 1, is of 2026-11-21T"):
        require_moved_lately(store, timedelta(hours=30), datetime(2025, 11, 21))  # under a clock that was ahead
    CliRunner().invoke(app, ["keep", newest(store).version, "--why", "cited", *lake], catch_exceptions=False)
    told = CliRunner().invoke(app, ["verify", *lake, "--since", since], catch_exceptions=False)
    assert "; moves since the checkpoint: 1\ncheckpoint: 2:" in told.stdout
    other = CliRunner().invoke(app, ["verify", *lake, "--since", f"1:{'0' * 64}"])
    assert isinstance(other.exception, Damaged)
    assert "move 1 is not the one of the checkpoint: this is another history; change nothing" in str(other.exception)


def test_another_signer_and_no_signature_are_named(store: Store, key: Path, tmp_path: Path) -> None:
    manifest = newest(store)
    faults = verify_release(store, every=True, signed_by=signers(key))[1]
    told = f"releases/{manifest.version}/{SIGNATURE} is not there: release {manifest.version} was not signed as it is"
    assert faults[1:] == [told]
    sign(store, made_key(tmp_path / "other"))
    sign_release(store, manifest, key)  # who signed first has signed
    assert len(verify_release(store, signed_by=signers(key))[1]) == 2
    assert verify_release(store, signed_by=signers(tmp_path / "other"))[1] == []


@pytest.mark.parametrize("name", ["none", "locked"])
def test_a_key_that_cannot_sign_is_named(store: Store, tmp_path: Path, name: str) -> None:
    made_key(tmp_path / "locked", "a passphrase")
    with pytest.raises(UsageError, match=f"PAPERLAKE_SIGNING_KEY: .*{name} cannot sign"):
        sign_release(store, newest(store), tmp_path / name)
    with pytest.raises(UsageError, match=r"--signed-by .*none is no file"):
        verify_release(store, signed_by=tmp_path / "none")


@pytest.mark.slow
def test_a_release_is_signed_before_it_is_the_latest(store: Store, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_SIGNING_KEY", str(key))
    before, seen = newest(store).version, []

    class Seeing(How):
        def step(self, name, function, /, *args, **kwargs):
            if name == "move latest":
                seen.append((newest(store).version, store.exists(release_key(args[1].version, SIGNATURE))))
            return super().step(name, function, *args, **kwargs)

    steps.Archive(store).write([steps.list_of(date(2026, 10, 2))], now=steps.NOW)
    draft = steps.make_draft(store.url)
    with steps.bare_releases():
        assert steps.check_draft(store.url, draft).passed
    with local_files(store) as files, steps.bare_releases():
        publish_in(files, Seeing(store.url))
    assert seen == [(before, True)]
    assert newest(store).version != before
    assert verify_release(store, signed_by=signers(key))[1] == []
