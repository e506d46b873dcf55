"""Where a build works: its scratch place, and what runs its tasks. Without PAPERLAKE_DASK both are of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from flows.runtime.progress import log
from flows.runtime.settings import load
from flows.runtime.variables import variable
from flows.tasks.read_chunk import SIZES, TaskSizes
from flows.tasks.scratch_place import ScratchPlace, Spread, give_back, new_scratch_place, scratch_place, spread
from warehouse.errors import NothingThere, StoreFailed, Superseded, UsageError
from warehouse.release.draft import begins
from warehouse.release.latest import DRAFTS, parent_of
from warehouse.release.moves import OVERTAKEN
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


@contextmanager
def shared_scratch(lake: Store) -> Iterator[ScratchPlace]:
    """A scratch place among the drafts of a lake, where its workers have rights too.

    What a killed run leaves goes as its draft would: its name tells the release that it follows, and whoever publishes
    the next one removes it. Superseded where that was another run, while this one was at work.
    """
    if lake.folder is not None and not Path(lake.url).is_absolute():
        where = f"{variable('dask')} is set, and the lake is {lake.url}; workers reach a lake in a bucket"
        raise UsageError(f"{where}, or in a folder that all of them have, by its whole path: {lake.folder}")
    parent = parent_of(lake)
    key = f"{DRAFTS}/{begins(parent)}scratch-{uuid4().hex}"
    try:
        with scratch_place(f"{lake.folder or lake.url}/{key}") as place:
            yield place
    except NothingThere:
        if parent == parent_of(lake):
            raise
        raise Superseded(OVERTAKEN) from None
    finally:
        try:
            lake.delete_prefix(key)
        except StoreFailed as error:  # whoever publishes next removes it
            log.warning("temporary files of the build were left in %s: %s", key, error)
