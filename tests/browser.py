"""Chromium with a mouse and a keyboard, over the pipe of its debugging protocol: pages are used as a reader would."""

import fcntl
import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO

from tests.chromium import CHROMIUM, FLAGS

KEYS = {
    "Tab": (9, ""),
    "Enter": (13, "\r"),
    "ArrowLeft": (37, ""),
    "ArrowUp": (38, ""),
    "ArrowRight": (39, ""),
    "j": (74, "j"),
    "k": (75, "k"),
    "/": (191, "/"),
    "?": (191, "?"),
}
PATIENCE = 60  # seconds until something that should be there is missing
STILL_SECONDS = 0.1
PIPE = (3, 4)  # where Chromium reads commands, and where it writes


class Navigated(AssertionError):
    """The page went to another while it was asked."""


class Page:
    """A page, what it asked for, with which status it was answered, and what it complained of."""

    def __init__(self, commands: BinaryIO, answers: BufferedReader) -> None:
        self._commands, self._answers, self._number, self._session = commands, answers, 0, {}
        self._unread = b""
        self.asked: list[str] = []
        self.statuses: list[int] = []
        self.complaints: list[Any] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        found = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": found["sessionId"]}
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its answer; events that come meanwhile are kept."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters} | self._session
        self._commands.write(json.dumps(message).encode() + b"\0")
        self._commands.flush()
        while (answer := self._next()).get("id") != self._number:
            self._keep(answer)
        if "navigated" in answer.get("error", {}).get("message", ""):
            raise Navigated(answer["error"]["message"])
        assert "error" not in answer, answer
        return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._unread:
            more = self._answers.read1(1 << 20)
            assert more, "Chromium has ended"
            self._unread += more
        text, _, self._unread = self._unread.partition(b"\0")
        return json.loads(text)

    def _keep(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Network.requestWillBeSent":
            self.asked.append(event["params"]["request"]["url"])
        if event.get("method") == "Network.responseReceivedExtraInfo":  # also of answers that no page may read
            self.statuses.append(event["params"]["statusCode"])
        if event.get("method") in {"Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"}:
            self.complaints.append(event["params"])

    def value(self, expression: str) -> Any:
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def texts(self, selector: str) -> list[str]:
        return self.value(f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.textContent)")

    @property
    def main(self) -> str:
        """What a reader sees of the page, but for its head."""
        return self.value("document.querySelector('main').innerText")

    def until(self, expression: str) -> None:
        """Wait until something is so."""
        ends = time.monotonic() + PATIENCE
        while not self._is_so(expression):
            assert time.monotonic() < ends, f"never so: {expression}\n{self.value('document.body.innerText')}"
            time.sleep(0.02)

    def _is_so(self, expression: str) -> bool:
        try:
            return bool(self.value(expression))
        except Navigated:  # the page that was asked has gone: it is so, if at all, on the next one
            return False

    def open(self, address: str) -> None:
        """Load an address anew, and wait until something is shown."""
        self.send("Page.navigate", url="about:blank")
        self.go(address)

    def go(self, address: str) -> None:
        """Go to an address as by a link, which loads nothing anew within a page, and wait until something is shown."""
        self.send("Page.navigate", url=address)
        self.shown(address.partition("#")[2])

    def probe(self, address: str) -> Any:
        """What `probe.html` found in the page beside it."""
        self.send("Page.navigate", url=address)
        self.until("document.getElementById('found')?.type === 'application/json'")
        found = json.loads(self.value("document.getElementById('found').textContent"))
        self.send("Page.navigate", url="about:blank")
        return found

    def shown(self, after: str) -> None:
        """Wait until the explorer shows what stands after # in an address, and no list of it grows any more."""
        self.until(
            f"document.querySelector('main')?.dataset.shown === {json.dumps(f'#{after}')}"
            " && !document.querySelector('[aria-busy=true]')"
        )

    def asks(self, module: str, expression: str) -> Any:
        """The value of an expression over a module `m` of the explorer that is shown."""
        address = f"new URL({json.dumps(module)}, document.querySelector('script[src]').src)"
        return self.value(f"import({address}).then(async (m) => {expression})")

    def press(self, key: str) -> None:
        code, text = KEYS[key]
        for kind, more in (("keyDown", {"text": text} if text else {}), ("keyUp", {})):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)

    def type(self, text: str) -> None:
        self.send("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """Click on the first line of the element, once nothing that loads above it moves it any more."""
        found = f"document.querySelector({json.dumps(selector)})"
        box, before, ends = dict[str, float](), None, time.monotonic() + PATIENCE
        while box != before:
            assert time.monotonic() < ends, f"never still: {selector}"
            before = box
            self.value(f"{found}.scrollIntoView({{block: 'center'}})")
            time.sleep(STILL_SECONDS)
            box = self.value(f"{found}.getClientRects()[0].toJSON()")
        place = {"x": box["x"] + min(box["width"] / 2, 20), "y": box["y"] + box["height"] / 2}
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)


@contextmanager
def browsing(profile: Path, *more: str) -> Iterator[Page]:
    """A page in a Chromium of its own."""
    to_read, to_write = os.pipe(), os.pipe()
    theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (to_read[0], to_write[1])]  # clear of those they become
    command = [str(CHROMIUM), *FLAGS, *more, f"--user-data-dir={profile}", "--remote-debugging-pipe"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=PIPE,
        preexec_fn=lambda: [  # noqa: PLW1509 - it takes no lock
            os.dup2(end, place) for end, place in zip(theirs, PIPE, strict=True)
        ],
    )
    for end in (to_read[0], to_write[1], *theirs):
        os.close(end)
    with os.fdopen(to_read[1], "wb") as commands, os.fdopen(to_write[0], "rb") as answers:
        try:
            yield Page(commands, answers)
        finally:
            process.terminate()
            process.wait()
