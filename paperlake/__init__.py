"""What people and programs use. `paperlake.open` is the Python interface; the command line and pages are beside it.

    import paperlake

    release = paperlake.open("./lake").latest()
    release.search("kv cache", limit=5)

Importing it imports nothing heavy, and sets nothing for the program that does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from paperlake.reading.lakes import Lake
    from paperlake.reading.release import Release, RetractedWarning
    from paperlake.reading.release_values import Basis, Evidence, Paper
    from warehouse.errors import PaperlakeError

__all__ = ["Basis", "Evidence", "Lake", "Paper", "PaperlakeError", "Release", "RetractedWarning", "open"]


def open(  # noqa: A001 - of a module, as gzip.open
    lake: str | PathLike[str],
    *,
    cache: str | PathLike[str] | None = None,
    verify: bool = False,
    memory: str = "2GB",
) -> Lake:
    """A lake in a folder (`./lake`), in a bucket (`s3://…`, by the settings PAPERLAKE_S3_…) or on the web (`https://…`).

    What is fetched is kept in `cache`, by default PAPERLAKE_CACHE. With `verify`, nothing is read whose SHA-256 is not
    what its release's manifest says; of a lake on the web, whole files are fetched then. UsageError where the address
    is none, NothingThere where nothing is published. A query may take so much `memory`; what needs more spills to disk.
    """
    from paperlake.reading.lakes import Lake
    from warehouse.limits import QueryLimits

    return Lake.at(str(lake), cache=cache, verify=verify, limits=QueryLimits(memory))


def __getattr__(name: str) -> object:
    """The types, imported when they are first named."""
    from importlib import import_module

    homes = dict.fromkeys(("Basis", "Evidence", "Paper"), "release_values") | {"Lake": "lakes", "PaperlakeError": None}
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = homes.get(name, "release")
    return getattr(import_module(f"paperlake.reading.{home}" if home else "warehouse.errors"), name)
