"""The entry point of `paperlake`: whatever happens is one message on stderr and an exit code, never a traceback."""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
import threading
from contextlib import suppress
from io import RawIOBase, TextIOWrapper
from traceback import clear_frames
from types import FrameType
from typing import TYPE_CHECKING, Final

from warehouse.limits import NEW_OBJECTS

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

ENDED_BY: Final = 128  # and the number of a signal: the exit code that shells give a program which that ended
AGAIN_SECONDS: Final = 0.05  # a callback is over by then
IMPORT: Final = "<frozen importlib._bootstrap"  # where the code of an import says that it is from
RESUMABLE: Final = {  # commands that resume where they were stopped
    "run",
    "land",
    "build",
    "publish",
    "serve",
    "captures",
    "rollback",
    "retract",
    "retain",
    "copy",
    "follow",
    "push",
    "export",
    "erase",
}


def main() -> None:
    """Run the command line.

    Ctrl-C, SIGTERM or the end of its terminal ends it wherever it is: nothing of a lake is lost by that, and no
    temporary file stays.
    """
    gc.set_threshold(NEW_OBJECTS)
    open_closed_streams()
    stops: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        stops.append(number)
        if is_importing(frame):  # where extension modules drop errors that are none of theirs
            send_again(number)
        elif number == signal.SIGINT:
            raise KeyboardInterrupt
        else:
            sys.exit(ENDED_BY + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # behind a shell's `&`, or nohup
            signal.signal(number, stop)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = stop_later
    write_any_text()
    code: int | None = None
    try:
        code = run_command()
    finally:  # some libraries turn a KeyboardInterrupt into an error of their own
        if code == ENDED_BY + signal.SIGINT or (code is None and stops):
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second Ctrl-C does not wait for threads to end
            goes_on = "; the same command resumes" if RESUMABLE.intersection(sys.argv[1:2]) else ""
            with suppress(OSError):  # the terminal is gone
                sys.stderr.write(f"stopped{goes_on}\n")
            sys.exit(ENDED_BY + (stops or [signal.SIGINT])[-1])
    sys.exit(code)


def open_closed_streams() -> None:
    """Have nothing to read, or nowhere to write, where we were started with a closed stream.

    The next file that is opened would take its number, and get what is printed.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


def write_any_text() -> None:
    """Write UTF-8 to files and pipes, whatever the locale; on a terminal, escape what its encoding does not have.

    All of it, with PYTHONUNBUFFERED too: Python leaves out, without a word, what a disk that fills up does not take.
    """
    if isinstance(getattr(sys.stdout, "buffer", None), RawIOBase):
        sys.stdout = os.fdopen(sys.stdout.fileno(), "w", 1, closefd=False)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def stop_later(unraisable: UnraisableHookArgs) -> None:
    """Send a signal again that came in a callback, whose errors Python drops."""
    if isinstance(stopped := unraisable.exc_value, SystemExit) and isinstance(stopped.code, int):
        send_again(stopped.code - ENDED_BY)
    elif issubclass(unraisable.exc_type, KeyboardInterrupt):
        send_again(signal.SIGINT)
    else:
        sys.__unraisablehook__(unraisable)


def send_again(number: int) -> None:
    """Send a signal again in a moment."""
    again = threading.Timer(AGAIN_SECONDS, os.kill, (os.getpid(), number))
    again.daemon = True
    again.start()


def is_importing(frame: FrameType | None) -> bool:
    """Whether what runs was called by an import."""
    while frame is not None and not frame.f_code.co_filename.startswith(IMPORT):
        frame = frame.f_back
    return frame is not None


def run_command() -> int:
    """Run the command of the command line, and return its exit code; a known error is printed."""
    from click.exceptions import ClickException, Exit, NoArgsIsHelpError
    from click.shell_completion import shell_complete

    from flows.runtime.environment import COMPLETE, completion_asked, is_utf8
    from flows.runtime.progress import say_error, write_error
    from paperlake.cli.app import NAME, app, usage
    from warehouse.errors import PaperlakeError, StoreFailed, UsageError
    from warehouse.printable import on_screen

    try:
        if asked := completion_asked():
            return shell_complete(app, {}, NAME, COMPLETE, asked)
        if wrong := [one for one in sys.argv[1:] if not is_utf8(one) and not os.path.lexists(one)]:
            raise UsageError(f"{wrong[0]!r} must be in UTF-8; set LANG and the terminal to it, or name a file that is")
        with app.make_context(NAME, sys.argv[1:]) as context:  # app.main() would print a line of its own at Ctrl-C
            app.invoke(context)
        sys.stdout.flush()
    except Exit as end:
        return end.exit_code
    except PaperlakeError as error:
        say_error(error)
        clear_frames(error.__traceback__)  # Prefect keeps the error, and DuckDB complains of what it holds at the exit
        return error.exit_code
    except ClickException as error:
        said = f"error: {usage(error)}" if not isinstance(error, NoArgsIsHelpError) else error.format_message()
        write_error(on_screen(f"{said}\n", sys.stderr))
        return UsageError.exit_code
    except BrokenPipeError:  # the reader of our output has seen enough
        write_nowhere()
    except OSError as error:
        if error.errno not in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
            raise
        sys.stderr.write("error: no space left where the output goes, or for temporary files (TMPDIR)\n")
        write_nowhere()
        return StoreFailed.exit_code
    return 0


def write_nowhere() -> None:
    """Let what is left to write be for nobody."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
