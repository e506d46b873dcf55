"""All rows of a release that the captured lists fill, against them: tests/real/audit.py."""

from __future__ import annotations

from pathlib import Path

from tests.real.audit import audit
from warehouse.release.latest import latest
from warehouse.store.opening import open_store


def test_every_row_is_what_the_pages_show(growing: Path) -> None:
    named = latest(open_store(str(growing)))
    compared = audit(growing / "releases" / named.version)
    assert [one for one in compared if one.only_pages or one.only_release] == []
    assert sum(one.rows for one in compared) > 200_000
