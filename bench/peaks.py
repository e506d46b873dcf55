"""The most memory of each process of a command, in MiB: `python -m bench.peaks paperlake build --lake LAKE`.

`/usr/bin/time` tells that of the largest alone, which is the gate's with what Great Expectations imports.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

LOOK_SECONDS = 0.02
PEAK = re.compile(r"VmHWM:\s+([0-9]+) kB")
SHOWN = 100  # characters of a command line


def peaks_of(command: list[str]) -> dict[str, int]:
    """The peak of each process that a command starts, and of its own, by its command line."""
    found = dict[str, int]()
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            for folder in _tree(Path(f"/proc/{process.pid}")):
                found |= _peak(folder)
            time.sleep(LOOK_SECONDS)
    return found


def _tree(folder: Path) -> Iterator[Path]:
    """A process and all that it started, by their folders."""
    yield folder
    for children in folder.glob("task/*/children"):
        for child in _text(children).split():
            yield from _tree(folder.with_name(child))


def _peak(folder: Path) -> dict[str, int]:
    peak = PEAK.search(_text(folder / "status"))
    name = _text(folder / "cmdline").replace("\0", " ")[:SHOWN].strip()
    return {f"{folder.name} {name}": int(peak[1]) // 1024} if peak else {}


def _text(path: Path) -> str:
    """What a file says; nothing where its process has ended."""
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def main() -> None:
    for name, peak in peaks_of(sys.argv[1:]).items():
        print(f"| {name} | {peak} |")


if __name__ == "__main__":
    main()
