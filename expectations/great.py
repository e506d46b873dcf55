"""Importing Great Expectations without side effects on the process, the disk and the network, and only what is used.

Importing this module takes seconds: import it, or a module that does, inside the function that runs suites.
"""

from __future__ import annotations

import logging
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TypeVar

from warehouse.stand_ins import stand_ins

Of = TypeVar("Of")
R = TypeVar("R")

# Modules that it imports and no suite of ours uses: those for expectations on distributions and for charts (without
# their dependencies a .venv is 120 MiB smaller: requirements.lock), its contexts and data sources, since its engine is
# given frames, all expectations but those of `suites`, metrics of whole columns and queries, clients and progress bars.
# They are three quarters of the time of the import.
UNUSED: Final = re.compile(
    r"altair|scipy(\.stats)?|botocore|snowflake|webbrowser|(requests|urllib3|mistune|tqdm)(\.\w+)*"
    r"|great_expectations\.(checkpoint|data_context|datasource|experimental|metrics)(\.\w+)*"
    r"|great_expectations\.core\.(\w*batch_definition|config_provider|expectation_suite|partitioners|validation_definition)"
    r"|great_expectations\.expectations\.metrics\.(column_aggregate|column_pair_map|multicolumn_map|query)_metrics\.[\w.]+"
    r"|great_expectations\.expectations\.core\.expect_(?!"
    r"table_columns_to_match_ordered_list$|column_values_to_not_be_null$|column_values_to_be_between$"
    r"|column_values_to_match_regex$|column_values_to_be_in_set$|column_value_lengths_to_be_between$"
    r"|column_values_to_not_match_regex$)\w+"
)
ABSENT: Final = "sqlalchemy"  # it does without; a stand-in has no version, which it asks for


@contextmanager
def _without_unused() -> Iterator[None]:
    """Put stand-ins in place of unused modules that are not imported yet; those of other packages are removed after."""
    sys.modules.setdefault(ABSENT, None)  # type: ignore[arg-type]
    try:
        with stand_ins(UNUSED) as made:
            yield
    finally:
        if sys.modules[ABSENT] is None:
            del sys.modules[ABSENT]
    for name in made:
        if not name.startswith("great_expectations."):
            del sys.modules[name]


_show = warnings.showwarning
with warnings.catch_warnings(), _without_unused():
    # It imports modules that are deprecated in the standard library (sre_parse, sre_constants) …
    warnings.filterwarnings("ignore", message="module 'sre_[a-z]+' is deprecated", category=DeprecationWarning)
    from great_expectations.core.id_dict import IDDict
    from great_expectations.execution_engine.pandas_execution_engine import PandasExecutionEngine
    from great_expectations.expectations.expectation import Expectation
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration
    from great_expectations.validator.validator import Validator

    if warnings.showwarning is not _show:  # … and sends every later warning of the process to its own log
        logging.captureWarnings(False)

__all__ = ["ExpectationConfiguration", "PandasExecutionEngine", "Validator", "configurations_kept"]


@contextmanager
def configurations_kept() -> Iterator[None]:
    """Cache what depends on an expectation or its configuration alone, as long as the block lasts.

    In a run each expectation's configuration, and each configuration's expectation, is made anew some 60 times, and ids
    of metrics are made by JSON and MD5. That is half of the time of a run.
    """
    own: property = vars(Expectation)["configuration"]
    to_expectation, to_id = ExpectationConfiguration.to_domain_obj, IDDict.to_id
    Expectation.configuration = property(_once(own.__get__))  # type: ignore[assignment, method-assign]
    ExpectationConfiguration.to_domain_obj = _once(to_expectation)  # type: ignore[assignment, method-assign]
    IDDict.to_id = _id_of  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        Expectation.configuration = own  # type: ignore[assignment, method-assign]
        ExpectationConfiguration.to_domain_obj = to_expectation  # type: ignore[method-assign]
        IDDict.to_id = to_id  # type: ignore[method-assign]


def _once(make: Callable[[Of], R]) -> Callable[[Of], R]:
    """The function with a cache by identity of its argument."""
    made: dict[int, tuple[Of, R]] = {}  # keeps the object too, so that its id is not used again

    def kept(of: Of) -> R:
        if id(of) not in made:
            made[id(of)] = of, make(of)
        return made[id(of)][1]

    return kept


def _id_of(
    metric: Mapping[str, object], id_keys: Iterable[str] | None = None, id_ignore_keys: Iterable[str] = ()
) -> str | tuple[()]:
    """The id of a metric within a run, by its arguments."""
    names = set(metric if id_keys is None else id_keys).difference(id_ignore_keys)
    return repr([(name, metric[name]) for name in sorted(names)]) if names else ()
