"""`paperlake push`: readers of the repository see one whole release or another, whatever the Hub does to the push."""

import fnmatch
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
import yaml

from flows.running.prefect_server import OwnServer
from flows.runtime.lake import open_lake
from paperlake.cli.app import app
from tests.flows.conftest import PERSON, take_place, variables_of
from tests.hub.dataset_server import after, answers, dataset_site, ignoring, lost
from tests.hub.dataset_site import REPOSITORY, TOKEN, Answer, Asked, DatasetSite, Fault, Reply, Stored, sha256
from tests.processes import ROOT, finished, paperlake
from tests.pushed import AT, bytes_of, environment, go_to, push, push_killed, versions
from warehouse.errors import UsageError
from warehouse.release import moves
from warehouse.release.latest import LATEST

WINDOW = {"RateLimit": '"api";r=0;t=0', "RateLimit_Policy": '"fixed window";"api";q=500;w=300'}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[DatasetSite]:
    with dataset_site(tmp_path) as site:
        yield site


@pytest.fixture
def three(three_bare: Path, lake: str) -> str:
    """A lake of three releases that a test may change."""
    shutil.copytree(three_bare, lake)
    return lake


def require_pushed(site: DatasetSite, lake: str, *others: str) -> None:
    """The branch and the tag of the latest release have its files, byte for byte; `others` are tagged, too."""
    store = open_lake(lake)
    version = moves.moves(store)[-1].version
    wanted = bytes_of(store, version)
    assert site.files == wanted
    assert site.files_of(site.tags[version]) == wanted
    assert site.tags.keys() == {version, *others}
    sums = {file.key: file.sha256 for file in moves.published(store, version).files}
    assert {key: sha256(data) for key, data in site.files.items() if key in sums} == sums
    for other in others:
        assert site.files_of(site.tags[other]) == bytes_of(store, other)


def push_whole(site: DatasetSite, lake: str, *others: str) -> None:
    done = push(site, lake)
    assert done.returncode == 0, done.stderr
    require_pushed(site, lake, *others)


def push_refused(code: int, said: str, site: DatasetSite, lake: str, **changed: str) -> str:
    """All that a push tells which ends with a code, and with these words."""
    done = push(site, lake, **changed)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    return done.stdout + done.stderr


def push_nothing(site: DatasetSite, lake: str, **changed: str) -> None:
    """What is there already is not pushed again."""
    asked = len(site.asked)
    assert "already" in push(site, lake, **changed).stdout
    assert changes(site, asked) == []


def changes(site: DatasetSite, since: int = 0) -> list[str]:
    """The requests that may change something."""
    return [f"{asked.method} {asked.path}" for asked in site.asked[since:] if asked.method != "GET"]


def test_a_release_is_pushed_once_and_what_is_new_of_the_next(site: DatasetSite, three: str) -> None:
    first, second, third = versions(three)
    go_to(three, first)
    told = push(site, three, "--dry-run")
    size = sum(map(len, bytes_of(open_lake(three), first).values()))
    assert told.returncode == 0, told.stderr
    assert f"a push of release {first} would change {site.url}/datasets/{REPOSITORY}" in told.stdout
    assert f" files sent ({size / 1e6:.1f} MB), 0 were there, 0 deleted" in told.stdout
    assert (changes(site), site.head) == ([], "")

    assert push(site, three, "--private").returncode == 0
    require_pushed(site, three)
    assert site.is_private
    assert [commit.title.split(",")[0] for commit in site.history(site.head)] == [f"Release {first}", "initial commit"]
    assert site.sent_bytes == size

    sent, asked = site.sent_bytes, len(site.asked)
    assert push(site, three).stdout == f"release {first} is at {site.url}/datasets/{REPOSITORY} already\n"
    assert (site.sent_bytes - sent, changes(site, asked)) == (0, [])

    for version, earlier in ((second, [first]), (third, [first, second])):
        go_to(three, version)
        before, sent = site.files, site.sent_bytes
        push_whole(site, three, *earlier)
        new = {key: data for key, data in site.files.items() if before.get(key) != data}
        assert site.sent_bytes - sent <= sum(map(len, new.values())), "what was there was sent again"
        assert 0 < len(new) < len(site.files)
    assert {asked.token for asked in site.asked if asked.path.startswith("/api")} == {TOKEN}
    assert {asked.token for asked in site.asked if asked.path.startswith("/lfs")} == {""}, "told to the storage"


