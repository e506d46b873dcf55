"""`paperlake digest …` and its flow on a release of the sample: what they print, and that addresses stay in one file."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from flows.runtime.lake import open_database, open_lake
from flows.runtime.web_servers import listen
from paperlake.cli.app import app
from paperlake.digest import subscribers as people
from paperlake.digest.sending import NOTHING_DUE, send_due, send_of_latest
from paperlake.digest.state import opened
from paperlake.digest.subscribers import Wishes
from tests.processes import ROOT
from tests.relay import Relay, config_at, part_of, relaying
from warehouse.errors import NothingThere, StoreFailed, Superseded, UsageError
from warehouse.people.ledger import Ledger, new_entry
from warehouse.release import query
from warehouse.store.lease import InUse

CONFIRMED = datetime(2026, 10, 1, 12)
SATURDAY = datetime(2026, 10, 3, 12)
PAPERLAKE = (sys.executable, "-c", "from paperlake.cli.main import main; main()")
CLI = CliRunner()


@pytest.fixture
def relay() -> Iterator[Relay]:
    with relaying() as relay:
        yield relay


@pytest.fixture
def state(tmp_path: Path, relay: Relay, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a digest that is set up."""
    settings = {
        "PAPERLAKE_STATE": str(tmp_path / "state"),
        "PAPERLAKE_DIGEST_URL": "https://papers.example.org",
        "PAPERLAKE_DIGEST_FROM": "Daily papers <papers@example.org>",
        "PAPERLAKE_DIGEST_SECRET": "do-not-show-this-" * 2,
        "PAPERLAKE_DIGEST_SMTP_URL": f"smtp://127.0.0.1:{relay.port}",
        "PAPERLAKE_DIGEST_PER_MINUTE": "100000",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    return tmp_path / "state"


def subscribed(folder: Path, *addresses: str, **wishes: object) -> None:
    with opened(folder) as connection:
        for address in addresses:
            number = people.sign_up(connection, address, CONFIRMED).number
            assert people.confirm(connection, number, CONFIRMED)
            people.set_wishes(connection, number, Wishes(**wishes))


def test_the_lists_of_a_release_go_out_once(published: str, tmp_path: Path, relay: Relay) -> None:
    subscribed(tmp_path, "ada@example.org")
    subscribed(tmp_path, "query@example.org", query="frugal gardens")
    subscribed(tmp_path, "lab@example.org", organizations=("tidal research",))
    subscribed(tmp_path, "nobody@example.org", query="like:2999.99999")
    config = config_at(tmp_path, relay)
    with query.opened(open_database(published)) as database:
        assert send_due(config, database, lambda: SATURDAY) == {"sent": 3}
        assert send_due(config, database, lambda: SATURDAY) == {}
    letters = {letter["To"]: part_of(letter) for letter in relay.letters}
    assert letters["ada@example.org"].count("Papers of ") == 2
    assert "Gardens" in letters["query@example.org"]
    assert len(letters["query@example.org"]) < len(letters["ada@example.org"])
    lab = letters["lab@example.org"]
    assert lab.count("· Tidal Research ·") == lab.count("upvotes") > 0


def test_no_letter_goes_out_while_a_person_is_being_erased(published_copy: str, state: Path) -> None:
    """Nobody can take back a letter that has them."""
    subscribed(state, "ada@example.org", hour=0)
    entry = Ledger(open_lake(published_copy)).begin(new_entry("2026-11-22T00:00:00Z", "art. 17"), ["ann-7"], [])
    with pytest.raises(InUse, match="being erased"):
        send_of_latest(published_copy)
    Ledger(open_lake(published_copy)).end(entry)
    assert send_of_latest(published_copy) == NOTHING_DUE


def test_a_run_ends_before_the_next_letter_once_a_person_is_being_erased(
    published_copy: str, state: Path, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paperlake.digest.sending.utc_now", lambda: SATURDAY)
    for name in ("ada", "bob"):
        subscribed(state, f"{name}@example.org", hour=0)
    entry = new_entry("2026-11-22T00:00:00Z", "art. 17")
    relay.on_taken = lambda *_: Ledger(open_lake(published_copy)).begin(entry, ["ann-7"], [])
    with pytest.raises(Superseded, match="erased"):
        send_of_latest(published_copy)
    assert len(relay.letters) == 1


def test_a_preview_is_printed_without_settings(published: str) -> None:
    done = CLI.invoke(app, ["digest", "preview", "--lake", published, "--organizations", "Tidal Research"])
    assert (done.exit_code, "Papers of Friday 2 October 2026\n" in done.stdout) == (0, True)
    html = CLI.invoke(app, ["digest", "preview", "--lake", published, "--format", "html"]).stdout
    assert html.startswith("<!DOCTYPE html>")


def test_a_port_that_is_taken_is_an_error_that_names_the_next_step(state: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        words = ["digest", "serve", "--quiet", "--port", str(taken.getsockname()[1])]
        with pytest.raises(StoreFailed, match=r"cannot be had .*--port"):
            CLI.invoke(app, words, catch_exceptions=False)


def test_subscribers_are_listed_erased_and_allowed(state: Path) -> None:
    with pytest.raises(NothingThere, match="no subscriber yet"):
        CLI.invoke(app, ["digest", "subscribers"], catch_exceptions=False)
    subscribed(state, "ada@example.org", zone="Europe/Berlin", weekday=4)
    listed = CLI.invoke(app, ["digest", "subscribers"]).stdout.splitlines()
    assert listed[1].split() == ["1", "active", "on", "Friday,", "08:00", "Europe/Berlin", "none", "ada@example.org"]
    [row] = json.loads(CLI.invoke(app, ["digest", "subscribers", "--format", "json"]).stdout)
    assert (row["address"], row["zone"], row["weekday"]) == ("ada@example.org", "Europe/Berlin", 4)
    for words, said in (
        (("--erase", "ADA@example.org"), "erased subscriber 1; it is never written to again"),
        (("--erase", "ada@example.org"), "no subscriber has this address; it is never written to"),
        (("--allow", "ada@example.org"), "it may subscribe again"),
        (("--allow", "ada@example.org"), "it was not kept out"),
    ):
        assert CLI.invoke(app, ["digest", "subscribers", *words]).stdout == f"{said}\n"
    with pytest.raises(UsageError, match="one of them"):
        CLI.invoke(app, ["digest", "subscribers", "--erase", "a@b.org", "--allow", "a@b.org"], catch_exceptions=False)


REPORT = """\
From: postmaster@example.net
To: papers@example.org
Subject: Undelivered
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

It did not work.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.net

Final-Recipient: rfc822; {address}
Action: {action}
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: {message_id}

--b--
"""


def nested(message_id: str, depth: int = 400) -> bytes:
    part = "Content-Type: multipart/mixed; boundary=b{0}\n\n--b{0}\n"
    return "".join([*map(part.format, range(depth)), f"\nMessage-ID: {message_id}\n"]).encode()


def test_a_bounce_counts_if_it_names_our_letter(state: Path, published: str, relay: Relay, tmp_path: Path) -> None:
    """What is no report is read too; what cannot be read is set aside, and the next ones count."""
    subscribed(state, "ada@example.org")
    with query.opened(open_database(published)) as database:
        send_due(config_at(state, relay), database, lambda: SATURDAY)
    ours, others = str(relay.letters[0]["Message-ID"]), f"<{'0' * 32}@example.org>"
    reports = [
        REPORT.format(address=address, action=action, message_id=message_id).encode()
        for address, action, message_id in (
            ("ada@example.org", "delayed", ours),
            ("ada@example.org", "failed", others),  # anybody can write one
            ("eve@example.org", "failed", ours),
            ("ada@example.org", "failed", ours),
        )
    ]
    heads = b"From:\r\n", b"Content-Type: text/plain; charset=nonsense\r\n\r\n\xff", b"\xff\x00\r\n"
    for text in (*reports[:3], *(head + b"\r\n" + ours.encode() * 100 for head in heads)):
        done = CLI.invoke(app, ["digest", "bounce"], input=text)
        assert done.stdout == "1 read; no more letters to nobody else\n"
    (tmp_path / "nested").write_bytes(nested(ours))
    (tmp_path / "sound").write_bytes(reports[3] + b"x" * (2 << 20))
    files = [str(tmp_path / name) for name in ("none", "nested", "sound")]
    done = CLI.invoke(app, ["digest", "bounce", *files], catch_exceptions=False)
    assert (done.exit_code, done.stdout) == (0, "1 read; no more letters to subscriber 1\n")
    assert [line.removeprefix(str(tmp_path)) for line in done.stderr.splitlines()] == [
        "/none is set aside: cannot read it: No such file or directory",
        "/nested is set aside: it has 400 messages and parts in each other, more than 50",
    ]
    with opened(state) as connection:
        assert people.find(connection, 1).state == "bounced"


def test_without_its_packages_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("css_inline", "dkim", "flufl", "itsdangerous"):
        monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    with pytest.raises(UsageError, match=r"needs css_inline, dkim, .*pip install 'paperlake\[digest\]'$") as caught:
        CLI.invoke(app, ["digest", "preview"], catch_exceptions=False)
    assert "\n" not in str(caught.value)


def test_nothing_due_is_no_flow_run(published: str, state: Path) -> None:
    """The lists of the sample are long over by the clock of a command."""
    subscribed(state, "ada@example.org", hour=0)
    done = CLI.invoke(app, ["digest", "send", "--lake", published])
    assert (done.exit_code, done.stdout) == (0, "no letter is due\n")


@pytest.mark.slow
def test_no_address_is_written_outside_the_state(
    published_copy: str, state: Path, relay: Relay, tmp_path: Path, used_prefect_home: Path
) -> None:
    """Nor is the secret: with the relay down, with one that repeats a refused address, and with one that accepts."""
    shutil.copytree(used_prefect_home, tmp_path / "prefect")
    subscribed(state, "ada.lovelace@example.org", "charles@example.org")
    relay.answers["charles@example.org"] = ["550 5.1.1 <charles@example.org>: unknown"]
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT")}
    environment = {**ours, "PREFECT_HOME": str(tmp_path / "prefect"), "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    with query.opened(
        open_database(published_copy)
    ) as database:  # the sample's lists are old by the clock of a command
        [(newest,)] = database.rows("SELECT max(listed_on) FROM mart.daily_papers").rows
    clock = "import flows.runtime.environment as n; from datetime import datetime; n.utc_now = lambda: datetime(2026, 10, 3, 12); "
    command = (sys.executable, "-c", clock + "from paperlake.cli.main import main; main()", "digest", "send")
    assert str(newest) == "2026-10-02"
    for address, code in (("smtp://127.0.0.1:9", 12), (f"smtp://127.0.0.1:{relay.port}", 0)):
        with (tmp_path / "log").open("ab") as log:
            done = subprocess.run(
                (*command, "--lake", published_copy),
                env={**environment, "PAPERLAKE_DIGEST_SMTP_URL": address, "PREFECT_LOGGING_LEVEL": "DEBUG"},
                cwd=ROOT,
                stdout=log,
                stderr=log,
                check=False,
            )
        assert done.returncode == code, (tmp_path / "log").read_text()
    said = (tmp_path / "log").read_text()
    assert "letter to subscriber 2 of 2026-10-03: bounced, 550 5.1.1" in said
    assert "1 bounced, 1 sent" in said
    assert relay.counts == {"ada.lovelace@example.org": 1}
    for place in (Path(published_copy), tmp_path / "prefect", tmp_path / "log"):
        kept = [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]
        assert kept
        for path in kept:
            content = path.read_bytes()
            assert not [word for word in (b"lovelace", b"charles@", b"do-not-show") if word in content], path


def test_before_the_first_release_no_letter_is_due_and_nothing_fails(lake: str, state: Path) -> None:
    assert send_of_latest(lake) == NOTHING_DUE
