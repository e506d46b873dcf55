"""The simulation that docs/scale.md rests on, where its answer is known."""

import math
from dataclasses import replace

import pytest

from bench import cluster
from bench.cluster import BACK, DISPATCH, Cluster, Stage, Work, built

EVEN = Stage("even", (Work(10.0),) * 10)


@pytest.mark.parametrize(("workers", "rounds"), [(1, 10), (3, 4), (10, 1), (99, 1)])
def test_even_tasks_take_as_many_rounds_as_they_need(workers: int, rounds: int) -> None:
    found = built([EVEN, EVEN], Cluster(workers=workers))
    assert 2 * rounds * 10 <= found.seconds <= 2 * rounds * 10 + 20 * DISPATCH + 1e-9
    assert (found.busy, found.waited, found.redone, found.lost) == (pytest.approx(200), 0, 0, 0)


def test_the_scheduler_hands_out_one_task_after_the_other() -> None:
    tiny = Stage("tiny", (Work(0.0),) * 1_000)
    assert built([tiny], Cluster(workers=50)).seconds == pytest.approx(1_000 * DISPATCH)


def test_the_same_seed_is_the_same_build() -> None:
    rough = replace(cluster.REAL, workers=4, hours=0.1, stragglers=0.2)
    work = cluster.stages(1_000_000, 300_000, 5.0)
    assert built(work, rough) == built(work, rough) != built(work, replace(rough, seed=2))


def test_what_a_lost_worker_did_is_done_again_and_nothing_else() -> None:
    lasting = replace(cluster.REAL, workers=8, hours=math.inf)
    work = cluster.stages(10_000_000, 300_000, 10.0)
    short = replace(lasting, hours=0.05)
    kept, held = built(work, short), built(work, replace(short, holds=True))
    assert 0 < kept.redone <= kept.lost < held.redone
    assert built(work, lasting).seconds < kept.seconds < held.seconds
    assert built(work, lasting).seconds + kept.lost * (BACK + 20) > kept.seconds


def test_a_store_that_answers_late_costs_by_the_request() -> None:
    asking = Stage("asking", (Work(1.0, requests=4),) * 400)
    quick, late = (built([asking], Cluster(workers=4, latency=latency)) for latency in (0.01, 0.1))
    assert late.waited == pytest.approx(
        10 * quick.waited, rel=0.2
    )  # who takes which task differs, and so does its luck
    assert 100 < quick.seconds < late.seconds < 200
