"""The environment of a command: its variables, those that it passes on, its secrets in files, its packages, its clock.

Every command waits for this module.
"""

import os
import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TextIO

from flows.runtime.forked import FOLDER
from warehouse.errors import UsageError

PREFIX: Final = "PAPERLAKE_"
LAKE: Final = "./lake"
SQL_SECONDS: Final = 300
SQL_MEMORY: Final = "2GB"
MOST_SECRET: Final = 64 * 1024  # bytes of a file with a secret
PLAIN: Final = (
    r"PATH|HOME|USER|LOGNAME|SHELL|TZ|TERM|NO_COLOR|LANG|LC_\w+|TMPDIR|XDG_\w+|PYTHON\w*|VIRTUAL_ENV|LD_LIBRARY_PATH"
    r"|SSL_CERT_\w+|DO_NOT_TRACK|PY_KEY_VALUE_\w+"
)
# Prefect's server: its own settings, and none of the keys by which a client gets into another server
SERVER: Final = re.compile(
    rf"{PLAIN}|PREFECT_(?!API_|SERVER_API_AUTH_STRING|CLIENT_CUSTOM_HEADERS|_)\w+|PREFECT_API_DATABASE_\w+"
)
# A flow run of `serve`: the settings of the lake, of Prefect's client, of a bucket, a proxy and a cluster
RUN: Final = re.compile(
    rf"{PLAIN}|PAPERLAKE_\w+|PREFECT_(?!SERVER_API_AUTH_STRING)\w+|AWS_\w+|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY"
    r"|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|(OMP|OPENBLAS|POLARS|DASK|KUBERNETES)_\w+|KUBECONFIG"
)
# The gate's process: files of this machine are all that it reads, and it gets no secret
GATE: Final = re.compile(rf"{PLAIN}|(OMP|OPENBLAS|POLARS|GX)_\w+|{FOLDER}")
# A query process that opens a lake itself: its bucket or web server, whose keys are its only secrets, and its cache
READER: Final = re.compile(
    rf"{PLAIN}|PAPERLAKE_(S3_\w+|CACHE)|AWS_\w+|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY|(OPENBLAS|POLARS)_\w+"
)
OF_LETTERS: Final = frozenset({"PAPERLAKE_DIGEST_SECRET", "PAPERLAKE_DIGEST_DKIM_KEY"})
OF_RELAY: Final = frozenset({"PAPERLAKE_DIGEST_SMTP_USER", "PAPERLAKE_DIGEST_SMTP_PASSWORD"})
OF_PUSHES: Final = frozenset({"PAPERLAKE_PUSH_TOKEN"})
FILE: Final = "_FILE"
NEAR: Final = ("127.0.0.1", "localhost", "::1")


def variable(setting: str) -> str:
    """The environment variable of a setting.

    >>> variable("lake")
    'PAPERLAKE_LAKE'
    """
    return f"{PREFIX}{setting.upper()}"


def takes_marks(stream: TextIO) -> bool:
    """Whether a stream is a terminal that knows bold letters and links: a dumb one shows the signs that make them."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def our_variables() -> list[str]:
    """The variables of this process that have the names of settings, whether there are such or not."""
    return [name for name in os.environ if name.startswith(PREFIX)]


def require_utf8() -> None:
    """UsageError names a setting of this process that is not in UTF-8: libraries to which it is passed fail on it."""
    for name in our_variables():
        if not is_utf8(os.environ[name]):
            raise UsageError(f"{name}: it must be in UTF-8")


def is_utf8(text: str) -> bool:
    r"""Whether a text that the system gave us was in UTF-8: other bytes are half surrogates in Python.

    >>> is_utf8("caf\u00e9"), is_utf8("caf\udce9")
    (True, False)
    """
    return text.encode(errors="replace").decode() == text


def passed_on(names: re.Pattern[str], environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables for a process that we start, by the pattern of their names: SERVER, RUN, GATE or READER."""
    return {name: value for name, value in environment.items() if names.fullmatch(name)}


