"""The pages that lead to the latest release move with `latest.json`, and are repaired after a kill."""

from datetime import datetime
from pathlib import Path
from urllib.parse import urljoin

import pytest

from flows.documents import release_index
from flows.documents.release_index import lead_to_latest, leading_faults
from flows.runtime.lake import open_lake
from paperlake.cli import release_commands
from tests.bare import publish_bare
from tests.release_page import Elements
from tests.seaweed import Seaweed
from warehouse.errors import NothingThere, StoreFailed
from warehouse.release import moves
from warehouse.release.latest import LEADING, release_key
from warehouse.store.store import Store

FIRST, SECOND = "2026.11.21.1", "2026.11.21.2"
NOW = datetime(2026, 11, 21, 6)


@pytest.fixture
def store(lake: str) -> Store:
    return with_releases(lake)


def with_releases(lake: str) -> Store:
    """Two releases, of manifests alone, the second one the latest; no page leads anywhere yet."""
    made = open_lake(lake)
    for version in (FIRST, SECOND):
        publish_bare(made, version, at=NOW)
    return made


def targets(store: Store) -> list[str]:
    """Where each page leads, as a browser at any address of the lake resolves it."""
    found = []
    for key in LEADING:
        elements = Elements(store.read(key))
        [content] = [meta["content"] for meta in elements.named("meta") if meta.get("http-equiv") == "refresh"]
        [link] = elements.named("a")
        assert content == f"0; url={link['href']}"
        found.append(urljoin(f"https://a.example/some/lake/{key}", link["href"]))
    return found


def page(version: str) -> list[str]:
    address = f"https://a.example/some/lake/releases/{version}"
    return [f"{address}/index.html", f"{address}/index.html", f"{address}/explore/index.html"]


def test_they_lead_to_the_latest_release_and_back(store: Store) -> None:
    lead_to_latest(store)
    assert targets(store) == page(SECOND)
    moves.go_to(store, FIRST, at=NOW, why="back")
    assert [fault.partition(";")[0] for fault in leading_faults(store)] == [
        f"releases/index.html does not lead to the latest release, {FIRST}",
        f"releases/latest/index.html does not lead to the latest release, {FIRST}",
        f"releases/latest/explore/index.html does not lead to the latest release, {FIRST}",
        "releases/index.json does not say what the releases are",
    ]
    lead_to_latest(store)
    assert targets(store) == page(FIRST)
    assert list(leading_faults(store)) == []


def test_before_the_first_release_and_in_an_older_lake(lake: str, store: Store) -> None:
    assert list(leading_faults(store)) == []
    empty = open_lake(f"{lake}-empty")
    lead_to_latest(empty)
    assert list(empty.list()) == []


def test_after_two_moves_at_one_moment_pages_lead_to_the_last(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process goes back and writes its pages after this one has read `latest.json`, before it writes."""
    rendered, others = release_index.leading_pages, []

    def meanwhile(version: str) -> dict[str, bytes]:
        if not others:
            others.append(moves.go_to(store, FIRST, at=NOW, why="meanwhile"))
            lead_to_latest(store)
        return rendered(version)

    monkeypatch.setattr(release_index, "leading_pages", meanwhile)
    lead_to_latest(store)
    assert targets(store) == page(FIRST)


def test_what_cannot_be_written_fails_no_release(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise StoreFailed("no space left")

    monkeypatch.setattr(type(store), "put", full)
    lead_to_latest(store)
    assert "releases/index.html may lead to an older release: no space left" in caplog.text


def test_they_load_nothing(store: Store) -> None:
    lead_to_latest(store)
    for key in LEADING:
        made = Elements(store.read(key))
        assert not made.open
        assert {tag for tag, _ in made.tags}.isdisjoint({"img", "iframe"})
        assert [attributes for attributes in made.named("script") if attributes] == []
        assert bool(list(made.named("script"))) is key.endswith("explore/index.html")  # which keeps what stands after #
        assert len(store.read(key)) < 10_000


def test_a_link_that_is_shared_has_a_preview(store: Store) -> None:
    lead_to_latest(store)
    metas = Elements(store.read("releases/latest/explore/index.html")).named("meta")
    told = {meta["property"]: meta["content"] for meta in metas if "property" in meta}
    assert (told["og:site_name"], told["og:title"]) == ("paperlake", "Daily Papers, the latest release")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the browser is asked to open."""
    asked: list[str] = []
    monkeypatch.setattr("webbrowser.open", asked.append)
    return asked


def test_the_page_of_a_release_is_printed_and_opened(
    lake: str, store: Store, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for version in (FIRST, SECOND):
        store.put(release_key(version, "index.html"), b"a page")
    release_commands.open.main(["--lake", lake], standalone_mode=False)
    release_commands.open.main([FIRST, "--lake", lake], standalone_mode=False)
    pages = [Path(lake) / f"releases/{version}/index.html" for version in (SECOND, FIRST)]
    assert capsys.readouterr().out.splitlines() == [str(path) for path in pages]
    assert opened == [path.as_uri() for path in pages]


def test_a_missing_release_or_page_is_named(lake: str, store: Store, opened: list[str]) -> None:
    with pytest.raises(NothingThere, match=r"no release '2026\.01\.01\.1' was published"):
        release_commands.open.main(["2026.01.01.1", "--lake", lake], standalone_mode=False)
    with pytest.raises(NothingThere, match=f"release {SECOND} has no index.html: an older paperlake wrote none"):
        release_commands.open.main(["--lake", lake], standalone_mode=False)
    assert opened == []


def test_in_a_bucket_the_address_is_printed_and_no_browser_opened(
    seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in seaweed.environment().items():
        monkeypatch.setenv(name, value)
    lake = seaweed.lake()
    with_releases(lake).put(release_key(SECOND, "index.html"), b"a page")
    release_commands.open.main(["--lake", lake], standalone_mode=False)
    assert capsys.readouterr().out == f"{lake}/releases/{SECOND}/index.html\n"
    assert opened == []


def test_no_page_leads_to_a_retracted_release(lake: str, store: Store) -> None:
    lead_to_latest(store)
    release_commands.retract.main([SECOND, "--why", "wrong", "--lake", lake], standalone_mode=False)
    assert targets(store) == page(FIRST)
