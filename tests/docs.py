"""The queries and answers of the documentation. After an intended change, from the project's root:

    python -m tests.docs

runs every query again on the sample; the difference shows in review.
"""

import re
import shlex
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from flows.runtime.lake import open_database
from paperlake.sql.drawing import Screen
from paperlake.sql.formats import write
from tests.conftest import SAMPLE
from tests.flows import steps
from warehouse.release.query import Database, opened

ROOT = Path(__file__).parents[1]
EVERY = (
    ROOT / "README.md",
    *(ROOT / name for name in ("AGENTS.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/RESULTS.md")),
    *sorted((ROOT / "docs").glob("*.md")),
)
# These ask from other clients than `paperlake sql`, and have tests of their own, or are of the program, not of a lake
OTHERS = {"attach.md", "engines.md", "follow.md", "AGENTS.md", "RESULTS.md"}
PAGES = tuple(page for page in EVERY if page.name not in OTHERS)
QUESTION = re.compile(r"^```sql\n(?P<sql>.*?)^```\n(?:\n```text\n(?P<answer>.*?)^```\n)?", re.DOTALL | re.MULTILINE)
SHELL = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
WIDTH = 116  # columns of the terminal that the answers were drawn for


@contextmanager
def released(folder: Path) -> Iterator[Database]:
    """A release of the sample."""
    lake = str(folder / "lake")
    steps.run(lake, [SAMPLE])
    with opened(open_database(lake)) as database:
        yield database


def answer(database: Database, sql: str) -> str:
    """What `paperlake sql` prints on a terminal."""
    with BytesIO() as out:
        write(database, sql, "table", out, Screen(WIDTH))
        return "\n".join(line.rstrip() for line in out.getvalue().decode().strip().splitlines()) + "\n"


def answered(text: str, ask: Callable[[str], str]) -> str:
    """The page with every answer that it shows as it is now."""

    def block(found: re.Match[str]) -> str:
        shown = found["answer"] is not None
        return f"```sql\n{found['sql']}```\n" + (f"\n```text\n{ask(found['sql'])}```\n" if shown else "")

    return QUESTION.sub(block, text)


def commands(text: str) -> list[list[str]]:
    """The words of every `paperlake …` in a page's shell blocks, without `paperlake` itself."""
    lines = [line for block in SHELL.findall(text) for line in block.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("paperlake ")]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made, released(Path(made)) as sample:
        for page in PAGES:
            before = page.read_text("utf-8")
            page.write_text(answered(before, lambda sql: answer(sample, sql)), "utf-8")
