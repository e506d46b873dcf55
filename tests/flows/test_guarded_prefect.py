"""Prefect's server as `run`, `serve` and Compose start it: closed to pages of other origins, and to who has no secret."""

import asyncio
import json
import os
import re
import secrets
import shutil
import signal
import stat
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from prefect.client.orchestration import get_client
from prefect.settings import temporary_settings
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from flows.running.prefect_server import OwnServer
from tests.browser import browsing
from tests.chromium import CHROMIUM, served
from tests.flows.test_schedules import PAPERLAKE, family, is_alive, process, wait_for
from tests.processes import ROOT, finished, paperlake
from tests.seaweed import free_ports

# Prefect's own warnings, and its sockets, which are let go while they are none of another test's
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default"), pytest.mark.usefixtures("let_go")]
WITHOUT_SECRET = {"/api/health", "/api/ready"}  # probes, which tell nothing else
STOLEN = [{"prefect.deployments.steps.run_shell_script": {"script": "touch /tmp/stolen"}}]
SOME = 8  # one in so many routes is tried by a browser
# Pages on loopback are trusted a bit more than others, so that this foreign one is the strongest
EVIL = ("--host-resolver-rules=MAP evil.test 127.0.0.1",)

ATTACK = """
(async (server, requests, sockets) => {
  const read = [];
  const tried = async (path, options) => {
    try {
      const answer = await fetch(server + path, options);
      if (answer.type !== "opaque") read.push([path, options.method, answer.status]);
    } catch {}
  };
  for (const [method, path, body] of requests) {
    const plain = { "Content-Type": "text/plain" }, json = { "Content-Type": "application/json" };
    await Promise.all([
      tried(path, { method }),
      tried(path, { method: "GET", mode: "no-cors" }),
      tried(path, { method: "POST", mode: "no-cors", body, headers: plain }),
      tried(path, { method: "POST", body, headers: plain }),
      tried(path, { method: "POST", body, headers: json }),
      tried(path, { method: method === "GET" ? "DELETE" : method, body, headers: json }),
    ]);
  }
  await Promise.all(sockets.flatMap((path) => [[], ["prefect"]].map((protocols) => new Promise((done) => {
    const socket = new WebSocket(server.replace("http", "ws") + path, protocols);
    socket.onopen = () => { read.push([path, "websocket"]); socket.close(); done(); };
    socket.onerror = done;
  }))));
  return read;
})
"""

SOCKETS = """
import json
from fastapi.routing import APIWebSocketRoute
from prefect.server import api
from prefect.server.api import server
print(json.dumps([
    router.prefix + route.path.removeprefix(router.prefix)
    for module in vars(api).values() if (router := getattr(module, "router", None)) is not None
    for route in router.routes if isinstance(route, APIWebSocketRoute)
]))
"""


@contextmanager
def of_serve(home: Path, folder: Path) -> Iterator[OwnServer]:
    """The server of `paperlake serve`, by what its log tells its owner; killed, `serve` leaves no process behind.

    Another lake, which took its deployments over, is refused meanwhile.
    """
    log, lake = folder / "serve.log", str(folder / "lake")
    ours = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(folder), "PREFECT_HOME": str(home)}
    ours |= {"PAPERLAKE_STATE": str(folder / "state")}
    with process((*PAPERLAKE, "serve", "--lake", lake), ours, log) as run:
        wait_for(lambda: "verify runs next" in log.read_text(), 240, log)
        [path] = re.findall(r"secret; it is in (\S+)", log.read_text())
        [url] = re.findall(r"pages at (\S+),", log.read_text())
        secret = Path(path).read_text().strip()
        assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600
        assert secret not in log.read_text()
        other = paperlake("serve", "--lake", str(folder / "other"), environment=ours)
        assert (other.returncode, f"runs the lake {lake} for another" in other.stderr) == (2, True), other.stderr
        everyone = family(run.pid)
        try:
            yield OwnServer(url, secret)
        finally:
            run.kill()
            assert run.wait(120) == -signal.SIGKILL
        assert len(everyone) > 1
        wait_for(lambda: not any(map(is_alive, everyone)), 60, log)
        assert "Traceback" not in log.read_text()


@pytest.fixture(scope="module")
def server(used_prefect_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnServer]:
    """That of `run` is the one of `serve`, started by the same function; Compose starts the same program."""
    folder = tmp_path_factory.mktemp("guarded")
    home = Path(shutil.copytree(used_prefect_home, folder / "prefect"))
    with of_serve(home, folder) as own:
        yield own


@pytest.fixture(scope="module")
def sockets() -> list[str]:
    done = subprocess.run([sys.executable, "-c", SOCKETS], capture_output=True, text=True, check=True)
    found = [f"/api{path}" for path in json.loads(done.stdout)]
    assert {"/api/events/in", "/api/events/out"} <= set(found)
    return found


def with_secret(own: OwnServer) -> dict[str, str]:
    return {"Authorization": f"Basic {b64encode(own.secret.encode()).decode()}"}


def routes(own: OwnServer) -> list[tuple[str, str]]:
    """Every method and path of the server's own schema; ids are filled in."""
    found = httpx.get(f"{own.url}/api/openapi.json", headers=with_secret(own), timeout=60).json()["paths"]
    filled = {path: re.sub(r"\{[^}]*\}", "00000000-0000-4000-8000-000000000000", path) for path in found}
    listed = [(method.upper(), f"/api{filled[path]}") for path, methods in found.items() for method in methods]
    assert len(listed) > 150
    return [*listed, ("GET", "/"), ("GET", "/ui-settings"), ("GET", "/openapi.json"), ("GET", "/api/openapi.json")]


