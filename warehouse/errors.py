"""Every error a user may see. Each names the thing and the next step, and carries its exit code.

PaperlakeError            1  anything below, caught at the command line
├── UsageError            2  a path, a setting or an argument is wrong
├── InputRefused          3  some inputs were not landed; the others were
├── GateClosed            4  a rule failed, nothing was published
├── NothingThere          5  no capture, draft, release or record where one is needed
│   └── StepsMissing      5  a step between two releases is not there (any more): tables must be taken whole
├── Damaged               6  stored bytes are not what their digest says
│   └── BeingErased       8  because an erasure, which goes on or was stopped, has yet to put its own in place
├── StoreFailed           7  the object store could not read or write (full disk, permission, network)
├── Superseded            8  another command was first, or is at work on the lake
├── QueryFailed           9  DuckDB refused the SQL
├── SourceFailed         10  the Hub cannot be reached, its robots.txt cannot be read, or its clock differs from ours
├── NoList               11  a list that was expected is not in the lake; all else was built and published
├── MailFailed           12  the mail relay cannot be reached, or takes nothing from us
├── TooOld               13  what the lake holds is older than `--max-age` allows
├── NewerLake            14  the lake is of a newer paperlake than this one
├── ClusterFailed        15  the cluster of PAPERLAKE_DASK cannot be reached, or was lost; the release before stands
└── GateFailed           16  the process that checks drafts was killed, or broke; nothing was published
"""

from typing import ClassVar

from warehouse.printable import printable


class PaperlakeError(Exception):
    """Base of all; `str(error)` is one or more lines for a person, with control characters of terminals escaped."""

    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        return printable(super().__str__(), keep="\n\t")


class UsageError(PaperlakeError):
    """A path, a setting or an argument is wrong."""

    exit_code = 2


class InputRefused(PaperlakeError):
    """Some inputs were not landed; what could be landed was."""

    exit_code = 3


class GateClosed(PaperlakeError):
    """A rule failed; nothing was published."""

    exit_code = 4


class NothingThere(PaperlakeError):
    """No capture, draft, release or record where one is needed."""

    exit_code = 5


class StepsMissing(NothingThere):
    """A step between two releases is not there, or not any more: tables must be taken whole."""


class Damaged(PaperlakeError):
    """Stored bytes are not what their digest says."""

    exit_code = 6


class BeingErased(Damaged):
    """A release of which an erasure, which goes on or was stopped, has yet to put its files in place."""

    exit_code = 8


class StoreFailed(PaperlakeError):
    """The object store could not read or write; `may_pass` where a later try may succeed with nothing changed."""

    exit_code = 7

    def __init__(self, message: str, *, may_pass: bool = True) -> None:
        super().__init__(message)
        self.may_pass = may_pass


class Superseded(PaperlakeError):
    """Another command was first, or is at work on the lake."""

    exit_code = 8


class QueryFailed(PaperlakeError):
    """DuckDB refused the SQL."""

    exit_code = 9


class SourceFailed(PaperlakeError):
    """The Hub cannot be reached, its robots.txt cannot be read, or its clock differs from ours.

    `attempt` is the `Failed` outcome of the address that was asked, where there was one.
    """

    exit_code = 10

    def __init__(self, message: str, attempt: object = None) -> None:
        super().__init__(message)
        self.attempt = attempt


class NoList(PaperlakeError):
    """A list that was expected is not in the lake; everything else was built and published."""

    exit_code = 11


class MailFailed(PaperlakeError):
    """The mail relay cannot be reached, or takes nothing from us; what was not sent is sent by the next run."""

    exit_code = 12


class TooOld(PaperlakeError):
    """What the lake holds is older than `--max-age` allows."""

    exit_code = 13


class NewerLake(PaperlakeError):
    """The lake, or its latest release, is of a newer paperlake than this one, which leaves it as it is."""

    exit_code = 14


class ClusterFailed(PaperlakeError):
    """The cluster that builds cannot be reached, or was lost; nothing was published, and the same command resumes."""

    exit_code = 15


class GateFailed(PaperlakeError):
    """The process that checks drafts was killed, or broke; nothing was published, and the same command resumes."""

    exit_code = 16
