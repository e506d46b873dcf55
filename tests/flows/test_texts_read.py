"""A build reads only new texts for systems and claims, one from raw all of them: the bytes are the same."""

from __future__ import annotations

from datetime import date

import pytest

from tests.flows import steps
from transforms.core import claims

DAYS = [steps.list_of(date(2026, 10, day), papers=6) for day in (1, 2)]


@pytest.mark.slow
def test_only_new_texts_are_read_and_the_bytes_are_the_same(
    lake: str, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    claims_in = claims.claims_in
    monkeypatch.setattr(claims, "claims_in", lambda texts: read.append(texts.height) or claims_in(texts))
    with steps.bare_releases():
        for day in DAYS:
            assert steps.run_captures(lake, [day]) is not None
    assert read == [6, 6]
    daily, draft = steps.hashes(lake), steps.make_draft(lake, from_raw=True)
    assert draft is None  # file by file what the release has
    assert read == [6, 6, 12]
    with steps.bare_releases():
        steps.run_captures(str(tmp_path / "at-once"), DAYS)
    assert steps.hashes(str(tmp_path / "at-once")) == daily
    assert read == [6, 6, 12, 12]
