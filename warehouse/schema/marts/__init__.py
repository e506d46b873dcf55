"""The marts: a module `<name>.py` that declares `<NAME>`, and its query `<name>.sql`. Nothing else lives here.

A mart that is added here is in every release: no other place lists them.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from warehouse.schema.mart import Mart


def _declared() -> Iterator[Mart]:
    """The mart of each module of this folder, by name."""
    for name in sorted(module.name for module in iter_modules(__path__)):
        mart: Mart = getattr(import_module(f"{__name__}.{name}"), name.upper())
        yield mart


MART_TABLES = tuple(_declared())