@pytest.mark.slow
@pytest.mark.parametrize(
    "faults",
    [
        [
            (after(500), "POST", "/repos/create", (1,)),
            (answers(503), "GET", "/tree/", (2,)),
            (answers(500), "PUT", "/lfs/", (3,)),
            (answers(412), "POST", "/commit/", (1,)),
            (answers(409), "POST", "/tag/", (1,)),
        ],
        [
            (answers(429, **WINDOW), "GET", "/refs", (1, 2)),
            (answers(429, **WINDOW), "POST", "/preupload/", (1,)),
            (after(504), "PUT", "/lfs/", (2,)),
            (answers(409), "POST", "/commit/", (1,)),
            (lost, "POST", "/tag/", (1, 2)),
        ],
        [
            (answers(429, **WINDOW), "POST", "/commit/", (1,)),
            (answers(500), "POST", "/commit/", (1,)),
            (after(500), "POST", "/tag/", (1,)),
        ],
        [(after(500), "POST", "/commit/", (1,))],
        [(after(0), "POST", "/commit/", (1,))],
    ],
    ids=["at each step", "again", "busy", "lost commit", "cut commit"],
)
def test_a_hub_that_misbehaves_gets_the_release_once(
    site: DatasetSite, three_bare: Path, faults: list[tuple[Fault, str, str, tuple[int, ...]]]
) -> None:
    """At several steps of one push, and at the commit in each way by itself."""
    lake = str(three_bare)
    for fault, method, where, nth in faults:
        site.misbehave(fault, method, where, *nth)
    push_whole(site, lake)
    assert len(site.commits) == 2
    assert all(rule.seen >= max(nth) for rule, (*_, nth) in zip(site.rules, faults, strict=True))


def test_uploads_that_are_cut_are_sent_again(site: DatasetSite, three_bare: Path) -> None:
    site.cut_count = 3
    push_whole(site, str(three_bare))
    assert site.cut_count < 0


def test_a_hub_that_never_keeps_the_tag_is_an_error(site: DatasetSite, three_bare: Path) -> None:
    site.misbehave(lost, "POST", "/tag/")
    push_refused(10, "does not show what it was sent; the same command resumes", site, str(three_bare))
    site.rules.clear()
    push_whole(site, str(three_bare))


def test_files_that_the_hub_would_leave_out_end_the_push(site: DatasetSite, three_bare: Path) -> None:
    site.misbehave(ignoring("marts/"), "POST", "/preupload/")
    assert "remove its .gitignore" in push_refused(2, "would leave out", site, str(three_bare))
    assert (len(site.commits), site.files) == (1, {})


@pytest.mark.slow
def test_of_two_pushes_one_comes_first(site: DatasetSite, three: str) -> None:
    first, _, third = versions(three)
    go_to(three, first)
    assert push(site, three).returncode == 0

    def overtaking(asked: Asked, right: Answer) -> Reply:
        site.make("another push", "", site.commits[site.head].files)
        return right(asked)

    site.misbehave(overtaking, "POST", "/commit/", 1)
    go_to(three, third)
    push_refused(8, "came first; the same command resumes", site, three)
    assert site.files == bytes_of(open_lake(three), first)
    push_whole(site, three, first)


@pytest.mark.slow
@pytest.mark.parametrize("is_done", [True, False], ids=["done", "not done"])
def test_a_push_killed_at_its_requests_is_resumed(site: DatasetSite, three: str, is_done: bool) -> None:
    first, second, _ = versions(three)
    go_to(three, first)
    assert push(site, three).returncode == 0
    go_to(three, second)
    store = open_lake(three)
    before, now = bytes_of(store, first), bytes_of(store, second)
    for where, nth in (("/preupload/", 1), ("^/lfs/", 3), ("/commit/", 1), ("/tag/", 1)):
        assert push_killed(site, three, where, nth, is_done=is_done), where
        assert site.files in (before, now)
        assert all(site.files_of(commit) in (before, now) for commit in site.tags.values())
    push_whole(site, three, first)
    assert len(site.commits) == 3


