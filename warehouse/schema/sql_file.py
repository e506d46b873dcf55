"""Reading the SQL of a mart or a macro from the file next to its declaration."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from string import Template


def sql_of(folder: str, name: str, parts: Mapping[str, str]) -> str:
    """The text of `<folder>/<name>.sql` with `parts` in place of `$name`; `$$` stands for a dollar sign.

    KeyError where a part is missing.
    """
    text = (files("warehouse.schema") / folder / f"{name}.sql").read_text("utf-8")
    return Template(text).substitute(parts)
