"""Single changed bytes of a signed manifest: `paperlake verify --signed-by` and `ssh-keygen -Y verify` agree on each."""

import subprocess
from datetime import datetime
from pathlib import Path
from random import Random

from flows.steps.signing import NAMESPACE, SIGNATURE, sign_release, signature_faults, signer
from tests.bare import publish_bare
from tests.drills.histories import Drilled
from warehouse.errors import Damaged
from warehouse.release.latest import MANIFEST, release_key
from warehouse.release.manifest import Manifest, decode
from warehouse.store.opening import open_store
from warehouse.store.store import Store

WHO = "lake@paperlake.example"


def changed(data: bytes, random: Random) -> bytes:
    """One byte replaced, put in, or left out; every third time by or of white space, which changes no value."""
    at = random.randrange(len(data))
    byte = random.choice(b" \n\t") if random.random() < 1 / 3 else random.randrange(256)
    made = random.choice(
        [data[:at] + bytes([byte]) + data[at + 1 :], data[:at] + bytes([byte]) + data[at:], data[:at] + data[at + 1 :]]
    )
    return made if made != data else changed(data, random)


def accepts(store: Store, key: str, signers: Path) -> bool:
    """Whether paperlake takes the manifest as it lies there for the one that was signed."""
    try:
        return not list(signature_faults(store, [decode(store.read(key), Manifest, key)], signers))
    except Damaged:
        return False


def drill(seed: int, count: int, folder: Path) -> Drilled:
    """So many changes of a manifest, and as it was after each tenth."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "key"], check=True)
    (signers := folder / "signers").write_text(f"{WHO} {(folder / 'key.pub').read_text()}")
    store, random = open_store(str(folder / "lake")), Random(seed)
    manifest = publish_bare(store, "2026.11.21.1", at=datetime(2026, 11, 21), sign=signer(folder / "key"))
    sign_release(store, manifest, folder / "key")
    key, signature = release_key(manifest.version, MANIFEST), store.local_path(release_key(manifest.version, SIGNATURE))
    check = ["ssh-keygen", "-Y", "verify", "-n", NAMESPACE, "-f", signers, "-I", WHO, "-s", str(signature)]
    original, accepted, wrong = store.read(key), 0, []
    for number in range(count):
        data = original if number % 10 == 0 else changed(original, random)
        store.put(key, data)
        by_ssh = subprocess.run(check, input=data, capture_output=True, check=False).returncode == 0
        accepted += by_ssh
        if (accepts(store, key, signers), data == original) != (by_ssh, by_ssh):
            wrong.append(f"{number}: ssh-keygen says {by_ssh} of {data!r}")
    return Drilled(f"{count} manifests: both accept {accepted} and refuse {count - accepted - len(wrong)}", wrong)
