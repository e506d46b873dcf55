"""Capturing what is due from the stand-in Hub, the clock moved by hand."""

import gzip
import logging
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from flows.hub.client import Hub
from flows.plan.due import missing_list, missing_list_of_latest
from flows.runtime.environment import utc_now
from flows.runtime.lake import journal_folder, open_lake
from flows.runtime.scope import Scope
from flows.runtime.settings import Settings
from flows.steps.capture_due import capture_due
from tests.collected import collected
from tests.flows import steps
from tests.full_disk import Disk, disk
from tests.hub import faults
from tests.hub.clock import VirtualClock
from tests.hub.days import Days
from tests.hub.server import StandIn
from tests.hub.site import Page
from tests.hub.wire import Wire
from transforms.collect.collect import Collected
from warehouse.archive.archive import Archive
from warehouse.archive.journal import Journal
from warehouse.archive.writer import Landed
from warehouse.errors import SourceFailed, StoreFailed
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.daily_lists import list_days, opens_at
from warehouse.store.local_files import local_files

DAY = date(2026, 6, 2)
__all__ = ["disk"]

JUNE = Scope(since=date(2026, 6, 1), until=date(2026, 6, 3))
ORDINARY = Scope(searches=("harbour tides", "field guides"))


@pytest.fixture
def hub(clock: VirtualClock) -> Iterator[StandIn]:
    with StandIn(Days(is_alive=True), clock=clock) as hub:
        yield hub


def capture(lake: str, hub: StandIn, scope: Scope, token: str | None = None) -> Landed:
    times = hub.clock.clock()
    with Hub(Settings(hub_url=hub.url, hub_token=token), clock=times) as client:
        return capture_due(open_lake(lake), client, scope, clock=times)


def as_read(lake: str) -> Collected:
    """What a build reads in the pages that were landed."""
    archive = Archive(open_lake(lake))
    return collected(*archive.captures(archive.index()))


def target_of(day: date, page: int = 0) -> str:
    return f"/api/daily_papers?date={day}&limit=100" + (f"&p={page}" if page else "")


class TestBackfill:
    def test_asks_for_each_list_day_once_and_resumes(self, lake: str, hub: StandIn) -> None:
        since, until = date(2026, 6, 1), date(2026, 7, 31)
        first = capture(lake, hub, Scope(since=since, until=date(2026, 6, 30)))
        assert (first.landed_count, first.refused) == (22 + 1, ())
        rest = capture(lake, hub, Scope(since=since, until=until))
        asked = hub.targets
        assert (rest.landed_count, len(asked)) == (23, 45)
        assert len(set(asked)) == len(asked)
        assert capture(lake, hub, Scope(since=since, until=until)).landed_count == 0
        listed = set(as_read(lake).captures.filter(list_kind="daily", state="read")["listed_on"])
        assert listed == set(list_days(since, until))

    def test_details_only_where_they_are_asked_for(self, lake: str, hub: StandIn) -> None:
        hub.days.counts[DAY] = 12
        capture(lake, hub, JUNE)
        steps.publish_tables(lake)
        assert capture(lake, hub, JUNE).landed_count == 0
        with_details = Scope(since=JUNE.since, until=DAY, with_details=True)
        hub.windows.quotas["api"] = 8
        landing = capture(lake, hub, with_details)
        listings = steps.table(lake, "daily_listings").filter(steps.pl.col("listed_on") <= DAY)
        asked = [target for target in hub.targets if "/api/papers/" in target]
        assert sorted(asked) == sorted(f"/api/papers/{paper}" for paper in listings["paper_id"])
        assert (landing.landed_count, hub.over) == (len(asked), [])
        assert len(asked) > 8, "it has waited for its budget"
        assert capture(lake, hub, with_details).landed_count == 0


