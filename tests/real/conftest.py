"""Nothing here runs where the real captures are not: they are other people's text, and may not be copied."""

from __future__ import annotations

import pytest

from tests.real.folder import CAPTURES


def pytest_runtest_setup() -> None:
    if not CAPTURES.is_dir():
        pytest.skip("the real captures are not beside the repository")
