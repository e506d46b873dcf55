"""Files of this machine that are in no lake, and its temporary folders, which go away however their process ends.

They go by themselves, or a later process sweeps them: what lies in them may be of a person who is erased meanwhile.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from warehouse.errors import StoreFailed

# Not that of paperlakes before: theirs are not locked, and may be in use
PREFIX: Final = "paperlake-tmp-"
STEP: Final = "free space there, or set TMPDIR to a place with room"


@contextmanager
def writing(what: str, where: Path | str, step: str = "give your user access to it, or free space") -> Iterator[None]:
    """A block that writes files of this machine; StoreFailed says what to do where that fails."""
    try:
        yield
    except OSError as error:
        why = " ".join((error.strerror or str(error)).lower().split())
        raise StoreFailed(f"could not write {what} in {where}: {why}; {step}", may_pass=False) from error


def temporary_place() -> Path:
    """TMPDIR, or where the system has such files; StoreFailed where there is no room for any: the disk is full."""
    with writing("temporary files", "TMPDIR", STEP):
        return Path(tempfile.gettempdir())


@contextmanager
def temporary_folder(within: Path | None = None, prefix: str = PREFIX) -> Iterator[Path]:
    """An empty folder, in TMPDIR or `within` another one; OSError where none can be made or locked there."""
    place = within or temporary_place()
    with TemporaryDirectory(prefix=prefix, dir=place, ignore_cleanup_errors=True) as name, _locked(Path(name)) as held:
        if held:
            yield Path(name)
            return
    with temporary_folder(within, prefix) as another:  # a process swept between the two calls
        yield another


def sweep(within: Path | None = None, prefix: str = PREFIX) -> None:
    """Remove from TMPDIR, or another place, what killed processes left: their folders are not locked any more."""
    left = list[Path]()
    with suppress(FileNotFoundError):  # there is no place for any
        left += (within or Path(tempfile.gettempdir())).glob(f"{escape(prefix)}*")
    for folder in left:
        with suppress(OSError), _locked(folder) as held:  # of another user
            if held:
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Hold the lock of a folder, which the kernel lets go when the process ends.

    False where another process has it, or had it: the folder is gone.
    """
    try:
        place = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        yield takes(place, folder)
    finally:
        os.close(place)


def takes(place: int, path: Path) -> bool:
    """Whether this process gets the lock of what is open, and that still has its name: another may have removed it."""
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(place), path.stat())
    except (BlockingIOError, FileNotFoundError):
        return False