@pytest.mark.slow
def test_a_push_killed_before_its_tag_is_tagged_by_that_of_the_next_release(site: DatasetSite, three: str) -> None:
    first, second, _ = versions(three)
    go_to(three, first)
    assert push_killed(site, three, "/tag/", 1, is_done=False)
    assert push(site, three, "--dry-run").stdout.endswith(f" 0 deleted; tags set: {first}\n")
    go_to(three, second)
    push_whole(site, three, first)


@pytest.mark.slow
def test_a_retracted_release_loses_its_tag_and_the_branch(site: DatasetSite, three: str) -> None:
    first, second, third = versions(three)
    for version in (second, third):
        go_to(three, version)
        assert push(site, three).returncode == 0
    moves.retract(open_lake(three), third, at=AT, why="wrong stars")
    told = push(site, three)
    assert (told.returncode, f"; tags removed: {third}\n" in told.stdout) == (0, True), told.stderr
    require_pushed(site, three)
    moves.restore(open_lake(three), third, at=AT, why="right")
    push_whole(site, three, third)
    moves.retract(open_lake(three), third, at=AT, why="wrong")
    go_to(three, first)
    moves.retract(open_lake(three), second, at=AT, why="these too")
    push_whole(site, three)
    moves.go_to(open_lake(three), third, at=AT, why="to look at", even_retracted=True)
    push_refused(2, "was retracted", site, three)


def holders(site: DatasetSite, login: str) -> set[str]:
    """Files that can be reached, and contents that are stored, which have it."""
    texts = {f"{oid}/{path}": file.data for oid in site.reachable() for path, file in site.commits[oid].files.items()}
    return {name for name, data in (texts | site.contents).items() if login.encode() in data}


@pytest.mark.slow
def test_what_a_killed_push_sent_goes_with_who_was_erased(site: DatasetSite, two_bare: str, two_erased: Path) -> None:
    """No commit has these contents, and none from before the erasure shows that there are any."""
    assert push_killed(site, two_bare, "/commit/", 1, is_done=False)
    assert holders(site, PERSON)
    take_place(two_bare, two_erased)
    push_whole(site, two_bare)
    assert holders(site, PERSON) == set()
    push_nothing(site, two_bare)


@pytest.mark.slow
def test_a_push_commits_nobody_who_is_erased_meanwhile(site: DatasetSite, two_bare: str, two_erased: Path) -> None:

    def erasing(asked: Asked, right: Answer) -> Reply:
        answer = right(asked)
        take_place(two_bare, two_erased)
        return answer

    site.misbehave(erasing, "POST", "/verify", 1)
    push_refused(8, "a person was erased", site, two_bare)
    assert [commit.title for commit in site.history(site.head)] == ["initial commit"]
    push_whole(site, two_bare)
    assert holders(site, PERSON) == set()


@pytest.mark.slow
def test_a_push_under_way_takes_back_what_it_sent_after_another_one_has_removed_the_past(
    site: DatasetSite, two_bare: str, two_erased: Path, tmp_path: Path
) -> None:
    (first := tmp_path / "first").mkdir()

    def overtaking(asked: Asked, right: Answer) -> Reply:
        """One content with the person arrives when all that is over."""
        if PERSON.encode() in asked.body and two_erased.exists():
            take_place(two_bare, two_erased)
            assert push(site, two_bare).returncode == 0
        return right(asked)

    site.misbehave(overtaking, "PUT", "/lfs/")
    told = push(site, two_bare, **dict.fromkeys(("TMPDIR", "HOME", "HF_HOME"), str(first)))
    assert holders(site, PERSON) == set()
    assert (told.returncode, "a person was erased" in told.stderr) == (8, True), told.stderr
    require_pushed(site, two_bare)
    assert "already" in push(site, two_bare).stdout


