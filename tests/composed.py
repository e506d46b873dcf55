"""The services of docs/deploy/compose.yaml as processes of this machine: the same commands and environment, confined.

Only addresses differ: names of services become 127.0.0.1, ports free ones, volumes and secrets folders.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.processes import ROOT
from tests.seaweed import PARTS, free_ports

DEPLOY = ROOT / "docs/deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
CONTAINERFILE = (DEPLOY / "Containerfile").read_text()
UID = "10001"
VARIABLE = re.compile(r"\$\{(\w+):([-+])([^}]*)\}")
PORT = re.compile(r"\b(?:4200|8025|8080|8333|9464)\b")


def image_environment() -> dict[str, str]:
    """The variables that the last stage of the Containerfile sets."""
    stage = CONTAINERFILE.rpartition("\nFROM ")[2].replace("\\\n", " ")
    lines = [line.removeprefix("ENV ") for line in stage.splitlines() if line.startswith("ENV ")]
    return dict(pair.split("=", 1) for line in lines for pair in shlex.split(line))


def filled_in(text: str, given: Mapping[str, str]) -> str:
    """`${NAME:-else}` and `${NAME:+then}`, as Compose fills them in."""

    def value(found: re.Match[str]) -> str:
        name, how, other = found.groups()
        return (given.get(name) or other) if how == "-" else (other if given.get(name) else "")

    return VARIABLE.sub(value, text)


# The root file system read-only, but for /tmp and one folder; then the user of the image, without a capability
CONFINED = (
    'mount --bind /tmp /tmp && mount --bind "$1" "$1" && mount -o remount,bind,ro / && cd "$1" && shift && exec "$@"'
)
AS_USER = ("unshare", "--user", f"--map-user={UID}", f"--map-group={UID}")


def confined(command: list[str], folder: Path) -> list[str]:
    """The command with the rights of a container, as far as this machine lets its user drop them."""
    if os.geteuid() != 0:
        return command
    inside = ["unshare", "--mount", "sh", "-c", CONFINED, "sh", str(folder), *AS_USER]
    may = subprocess.run([*inside, "true"], capture_output=True, check=False).returncode == 0
    return [*(inside if may else AS_USER), *command]


@dataclass
class Stack:
    """Services that run, each with a log; `given` is what the owner has set in the environment of Compose."""

    folder: Path
    given: dict[str, str]
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _ports: dict[str, str] = field(default_factory=dict)

    def port(self, number: str) -> str:
        """The port of this machine that stands for a port of a container."""
        if number not in self._ports:
            self._ports[number] = str(free_ports(1)[0])
        return self._ports[number]

    def here(self, service: str, text: str) -> str:
        """An address or a path of a container as it is on this machine."""
        text = filled_in(text, self.given).replace("0.0.0.0", "127.0.0.1")
        if "://" in text:
            text = re.sub(r"//(?:store|prefect):", "//127.0.0.1:", text)
        if re.fullmatch(r"(?:-s3\.port=|http://127\.0\.0\.1:)?\d{4}(?:/.*)?", text) or "urlopen(" in text:
            text = PORT.sub(lambda found: self.port(found[0]), text)
        for inside, outside in (
            ("/run/secrets", self.folder / "secrets"),
            ("/srv/store", self.folder / "store"),
            ("/state", self.folder / ("prefect" if service == "prefect" else "state")),
            ("/scratch", self.folder / f"scratch-{service}"),
        ):
            text = re.sub(rf"(?<![\w/]){inside}", str(outside), text)
        return text

    def environment(self, service: str) -> dict[str, str]:
        declared = SERVICES[service].get("environment", {})
        image = image_environment() if SERVICES[service].get("image") == "paperlake" else {}
        found = {name: self.here(service, str(value)) for name, value in (image | declared).items()}
        path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
        return found | {"PATH": path}

    def command(self, service: str) -> list[str]:
        words = [*SERVICES[service].get("entrypoint", []), *SERVICES[service]["command"]]
        more = []
        if service == "store":  # the ports inside are others too: two of these may run on one machine
            ports = zip(PARTS * 2, free_ports(len(PARTS) * 2), strict=True)
            taken = [f"-{part}.port{'' if n < len(PARTS) else '.grpc'}={port}" for n, (part, port) in enumerate(ports)]
            more = [word for word in taken if not word.startswith("-s3.port=")]
            more += ["-s3.port.iceberg=0", "-s3.port.lance=0", "-ip=127.0.0.1"]
            more += [f"-{part}.localSocket={self.folder}/store/{part}.sock" for part in ("filer", "s3")]
        return [self.here(service, str(word)) for word in words] + more

    def start(self, service: str) -> None:
        with self.log(service).open("ab") as log:
            self.processes[service] = subprocess.Popen(
                confined(self.command(service), self.folder),
                cwd=self.folder,
                env=self.environment(service),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def run(self, service: str, *words: str, timeout: float = 180) -> subprocess.CompletedProcess[str]:
        """Run another command in the container of a service, as `docker compose exec` does."""
        environment = self.environment(service)
        command = confined([self.here(service, word) for word in words], self.folder)
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=timeout, check=False
        )

    def is_healthy(self, service: str) -> bool:
        """Whether the service's own health check passes."""
        assert self.processes[service].poll() is None, self.log(service).read_text()
        return self.run(service, *SERVICES[service]["healthcheck"]["test"][1:]).returncode == 0

    def log(self, service: str) -> Path:
        return self.folder / f"{service}.log"


@contextmanager
def stack(folder: Path, given: dict[str, str]) -> Iterator[Stack]:
    """A stack in which nothing runs yet; what still runs at the end is killed."""
    made = Stack(folder, given)
    for name in ("store", "state", "prefect", *(f"scratch-{service}" for service in SERVICES)):
        (folder / name).mkdir()
    try:
        yield made
    finally:
        for process in made.processes.values():
            if process.poll() is None:
                process.kill()
            process.wait()
