"""Progress of long work, as a person sees it."""

from __future__ import annotations

import logging

import pytest

from flows.runtime import progress


@pytest.mark.parametrize(
    ("total", "lines"),
    [(4, ["2 of 4, 0:01:00 left", "3 of 4, 0:00:30 left"]), (None, ["2 done", "3 done"])],
)
def test_without_a_terminal_progress_is_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, total: int | None, lines: list[str]
) -> None:
    moments = iter([0.0, 0.0, 29.0, 60.0, 90.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(moments))
    with caplog.at_level(logging.INFO, "paperlake"):
        assert list(progress.track("abcd", "reading", total)) == list("abcd")
    assert caplog.messages == [f"reading: {line}" for line in lines]