@pytest.mark.slow
def test_who_was_erased_is_nowhere_in_the_repository(site: DatasetSite, two_bare: str, two_erased: Path) -> None:
    first, second = versions(two_bare)
    for version in (first, second):
        go_to(two_bare, version)
        assert push(site, two_bare).returncode == 0
    assert holders(site, PERSON)
    take_place(two_bare, two_erased)
    site.misbehave(after(500), "POST", "/super-squash/", 1)
    site.misbehave(answers(500), "DELETE", f"/tag/{first}", 1)
    told = push(site, two_bare)
    assert told.returncode == 0, told.stderr
    assert "all earlier commits removed, since a person was erased" in told.stdout
    require_pushed(site, two_bare)
    assert site.reachable() == {site.head}
    assert holders(site, PERSON) == set()
    assert set(site.contents) == {sha256(file.data) for file in site.commits[site.head].files.values() if file.is_large}
    push_nothing(site, two_bare)


def test_nothing_of_others_is_replaced(site: DatasetSite, three: str, published: str) -> None:
    site.make("by hand", "", {"notes.txt": Stored(b"mine", False)})
    push_refused(2, "has files that no push put there", site, three)
    assert site.files == {"notes.txt": b"mine"}
    site.make("by hand", "", {"README.md": Stored(b"to come", False)})
    push_whole(site, three)
    push_refused(2, "of another lake", site, published)
    require_pushed(site, three)


def test_what_others_changed_there_is_set_right(site: DatasetSite, one_release: Path) -> None:
    lake = str(one_release)
    assert push(site, lake).returncode == 0
    files = dict(site.commits[site.head].files)
    del files["NOTES.md"]
    site.make("edited", "", files | {"LICENSE.md": Stored(b"none", False), "more.txt": Stored(b"!", False)})
    site.tags[moves.moves(open_lake(lake))[-1].version] = site.head
    told = push(site, lake)
    assert ": 2 files sent (" in told.stdout
    assert ", 1 deleted" in told.stdout
    require_pushed(site, lake)


@pytest.mark.parametrize(
    ("changed", "code", "said"),
    [
        ({"PAPERLAKE_PUSH_TOKEN": ""}, 2, "set PAPERLAKE_PUSH_TOKEN, or PAPERLAKE_PUSH_TOKEN_FILE"),
        ({"PAPERLAKE_PUSH_TOKEN": "hf_another"}, 2, "the Hub refused access to ada/papers (401, Invalid token …)"),
        ({"PAPERLAKE_HUB_URL": "http://192.0.2.1"}, 2, "PAPERLAKE_PUSH_TOKEN: it is sent over https:// only"),
        ({"PAPERLAKE_HUB_URL": "http://192.0.2.1", "PAPERLAKE_PUSH_TOKEN": ""}, 2, "pushed over https:// only"),
    ],
)
def test_a_token_is_untold(site: DatasetSite, three_bare: Path, changed: dict[str, str], code: int, said: str) -> None:
    told = push_refused(code, said, site, str(three_bare), **changed)
    assert TOKEN not in told
    assert "hf_another" not in told


def test_addresses_that_are_signed_are_not_told(site: DatasetSite, three_bare: Path) -> None:
    site.misbehave(answers(403), "PUT", "/lfs/")
    assert "signature" not in push_refused(2, "", site, str(three_bare))


def test_an_upload_is_never_sent_plainly_to_another_machine(site: DatasetSite, three_bare: Path) -> None:
    def elsewhere(asked: Asked, right: Answer) -> Reply:
        told = json.dumps(right(asked).told).replace(site.url, "http://192.0.2.1")
        return Reply(told=json.loads(told))

    site.misbehave(elsewhere, "POST", "/info/lfs/objects/batch")
    push_refused(10, "named an address without https", site, str(three_bare))
    assert site.files == {}


def test_damaged_bytes_are_not_pushed(site: DatasetSite, three: str) -> None:
    page = Path(three) / f"releases/{versions(three)[-1]}/README.md"
    page.unlink()
    page.write_text("other words")
    push_refused(6, "README.md of release", site, three)
    assert site.files == {}


@pytest.mark.parametrize("name", ["papers", "./folder", "s3://bucket/lake", "ada/papers/more", "../papers"])
def test_what_is_no_repository_is_refused(three_bare: Path, name: str) -> None:
    with pytest.raises(UsageError, match='there is "paperlake copy --releases"'):
        app(["push", name, "--lake", str(three_bare)], standalone_mode=False)


