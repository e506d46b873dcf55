"""Asking the stand-in GitHub within an hour's requests, and the weeks of stars that it tells."""

from __future__ import annotations

from dataclasses import replace

from tests.flows import steps
from tests.flows.asked_sources import CODE, OFF, World, world

__all__ = ["world"]

ON = replace(OFF, github=True)


def test_the_requests_of_an_hour_end_a_run_and_the_next_hour_goes_on(world: World) -> None:
    world.github.quota = 12
    first = world.captured("github", ON)
    assert len(first) == 3
    assert world.captured("github", ON) == []
    world.clock.sleep(3600)
    assert sorted([*first, *world.captured("github", ON)]) == CODE
    assert steps.drafted(world.lake, "star_weeks")["repository"].unique().sort().to_list() == CODE[:3]
