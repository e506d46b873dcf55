"""Great Expectations, imported and set up so that it leaves the process, the disk and the network alone.

Importing this module takes seconds: import it, or a module that does, inside the function that runs suites.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any


class _Later(ModuleType):
    """Stands for a module until something of it is used."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the module holds
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(self.__name__), name)


@contextmanager
def _later(*names: str) -> Iterator[None]:
    """Within the block an import of these modules takes no time; whoever imports them after it gets the real ones."""
    stand_ins = {name: _Later(name) for name in names if name not in sys.modules}
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]


_show = warnings.showwarning
# For expectations of distributions, which no table of ours has, it imports what takes as long as all the rest
with warnings.catch_warnings(), _later("altair", "scipy.stats"):
    # It imports modules that the standard library deprecates (sre_parse, sre_constants) …
    warnings.filterwarnings("ignore", message="module 'sre_[a-z]+' is deprecated", category=DeprecationWarning)
    import great_expectations as gx
    from great_expectations.data_context.types.base import (
        DataContextConfig,
        InMemoryStoreBackendDefaults,
        ProgressBarsConfig,
    )

    if warnings.showwarning is not _show:  # … and sends every later warning of the process to its own log
        logging.captureWarnings(False)

if TYPE_CHECKING:
    from great_expectations.data_context.data_context.ephemeral_data_context import EphemeralDataContext

__all__ = ["gx", "quiet_context"]


def quiet_context() -> EphemeralDataContext:
    """A context that lives in memory, asks no cloud, reports to nobody and draws no progress bars."""
    config = DataContextConfig(
        # Without these defaults it makes a temporary folder for pages that we render ourselves.
        store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
        analytics_enabled=False,
        progress_bars=ProgressBarsConfig(globally=False),
    )
    return gx.get_context(mode="ephemeral", project_config=config)
