"""Where a build works: its scratch place, what runs its tasks, and how large they are."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from flows.runtime.settings import load
from flows.tasks.scratch_place import ScratchPlace, new_scratch_place, shared_scratch
from flows.tasks.spread import SIZES, Spread, TaskSizes, give_back, spread
from warehouse.store.store import Store


class Workplace(NamedTuple):
    """A scratch place that every task reaches, what runs them, and how large they are."""

    place: ScratchPlace
    spread: Spread
    sizes: TaskSizes = SIZES


@contextmanager
def workplace(lake: Store, sizes: TaskSizes = SIZES) -> Iterator[Workplace]:
    """The place of one build, on the cluster that the settings name; nothing of it is left at the end."""
    settings = load()
    if settings.dask is None:
        with new_scratch_place() as place:
            yield Workplace(place, spread, sizes)
        give_back()
        return
    from flows.tasks.on_dask import on_dask  # Dask and Prefect's runner of it: a second, and an extra

    with shared_scratch(lake) as place, on_dask(settings, place) as on_workers:
        yield Workplace(place, on_workers, sizes)
