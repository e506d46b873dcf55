"""The pages: what GET, HEAD and POST of each link do and do not; nobody learns whose address is known."""

import re
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from datetime import date, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from threading import Thread

import httpx
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from uvicorn import Config, Server

from flows.running.mail import DigestConfig
from flows.running.mail import Relay as Where
from paperlake.digest import subscribers as people
from paperlake.digest.asking import answer_requests
from paperlake.digest.register import allow_address, erase_address
from paperlake.digest.sending import send_due, send_first
from paperlake.digest.state import ALL, LETTERS, LINKS, NETWORK, count_letter, hashed, of_request, opened, suppressed
from paperlake.digest.subscribers import Purpose, Wishes, link, token
from paperlake.digest.web import WAIT_SECONDS, create_app
from tests.newsroom import Day, Row, released
from tests.relay import SECRET, Relay, config_at, part_of
from warehouse.errors import MailFailed
from warehouse.release.query import Database
from warehouse.release.query import opened as opened_release
from warehouse.schema.daily_lists import list_days

NOW = datetime(2026, 10, 1, 12)
LINK = re.compile(r"https://papers\.example\.org(/\w+/\S+)")


@pytest.fixture
def site(config: DigestConfig) -> TestClient:
    return TestClient(create_app(config, lambda: NOW), base_url=config.url, client=("198.51.100.7", 1))


def ask(site: TestClient, address: str = "ada@example.org"):
    return site.post("/subscribe", data={"address": address})


def answered(config: DigestConfig, relay: Relay, now: datetime = NOW) -> list[EmailMessage]:
    """All letters, when the requests are answered."""
    answer_requests(config, lambda: now)
    return relay.letters


def last_link(config: DigestConfig, relay: Relay) -> str:
    [found] = LINK.findall(part_of(answered(config, relay)[-1]))
    return found


def active(config: DigestConfig, address: str = "ada@example.org") -> int:
    with opened(config.folder) as connection:
        number = people.sign_up(connection, address, NOW).number
        people.confirm(connection, number, NOW)
    return number


def subscriber(config: DigestConfig, number: int = 1) -> people.Subscriber | None:
    with opened(config.folder, is_reading=True) as connection:
        return people.find(connection, number)


