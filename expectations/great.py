"""Great Expectations, imported and set up so that it leaves the process, the disk and the network alone.

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

# What it imports and no suite of ours uses: what three of its expectations need, on distributions and with charts
# (without what they bring along a .venv is 120 MiB smaller: requirements.lock), its contexts, what they keep and where
# they read it, for its engine is given frames, all its expectations but those of `suites`, what is measured of whole
# columns or with queries, its clients and what it shows. It is three quarters of what the import takes.
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
    """Stand-ins for what is not used and nobody has imported; what is not of Great Expectations goes when they end."""
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
    # It imports modules that the standard library deprecates (sre_parse, sre_constants) …
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
    """What follows from an expectation or its configuration alone is made once, as long as the block lasts.

    Each is asked for its configuration some 60 times in a run, a configuration for its expectation, and both are made
    anew every time; what names a metric goes through JSON and MD5. That is half of all that a run takes.
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
    """The same function, asked once for each object."""
    made: dict[int, tuple[Of, R]] = {}  # with the object, whose id stays its own

    def kept(of: Of) -> R:
        if id(of) not in made:
            made[id(of)] = of, make(of)
        return made[id(of)][1]

    return kept


def _id_of(
    metric: Mapping[str, object], id_keys: Iterable[str] | None = None, id_ignore_keys: Iterable[str] = ()
) -> str | tuple[()]:
    """What names a metric among the others of a run, by what it is asked of."""
    names = set(metric if id_keys is None else id_keys).difference(id_ignore_keys)
    return repr([(name, metric[name]) for name in sorted(names)]) if names else ()
