"""The chain of moves: what somebody who may write to a lake makes of it is found, and an honest history never is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drills import histories
from tests.drills.histories import ATTACKS, History
from warehouse.errors import Damaged, UsageError
from warehouse.release import moves
from warehouse.release.chain import checkpoint_of
from warehouse.release.latest import LATEST


def test_each_attack_is_found_by_a_checkpoint_and_no_honest_lake_is_accused(tmp_path: Path) -> None:
    assert histories.drill(1, 2 * len(ATTACKS), tmp_path).wrong == []


def test_who_moves_an_older_state_is_stopped_and_keeps_the_evidence(tmp_path: Path) -> None:
    history = History(tmp_path, 1)
    ATTACKS["replay"](history)
    before = {key: history.store.read(key) for key in history.store.list()}
    with pytest.raises(Damaged, match="change nothing, it is the evidence"):
        moves.drop(history.store, ["2026.11.21.1"], history.store.read(LATEST), at=history.when, why="a rule")
    assert {key: history.store.read(key) for key in history.store.list()} == before


def test_a_checkpoint_is_a_number_and_a_hash() -> None:
    assert str(checkpoint_of(f" 7:{'0a' * 32}\n")) == f"7:{'0a' * 32}"
    for text in ("7", f"0:{'0' * 64}", f"7:{'0' * 63}", f"7:{'G' * 64}"):
        with pytest.raises(UsageError, match='is no checkpoint; "paperlake verify" prints one'):
            checkpoint_of(text)
