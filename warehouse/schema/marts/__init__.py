"""The marts: a module `<name>.py` that declares `<NAME>`, here or in a folder, and its query `<name>.sql`.

Nothing else lives here.

A mart that is added here is in every release: no other place lists them.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

from warehouse.schema.mart import Mart

MART_TABLES: tuple[Mart, ...] = tuple(
    getattr(import_module(path), name.upper())
    for name, path in sorted(
        (module.name.rpartition(".")[2], module.name)
        for module in walk_packages(__path__, f"{__name__}.")
        if not module.ispkg
    )
)
