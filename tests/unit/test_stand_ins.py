"""Stand-ins for modules that a library imports and nobody uses."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module

from warehouse.stand_ins import stand_ins

SERVER = """
import sys
from sqlite3 import OperationalError
from sqlalchemy.exc import OperationalError as Wrapped
from flows.runtime import small_server as server

def wrapped(code):
    error = OperationalError("database is locked")
    error.sqlite_errorcode = code
    return Wrapped("SELECT 1", {}, error)

server.create_app()
from prefect.server.api.server import is_client_retryable_exception
print([name for name in ("redis", "asyncpg", "prefect.server.api.deployments") if name in sys.modules])
print([is_client_retryable_exception(error) for error in (wrapped(5), wrapped(517), wrapped(13), OSError())])
"""


def test_a_name_of_a_stand_in_is_an_empty_class() -> None:
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


def test_the_server_of_a_run_imports_no_queue_and_asks_again_where_its_database_is_locked() -> None:
    """Busy, busy with an old snapshot, full; and no database at all."""
    done = subprocess.run([sys.executable, "-c", SERVER], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "[True, True, False, False]"]
