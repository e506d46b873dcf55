"""Great Expectations, imported and set up so that it leaves the process, the disk and the network alone.

Importing this module takes seconds: import it, or a module that does, inside the function that runs suites.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Final

# What three of its expectations import, on distributions and with charts: no suite of ours has them. It takes a third
# less time to import so, and without what they bring along a .venv is 120 MiB smaller (requirements.lock).
UNUSED: Final = ("altair", "scipy", "scipy.stats")


@contextmanager
def _stand_ins(names: tuple[str, ...]) -> Iterator[None]:
    """Empty modules in place of some that nobody has imported, for as long as the block lasts."""
    absent = [name for name in names if name not in sys.modules]
    sys.modules.update((name, ModuleType(name)) for name in absent)
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


_show = warnings.showwarning
with warnings.catch_warnings(), _stand_ins(UNUSED):
    # It imports modules that the standard library deprecates (sre_parse, sre_constants) …
    warnings.filterwarnings("ignore", message="module 'sre_[a-z]+' is deprecated", category=DeprecationWarning)
    import great_expectations as gx
    from great_expectations.data_context.types.base import (
        DataContextConfig,
        InMemoryStoreBackendDefaults,
        ProgressBarsConfig,
    )
    from great_expectations.expectations.expectation import Expectation

    if warnings.showwarning is not _show:  # … and sends every later warning of the process to its own log
        logging.captureWarnings(False)

if TYPE_CHECKING:
    from great_expectations.data_context.data_context.ephemeral_data_context import EphemeralDataContext
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration

__all__ = ["configurations_kept", "gx", "quiet_context"]


def quiet_context() -> EphemeralDataContext:
    """A context that lives in memory, asks no cloud, reports to nobody and draws no progress bars."""
    config = DataContextConfig(
        # Without these defaults it makes a temporary folder for pages that we render ourselves.
        store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
        analytics_enabled=False,
        progress_bars=ProgressBarsConfig(globally=False),
    )
    return gx.get_context(mode="ephemeral", project_config=config)


@contextmanager
def configurations_kept() -> Iterator[None]:
    """Expectations make their configuration once, as long as the block lasts.

    Each is asked for it some 60 times in a run, and makes it anew every time: a quarter of all that a run takes.
    """
    own: property = vars(Expectation)["configuration"]
    made: dict[int, tuple[Expectation, ExpectationConfiguration]] = {}  # with the expectation, whose id stays its own

    def kept(expectation: Expectation) -> ExpectationConfiguration:
        if id(expectation) not in made:
            made[id(expectation)] = expectation, own.__get__(expectation)
        return made[id(expectation)][1]

    Expectation.configuration = property(kept)  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        Expectation.configuration = own  # type: ignore[assignment, method-assign]
