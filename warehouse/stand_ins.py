"""Empty stand-ins for modules that a library imports and nobody here uses, which saves the time of importing them."""

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
    """The metaclass of a placeholder: each attribute of it, and what calling it returns, is the placeholder itself."""

    def __getattr__(cls, name: str) -> _Empty:
        if name.startswith("__"):
            raise AttributeError(name)
        return cls

    def __iter__(cls) -> Iterator[_Empty]:
        return iter(())

    def __call__(cls, *_: object, **__: object) -> Any:  # noqa: ANN401
        return cls


class _StandIns(MetaPathFinder, Loader):
    """An importer of empty modules in place of those whose names match; any attribute of one is an `_Empty` class."""

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
    """Put stand-ins in place of matching modules not imported yet; yields the names of those made, which stay."""
    finder = _StandIns(names)
    sys.meta_path.insert(0, finder)
    try:
        yield finder.found
    finally:
        sys.meta_path.remove(finder)
