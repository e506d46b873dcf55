"""No command looks up, or connects to, anything but this machine: on a terminal, with a home that nothing knows yet."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.processes import ROOT

# Imported by Python before anything else, in children too: every name that is looked up, every address that is reached
RECORD = """
import os, sys
LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0", "::")
def hook(event, arguments):
    if event in {"socket.getaddrinfo", "socket.gethostbyname", "socket.connect", "socket.sendto"}:
        found = arguments[0] if event.startswith("socket.get") else arguments[1]
        host = found[0] if isinstance(found, tuple) else found
        if isinstance(found, (str, bytes)) and not event.startswith("socket.get"):
            return  # a socket of this machine
        host = host.decode() if isinstance(host, bytes) else str(host)
        if host != "None" and not host.startswith(LOOPBACK):
            with open(os.environ["RECORDED"], "a") as file:
                file.write(f"{event} {host} {sys.argv}\\n")
sys.addaudithook(hook)
"""
# What may know Prefect is tried in processes of their own; all else in two, before and after: the plain steps import none
AT_FIRST = """
land {list} | build | publish | captures | copy {copy} | push ada/papers --dry-run | export iceberg {iceberg} |
export delta {delta}
"""
WITH_PREFECT = "run {page} | erase nobody-has-this --why rule | digest send | doctor"
IN_TURN = """
--version | --help | open --help | explore --help | search agents | similar 2604.03759 | trending | board GSM8K |
cite bibtex 2604.03759 | cite 2604.03759 | cite-verify nothing | deposit --help | materialize --help | feed | mcp --help |
sql SELECT+1 | panel | tables | status | metrics | verify | verify --raw | show raw | show paper 2604.03759 | releases |
diff | rollback 2000.01.01.1 | retract 2000.01.01.1 --why x | keep 2000.01.01.1 | retain | follow {copy}.duckdb |
evidence rank 2604.03759 2026-04-07 | digest --help | digest preview
"""
PROGRAM = """
import sys
from paperlake.cli.main import main
for command in sys.argv[1:]:
    sys.argv = ["paperlake", *(word.replace("+", " ") for word in command.split())]
    try:
        main()
    except SystemExit as ended:
        print("ended:", ended.code or 0, *({"prefect"} & set(sys.modules)), flush=True)
"""


def commands_in(text: str) -> list[str]:
    return [command.strip() for command in text.split("|")]


def commands() -> set[str]:
    """The first word of every command of the command line."""
    from paperlake.cli.app import app

    return set(app.commands)


def test_every_command_is_tried() -> None:
    assert commands() <= {command.split()[0] for command in commands_in(f"{AT_FIRST}|{WITH_PREFECT}|serve|{IN_TURN}")}


@pytest.mark.slow
def test_no_command_calls_home(tmp_path: Path, sample: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(RECORD)
    recorded = tmp_path / "recorded"
    recorded.touch()
    places = {"list": sample / "2026-04-07-later.json", "page": sample / "saved.txt"}
    places |= {name: tmp_path / name for name in ("copy", "iceberg", "delta")}
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "home"),
        "PYTHONPATH": f"{tmp_path}:{ROOT}",
        "TERM": "xterm",
        "RECORDED": str(recorded),
        "PAPERLAKE_LAKE": str(tmp_path / "lake"),
        "PAPERLAKE_HUB_URL": "http://127.0.0.1:9",
    }
    (tmp_path / "home").mkdir()
    for some in (AT_FIRST, WITH_PREFECT, "serve", IN_TURN):
        words = [command.format(**places) for command in commands_in(some)]
        said = on_terminal(words, environment, tmp_path)
        assert len(words) == 1 or said.count("ended:") == len(words), said
        assert some in {WITH_PREFECT, "serve"} or not re.search("ended: .*prefect", said), said
    assert recorded.read_text() == ""


def on_terminal(words: list[str], environment: dict[str, str], folder: Path) -> str:
    """What commands say on a terminal; `serve` is stopped when it says what runs next."""
    terminal, shown = pty.openpty()
    command = [sys.executable, "-c", PROGRAM, *words]
    run = subprocess.Popen(command, env=environment, cwd=folder, stdin=shown, stdout=shown, stderr=shown)
    os.close(shown)
    said, ends = b"", time.monotonic() + 180
    while run.poll() is None:
        assert time.monotonic() < ends, (words, said)
        if select.select([terminal], [], [], 0.2)[0]:
            with suppress(OSError):  # the command has closed its end
                said += os.read(terminal, 65536)
        if words[0] == "serve" and b"verify runs next" in said:
            run.send_signal(signal.SIGTERM)
    os.close(terminal)
    assert b"Traceback" not in said, (words, said.decode())
    return said.decode()
