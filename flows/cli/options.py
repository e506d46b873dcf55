"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.runtime.variables import variable

Lake = Annotated[str, typer.Option("--lake", envvar=variable("lake"), help="URL or path of the lake.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Warnings and errors only.")]
