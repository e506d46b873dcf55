"""`python -m tests.drills NAME`, one of those below: the long ones, and smaller ones by their options."""

import argparse
import faulthandler
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from flows.runtime.progress import configure
from tests.drills import fuzz, fuzz_raw, histories, mail, signed, timing, writes

STUCK_SECONDS = 3600


def main() -> int:
    """Print what was done, seed and counts; 1 where something was lost, half or blocked."""
    parser = argparse.ArgumentParser(prog="python -m tests.drills", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    drills = parser.add_subparsers(dest="drill", required=True)
    fuzzing = drills.add_parser("fuzz", help="so many pages, as many WARC heads and as many CDXJ lines")
    fuzzing.add_argument("--count", type=int, default=100_000)
    drills.add_parser("kill", help="kills at so many writes of the commands").add_argument(
        "--writes", type=int, default=10_000
    )
    mailing = drills.add_parser("mail", help="so many kills of runs that send letters, to so many subscribers")
    for option, count in (("--subscribers", 500), ("--kills", 50)):
        mailing.add_argument(option, type=int, default=count)
    measuring = drills.add_parser("timing", help="so many requests of erased and new addresses to the digest's pages")
    measuring.add_argument("--requests", type=int, default=500)
    drills.add_parser("history", help="so many attacks on the log of moves").add_argument(
        "--count", type=int, default=100
    )
    drills.add_parser("sign", help="so many changed bytes of a manifest").add_argument(
        "--count", type=int, default=1000
    )
    asked = parser.parse_args()
    configure(quiet=False)
    if asked.drill == "timing":
        timed = timing.drill(asked.seed, asked.requests)
        sys.stdout.write(f"{timed}\n")
        return int(timed.is_told)
    if asked.drill == "mail":
        mailed = mail.Mailed(asked.seed, asked.subscribers)
        mail.drill(mailed, asked.kills)
        sys.stdout.write(f"{mailed}\n")
        return 1 if mailed.wrong else 0
    if asked.drill == "kill":
        checked = writes.Checked()
        with suppress(KeyboardInterrupt):
            writes.drill(checked, asked.seed, asked.writes)
        sys.stdout.write(f"{checked}\n")
        return 1 if checked.wrong else 0
    if asked.drill in {"history", "sign"}:
        return counted_drill(asked.drill, asked.seed, asked.count)
    faulthandler.dump_traceback_later(STUCK_SECONDS, exit=True)
    with TemporaryDirectory() as folder:
        for fuzzed in (
            fuzz.fuzz_pages(asked.seed, asked.count),
            fuzz_raw.fuzz_warcs(asked.seed, asked.count, Path(folder)),
            fuzz_raw.fuzz_index(asked.seed, asked.count, Path(folder)),
        ):
            sys.stdout.write(f"{fuzzed}\n")
    return 0


def counted_drill(name: str, seed: int, count: int) -> int:
    """Print what a drill on signatures, or on the log of moves, found; 1 where that is wrong."""
    with TemporaryDirectory() as folder:
        found = {"history": histories, "sign": signed}[name]
        said = found.drill(seed, count, Path(folder))
    sys.stdout.write("\n".join([said.line, *said.wrong, ""]))
    return 1 if said.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