@contextmanager
def served(app: Starlette) -> Iterator[int]:
    """The port of a server of the pages, on loopback, as `digest serve` runs it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(Config(app, log_level="error", access_log=False))
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def unchanged(config: DigestConfig) -> Iterator[None]:
    """Assert that no byte of the database or of its write-ahead log changes."""

    def read() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in config.folder.glob("digest.sqlite3*") if path.stat().st_size}

    before = read()
    yield
    after = read()
    after.pop("digest.sqlite3-shm", None)  # of readers, in memory
    before.pop("digest.sqlite3-shm", None)
    assert before == after


def test_one_subscribes_confirms_chooses_and_leaves(config: DigestConfig, relay: Relay, site: TestClient) -> None:
    assert ask(site).status_code == 200
    assert relay.taken == []
    confirm = last_link(config, relay)
    assert subscriber(config).state == "asked"
    said = site.post(confirm)
    assert (said.status_code, subscriber(config).state) == (200, "active")
    chosen = {
        "query": "kv cache",
        "organizations": "MIT, Tidal Research",
        "zone": "Asia/Tokyo",
        "hour": "6",
        "when": "4",
    }
    assert site.post(LINK.findall(said.text.replace('"', " "))[0], data=chosen).status_code == 200
    wishes = Wishes(query="kv cache", organizations=("MIT", "Tidal Research"), zone="Asia/Tokyo", hour=6, weekday=4)
    assert subscriber(config).wishes == wishes
    ask(site)
    preferences = last_link(config, relay)
    assert preferences.startswith("/preferences/")
    assert 'value="Tidal Research" checked' in site.get(preferences).text
    assert site.post(f"/unsubscribe/{token(SECRET, Purpose.UNSUBSCRIBE, 1)}").status_code == 200
    assert subscriber(config) is None
    assert [site.get(path).status_code for path in (confirm, preferences)] == [404, 404]
    with opened(config.folder) as connection:
        connection.execute("DELETE FROM counted")  # a day later
    ask(site, "ADA@example.org")
    site.post(last_link(config, relay))
    with opened(config.folder) as connection:
        [again] = people.everyone(connection)
    assert (again.address, again.state, again.wishes) == ("ADA@example.org", "active", Wishes())


def test_filters_are_completed_counted_and_told_by_the_release(config: DigestConfig) -> None:
    """What the page says is what letters of that week would have had; counting saves nothing."""
    site = TestClient(create_app(config, lambda: NOW, month_of(config.folder)), base_url=config.url)
    path = link("", SECRET, Purpose.PREFERENCES, active(config))
    whole = site.get(path).text
    assert "In the week up to 2026-09-30 you would have got 5 papers." in whole
    assert 'list="authors-names"' in whole
    assert all(f'<option value="{name}">' in whole for name in ("Ada Lund", "MIT", "looms", "Europe/Berlin"))
    assert '<option value="Loom, Inc."' not in whole  # a comma ends a name
    form = {"authors": ["Ada Lund", "nobody"], "organizations": ["MIT", " mit "], "zone": "berlin"}
    with unchanged(config):
        said = site.post(path, data={**form, "count": "1"}).text
    assert "Not saved yet" in said
    found = [
        " ".join(re.sub("<[^>]*>", " ", one).split()) for one in re.findall(r'<label class="box">.*?</label>', said)
    ]
    assert found == [
        *("Ada Lund 1 paper last week", "nobody nothing in 30 days"),
        *("MIT 2 papers last week", "mit 2 papers last week"),
    ]
    assert "you would have got 3 papers" in said
    assert site.post(path, data=form).status_code == 200
    wishes = Wishes(authors=("Ada Lund", "nobody"), organizations=("MIT", "mit"), zone="Europe/Berlin")
    assert subscriber(config).wishes == wishes


def test_the_first_letter_comes_at_once_and_once(config: DigestConfig, relay: Relay) -> None:
    release = month_of(config.folder)
    site = TestClient(create_app(config, lambda: NOW, release), base_url=config.url)
    ask(site)
    said = site.post(last_link(config, relay)).text
    [first] = re.findall(r"/first/[^\"]+", said)
    with unchanged(config):
        assert site.get(first).status_code == 200
    with opened(config.folder) as connection:
        people.set_wishes(connection, 1, Wishes(hour=23, weekday=0))  # it is Thursday noon
    for times in (1, 2):
        assert ("newest list of the last two weeks" in site.post(first).text) == (times == 1)
        send_first(config, release, lambda: NOW)
    assert "Papers of Wednesday 30 September 2026" in part_of(relay.letters[1])
    assert "/first/" not in site.get(link("", SECRET, Purpose.PREFERENCES, 1)).text
    with release() as database:
        assert send_due(config, database, lambda: NOW + timedelta(hours=11)) == {}
    assert len(relay.letters) == 2  # that to confirm, and this one


def month_of(folder: Path) -> Callable[[], AbstractContextManager[Database]]:
    """The release with a list each weekday of September, a paper each; MIT and Ada Lund come twice."""
    folder.mkdir(exist_ok=True)
    days = list(list_days(date(2026, 9, 1), date(2026, 9, 30)))
    special = {-1: ("MIT", ("Eve Holm",)), -2: ("MIT", ("Eve Holm",)), -3: ("Loom, Inc.", ("Ada Lund",))}
    special[-10] = (None, ("Ada Lund",))
    lists = []
    for place, day in enumerate(days, -len(days)):
        organization, authors = special.get(place, (None, ("Bo Vik",)))
        lists.append(Day(day, [Row(f"2609.{-place:05}", organization=organization, keyword="looms", authors=authors)]))
    with released(folder, *lists):
        pass
    return lambda: opened_release(folder / "release.duckdb")


def test_get_and_head_of_every_link_change_no_byte(config: DigestConfig, site: TestClient) -> None:
    number = active(config)
    with opened(config.folder) as connection:
        asked = people.sign_up(connection, "new@example.org", NOW).number
    links = [link("", SECRET, purpose, number) for purpose in Purpose] + [link("", SECRET, Purpose.CONFIRM, asked)]
    with unchanged(config):
        for path in ("/", *links, *(f"{path}x" for path in links)):
            for method in ("GET", "HEAD"):
                answer = site.request(method, path)
                assert answer.status_code == (404 if path.endswith("x") else 200)
                assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("body", ["List-Unsubscribe=One-Click", ""])
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b"])
def test_one_click_unsubscribes_without_a_cookie(config: DigestConfig, site: TestClient, body: str, kind: str) -> None:
    path = link("", SECRET, Purpose.UNSUBSCRIBE, active(config))
    answer = site.post(path, content=body, headers={"content-type": kind})
    assert (answer.status_code, subscriber(config)) == (200, None)
    assert site.post(path).status_code == 200  # again: it is so
    with opened(config.folder) as connection:
        assert suppressed(connection, hashed(SECRET, "ada@example.org")) == "unsubscribed"


def test_a_token_is_for_one_purpose_and_a_forged_one_for_none(config: DigestConfig, site: TestClient) -> None:
    number = active(config)
    other = b"another secret of the same length"
    forged = [token(other, Purpose.UNSUBSCRIBE, number), token(SECRET, Purpose.UNSUBSCRIBE, number)[:-1], "x", "1"]
    with unchanged(config):
        for purpose in Purpose:
            others = [token(SECRET, one, number) for one in Purpose if one is not purpose]
            for text in (*others, *forged):
                for method in ("GET", "POST"):
                    assert site.request(method, f"/{purpose.path}/{text}").status_code == 404


def test_links_to_choose_grow_old_and_the_one_to_leave_does_not(
    config: DigestConfig, site: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = {purpose: link("", SECRET, purpose, active(config)) for purpose in Purpose}
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: datetime(2036, 10, 1).timestamp())
    assert {purpose.name: site.get(path).status_code for purpose, path in links.items()} == {
        "CONFIRM": 404,
        "PREFERENCES": 404,
        "FIRST": 404,
        "UNSUBSCRIBE": 200,
    }


def test_the_answer_is_the_same_whoever_is_known(config: DigestConfig, relay: Relay, site: TestClient) -> None:
    active(config, "known@example.org")
    erase_address(config, "erased@example.org", NOW)
    answers = [ask(site, f"{name}@example.org") for name in ("known", "new", "erased")]
    assert len({(answer.status_code, answer.content, str(answer.headers)) for answer in answers}) == 1
    answered(config, relay)
    assert relay.counts == {"known@example.org": 1, "new@example.org": 1}


def of_ip(config: DigestConfig, ip: str) -> TestClient:
    return TestClient(create_app(config, lambda: NOW), base_url=config.url, client=(ip, 1))


@pytest.mark.parametrize(
    ("ip", "neighbour", "stranger"),
    [("198.51.100.7", "198.51.100.250", "198.51.101.7"), ("2001:db8:0:1::1", "2001:db8:0:ffff::1", "2001:db8:1::1")],
)
def test_requests_are_limited(config: DigestConfig, relay: Relay, ip: str, neighbour: str, stranger: str) -> None:
    codes = [ask(of_ip(config, ip), f"ada{number}@example.org").status_code for number in range(NETWORK.times)]
    assert set(codes) == {200}
    refused = ask(of_ip(config, neighbour))
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "3600")
    assert ask(of_ip(config, stranger)).status_code == 200
    with opened(config.folder) as connection:
        count_letter(connection, of_request(SECRET, "another network")[1:] * ALL.times, NOW)
    assert ask(of_ip(config, "203.0.113.7")).status_code == 429


@pytest.mark.parametrize(
    "alias",
    ["victim+{}@example.org", "Victim+x{}@EXAMPLE.org", "v.i.c.t.i.m+{}@googlemail.com", "victim+{}@bücher.example"],
)
def test_a_mailbox_gets_three_letters_a_day_by_any_alias(config: DigestConfig, relay: Relay, alias: str) -> None:
    for number in range(10):
        assert ask(of_ip(config, f"198.51.{number}.7"), alias.format(number)).status_code == 200
    assert len(answered(config, relay)) == LINKS.times
    assert len(answered(config, relay, NOW + timedelta(hours=23))) == LINKS.times < LETTERS.times == 3
    ask(of_ip(config, "203.0.113.7"), alias.format(10))
    assert len(answered(config, relay, NOW + timedelta(days=1, seconds=1))) == LINKS.times + 1


def test_who_is_erased_leaves_no_byte_and_gets_no_letter(config: DigestConfig, relay: Relay, site: TestClient) -> None:
    active(config, "ada.lovelace@example.org")
    active(config, "ada.lovelace+papers@example.org")
    ask(site, "ada.lovelace+new@example.org")
    said = erase_address(config, "Ada.Lovelace@EXAMPLE.org", NOW)
    assert said == "erased subscriber 1, subscriber 2; it is never written to again"
    kept = b"".join(path.read_bytes() for path in config.folder.iterdir())
    assert b"lovelace" not in kept.lower()
    for alias in ("ada.lovelace@example.org", "ADA.lovelace+again@example.org"):
        ask(site, alias)
    assert answered(config, relay) == []
    assert allow_address(config, "ada.lovelace@example.org") == "it may subscribe again"
    ask(site, "ada.lovelace@example.org")
    answered(config, relay)
    assert relay.counts == {"ada.lovelace@example.org": 1}


NO_ADDRESSES = (
    *("", "ada", "ada@", "@example.org", "ada@example", "a b@example.org"),
    *("ada@example.org\r\nBcc: all@example.org", "ada@example.org, eve@example.org", "Ada <ada@example.org>"),
    *(f"{'a' * 65}@example.org", "ädä@example.org", "ada@\N{ZERO WIDTH JOINER}.example"),
    *("a..b@example.org", ".a@example.org", "a.@example.org", "a@-b.org", "a@b-.org", "=?utf-8?q?a?=@example.org"),
)


def test_what_is_no_address_gets_no_letter(config: DigestConfig, relay: Relay, site: TestClient) -> None:
    assert {address: ask(site, address).status_code for address in NO_ADDRESSES} == dict.fromkeys(NO_ADDRESSES, 400)
    assert answered(config, relay) == []


NO_CHOICES: tuple[dict[str, str], ...] = (
    *({"zone": zone} for zone in ("Mars/Olympus", "West", "UTC+5:31", "x" * 10_000, "../../etc/passwd")),
    *({"query": query} for query in ("since:luck", "...", "w " * 40, "x" * 301)),
    *({"hour": "24"}, {"when": "7"}, {"organizations": ",".join(map(str, range(21)))}, {"keywords": "a\x00b"}),
)


def test_what_cannot_be_chosen_is_refused(config: DigestConfig, site: TestClient) -> None:
    path = link("", SECRET, Purpose.PREFERENCES, active(config))
    for wrong in NO_CHOICES:
        with unchanged(config):
            answer = site.post(path, data=wrong)
        assert (answer.status_code, "Not saved" in answer.text) == (400, True), wrong


def test_what_is_typed_stays_text(config: DigestConfig, site: TestClient) -> None:
    path = link("", SECRET, Purpose.PREFERENCES, active(config))
    answer = site.post(path, data={"organizations": '"><script>alert(1)</script>'})
    assert (answer.status_code, "<script" in answer.text) == (200, False)
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (lambda site: site.post("/subscribe", content=b"x" * 20_000), 413),
        (lambda site: site.post("/subscribe", content=b"\xff=\xff"), 400),
        (lambda site: site.post("/subscribe", content=b"a=1&" * 100), 400),
        (lambda site: site.get("/subscribe"), 405),
        (lambda site: site.get("/nothing"), 404),
    ],
)
def test_odd_requests_are_answered_with_a_page(site: TestClient, do: Callable[[TestClient], object], code: int) -> None:
    answer = do(site)
    assert (answer.status_code, "<h1>" in answer.text) == (code, True)


def test_a_request_waits_for_a_relay_that_is_down(config: DigestConfig, relay: Relay, site: TestClient) -> None:
    assert ask(site).status_code == 200
    down = config_at(config.folder, relay, relay=Where("smtp", "127.0.0.1", 9))
    with pytest.raises(MailFailed, match=r"smtp://127\.0\.0\.1:9 cannot be reached") as caught:
        answered(down, relay)
    assert "ada@" not in str(caught.value)
    assert [letter["To"] for letter in answered(config, relay)] == ["ada@example.org"]
    assert len(answered(config, relay)) == 1


def test_a_used_link_to_confirm_shows_and_changes_nothing(config: DigestConfig, relay: Relay, site: TestClient) -> None:
    ask(site)
    confirm = last_link(config, relay)
    site.post(confirm)
    chosen = Wishes(query="kv cache", hour=6)
    with opened(config.folder) as connection:
        people.set_wishes(connection, 1, chosen)
    again = site.post(confirm)
    assert (again.status_code, "<select" in again.text, "Already confirmed" in again.text) == (200, False, True)
    assert subscriber(config).wishes == chosen
    fresh = site.get(last_link(config, relay)).text
    assert 'value="kv cache"' in fresh


def test_a_locked_database_holds_up_no_other_page(config: DigestConfig, site: TestClient) -> None:
    path = link("", SECRET, Purpose.UNSUBSCRIBE, active(config))
    with served(create_app(config, lambda: NOW)) as port, opened(config.folder) as other:
        other.execute("BEGIN IMMEDIATE")
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            with ThreadPoolExecutor(8) as pool:
                waiting = [pool.submit(client.post, path) for _ in range(8)]
                time.sleep(0.2)
                start = time.monotonic()
                assert client.get("/").status_code == 200
                assert time.monotonic() - start < 4 * WAIT_SECONDS  # one after the other they would take twice that
            answers = [one.result() for one in waiting]
        assert {(one.status_code, one.headers["retry-after"]) for one in answers} == {(503, "30")}
        other.execute("ROLLBACK")
    assert site.post(path).status_code == 200


def test_a_client_that_goes_away_is_not_logged(config: DigestConfig, capfd: pytest.CaptureFixture[str]) -> None:
    with served(create_app(config, lambda: NOW)) as port:
        for body in (b"", b"address=ada"):
            head = f"POST /subscribe HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 100\r\n\r\n"
            with socket.create_connection(("127.0.0.1", port)) as client:
                client.sendall(head.encode() + body)
                time.sleep(0.1)
        assert httpx.get(f"http://127.0.0.1:{port}/").status_code == 200
        time.sleep(0.1)
    assert capfd.readouterr().err == ""


def test_the_pages_answer_to_their_own_names(site: TestClient) -> None:
    hosts = {"papers.example.org": 200, "127.0.0.1:8025": 200, "localhost:8025": 200}
    hosts |= {"rebound.example.net": 400, "papers.example.org.example.net": 400}
    assert {host: site.get("/", headers={"Host": host}).status_code for host in hosts} == hosts


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "https://papers.example.org"}, 200),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "https://other.example.net"}, 403),
        ({"Origin": "null", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_a_form_of_another_origin_is_refused(
    config: DigestConfig, site: TestClient, relay: Relay, headers: dict[str, str], status: int
) -> None:
    found = site.post("/subscribe", data={"address": "ada@example.org"}, headers=headers)
    assert (found.status_code, len(answered(config, relay))) == (status, int(status == 200))
