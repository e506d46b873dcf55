"""One new day of `paperlake serve`, whole: the processor time of all its processes, by the system's own account.

`python -m bench.served BEFORE LAST`: a lake of the captures in BEFORE is served, and a run catches up with what a
stand-in Hub has. Then the pages of LAST are landed, and a run publishes them; then one has nothing new. What an idle
server costs in the same time is taken off. `bench.parts` writes BEFORE and LAST. Linux with cgroups v1, as root.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from prefect.client.orchestration import get_client
from prefect.settings import temporary_settings

from flows.hub.budget import Clock
from flows.running.prefect_server import OwnServer
from tests.hub.days import Days
from tests.hub.server import StandIn

PAPERLAKE = (sys.executable, "-c", "from paperlake.cli.main import main; main()")
ACCOUNT = Path("/sys/fs/cgroup/cpuacct/paperlake-bench")
IN_ACCOUNT = ("sh", "-c", f'echo $$ > {ACCOUNT}/cgroup.procs; exec "$@"', "sh")
NEVER = "0 0 29 2 *"
IDLE_SECONDS = 10


def main() -> None:
    before, last = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name, StandIn(Days(), clock=Clock()) as hub:
        room = Path(name)
        environment = {**os.environ, "PAPERLAKE_HUB_URL": hub.url, "PAPERLAKE_LAKE": str(room / "lake")}
        environment |= {"PREFECT_HOME": str(room / "prefect"), "PAPERLAKE_STATE": str(room / "state")}
        environment |= {"PREFECT_WORKER_QUERY_SECONDS": "1"}
        subprocess.run([*PAPERLAKE, "run", before], env=environment, check=True, capture_output=True)
        with served(environment, room / "log") as own, temporary_settings(own.settings):
            idle = cost_of(lambda: time.sleep(IDLE_SECONDS))[0] / IDLE_SECONDS
            print(f"idle: {idle:.3f} s a second")
            print_turn("catching up", idle)
            subprocess.run([*PAPERLAKE, "land", last], env=environment, check=True, capture_output=True)
            print_turn("one new day", idle)
            print_turn("nothing new", idle)
        print((room / "log").read_text())


def print_turn(what: str, idle: float) -> None:
    """Run the deployment of the daily flow, and say what it cost."""
    seconds, clock = cost_of(run_to_its_end)
    print(f"{what}: {seconds - idle * clock:.1f} s of processor time in {clock:.0f} s", flush=True)


def run_to_its_end() -> None:
    with get_client(sync_client=True) as client:
        deployment = client.read_deployment_by_name("daily/daily")
        run = client.create_flow_run_from_deployment(deployment.id)
        while not (state := client.read_flow_run(run.id).state) or not state.is_final():
            time.sleep(1)
    print(state.name, end=" ")
    time.sleep(2)  # what it sends last


def cost_of(work: Callable[[], None]) -> tuple[float, float]:
    """Seconds of processor time of the server and all its children, and by the clock, while the work lasts."""
    began, used = time.monotonic(), spent()
    work()
    return spent() - used, time.monotonic() - began


def spent() -> float:
    return int((ACCOUNT / "cpuacct.usage").read_text()) / 1e9


@contextmanager
def served(environment: dict[str, str], log: Path) -> Iterator[OwnServer]:
    """`paperlake serve` on an account of its own; gives its Prefect server, once it serves."""
    ACCOUNT.mkdir(exist_ok=True)
    with log.open("wb") as said:
        command = [*IN_ACCOUNT, *PAPERLAKE, "serve", "--cron", NEVER]
        serving = subprocess.Popen(command, env=environment, stderr=said, stdin=subprocess.DEVNULL)
        try:
            while "verify runs next" not in log.read_text():
                time.sleep(0.2)
            time.sleep(IDLE_SECONDS)  # until all is imported
            url = log.read_text().partition("pages at ")[2].partition(",")[0]
            [secret] = Path(environment["PAPERLAKE_STATE"]).glob("prefect-*.secret")
            yield OwnServer(url, secret.read_text().strip())
        finally:
            serving.terminate()
            serving.wait()
            ACCOUNT.rmdir()


if __name__ == "__main__":
    main()
