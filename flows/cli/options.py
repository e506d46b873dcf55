"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated, Final

import typer

DEFAULT_LAKE: Final = "./lake"

Lake = Annotated[str, typer.Option("--lake", envvar="PAPERLAKE_LAKE", help="URL or path of the lake.")]
