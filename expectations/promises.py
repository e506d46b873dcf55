"""What the gate makes sure of, as far as no declaration of a table tells it: for the data contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expectations import across, history
from warehouse.schema.tables import CORE_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from expectations.promise import Promise
    from warehouse.schema.table import Table


def promises(declared: Iterable[Table] = CORE_TABLES) -> list[Promise]:
    """Every promise on these tables; its rule is the name of the check, as in the gate's report."""
    tables = list(declared)
    names = {table.name for table in tables}
    made = (*across.promises(), *history.promises(tables))
    return [promise for promise in made if promise.table in names]
