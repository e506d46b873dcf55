"""A small disk for tests to fill or make read-only: a tmpfs in a mount namespace that no other process sees.

It needs no rights where the kernel lets users make namespaces; elsewhere the tests that ask for it are skipped.
"""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

SIZE = "32m"
NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount", "sh")


@dataclass(frozen=True)
class Disk:
    """`place` is where a command finds it that `enter` begins, `path` where this process does, but for DuckDB."""

    place: Path
    shell: subprocess.Popen[str]

    @property
    def path(self) -> Path:
        return Path(f"/proc/{self.shell.pid}/root{self.place}")

    @property
    def enter(self) -> tuple[str, ...]:
        return ("nsenter", "--preserve-credentials", "--user", "--mount", f"--target={self.shell.pid}", "--")

    def mount(self, options: str) -> bool:
        assert self.shell.stdin is not None
        assert self.shell.stdout is not None
        try:
            print(
                f"mount -t tmpfs -o {options} tmpfs '{self.place}' && echo done || echo",
                file=self.shell.stdin,
                flush=True,
            )
        except BrokenPipeError:  # it never came up
            return False
        return self.shell.stdout.readline() == "done\n"

    def fill(self, left_kib: int) -> None:
        """Fill the disk but for so many bytes, for the user and for root."""
        self.free()
        with (self.path / "filler").open("wb") as file:
            while (room := shutil.disk_usage(self.path).free - (left_kib << 10)) > 0:
                file.write(bytes(min(room, 1 << 20)))
                file.flush()

    def free(self) -> None:
        (self.path / "filler").unlink(missing_ok=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    place = tmp_path / "disk"
    place.mkdir()
    if shutil.which("unshare") is None:
        pytest.skip("no unshare(1) here")
    pipe = subprocess.PIPE
    with subprocess.Popen(NAMESPACE, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as shell:
        made = Disk(place, shell)
        try:
            if not made.mount(f"size={SIZE}"):
                pytest.skip("this user may not make a mount namespace")
            yield made
        finally:
            shell.kill()
