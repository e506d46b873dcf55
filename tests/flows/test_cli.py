"""The command line as its user sees it: a process, its two streams, its exit code.

The processes are forked, which saves their imports; the program itself: test_newcomer.py. What `paperlake captures`
publishes: tests/laws/test_standing.py.
"""

import json
import os
import signal
import socket
import subprocess
from pathlib import Path
from unittest.mock import Mock
from xml.etree import ElementTree as ET

import pytest

from flows.hub.budget import Clock
from flows.runtime.lake import open_lake
from flows.runtime.scope import Scope
from flows.steps.capture_due import capture_due
from paperlake.cli.release_texts import DecidedCapture, decided_text
from tests import processes
from tests.flows.test_answers import said
from tests.processes import finished
from warehouse.errors import NothingThere, UsageError
from warehouse.release.latest import latest_manifest
from warehouse.release.manifest import Decision


def paperlake(*arguments: str, lake: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PAPERLAKE_LAKE": lake, "COLUMNS": "100"}
    done = processes.paperlake(*arguments, environment=environment)
    assert "Traceback" not in done.stderr + done.stdout, done.stderr
    return done


def started(*arguments: str, lake: str) -> subprocess.CompletedProcess[str]:
    """The program itself: of one or two that only read, less work than what the forked ones are forked from."""
    environment = {**os.environ, "PAPERLAKE_LAKE": lake, "COLUMNS": "100"}
    return finished(processes.PAPERLAKE, *arguments, env=environment)


@pytest.mark.dated
def test_status_tells_a_person_and_a_script(published: str) -> None:
    done = started("status", lake=published)
    assert (done.returncode, done.stderr) == (0, "")
    assert "73 papers from 26 captured pages" in done.stdout
    assert "newest list  2026-10-02 Fri: 7 papers, fetched " in done.stdout
    gaps = [line.split(maxsplit=3) for line in done.stdout.splitlines()]  # the last gap is wider each year
    assert ["2023-05-04", "\N{EN DASH}", "2024-03-13", "225 days  not fetched"] in gaps
    assert max(map(len, done.stdout.splitlines())) <= 80
    status = json.loads(started("status", "--format", "json", lake=published).stdout)
    assert (status["release"]["capture_count"], status["unreleased_capture_count"]) == (26, 0)
    assert status["days"]["complete"] == 10
    assert status["last_list"]["listed_on"] == "2026-10-02"
    assert status["last_list"]["state"] == "complete"  # Friday's list was fetched on Saturday


def test_what_a_program_reads_is_utf_8_in_any_locale(published: str) -> None:
    environment = {**os.environ, "PAPERLAKE_LAKE": published, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([processes.PAPERLAKE, "feed"], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert ET.fromstring(done.stdout).tag.endswith("feed")


def test_show_raw_prints_the_page_byte_for_byte(published: str, sample: Path) -> None:
    [row] = json.loads(
        paperlake("sql", "SELECT capture_id FROM captures WHERE http_status = 404", "-f", "json", lake=published).stdout
    )
    shown = paperlake("show", "raw", row["capture_id"], lake=published)
    assert shown.stdout.encode() == (sample / "missing.json").read_bytes()
    assert paperlake("show", "raw", "0" * 20, lake=published).returncode == 5


def test_verify_finds_one_flipped_byte_and_names_the_file(published_copy: str) -> None:
    lake = published_copy
    manifest = latest_manifest(open_lake(lake))
    sound = paperlake("verify", lake=lake)
    assert (sound.returncode, "is sound" in sound.stdout) == (0, True)
    assert paperlake("verify", "--raw", lake=lake).returncode == 0
    papers = Path(lake) / "releases" / manifest.version / "data/papers/all.parquet"
    _flip(papers)
    damaged = paperlake("verify", lake=lake)
    assert damaged.returncode == 6
    assert "data/papers/all.parquet" in damaged.stderr
    [warc] = (Path(lake) / "raw" / "warc").glob("*/*")
    _flip(warc)
    damaged = paperlake("verify", "--raw", lake=lake)
    assert damaged.returncode == 6
    assert warc.name in damaged.stderr


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("command", [("sql", "SELECT 1"), ("tables",), ("verify",), ("status",)])
def test_an_empty_lake_says_what_to_do_first(command: tuple[str, ...], lake: str) -> None:
    done = paperlake(*command, lake=lake)
    assert (done.returncode, done.stdout) == (5, "")
    assert "paperlake run" in done.stderr
    assert not Path(lake).exists()


def test_no_lake_begins_within_another(published: str, sample: Path) -> None:
    inner = f"{published}/raw/warc"
    done = paperlake("land", str(sample), lake=inner)
    assert (done.returncode, done.stdout, published in done.stderr) == (2, "", True)
    with pytest.raises(UsageError, match=f"is in the lake {published}; name that"):
        capture_due(open_lake(inner), Mock(), Scope(), clock=Clock())


def test_wrong_arguments_exit_with_two(published: str, tmp_path: Path) -> None:
    assert paperlake("sql", lake=published).returncode == 2
    for wrong in (
        ("--details",),
        ("--since", "2026-10-02", "--until", "2026-10-01"),
        ("--details", "--since", "2026-10-01", str(tmp_path)),
    ):
        done = paperlake("run", *wrong, lake=published)
        assert (done.returncode, done.stdout) == (2, "")
        assert wrong[0] in done.stderr
    elsewhere = paperlake("sql", "SELECT 1", lake="ftp://user:secret@host.invalid/lake")
    assert elsewhere.returncode == 2
    assert "PAPERLAKE_LAKE" in elsewhere.stderr
    assert "secret" not in elsewhere.stderr


def test_a_path_that_is_not_in_utf8_is_refused_before_prefect_records_it(lake: str) -> None:
    done = paperlake("run", os.fsdecode(b"\xff.json"), lake=lake)
    assert (done.returncode, done.stdout, "must be in UTF-8" in done.stderr) == (2, "", True)
    (wrong := Path(os.fsdecode(lake.encode() + b"\xff"))).mkdir()
    done = paperlake("metrics", lake=str(wrong))
    assert (done.returncode, done.stdout, "PAPERLAKE_LAKE must be in UTF-8" in done.stderr) == (2, "", True)


def test_what_is_typed_in_another_encoding_is_refused(published: str) -> None:
    """A name or a reason ended with a traceback where it was written as JSON."""
    word = os.fsdecode(b"G\xf6del")
    for words in (["tables", word], ["keep", "2026.11.21.1", "--why", word], ["search", word]):
        done = paperlake(*words, lake=published)
        assert (done.returncode, done.stdout, "must be in UTF-8" in done.stderr) == (2, "", True), words


def test_a_stream_that_is_closed_is_one_that_nobody_reads(published: str) -> None:
    """A command had done its work, and ended with a traceback."""
    for closed in (">&-", "2>&-"):
        done = finished(
            "sh", "-c", f'exec "$@" {closed}', "sh", processes.PAPERLAKE, "sql", "SELECT 1", "--lake", published
        )
        assert (done.returncode, done.stderr) == (0, ""), closed


def test_a_signal_ends_a_command_in_order(lake: str) -> None:
    """It was killed on the spot, and left what it had in the temporary folder. SIGTERM: test_sql.py."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        environment = {**os.environ, "PAPERLAKE_HUB_URL": f"http://127.0.0.1:{silent.getsockname()[1]}"}
        command = [*processes.HEARING, processes.PAPERLAKE, "doctor", "--hub", "--lake", lake]
        begun = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        with begun as asking, silent.accept()[0] as asked:
            asked.recv(1)
            asking.send_signal(signal.SIGHUP)
            _, said = asking.communicate()
    assert (asking.returncode, said) == (128 + signal.SIGHUP, "stopped\n")


def test_where_nothing_is_decided_it_says_so_and_no_unknown_page_is_decided_about(published: str) -> None:
    assert said(published, "captures") == "nothing is decided about any page\n"
    assert json.loads(said(published, "captures", "--format", "json")) == []
    for words in (["confirm", "f" * 20, "--because", "seen"], ["withdraw", "f" * 20]):
        with pytest.raises(NothingThere, match=f"page {'f' * 20}"):
            said(published, "captures", *words)


def test_a_decision_is_a_line_with_its_page() -> None:
    one = Decision("a" * 20, "set_aside", "papers have another title", "2026-10-03T08:00:00Z", "papers.titles_kept")
    text = decided_text([DecidedCapture(one, "https://hub.example/\x1b[2J", None)])
    assert text.splitlines()[0].split() == ["page", "standing", "since", "rule", "why", "fetched", "address"]
    assert "set_aside  2026-10-03T08:00:00Z  papers.titles_kept  papers have another title" in text
    assert "\x1b" not in text