class TestFailures:
    def test_failed_fetches_are_reported_kept_and_repeated(self, lake: str, hub: StandIn) -> None:
        hub.misbehave(faults.status(500), where=f"date={DAY}", nth=range(1, 6))
        landing = capture(lake, hub, JUNE)
        [refused] = landing.refused
        assert refused.name.endswith(target_of(DAY))
        captures = as_read(lake).captures.filter(state="failed")
        assert captures.select("listed_on", "http_status").rows() == [(DAY, 500)]
        assert captures["reason"].item() == "HTTP status 500; given up after 5 tries"
        hub.clock.sleep(60)
        again = capture(lake, hub, JUNE)
        assert (again.landed_count, again.refused) == (1, ())
        lists = Counter(target for target in hub.targets if "daily_papers" in target)
        assert lists == {target_of(date(2026, 6, day)): 6 if day == 2 else 1 for day in (1, 2, 3)}

    def test_a_token_that_answers_repeat_is_not_kept(
        self, lake: str, hub: StandIn, caplog: pytest.LogCaptureFixture
    ) -> None:
        token = "hf_Invented0Secret0Token"
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        broken = [
            faults.redirect(f"http://hub.example:{token}/"),
            faults.nonsense(f"HTTP/1.1 {token}\r\n\r\n".encode()),
            faults.nonsense(head + f"{token}\r\n\r\n".encode()),
            faults.nonsense(head + f"Transfer-Encoding: chunked\r\n\r\n{token}\r\n".encode()),
        ]
        days = list(list_days(date(2026, 6, 1), date(2026, 6, 4)))
        for day, fault in zip(days, broken, strict=True):
            hub.misbehave(fault, f"date={day}")
        landing = capture(lake, hub, Scope(since=days[0], until=days[-1]), token)
        assert {call.headers["Authorization"] for call in hub.calls} == {f"Bearer {token}"}
        assert {refused.reason for refused in landing.refused} == {
            "the answer repeats PAPERLAKE_HUB_TOKEN, so it was not kept"
        }
        assert len(landing.refused) == 4
        captures = as_read(lake).captures
        written = [path.read_bytes() for path in Path(lake).rglob("*") if path.is_file()]
        written += [gzip.decompress(data) for data in written if data.startswith(b"\x1f\x8b")]
        written += [repr(captures.rows()).encode(), caplog.text.encode()]
        assert any(b"repeats PAPERLAKE_HUB_TOKEN" in data for data in written)
        assert not any(token.lower().encode() in data.lower() for data in written)

    def test_a_list_without_its_second_page_stays_due(self, lake: str, hub: StandIn) -> None:
        hub.days.counts[DAY] = 250
        hub.misbehave(faults.html(), "&p=1", nth=(1,))
        scope = Scope(since=DAY, until=DAY)
        assert len(capture(lake, hub, scope).refused) == 1
        hub.clock.sleep(60)
        healed = capture(lake, hub, scope)
        assert (healed.landed_count, healed.refused) == (3, ())
        hub.clock.sleep(60)
        assert capture(lake, hub, scope).landed_count == 0
        assert as_read(lake).sightings["arxiv_id"].n_unique() == 250

    def test_a_hub_lost_between_two_pages_leaves_the_list_due(self, lake: str, hub: StandIn) -> None:
        """The page that came is kept, and the list counts as incomplete."""
        hub.days.counts[DAY] = 250
        scope = Scope(since=DAY - timedelta(1), until=DAY)
        hub.misbehave(lambda *_: (hub._server.socket.close(), hub._server.hang_up()), "&p=1")
        with pytest.raises(SourceFailed, match="PAPERLAKE_HUB_URL"):
            capture(lake, hub, scope)
        index = Archive(open_lake(lake)).index()
        kept = {(entry.url or "").removeprefix(hub.url): entry.failure for entry in index}
        assert set(kept) == {"/robots.txt", target_of(scope.since), target_of(DAY), target_of(DAY, 1)}
        assert "given up after" in (kept[target_of(DAY, 1)] or "")
        with StandIn(hub.days, clock=hub.clock) as other:
            hub.clock.sleep(60)
            assert capture(lake, other, scope).landed_count == 4
        assert other.targets == [target_of(DAY, page) for page in range(3)]

    @pytest.mark.parametrize("minutes", [6, -6])
    def test_with_a_wrong_clock_nothing_is_kept(self, lake: str, hub: StandIn, minutes: int) -> None:
        hub.site.now = lambda: hub.clock.now() - timedelta(minutes=minutes)
        with pytest.raises(SourceFailed, match=r"6 minutes (ahead of|behind) the Hub's.*set the clock") as caught:
            capture(lake, hub, JUNE)
        assert ("ahead" in str(caught.value)) == (minutes > 0)
        assert Archive(open_lake(lake)).index() == []
        assert len(hub.calls) == 1

    def test_an_answer_from_a_cache_is_as_old_as_it_says(self, lake: str, hub: StandIn) -> None:
        robots = hub.site.page("/robots.txt")
        hub.site.now = lambda: hub.clock.now() - timedelta(minutes=50)
        hub.misbehave(lambda wire, page: wire.send(faults.replace(robots, headers={"Age": "3000"})), "/robots.txt")
        assert capture(lake, hub, JUNE).landed_count == 4


