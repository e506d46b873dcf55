"""Signatures of manifests and moves, made and checked by `ssh-keygen -Y`, of their bytes as they are stored.

A manifest has the hash of every file, so that its signature is one of the whole release. The signature is put beside it
before the release becomes the latest; it is no file of the release, for the manifest does not know it. A move has the
hash of the one before, so that the signature of the newest one, which `latest.json` holds, is one of all of them.
"""

import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from flows.runtime.environment import variable
from flows.runtime.settings import load
from warehouse.errors import UsageError
from warehouse.release.chain import EVIDENCE, signature_key
from warehouse.release.latest import LATEST, MANIFEST, SIGNATURE, release_key, stored_manifest
from warehouse.release.manifest import Manifest, digest
from warehouse.release.moves import Sign
from warehouse.store.store import Store, read_if_there
from warehouse.store.temporary import temporary_folder

NAMESPACE: Final = "paperlake"  # of ssh's signatures: one that was made for something else is not valid here
SECONDS: Final = 30.0
SETTING: Final = variable("signing_key")


def sign_release(store: Store, manifest: Manifest, key: Path | None) -> None:
    """Put a signature beside the manifest of a release, if there is a key; UsageError where it cannot sign."""
    if key is not None and not store.exists(at := release_key(manifest.version, SIGNATURE)):
        store.put_new(at, _signed(key, stored_manifest(store, manifest)))


def signer(key: Path | None) -> Sign | None:
    """The signer of moves, if there is a key; it raises UsageError where it cannot sign."""
    return partial(_signed, key) if key else None


def own_signer() -> Sign | None:
    """The signer of moves by the settings of this machine."""
    return signer(load().signing_key)


def _signed(key: Path, data: bytes) -> bytes:
    made = _ssh_keygen("sign", "-n", NAMESPACE, "-f", str(key.expanduser()), signed=data)
    if made.returncode:
        raise UsageError(f"{SETTING}: {key} cannot sign: {made.stderr.decode(errors='replace').strip()}")
    return made.stdout


def move_signed_anew(store: Store, before: bytes, after: bytes, key: Path | None) -> None:
    """Sign a move that replaced another, if there is a key; the newest move, which names it, is signed in any case."""
    store.delete(signature_key(digest(before)))
    if key is not None:
        store.put(signature_key(digest(after)), _signed(key, after))


def signed_anew(store: Store, manifest: Manifest, key: Path | None) -> list[str]:
    """Sign a manifest that replaced another; without a key, return what is left to do if the other was signed."""
    was_signed = store.exists(at := release_key(manifest.version, SIGNATURE))
    store.delete(at)
    sign_release(store, manifest, key)
    step = f"sign {release_key(manifest.version, MANIFEST)} by `ssh-keygen -Y sign -n {NAMESPACE} -f KEY`"
    return [f"release {manifest.version} was signed, and is not any more: {step}"] if was_signed and key is None else []


def signature_faults(store: Store, manifests: Sequence[Manifest], allowed: Path) -> Iterator[str]:
    """What no signer of a file (`ssh-keygen`, ALLOWED SIGNERS) has signed as it is: of releases and the newest move."""
    if not allowed.is_file():
        raise UsageError(f"--signed-by {allowed} is no file; one has lines of a name and a public key of ssh")
    head = store.read(LATEST)
    signed = [(f"the newest move, in {LATEST},", signature_key(digest(head)), head)]
    for manifest in manifests:
        key = release_key(manifest.version, SIGNATURE)
        signed.append((f"release {manifest.version}", key, stored_manifest(store, manifest)))
    with temporary_folder() as folder:
        for what, key, data in signed:
            signature = read_if_there(store, key)
            if signature is None:
                yield f"{key} is not there: {what} was not signed as it is"
            elif not _is_signed(data, signature, allowed, folder / "signature"):
                yield f"{key} is of nobody in {allowed}, or of other bytes: {what} is not what they signed; {EVIDENCE}"


def _is_signed(data: bytes, signature: bytes, allowed: Path, place: Path) -> bool:
    place.write_bytes(signature)
    found = _ssh_keygen("find-principals", "-s", str(place), "-f", str(allowed))
    names = found.stdout.decode(errors="replace").splitlines() if not found.returncode else []
    check = ("verify", "-n", NAMESPACE, "-f", str(allowed), "-s", str(place), "-I")
    return any(_ssh_keygen(*check, name, signed=data).returncode == 0 for name in names)


def _ssh_keygen(*words: str, signed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run ssh-keygen without a terminal: a key that asks for a passphrase fails, as nobody sits at a scheduled run."""
    command = ["ssh-keygen", "-Y", *words]
    try:
        return subprocess.run(  # noqa: S603 - these words alone, and no shell
            command, input=signed, capture_output=True, timeout=SECONDS, check=False, start_new_session=True
        )
    except FileNotFoundError as error:
        raise UsageError(
            "ssh-keygen is not on this machine; install OpenSSH's client to sign, or to check it"
        ) from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"ssh-keygen took more than {SECONDS:.0f} s; look at {SETTING}") from error
