"""`paperlake explore` on a release of the sample: what a browser shows is what `paperlake sql` answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from flows.explore.server import ReleaseServer
from flows.explore.site_files import ASSETS
from flows.runtime.lake import open_database, open_lake
from tests.browser import browsing, serving
from tests.chromium import CHROMIUM
from warehouse.release.latest import manifest_of, require_latest
from warehouse.release.query import opened

PAPERLAKE = Path(sys.executable).with_name("paperlake")
SHOWN = """[...document.querySelectorAll('.papers li')].map((one) => [
    decodeURIComponent(one.querySelector('a').hash.slice(8)), one.querySelector('.title').textContent,
    Number(one.querySelector('.about').textContent.match(/([\\d,]+) upvote/)?.[1].replace(',', '') ?? -1)])"""


@contextmanager
def exploring(lake: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address that the command tells, and its process."""
    command = [PAPERLAKE, "explore", "--no-browser", "--lake", lake]
    environment = {**os.environ, "COLUMNS": "100"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split(" is at ")[1].split()[0], process
        finally:
            process.kill()


def test_it_serves_the_page_until_it_is_stopped(published: str) -> None:
    with exploring(published) as (address, process):
        with urlopen(address) as answer:
            assert b"Daily papers, release" in answer.read()
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (130, "stopped\n")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: install Debian's `chromium`")
@pytest.mark.skipif(not ASSETS.exists(), reason="the explorer's assets are not there: make assets")
def test_every_list_is_that_of_the_database(published: str, tmp_path: Path) -> None:
    with opened(open_database(published)) as database:
        days = [str(row[0]) for row in database.rows("SELECT DISTINCT listed_on FROM daily_listings ORDER BY 1").rows]
        question = (
            "SELECT paper_id, title, coalesce(upvote_count, -1) FROM daily_listings JOIN papers USING (paper_id) "
            "WHERE listed_on = '{}' ORDER BY rank NULLS LAST, paper_id"
        )
        asked = {day: [list(row) for row in database.rows(question.format(day)).rows] for day in days}
    store = open_lake(published)
    server = ReleaseServer(store, manifest_of(store, require_latest(store)), 0)
    with serving(server), browsing(tmp_path / "profile") as page:
        shown = {}
        for day in days:
            page.open(f"{server.address}#/list/{day}")
            shown[day] = page.value(SHOWN)
    assert len(days) > 5
    assert shown == asked
