"""The clients of arXiv, Crossref, OpenAlex and GitHub, each against its stand-in: they take turns, tell nobody whose
token they have, and what is no answer fails within the budget; then what is of one alone.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from flows.hub.arxiv_harvest import Arxiv
from flows.hub.budget import Clock
from flows.hub.other_sources import Crossref, GitHub, OpenAlex
from flows.hub.paced import Turns
from flows.plan.others_due import doi_filter
from flows.runtime.settings import Settings
from tests.arxiv.records import Record
from tests.arxiv.stand_in import ArxivStandIn
from tests.client.asking import failure
from tests.github.stand_in import GitHubStandIn, history
from tests.hub import faults
from tests.hub.clock import NOW, VirtualClock
from tests.hub.paced import PacedStandIn
from tests.works.messages import CrossrefStandIn, Message
from tests.works.openalex import OpenAlexStandIn, OpenWork
from warehouse.archive.captured import Capture, Failed, Outcome
from warehouse.errors import StoreFailed


@dataclass(frozen=True)
class Source:
    """A source: its client, what it is asked, the setting of its address, its media types, and what it says of others."""

    stand_in: type[PacedStandIn]
    client: Callable[..., AbstractContextManager[Any]]
    subject: str
    address: str
    no_answer: str
    media: str = "application/json"

    def ask(self, client: Any) -> Outcome:
        return client.ask(self.subject)


LOOM, WOVEN = "10.5555/loom", "loom/woven"
ODD = "10.1002/(sici)1097#a<1:x/../y>3.0.co;2-#?q=%2f"
IDS = [f"2609.{number:05}" for number in range(1, 9)]
SINCE = date(2026, 9, 1)
DOIS = [f"10.5555/loom.{number}" for number in range(5)]
NAMED = doi_filter(DOIS)
CONTACT = "ops@looms.example"
SOURCES = {
    "arXiv": Source(ArxivStandIn, Arxiv, "2609.1", "arxiv_url", "no OAI-PMH", "text/xml or application/xml"),
    "Crossref": Source(CrossrefStandIn, Crossref, LOOM, "crossref_url", "no JSON"),
    "OpenAlex": Source(OpenAlexStandIn, OpenAlex, f"doi:{LOOM}", "openalex_url", "no list of works"),
    "GitHub": Source(GitHubStandIn, GitHub, WOVEN, "github_url", "no list of weeks"),
}


@pytest.fixture(params=SOURCES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def stand_in(name: str, clock: VirtualClock) -> Iterator[PacedStandIn]:
    with SOURCES[name].stand_in(clock=clock) as stand_in:
        if isinstance(stand_in, ArxivStandIn):
            stand_in.records = {one: Record(one) for one in IDS}
        if isinstance(stand_in, CrossrefStandIn):
            stand_in.works = {one: Message(one) for one in (LOOM, ODD, *DOIS)}
        if isinstance(stand_in, OpenAlexStandIn):
            stand_in.works = [OpenWork(one) for one in DOIS]
        if isinstance(stand_in, GitHubStandIn):
            stand_in.repositories = {WOVEN: history(NOW, [3, 2])}
        yield stand_in


def client_of(
    name: str, url: str, clock: VirtualClock, state: Path, contact: str | None = None, *, path: str = "/oai"
) -> AbstractContextManager[Any]:
    source = SOURCES[name]
    url += path if name == "arXiv" else ""
    settings: dict[str, Any] = {source.address: url, "state": state, "hub_token": "hf_Invented0Token"}
    return source.client(Settings(**settings, contact=contact), clock=clock.clock())


@pytest.fixture
def client(name: str, stand_in: PacedStandIn, tmp_path: Path) -> Iterator[Any]:
    with client_of(name, stand_in.url, stand_in.clock, tmp_path, CONTACT) as client:
        yield client


@pytest.fixture
def other(name: str, stand_in: PacedStandIn, tmp_path: Path) -> Iterator[Any]:
    """Another client of the same machine."""
    with client_of(name, stand_in.url, stand_in.clock, tmp_path) as client:
        yield client


def test_all_clients_of_a_machine_take_turns(name: str, stand_in: PacedStandIn, client: Any, other: Any) -> None:
    for asking in (client, other) * 5:
        SOURCES[name].ask(asking)
    assert (stand_in.over, stand_in.clock.elapsed) == ([], 9 * stand_in.seconds)
    assert "authorization" not in {header.lower() for call in stand_in.calls for header in call.headers}
    assert stand_in.calls[0].headers["User-Agent"].startswith("paperlake/")


@pytest.mark.parametrize(
    ("fault", "reason", "calls"),
    [
        (lambda _: faults.status(503, "0"), "HTTP status 503; given up after 2 tries", 2),
        (lambda _: faults.status(429, "100"), "HTTP status 429; given up after 2 tries", 2),
        (lambda _: faults.status(503, "86400"), "HTTP status 503, and a wait of 86,400 seconds asked for", 1),
        (lambda _: faults.html(), "its content type is text/html; charset=utf-8, in place of {media}", 1),
        (lambda source: faults.html(source.media.partition(" ")[0]), "the answer is {no_answer}", 1),
        (lambda _: faults.redirect("https://elsewhere.example/x"), "a redirect off {name}'s host, to", 1),
        (lambda _: faults.hang_up(), "its answer was cut short", 2),
        (lambda _: faults.truncated(), "its answer was cut short", 2),
    ],
)
def test_what_is_no_answer_fails_within_the_budget(  # noqa: PLR0917 - what is tried, and fixtures
    fault: Callable[[Source], faults.Fault], reason: str, calls: int, name: str, stand_in: PacedStandIn, client: Any
) -> None:
    source = SOURCES[name]
    stand_in.misbehave(fault(source))
    said = failure(source.ask(client)).reason
    assert reason.format(name=name, media=source.media, no_answer=source.no_answer) in said
    assert (len(stand_in.calls), stand_in.over) == (calls, [])


def test_where_it_cannot_be_reached_the_call_fails(name: str, clock: VirtualClock, tmp_path: Path) -> None:
    with client_of(name, "http://127.0.0.1:1", clock, tmp_path) as client:
        assert "the connection failed" in failure(SOURCES[name].ask(client)).reason


TAKE_TURNS = """
import sys, time
from datetime import datetime, timedelta
from pathlib import Path
from flows.hub.paced import Turns
from flows.hub.budget import Clock
now = lambda: datetime(2026, 10, 7) + timedelta(seconds=time.monotonic() * 30)
clock = Clock(now=now, sleep=lambda seconds: time.sleep(seconds / 30))
turns = Turns(Path(sys.argv[1]), 3.0, clock)
for _ in range(3):
    with turns.turn(900) as wait:
        print(wait, Path(sys.argv[1]).read_text(), flush=True)