def a_deployment(own: OwnServer) -> str:
    """The id of a deployment, made by who has the secret."""
    with temporary_settings(own.settings), get_client(sync_client=True) as client:
        flow = client.create_flow_from_name("victim")
        return str(client.create_deployment(flow, secrets.token_hex(4), entrypoint="flows.daily.daily"))


def what_was_done_to(own: OwnServer, deployment: str) -> tuple[object, int]:
    """The pull steps of a deployment, and how many runs of it there are."""
    wanted = {"deployments": {"id": {"any_": [deployment]}}}
    with temporary_settings(own.settings), get_client(sync_client=True) as client:
        runs = client.request("POST", "/flow_runs/filter", json=wanted).json()
        return client.request("GET", f"/deployments/{deployment}").json()["pull_steps"], len(runs)


def steal(deployment: str) -> list[tuple[str, str, str]]:
    """The hole that was: a shell command as a deployment's pull step, and a run."""
    run = json.dumps({"state": {"type": "SCHEDULED"}, "parameters": {"paths": ["/etc/passwd"]}})
    path = f"/api/deployments/{deployment}"
    return [("PATCH", path, json.dumps({"pull_steps": STOLEN})), ("POST", f"{path}/create_flow_run", run)]


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1"])
def test_another_origin_reads_or_does_nothing(server: OwnServer, sockets: list[str], host: str, tmp_path: Path) -> None:
    """Another site, and another port of this machine, which browsers take for the same site. The guard stands before all
    routes, which are asked one by one below; here some are.
    """
    deployment = a_deployment(server)
    requests = [*steal(deployment), *((method, path, "{}") for method, path in routes(server)[::SOME])]
    with (
        served({"/": b"<title>evil</title><link rel=icon href=data:,>"}) as site,
        browsing(tmp_path / "profile", *EVIL) as page,
    ):
        page.send("Page.navigate", url=site.address.replace("127.0.0.1", host))
        page.until("document.title === 'evil'")
        page.statuses.clear()
        assert page.value(f"{ATTACK}({json.dumps(server.url)}, {json.dumps(requests)}, {json.dumps(sockets)})") == []
        assert page.value("location.hostname") == host
        answered = list(page.statuses)
        page.send("Page.navigate", url=server.url.replace("127.0.0.1", "evil.test"))  # a name rebound to us
        page.until("document.readyState === 'complete' && document.title !== 'evil'")
    assert len(answered) > 4 * len(requests)  # each was sent, and the guard answered it
    assert set(answered) == {403}
    assert page.statuses[-1] == 421
    pull_steps, runs = what_was_done_to(server, deployment)
    assert (pull_steps or [], runs) == ([], 0)


def test_without_the_secret_or_by_another_name_no_route_answers(server: OwnServer, sockets: list[str]) -> None:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        for method, path in routes(server):
            assert client.request(method, path, headers={**with_secret(server), "Host": "evil.test"}).status_code == 421
            if path.startswith("/api/") and path not in WITHOUT_SECRET:
                assert client.request(method, path).status_code in {401, 403}, path
        port = server.url.rpartition(":")[2]
        for name in ("127.0.0.1", f"evil.test:{port}", f"127.0.0.1:{port}.evil.test", "127.0.0.1:1"):
            assert client.get("/api/admin/version", headers={**with_secret(server), "Host": name}).status_code == 421
        for origin in ("null", "http://evil.test", f"http://127.0.0.1:{port}.evil.test", f"https://127.0.0.1:{port}"):
            ask = {**with_secret(server), "Origin": origin}
            assert client.get("/api/admin/version", headers=ask).status_code == 403
    assert asyncio.run(opened(server, sockets)) == []


async def opened(own: OwnServer, paths: list[str]) -> list[str]:
    """The websockets that answer a wrong secret."""
    found = []
    for path in paths:
        try:
            address = own.url.replace("http", "ws") + path
            async with connect(address, subprotocols=["prefect"], proxy=None) as socket:  # type: ignore[list-item]
                await socket.send(json.dumps({"type": "auth", "token": "wrong"}))
                found.append(f"{path}: {await socket.recv()!r}")
        except WebSocketException:
            continue
    return found


def test_with_the_secret_all_of_it_works(server: OwnServer) -> None:
    deployment = a_deployment(server)
    with temporary_settings(server.settings), get_client(sync_client=True) as client:
        for method, path, body in steal(deployment):
            assert client.request(method, path.removeprefix("/api"), json=json.loads(body)).is_success
    assert what_was_done_to(server, deployment) == (STOLEN, 1)
    own_page = {"Origin": server.url, "Sec-Fetch-Site": "same-origin", **with_secret(server)}
    assert httpx.get(f"{server.url}/api/admin/version", headers=own_page).is_success


def test_without_a_secret_the_program_does_not_start(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "flows.running.guarded_prefect", "--port", str(free_ports(1)[0])]
    environment = {"PREFECT_HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = finished(*command, cwd=ROOT, env=environment)
    assert done.returncode == 2
    assert "PREFECT_SERVER_API_AUTH_STRING" in done.stderr