class TestRobots:
    def test_restarts_ask_for_them_once(self, lake: str, hub: StandIn) -> None:
        for number in range(5):
            capture(lake, hub, Scope(since=DAY, until=DAY + timedelta(number)))
        assert [call.target for call in hub.calls].count("/robots.txt") == 1
        hub.clock.sleep(86_400)
        hub.site.robots = "User-agent: *\nDisallow: /api/\n"
        landing = capture(lake, hub, Scope(since=DAY - timedelta(1), until=DAY))
        assert [refused.reason for refused in landing.refused] == ["the Hub's robots.txt does not allow it"]
        assert [call.target for call in hub.calls].count("/robots.txt") == 2

    def test_robots_txt_is_a_capture_that_no_reader_accepts(self, lake: str, hub: StandIn) -> None:
        capture(lake, hub, JUNE)
        found = as_read(lake).captures.filter(steps.pl.col("url").str.ends_with("/robots.txt"))
        assert found["state"].to_list() == ["unknown"]
        assert "robots.txt" in found["reason"].item()

    def test_when_nothing_is_due_nothing_is_asked(self, lake: str, hub: StandIn) -> None:
        assert capture(lake, hub, Scope(since=date(2026, 6, 6), until=date(2026, 6, 7))).landed_count == 0
        assert hub.calls == []


class TestConditions:
    def test_an_unchanged_list_is_not_sent_again(self, lake: str, clock: VirtualClock) -> None:
        with StandIn(Days({DAY: 250}), clock=clock) as hub:
            capture(lake, hub, Scope(since=DAY, until=DAY, refetch_after=(timedelta(days=1),)))
            before = hub.sent_bytes
            clock.sleep(60)
            later = clock.now() - opens_at(DAY) - timedelta(seconds=1)
            landing = capture(lake, hub, Scope(since=DAY, until=DAY, refetch_after=(later,)))
            assert (landing.landed_count, landing.refused) == (3, ())
            assert hub.sent_bytes - before < 1500
            assert hub.targets == [target_of(DAY, page) for page in (0, 1, 2, 0, 1, 2)]
        read = as_read(lake)
        assert read.captures["http_status"].to_list().count(304) == 3
        assert len(read.sightings) == 500


class TestQuietDays:
    def test_the_page_of_an_empty_weekday_is_asked_for_once(self, lake: str, clock: VirtualClock) -> None:
        with StandIn(Days(quiet=[DAY]), clock=clock) as hub:
            capture(lake, hub, JUNE)
            assert [target for target in hub.targets if "/api/" not in target] == [f"/papers?date={DAY}"]
            clock.sleep(60)
            assert capture(lake, hub, JUNE).landed_count == 0
        assert DAY not in set(steps.drafted(lake, "daily_listings")["listed_on"])

    def test_a_holiday_is_missed_until_the_run_after_it_which_settles_it(self, lake: str) -> None:
        clock = VirtualClock(opens_at(DAY) + timedelta(hours=7))
        scope, missed = Scope(since=date(2026, 6, 1), until=DAY), []
        with StandIn(Days(quiet=[DAY]), clock=clock) as hub:
            for hours in (0, 18):
                clock.sleep(hours * 3600)
                capture(lake, hub, scope)
                steps.publish_tables(lake)
                with local_files(open_lake(lake)) as files:
                    missed.append(missing_list_of_latest(files, clock.now()))
        assert missed == [DAY, None]


