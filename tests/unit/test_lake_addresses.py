"""A wrong address of a lake may hold a password: no message and no database shows it."""

from __future__ import annotations

import sys

import pytest

from paperlake.cli.app import app
from warehouse.errors import UsageError

SECRET = "Zq9-a-secret"


@pytest.mark.parametrize("lake", [f"s3://writer:{SECRET}@lakes/x", f"https://writer:{SECRET}@lakes/x"])
@pytest.mark.parametrize("command", ["run", "land"])
def test_a_wrong_address_is_refused_before_prefect_keeps_it(
    monkeypatch: pytest.MonkeyPatch, command: str, lake: str
) -> None:
    """It was a parameter of a flow run, so in Prefect's database for good."""
    monkeypatch.setitem(sys.modules, "flows.running.prefect_server", None)
    with pytest.raises(UsageError, match="PAPERLAKE_LAKE") as caught:
        app([command, "pages", "--lake", lake], standalone_mode=False)
    assert SECRET not in str(caught.value)
