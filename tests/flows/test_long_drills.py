"""The long drills (`python -m tests.drills`), small."""

import sys
from pathlib import Path

import pytest

from tests.drills.fuzz import fuzz_pages
from tests.drills.fuzz_raw import fuzz_index, fuzz_warcs
from tests.processes import ROOT, finished

SEED = 7


def test_fuzzed_pages_are_read_or_say_why_not() -> None:
    assert fuzz_pages(SEED, 500).counts["items"] == 500


def test_fuzzed_heads_of_warc_records_are_read_or_refused(tmp_path: Path) -> None:
    assert fuzz_warcs(SEED, 500, tmp_path).counts["files"] == 500


def test_fuzzed_lines_of_the_index_are_read_or_damaged(tmp_path: Path) -> None:
    found = fuzz_index(SEED, 300, tmp_path).counts
    assert found["indexes"] == 300
    assert min(found["indexes damaged"], found["captures read"]) > 0


@pytest.mark.slow
def test_runs_that_send_letters_killed_five_times() -> None:
    """Nobody goes without a letter, and none comes with a second Message-ID."""
    script = f"from tests.drills import mail; found = mail.Mailed({SEED}, 50); mail.drill(found, 5); print(found)"
    done = finished(sys.executable, "-c", script, cwd=ROOT, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "50 subscribers, 5 editions, two runs at once, 5 kills" in done.stdout
    assert ", 0 wrong; " in done.stdout


@pytest.mark.slow
def test_commands_killed_at_a_write_are_resumed_and_leave_nothing() -> None:
    """Here `erase` and `run`, by the seed; `python -m tests.drills kill` tries all writes of all commands."""
    done = finished(sys.executable, "-m", "tests.drills", "--seed=94", "kill", "--writes=2", cwd=ROOT, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "(erase 1, run 1)" in done.stdout
