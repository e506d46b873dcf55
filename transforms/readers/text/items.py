"""What each line of a saved list may be. Where its neighbours have a say, text_settled.py decides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from transforms.readers.text.header import NOISE, Body
from transforms.readers.text.item import Item, Kind
from transforms.readers.text.marks import (
    ADDRESS,
    ALT,
    DEFINITION,
    IMAGE,
    Link,
    Marks,
    Words,
    paper_id,
    without_opener,
    words_of,
)
from transforms.readers.text.structure import BULLET, LONGEST, Row, structure

UNCLOSED = 5  # lines of a title that an extractor broke
HEADING = re.compile(r"#{1,6}\s+")


def items_of(lines: Sequence[str], body: Body, marks: Marks) -> list[Item]:
    """What stands in the lines of the papers, blank ones and ornaments aside."""
    items: list[Item] = []
    index = body.start
    while index < body.stop:
        line = body.first if index == body.start and body.first is not None else lines[index]
        if marks.is_marked and HEADING.match(line.lstrip()):
            item, index = _heading(lines, index, body.stop, marks)
            items.append(item)
            continue
        if line and not line.isspace():
            is_alone = index == 0 or not lines[index - 1].strip()
            read = _marked(line, index + 1, marks, is_alone=is_alone) if marks.is_marked else _plain(line, index + 1)
            items.extend(read)
        index += 1
    return items


def _heading(lines: Sequence[str], index: int, stop: int, marks: Marks) -> tuple[Item, int]:
    """A heading and the index after it: it goes on over lines that are indented, or until its link is closed."""
    parts, number = [_unhashed(lines[index])], index + 1
    while number < min(stop, index + UNCLOSED) and (
        _is_open(parts) or (lines[number].startswith("  ") and lines[number].strip())
    ):
        parts.append(_unhashed(lines[number]))
        number += 1
    words = words_of(" ".join(part.rstrip("\\") for part in parts), marks)
    text = without_opener(words.text, is_closed=words.is_closing)
    return Item(Kind.TITLE, index + 1, text, links=words.links, is_link=words.is_link), number


def _unhashed(line: str) -> str:
    return HEADING.sub("", line.strip(), count=1)


def _is_open(parts: list[str]) -> bool:
    return parts[0].startswith("[") and not any("](" in part or "][" in part for part in parts)


def _plain(line: str, number: int) -> Iterator[Item]:
    """The items of a line that is no Markdown."""
    bare = line.strip()
    items = list(structure(Row(bare, bare, number, is_bulleted=bool(BULLET.match(line)))))
    yield from items or [Item(Kind.TEXT, number, bare, is_indented=line.startswith("  "))]


def _marked(line: str, number: int, marks: Marks, *, is_alone: bool) -> Iterator[Item]:
    """The items of a line of Markdown that is no heading."""
    bare = line.strip()
    words = words_of(bare, marks)
    if _is_ornament(bare, words.text):
        return
    address = words.links[0].target if words.links and not words.text else bare
    if not words.text or (ADDRESS.match(bare) and (is_alone or paper_id(bare))):
        yield Item(Kind.LINK, number, links=(Link("", address),))
        return
    text = without_opener(words.text, is_closed=False)
    items = list(structure(Row(bare, text, number, words.links, is_marked=True, is_bulleted=True)))
    yield from items or [_text(words, number, is_indented=line.startswith("  "))]


def _is_ornament(bare: str, text: str) -> bool:
    """Pictures, empty bullets, brackets on lines of their own, the list of addresses at the end."""
    if len(text) <= LONGEST and NOISE.fullmatch(text):
        return (text not in {"-", "·"} and not bare.startswith("]")) or bool(IMAGE.search(bare[:LONGEST]))
    return bool(ALT.match(text) or DEFINITION.match(bare))


def _text(words: Words, number: int, *, is_indented: bool) -> Item:
    return Item(
        Kind.TEXT,
        number,
        words.text,
        links=words.links,
        is_link=words.is_link,
        is_marked=True,
        is_closed=words.is_closing,
        is_indented=is_indented,
    )
