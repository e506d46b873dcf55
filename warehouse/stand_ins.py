"""Modules without content in place of those that a library imports and nobody here uses: what they cost is saved."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class _Empty(type):
    """A class that is what each of its attributes is, and what it makes; it has no items."""

    def __getattr__(cls, name: str) -> _Empty:
        if name.startswith("__"):
            raise AttributeError(name)
        return cls

    def __iter__(cls) -> Iterator[_Empty]:
        return iter(())

    def __call__(cls, *_: object, **__: object) -> Any:  # noqa: ANN401
        return cls


class _StandIns(MetaPathFinder, Loader):
    """Finds a module without content in place of each of these; whatever is asked of it is an empty class."""

    def __init__(self, names: re.Pattern[str]) -> None:
        self._names = names
        self.found: list[str] = []

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if self._names.fullmatch(name) else None

    def exec_module(self, module: ModuleType) -> None:
        self.found.append(module.__name__)
        module.__getattr__ = _empty  # type: ignore[method-assign]


def _empty(name: str) -> _Empty:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Empty(name, (), {})


@contextmanager
def stand_ins(names: re.Pattern[str]) -> Iterator[list[str]]:
    """Stand-ins for what nobody has imported yet; yields the names of those that were made, which stay."""
    finder = _StandIns(names)
    sys.meta_path.insert(0, finder)
    try:
        yield finder.found
    finally:
        sys.meta_path.remove(finder)
