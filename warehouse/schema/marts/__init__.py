"""The marts: a module `<name>.py` that declares `<NAME>`, and its query `<name>.sql`. Nothing else lives here.

A mart that is added here is in every release: no other place lists them.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from warehouse.schema.mart import Mart

MART_TABLES: tuple[Mart, ...] = tuple(
    getattr(import_module(f"{__name__}.{name}"), name.upper())
    for name in sorted(module.name for module in iter_modules(__path__))
)
