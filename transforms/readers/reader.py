"""A reader: one layout of the source, how its pages are recognised, and how they are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from transforms.readers.reading import Reading
from transforms.readers.request import Request
from warehouse.schema.precedence import Source

Form = Literal["json", "html", "text"]


@dataclass(frozen=True, slots=True)
class Page:
    """A page that came whole: its bytes, what its address asks for, and what its first bytes say it is."""

    payload: bytes
    request: Request
    fetched_at: datetime | None
    form: Form


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One reader. `accepts` is asked of pages that no reader before it accepted; `read` leaves name and source to us.

    `has_json`: its pages have JSON, the paths of which are counted. `is_list`: its pages are lists of papers.
    """

    name: str
    source: Source
    accepts: Callable[[Page], bool]
    read: Callable[[Page], Reading]
    has_json: bool = False
    is_list: bool = False