"""


def test_processes_share_the_turns_of_a_machine(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TAKE_TURNS, str(tmp_path / "turn")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    lines = [line for one in running for line in one.communicate(timeout=60)[0].splitlines()]
    at = sorted(datetime.fromisoformat(line.split()[1]) for line in lines)
    assert len(at) == 9
    assert min(later - sooner for sooner, later in pairwise(at)) >= timedelta(seconds=2.99)


def test_a_turn_that_cannot_be_written_down_is_not_taken(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="could not write whose turn it is"), Turns(tmp_path, 3.0, Clock()).turn(900):
        pytest.fail("the request would be sent")


@pytest.mark.parametrize("name", ["arXiv"])
class TestArxiv:
    @pytest.mark.parametrize(
        "written",
        [
            *("", "x", "10000.5", "no moment", "2026-10-07T12:00:00+00:00 3.0", "2999-01-01T00:00:00 3.0"),
            *(f"2999-01-01T00:00:00 {seconds}" for seconds in ("nan", "inf", "-5", "99999999999")),
        ],
    )
    def test_a_turn_that_another_clock_wrote_delays_little(
        self, stand_in: ArxivStandIn, client: Arxiv, tmp_path: Path, written: str
    ) -> None:
        (tmp_path / "arxiv-turn").write_text(written)
        assert isinstance(client.ask(IDS[0]), Capture)
        assert stand_in.clock.elapsed <= 3

    def test_changes_along_the_tokens(self, stand_in: ArxivStandIn, client: Arxiv) -> None:
        found = list(client.changes(SINCE))
        assert (len(found), stand_in.over) == (3, [])
        assert [call.target.partition("Token=")[2] for call in stand_in.calls] == [
            "",
            "1%7C2609.00004",
            "2%7C2609.00007",
        ]

    def test_a_lost_token_begins_the_list_anew_once(self, stand_in: ArxivStandIn, client: Arxiv) -> None:
        found = list(client.changes(SINCE, "0|lost"))
        assert ["Token=" in call.target for call in stand_in.calls] == [True, False, True, True]
        assert all(isinstance(one, Capture) for one in found)
        stand_in.calls.clear()
        stand_in.tokens.clear()
        lost = faults.grow(stand_in.tokens.clear)
        stand_in.misbehave(lost, where="from=")
        assert len(list(client.changes(SINCE))) == 4, "the second time is the last"

    def test_a_token_that_comes_again_ends_the_list(self, stand_in: ArxivStandIn, client: Arxiv) -> None:
        stand_in.is_stuck = True
        found = list(client.changes(SINCE))
        assert len(found) == 3
        assert failure(found[-1]).reason == "not fetched: its token came before"

    def test_an_address_that_leads_on_twice_is_not_followed(self, stand_in: ArxivStandIn, client: Arxiv) -> None:
        stand_in.misbehave(faults.redirect("/oai?verb=Identify", 301))
        assert "more redirects than 1" in failure(client.ask(IDS[0])).reason
        assert (len(stand_in.calls), stand_in.over) == (2, [])

    def test_what_passes_is_asked_again(self, stand_in: ArxivStandIn, client: Arxiv) -> None:
        stand_in.misbehave(faults.status(503, "20"), nth=[1])
        assert isinstance(client.ask(IDS[0]), Capture)
        assert (stand_in.over, stand_in.clock.elapsed >= 60) == ([], True)

    def test_a_wait_asked_for_holds_for_other_clients(self, stand_in: ArxivStandIn, client: Any, other: Any) -> None:
        stand_in.misbehave(faults.status(503, "3000"), nth=[1])
        failure(client.ask(IDS[0]))
        assert "arXiv allows no request for 3,000 seconds" in failure(other.ask(IDS[0])).reason
        stand_in.clock.sleep(3000)
        assert isinstance(other.ask(IDS[0]), Capture)
        assert len(stand_in.calls) == 2

    def test_the_address_before_2025_leads_to_the_one_of_today(self, stand_in: ArxivStandIn, tmp_path: Path) -> None:
        with client_of("arXiv", stand_in.url, stand_in.clock, tmp_path, path="/oai2") as client:
            found = client.ask(IDS[0])
        assert isinstance(found, Capture)
        assert (found.http_status, stand_in.over) == (200, [])


@pytest.mark.parametrize("name", ["OpenAlex"])
class TestOpenAlex:
    def test_authors_are_not_asked_for_nor_is_anybody_told(self, stand_in: OpenAlexStandIn, client: OpenAlex) -> None:
        client.ask(NAMED)
        (call,) = stand_in.calls
        assert "authorships" not in call.target
        assert "select=id%2Cdoi" in call.target
        assert "looms.example" not in call.target
        assert "(+mailto:ops@looms.example)" in call.headers["User-Agent"]

    def test_no_credit_is_overdrawn(self, stand_in: OpenAlexStandIn, tmp_path: Path, client: Any, other: Any) -> None:
        """The last answer says that none is left; whoever asks then is told without a request, until midnight."""
        stand_in.credits = 3
        kept = [isinstance(asking.ask(NAMED), Capture) for asking in (client, other) * 3]
        assert kept == [True] * 3 + [False] * 3
        stand_in.clock.sleep(11 * 3600)
        assert "OpenAlex allows no request for" in failure(other.ask(NAMED)).reason
        assert (len(stand_in.calls), stand_in.over) == (3, [])
        stand_in.clock.sleep(3600)
        assert isinstance(client.ask(NAMED), Capture)
        assert stand_in.over == []

    def test_credits_that_others_have_used_cost_one_request(self, stand_in: OpenAlexStandIn, client: OpenAlex) -> None:
        stand_in.credits = 0
        for _ in range(3):
            assert isinstance(client.ask(NAMED), Failed)
        assert len(stand_in.calls) == 1

    def test_a_wait_of_a_clock_ahead_ends(self, stand_in: OpenAlexStandIn, client: OpenAlex, tmp_path: Path) -> None:
        (tmp_path / "openalex-turn").write_text("2999-01-01T00:00:00 86400")
        assert "OpenAlex allows no request for 86,400 seconds" in failure(client.ask(NAMED)).reason
        stand_in.clock.sleep(24 * 3600)
        assert isinstance(client.ask(NAMED), Capture)
        assert stand_in.over == []


@pytest.mark.parametrize("name", ["GitHub"])
class TestGitHub:
    def test_an_hour_is_not_used_up_by_a_machine(self, stand_in: GitHubStandIn, client: Any, other: Any) -> None:
        """Ten are left for whoever else asks from the same address; then nobody asks before the next hour."""
        kept = [isinstance(asking.ask(WOVEN), Capture) for asking in (client, other) * 40]
        assert kept == [True] * 51 + [False] * 29
        assert "GitHub allows no request for" in failure(client.ask(WOVEN)).reason
        stand_in.clock.sleep(3600)
        assert isinstance(client.ask(WOVEN), Capture)
        assert (len(stand_in.calls), stand_in.over) == (52, [])

    def test_an_hour_that_others_have_used_up_costs_one_request(self, stand_in: GitHubStandIn, client: GitHub) -> None:
        stand_in.quota = 0
        assert failure(client.ask(WOVEN)).reason == "HTTP status 403"
        assert "GitHub allows no request for" in failure(client.ask(WOVEN)).reason
        assert len(stand_in.calls) == 1

    def test_a_repository_that_is_gone_or_renamed_is_an_answer(self, stand_in: GitHubStandIn, client: GitHub) -> None:
        gone = client.ask("loom/gone")
        assert isinstance(gone, Capture)
        assert gone.http_status == 404
        stand_in.renamed["loom/old"] = WOVEN
        found = client.ask("loom/old")
        assert isinstance(found, Capture)
        assert (found.url, found.http_status) == (f"{stand_in.url}/repos/loom/old/stargazers/history?per_page=30", 200)
        assert stand_in.over == []

    def test_the_version_of_the_interface_is_sent(self, stand_in: GitHubStandIn, client: GitHub) -> None:
        client.ask(WOVEN)
        assert stand_in.calls[0].headers["X-GitHub-Api-Version"] == "2026-03-10"


@pytest.mark.parametrize("name", ["Crossref"])
class TestCrossref:
    def test_less_is_asked_where_its_answers_say_so(self, stand_in: CrossrefStandIn, client: Crossref) -> None:
        stand_in.seconds = 7
        for doi in DOIS:
            client.ask(doi)
        assert (stand_in.over, stand_in.clock.elapsed) == ([], 28.0)

    def test_a_pause_that_it_states_is_of_an_hour_at_most(self, stand_in: CrossrefStandIn, client: Crossref) -> None:
        stand_in.seconds = 99_999
        assert isinstance(client.ask(DOIS[0]), Capture)
        assert "Crossref allows no request for 3,600 seconds" in failure(client.ask(DOIS[0])).reason

    def test_any_doi_is_asked_for_as_it_is(self, stand_in: CrossrefStandIn, client: Crossref) -> None:
        found = client.ask(ODD)
        assert isinstance(found, Capture)
        assert (stand_in.asked, found.http_status) == ([ODD], 200)

    @pytest.mark.parametrize(
        ("contact", "sent"),
        [
            (None, ""),
            ("ops@looms.example", "(+mailto:ops@looms.example)"),
            ("https://looms.example/a@b", "(+https://loo"),
        ],
    )
    def test_a_mailbox_is_sent_as_crossref_asks_and_never_in_an_address(
        self, stand_in: CrossrefStandIn, tmp_path: Path, contact: str | None, sent: str
    ) -> None:
        with client_of("Crossref", stand_in.url, stand_in.clock, tmp_path, contact) as client:
            client.ask(DOIS[0])
        (call,) = stand_in.calls
        assert sent in call.headers["User-Agent"]
        assert "looms.example" not in call.target

    def test_that_there_is_none_is_an_answer(self, stand_in: CrossrefStandIn, client: Crossref) -> None:
        found = client.ask("10.48550/arxiv.2512.01234")
        assert isinstance(found, Capture)
        assert (found.http_status, len(stand_in.calls)) == (404, 1)