@pytest.mark.slow
def test_a_hub_with_a_store_of_chunks_gets_new_chunks_alone(site: DatasetSite, three: str, tmp_path: Path) -> None:
    """As the Hub itself has one: by hf_xet, into a store of its own in a folder. What it keeps cannot be read here."""
    site.chunks = tmp_path / "chunks"
    site.chunks.mkdir()
    sizes = []
    for version in versions(three)[1:]:
        go_to(three, version)
        done = push(site, three, HF_HUB_DISABLE_XET="0", HF_XET_CACHE=str(tmp_path / "xet"))
        assert done.returncode == 0, done.stderr
        sums = {file.key: file.sha256 for file in moves.published(open_lake(three), version).files}
        there = site.commits[site.tags[version]].files
        assert {key: file.sha256 or sha256(file.data) for key, file in there.items() if key in sums} == sums
        sizes.append(sum(path.stat().st_size for path in site.chunks.rglob("*") if path.is_file()))
    assert not [asked for asked in site.asked if asked.method == "PUT"]
    assert {asked.token for asked in site.asked if "xet-write-token" in asked.path} == {TOKEN}
    assert sizes[1] - sizes[0] < sizes[0] * 0.4, "chunks that were there are there again"
    push_nothing(site, three, HF_HUB_DISABLE_XET="0")


FLOW = """
import sys
from paperlake.push.push_flow import push
print(*map(push, sys.argv[1:]))
"""


@pytest.mark.slow
def test_serve_pushes_to_the_repository_of_the_settings(
    site: DatasetSite, three_bare: Path, lake: str, own_prefect: OwnServer
) -> None:
    given = environment(site, lake, PAPERLAKE_PUSH=REPOSITORY, **variables_of(own_prefect))
    for wanted in ([lake], [str(three_bare)] * 2):
        done = finished(sys.executable, "-c", FLOW, *wanted, env=given, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        assert TOKEN not in done.stdout + done.stderr
        assert (site.head == "") is (wanted == [lake])
    assert "already" in done.stdout
    require_pushed(site, str(three_bare))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"PAPERLAKE_PUSH": "papers"}, "PAPERLAKE_PUSH: it must be a dataset repository of the Hub, OWNER/NAME"),
        ({"PAPERLAKE_PUSH": REPOSITORY, "PAPERLAKE_PUSH_TOKEN": ""}, "set PAPERLAKE_PUSH_TOKEN"),
    ],
)
def test_serve_refuses_half_a_push_set_up(site: DatasetSite, lake: str, changed: dict[str, str], said: str) -> None:
    done = paperlake("serve", environment=environment(site, lake, **changed))
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


READ = """
import json, sys
import datasets
name = sys.argv[1]
found = {}
for config in datasets.get_dataset_config_names(name):
    table = datasets.load_dataset(name, config, split="train", revision=sys.argv[2])
    found[config] = [table.num_rows, table.column_names]
print(json.dumps(found))
"""


@pytest.mark.slow
def test_every_configuration_is_opened_by_datasets(site: DatasetSite, published: str) -> None:
    """From what was pushed, by name, as a reader does it: every core table and every mart that has rows."""
    assert push(site, published).returncode == 0
    version = moves.moves(open_lake(published))[-1].version
    given = environment(site, published) | {"HF_ENDPOINT": site.url, "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
    del given["PAPERLAKE_PUSH_TOKEN"]
    done = finished(sys.executable, "-c", READ, REPOSITORY, version, env=given)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    manifest = moves.published(open_lake(published), version)
    parts = [part for part in (*manifest.tables, *manifest.marts) if part.files and part.row_count]
    wanted = {}
    for part in parts:
        paths = [Path(published) / f"releases/{version}/{file.key}" for file in part.files]
        frame = pl.concat([pl.read_parquet(path) for path in paths])
        wanted[part.name] = [frame.height, frame.columns]
    assert found == wanted
    assert {"papers", "daily_papers", "trending_papers"} <= found.keys()
    front = yaml.safe_load(site.files["README.md"].decode().split("---\n")[1])
    named = [files["path"] for one in front["configs"] for files in one["data_files"]]
    assert all(fnmatch.filter(site.files, path) for path in named)
    assert LATEST not in site.files
