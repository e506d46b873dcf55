"""The documentation, run on a release of the sample: every query has its answer, every command exists."""

import re
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from signal import SIGHUP, SIGINT, SIGTERM

import pytest
from click.testing import CliRunner

from expectations.gate import GUARDS
from expectations.report import ACCEPTABLE
from flows.runtime.environment import variable
from flows.runtime.settings import Settings
from paperlake.cli.app import app
from paperlake.cli.main import ENDED_BY
from tests import docs
from warehouse.errors import PaperlakeError
from warehouse.release.query import Database
from warehouse.schema.provenance import CRITERIA

TEXTS = {page.name: page.read_text("utf-8") for page in docs.PAGES}
QUESTIONS = [(name, found["sql"], found["answer"]) for name in TEXTS for found in docs.QUESTION.finditer(TEXTS[name])]
NO_ROWS = "the sample has none"  # said by the pages whose question has no answer there
TOP = app
SETTING = re.compile(r"\bPAPERLAKE_[A-Z0-9]+(?:_[A-Z0-9]+)*\b")


def of_group(group, *names: str) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from of_group(command, *names, name)
        else:
            yield (*names, name)


COMMANDS = sorted(of_group(TOP))


def parsed(words: list[str]) -> tuple[tuple[str, ...], dict]:
    """The command that the words call, with its arguments; an error of usage where there is none."""
    group, names = TOP, ()
    while hasattr(group, "commands") and words:
        name, *words = words
        group, names = group.commands[name], (*names, name)
    return names, group.make_context(" ".join(names), list(words), **TOP.context_settings).params


def examples(names: tuple[str, ...]) -> list[str]:
    """The examples of a command, as written; to render them is for a test, not for each process that collects it."""
    command = reduce(lambda group, name: group.commands[name], names, TOP)
    return re.findall(r"^ *Example: (.*)$", command.help, re.MULTILINE)


def help_of(names: tuple[str, ...]) -> str:
    """The help of a command as a terminal of 80 columns shows it: click leaves two free, but not under its runner."""
    return CliRunner().invoke(app, [*names, "--help"], terminal_width=78).stdout


CALLS = [(name, words) for name in TEXTS for words in docs.commands(TEXTS[name])]
CALLS += [
    (" ".join(names), words)
    for names in COMMANDS
    for words in docs.commands("```sh\n" + "\n".join(examples(names)) + "\n```")
]


@pytest.fixture(scope="module")
def ask(database: Database):
    return lambda sql: list(database.rows(sql).rows)


@pytest.mark.parametrize(("page", "sql", "answer"), QUESTIONS, ids=[name for name, _, _ in QUESTIONS])
def test_every_question_has_its_answer(database: Database, page: str, sql: str, answer: str | None) -> None:
    assert bool(list(database.rows(sql).rows)) != (NO_ROWS in sql)
    if answer is not None:
        assert docs.answer(database, sql) == answer, f"python -m tests.docs refreshes {page}"


@pytest.mark.parametrize(("place", "words"), CALLS, ids=[place for place, _ in CALLS])
def test_every_command_that_is_shown_exists(ask, place: str, words: list[str]) -> None:
    names, given = parsed(words)
    if names == ("sql",) and given["query"] not in {None, "-"}:
        assert ask(given["query"])
    elif names == ("search",) and given["words"]:
        query = " ".join(given["words"])
        assert ask(f"FROM search_papers('{query}')") or ":" in query, "the sample has such a paper"
    elif names == ("show", "raw") and place.endswith(".md") and given["capture_id"].islower():
        assert ask(f"FROM captures WHERE capture_id = '{given['capture_id']}'")


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_every_command_explains_itself_with_an_example(names: tuple[str, ...]) -> None:
    text = help_of(names)
    shown = re.findall(r"^ +Example: (.*)$", text, re.MULTILINE)
    assert shown == examples(names) != []
    assert max(map(len, text.splitlines())) <= 78
    for example in shown:
        assert parsed(docs.commands(f"```sh\n{example}\n```")[0])[0] == names


@pytest.mark.parametrize("names", [(), *dict.fromkeys(names[:-1] for names in COMMANDS if names[1:])], ids=" ".join)
def test_no_line_of_a_list_of_commands_is_cut(names: tuple[str, ...]) -> None:
    usage, _, shown = help_of(names).partition("\n")
    assert usage.startswith("Usage:")
    assert "..." not in shown


def headings(page: Path) -> set[str]:
    """The anchors that GitHub gives to a page's headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_link_between_the_pages_leads_somewhere() -> None:
    for page in docs.EVERY:
        for target, anchor in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", page.read_text("utf-8")):
            if not target.startswith("https://"):
                assert (page.parent / target).exists(), (page.name, target)
                assert not anchor or anchor in headings(page.parent / target if target else page), (page.name, anchor)


def test_the_reference_names_every_setting_and_no_other() -> None:
    settings = {variable(name) for name in Settings.model_fields}
    assert set(SETTING.findall(TEXTS["reference.md"])) == settings
    assert set(SETTING.findall("".join(TEXTS.values()))) == settings


def test_the_reference_names_every_exit_code() -> None:
    codes = {error.exit_code for error in (PaperlakeError, *PaperlakeError.__subclasses__())}
    table = TEXTS["reference.md"].partition("## Exit codes")[2].partition("\n## ")[0]
    named = ", ".join(re.findall(r"^\| ([\d, ]+) \|", table, re.MULTILINE)).split(", ")
    assert set(map(int, named)) == {0, *codes, *(ENDED_BY + one for one in (SIGHUP, SIGINT, SIGTERM))}


def test_the_page_names_every_criterion_of_precedence() -> None:
    table = TEXTS["history.md"].partition("## Source precedence")[2]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(CRITERIA)


def test_the_sample_shows_what_the_documentation_says_of_it(ask) -> None:
    """A list that grew, a title that was revised, a title in two forms."""
    noon, later = (
        ask(f"SELECT paper_id, upvote_count FROM listing_as_of('2026-10-01', '{moment}') ORDER BY rank")
        for moment in ("2026-10-01 12:00", "2026-10-03")
    )
    assert (len(noon), len(later)) == (6, 7)
    assert {paper: count + 9 for paper, count in noon}.items() <= dict(later).items()
    titles = ask("SELECT version_number, text FROM text_versions WHERE has_changed AND field = 'title' ORDER BY 1")
    assert [(number, text.endswith(", Revised")) for number, text in titles] == [(1, False), (2, True)]
    told = ask("SELECT is_winner, right(value, 8), sighting_count FROM conflicts WHERE field = 'title' ORDER BY value")
    assert told == [(False, "$\\ell_2$", 2), (True, "in ell_2", 2)]


def test_every_guard_is_listed_with_its_limit() -> None:
    listed = (docs.ROOT / "tests/golden/guards.md").read_text("utf-8")
    for guard in GUARDS:
        assert (f"`{guard.table}.{guard.rule}`" in listed) == (guard.kind in ACCEPTABLE)
        assert bool(guard.evidence) == (guard.kind in ACCEPTABLE)
