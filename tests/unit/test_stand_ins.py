"""Stand-ins for modules that a library imports and nobody uses."""

from __future__ import annotations

import re
import sys
from importlib import import_module

from warehouse.stand_ins import stand_ins


def test_what_is_asked_of_a_stand_in_is_an_empty_class() -> None:
    with stand_ins(re.compile(r"nobody_has_this(\.\w+)*")) as made:
        inside = import_module("nobody_has_this.inside")
    assert made == ["nobody_has_this", "nobody_has_this.inside"]
    for name in made:
        del sys.modules[name]
    retry = inside.Retry
    assert isinstance(retry, type)
    assert retry.forever(delay=1) is retry is retry(attempts=5)
    assert list(inside.MODELS) == []
    assert not hasattr(inside, "__path_of_it__")