@pytest.mark.dated
def test_on_any_date_what_is_due_is_released_and_a_list_that_was_empty_is_missing(lake: str) -> None:
    clock = VirtualClock(utc_now())
    expected = missing_list(COVERAGE.empty(), clock.now())
    with StandIn(Days(), clock=clock) as hub:
        hub.misbehave(faults.empty_list(), f"?date={expected}&")  # its page shows papers: it is no holiday
        landed = capture(lake, hub, Scope())
    manifest = steps.publish_new(lake, now=clock.now(), is_bare=True)  # the gate has no clock
    assert (landed.landed_count, landed.refused) == (manifest.capture_count, ())
    with local_files(open_lake(lake)) as files:
        assert missing_list_of_latest(files, clock.now()) == expected


class TestJournal:
    def test_what_a_killed_run_has_left_is_landed_and_not_asked_for_again(self, lake: str, hub: StandIn) -> None:
        store = open_lake(lake)
        left = Journal(Archive(store), journal_folder(store), now=hub.clock.now)
        with Hub(Settings(hub_url=hub.url), clock=hub.clock.clock()) as client:
            left.add([client.robots(), *client.answers("daily", str(DAY))])
        left._file.close()  # as the kernel does when a process is killed
        landing = capture(lake, hub, JUNE)
        assert landing.landed_count == 4
        assert Counter(call.target for call in hub.calls).most_common(1)[0][1] == 1

    def test_the_journal_of_a_bucket_lies_on_this_machine(self, monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
        monkeypatch.setenv("PAPERLAKE_STATE", str(tmp_path))
        folders = {journal_folder(SimpleNamespace(folder=None, url=f"s3://bucket/{name}")) for name in "ab"}
        assert {folder.parent for folder in folders} == {tmp_path}
        assert len(folders) == 2, "one for each lake"


NEW_YORK = ZoneInfo("America/New_York")
RUNS = (timedelta(hours=3, minutes=40), timedelta(hours=12), timedelta(hours=22, minutes=40))


def moments(since: date, until: date) -> Iterator[datetime]:
    """Three runs a day, by the wall clock in New York, as UTC without zone."""
    day = since
    while day <= until:
        for time in RUNS:
            local = datetime(day.year, day.month, day.day, tzinfo=NEW_YORK) + time
            yield local.astimezone(ZoneInfo("UTC")).replace(tzinfo=None)
        day += timedelta(days=1)


class TestOrdinaryDays:
    @pytest.mark.slow
    def test_ten_list_requests_a_day_are_enough(self, lake: str) -> None:
        """Four weeks of three runs a day, over the end of a month and of summer time, after a first run."""
        since = date(2026, 10, 12)
        clock = VirtualClock(datetime(2026, 10, 11, 12))
        with StandIn(Days(is_alive=True), clock=clock) as hub:
            capture(lake, hub, ORDINARY)
            hub.calls.clear()
            asked: dict[date, Counter[str]] = {}
            in_new_york: Counter[date] = Counter()  # its days begin in the middle of a list's
            for moment in moments(since, date(2026, 11, 9)):
                clock.sleep((moment - clock.now()).total_seconds())
                before = len(hub.calls)
                assert capture(lake, hub, ORDINARY).refused == ()
                targets = [call.target for call in hub.calls[before:]]
                kinds = Counter(map(_kind_of, targets)) + Counter(trending=str(targets).count("sort=trending"))
                asked.setdefault(moment.date(), Counter()).update(kinds)
                in_new_york[(moment - timedelta(hours=5)).date()] += kinds["list"]
        assert max(counted["list"] for counted in list(asked.values())[1:]) <= 10
        assert max(list(in_new_york.values())[1:]) <= 10  # on the first, what had come due before the second run
        whole_days = list(asked.values())[1:-1]
        assert {counted["search"] for counted in whole_days} == {2}
        assert {counted["robots"] for counted in whole_days} <= {1, 2}
        assert {counted["page"] for counted in whole_days} == {0}
        lists = [target for target in hub.targets if _kind_of(target) == "list"]
        assert {counted["trending"] for counted in whole_days} == {1}
        assert {target.split("=")[1].split("&")[0] for target in lists if "month=" in target} == {"2026-10"}
        fridays = [target for target in lists if target == target_of(date(2026, 10, 16))]
        assert len(fridays) == 7, "all ages but 30 days have come"


def _kind_of(target: str) -> str:
    marks = {"/robots.txt": "robots", "/api/daily_papers": "list", "/api/papers/search": "search", "/papers": "page"}
    return next((kind for mark, kind in marks.items() if target.startswith(mark)), "details")


def _slowly(clock: VirtualClock, wire: Wire, page: Page) -> None:
    clock.elapsed += 0.05
    wire.send(page)


class TestDetails:
    @pytest.mark.slow
    def test_details_do_not_hold_up_a_run(self, lake: str, hub: StandIn, caplog: pytest.LogCaptureFixture) -> None:
        capture(lake, hub, ORDINARY)
        steps.publish_tables(lake)
        papers = set(steps.table(lake, "daily_listings")["paper_id"])
        hub.windows.quotas["api"] = 25
        hub.misbehave(lambda wire, page: _slowly(hub.clock, wire, page), "/api/papers/")
        hub.clock.sleep(300)
        slept = len(hub.clock.slept)
        with caplog.at_level(logging.INFO, "paperlake"):
            first = capture(lake, hub, ORDINARY)
        assert (first.landed_count, len(hub.clock.slept)) == (25, slept)
        assert "are left for the next run" in caplog.text
        assert capture(lake, hub, ORDINARY).landed_count == 0, "a run behind it knows what it has used up"
        for _ in range(3):
            hub.clock.sleep(301)
            capture(lake, hub, ORDINARY)
        asked = [target for target in hub.targets if _kind_of(target) == "details"]
        assert len(asked) == len(set(asked))
        today = {target.rpartition("/")[2] for target in asked}
        assert today < papers
        assert hub.over == []
        others = steps.table(lake, "daily_listings").filter(~steps.pl.col("paper_id").is_in(list(today)))
        fresh, old = hub.clock.now().date(), date(2026, 9, 4)  # not a day old; a month's list told of more than 31 days
        assert {day for day in others["listed_on"] if day > old} == {fresh}


class TestFullDisk:
    DAYS = Scope(since=date(2026, 6, 1), until=date(2026, 6, 30))

    @pytest.mark.parametrize("is_far", [True, False])
    def test_what_was_fetched_is_landed_or_asked_for_again(
        self, *, lake: str, hub: StandIn, disk: Disk, monkeypatch: pytest.MonkeyPatch, is_far: bool
    ) -> None:
        """The journal lies on another disk than the lake, as for a bucket, or on the full disk itself."""
        if is_far:
            monkeypatch.setattr("flows.steps.capture_due.journal_folder", lambda _: disk.path / "state")
        else:
            lake = str(disk.path / "lake")
        disk.fill(24)
        with pytest.raises(StoreFailed, match=r"could not write .*(no space left|disk is full)") as caught:
            capture(lake, hub, self.DAYS)
        assert caught.value.exit_code == 7
        fetched = {call.target for call in hub.calls}
        assert 0 < len(fetched) < 22
        assert is_far == bool(Archive(open_lake(lake)).index())
        disk.free()
        before = len(hub.calls)
        assert capture(lake, hub, self.DAYS).refused == ()
        asked = [call.target for call in hub.calls[before:]]
        assert len(fetched & set(asked)) == 1, "only what the disk would not take"
        assert len(Archive(open_lake(lake)).index()) == len({*fetched, *asked}) == 23
        folder = disk.path / "state" if is_far else disk.path / "lake/journal"
        assert list(folder.iterdir()) == []
