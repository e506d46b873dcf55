"""The examples in docstrings give what they say."""

import doctest
from importlib import import_module

import pytest

from tests.house import ROOT, modules

WITH_EXAMPLES = [path for path in modules() if ">>> " in (ROOT / path).read_text("utf-8")]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=str)
def test_the_examples_of_a_module(path) -> None:
    module = import_module(".".join(path.with_suffix("").parts))
    found = doctest.testmod(module)
    assert (found.failed, found.attempted > 0) == (0, True)
