"""The real captures: beside the repository, never in it."""

from functools import cache
from pathlib import Path

from warehouse.archive.captured import Capture, Limits
from warehouse.archive.folder_import import captures_from

CAPTURES = Path(__file__).parents[3] / "shared" / "captures"


@cache
def captures() -> tuple[Capture, ...]:
    """Every capture, in the order of `captures.csv`; anything else in the folder fails the test."""
    found = list(captures_from([CAPTURES], Limits()))
    assert all(isinstance(one, Capture) for one in found)
    return tuple(one for one in found if isinstance(one, Capture))
