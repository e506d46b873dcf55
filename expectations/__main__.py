"""The gate as a process of its own: `python -m expectations` answers requests, a line of JSON each.

It ends as soon as its standard input does, even at work: so it never outlives whoever started it. Great Expectations is
imported before the first request, while whoever started it makes the draft.
"""

import gc
import os
from queue import SimpleQueue
from threading import Thread

import msgspec

from expectations.drafts import GateReply, GateRequest, check_written
from warehouse.errors import PaperlakeError
from warehouse.limits import NEW_OBJECTS


def main() -> None:
    """Answer each request on standard output, where nothing else may write."""
    gc.set_threshold(NEW_OBJECTS)
    requests = SimpleQueue[bytes]()
    Thread(target=read_requests, args=(requests,), daemon=True).start()
    with os.fdopen(os.dup(1), "wb") as replies:
        os.dup2(2, 1)  # what a library prints is no reply
        import expectations.runner  # noqa: F401

        while True:
            replies.write(msgspec.json.encode(answer(requests.get())) + b"\n")
            replies.flush()


def read_requests(requests: SimpleQueue[bytes]) -> None:
    """Queue each line; end the process at the end of them."""
    with open(0, "rb", closefd=False) as lines:  # not sys.stdin, which a process that breaks would wait to close
        for line in lines:
            requests.put(line)
    os._exit(0)


def answer(line: bytes) -> GateReply:
    """The report, or the error that a person can do something about; any other ends the process."""
    try:
        return GateReply(check_written(msgspec.json.decode(line, type=GateRequest)))
    except PaperlakeError as error:
        return GateReply(error=type(error).__name__, words=str(error))


if __name__ == "__main__":
    main()
