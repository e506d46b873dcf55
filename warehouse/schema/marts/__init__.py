"""The marts: every `Mart` that a module of this folder declares, each with its query `<name>.sql`.

Nothing else lives here.

A mart that is added here is in every release: no other place lists them.
"""

from importlib import import_module
from pkgutil import iter_modules

from warehouse.schema.mart import Mart

_DECLARED: dict[str, Mart] = {
    declared.name: declared
    for module in iter_modules(__path__)
    for declared in vars(import_module(f"{__name__}.{module.name}")).values()
    if isinstance(declared, Mart)
}
MART_TABLES: tuple[Mart, ...] = tuple(_DECLARED[name] for name in sorted(_DECLARED))