def run_environment(
    environment: Mapping[str, str], *, is_mailing: bool, is_alerting: bool, is_pushing: bool
) -> dict[str, str]:
    """The variables that flow runs need, and of secrets only those of what is done there.

    The digest's are for letters, those of its relay for alerts too, and that of pushes for pushes.
    """
    letters: Collection[str] = () if is_mailing else OF_LETTERS | (frozenset() if is_alerting else OF_RELAY)
    secrets = {*letters, *(() if is_pushing else OF_PUSHES)}
    wanted = passed_on(RUN, environment)
    return {name: value for name, value in wanted.items() if name.removesuffix(FILE) not in secrets}


def warm_environment() -> dict[str, str]:
    """The variables of the process that `serve` forks runs and gates from: no secret, which each run brings."""
    return passed_on(GATE) | passed_on(SERVER)


def is_warm() -> bool:
    """Whether there is a process from which others can be forked."""
    return FOLDER in os.environ


def keep_only(environment: Mapping[str, str]) -> None:
    """Take every other variable out of this process, whose children inherit what it has."""
    for name in os.environ.keys() - environment.keys():
        del os.environ[name]


def reach_this_machine_directly() -> None:
    """Use no proxy of the environment for this machine: it would read what is plain, a secret of Prefect's too.

    Prefect's client, and that of its events, have no setting of their own for it.
    """
    named = os.environ.get("no_proxy") or os.environ.get("NO_PROXY", "")
    os.environ["no_proxy"] = ",".join(dict.fromkeys([*filter(None, named.split(",")), *NEAR]))


def take_secret(name: str) -> None:
    """Set a variable to the text of the file that NAME_FILE names, if one is named; UsageError where that cannot be."""
    if (text := secret_of_file(name)) is not None:
        os.environ[name] = text
        del os.environ[name + FILE]


def secret_of_file(name: str) -> str | None:
    """The text of the file that NAME_FILE names; None where none is named.

    UsageError where it cannot be read, or where NAME is set too.
    """
    named = os.environ.get(name + FILE)
    if named and os.environ.get(name):
        raise UsageError(f"{name}{FILE}: {name} is set too; set one of them")
    return secret_text(name + FILE, named) if named else None


def secret_text(name: str, named: str) -> str:
    """The text of a file, without the newline that editors end it with."""
    try:
        with Path(named).expanduser().open("rb") as file:
            text = file.read(MOST_SECRET).decode()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise UsageError(f"{name}: cannot read {named}: {why}") from None
    return text.removesuffix("\n").removesuffix("\r")


def has_prefect_settings() -> bool:
    """Whether there are settings of Prefect's client or profiles, which may name a server, and be wrong."""
    profiles = Path(os.environ.get("PREFECT_PROFILES_PATH", prefect_home() / "profiles.toml"))
    named = any(name.startswith(("PREFECT_API_", "PREFECT_CLIENT_")) for name in os.environ)
    return named or profiles.expanduser().exists()


def prefect_home() -> Path:
    """Prefect's folder on this machine, by its documented setting and default: asking Prefect would import it."""
    return Path(os.environ.get("PREFECT_HOME", "~/.prefect")).expanduser()


COMPLETE: Final = "_PAPERLAKE_COMPLETE"


def completion_asked() -> str | None:
    """The request of a shell that completes a word, as click names it."""
    return os.environ.get(COMPLETE)


def bash_line() -> str | None:
    """The line that Bash wants completed; None in any other shell."""
    return os.environ.get("COMP_WORDS")


def require_extra(who: str, extra: str, *packages: str) -> None:
    """UsageError where packages are not installed that `who` needs, and an extra of paperlake brings."""
    missing = [name for name in packages if find_spec(name.partition(".")[0]) is None]
    if missing:
        names, are = ", ".join(missing), "is" if len(missing) == 1 else "are"
        raise UsageError(f"{who} needs {names}, which {are} not installed: pip install 'paperlake[{extra}]'")


def utc_now() -> datetime:
    """The present moment, UTC without zone."""
    return datetime.now(UTC).replace(tzinfo=None)
