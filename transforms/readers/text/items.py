"""What each line of a saved list may be. Where its neighbours have a say, text_settled.py decides."""

from __future__ import annotations

import re
from collections.abc import Sequence

from transforms.readers.text.header import NOISE, Body
from transforms.readers.text.item import Item, Kind
from transforms.readers.text.marks import (
    ADDRESS,
    ALT,
    DEFINITION,
    IMAGE,
    Link,
    Marks,
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
            items.extend(_said(line, index + 1, marks, is_alone=is_alone))
        index += 1
    return items


def _heading(lines: Sequence[str], index: int, stop: int, marks: Marks) -> tuple[Item, int]:
    """A heading and the index after it: it goes on over lines that are indented, or until its link is closed."""
    parts, number = [_unhashed(lines[index])], index + 1
    while number < min(stop, index + UNCLOSED):
        is_open = parts[0].startswith("[") and not any("](" in part or "][" in part for part in parts)
        if not is_open and not (lines[number].startswith("  ") and lines[number].strip()):
            break
        parts.append(_unhashed(lines[number]))
        number += 1
    words = words_of(" ".join(part.rstrip("\\") for part in parts), marks)
    text = without_opener(words.text, is_closed=words.is_closing)
    return Item(Kind.TITLE, index + 1, text, links=words.links, is_link=words.is_link, last=number), number


def _unhashed(line: str) -> str:
    return HEADING.sub("", line.strip(), count=1)


def _said(line: str, number: int, marks: Marks, *, is_alone: bool) -> list[Item]:
    """The items of a line that is no heading; what is neither a count nor a date nor the site's word is text."""
    bare, is_indented = line.strip(), line.startswith("  ")
    if not marks.is_marked:
        items = structure(Row(bare, bare, number, is_bulleted=bool(BULLET.match(line))))
        return list(items) or [Item(Kind.TEXT, number, bare, is_indented=is_indented)]
    words = words_of(bare, marks)
    # pictures, empty bullets, brackets on lines of their own, the list of addresses at the end
    is_sign = len(words.text) <= LONGEST and bool(NOISE.fullmatch(words.text))
    is_stray = words.text not in {"-", "·"} and not bare.startswith("]")
    is_ornament = (
        is_stray or IMAGE.search(bare[:LONGEST]) if is_sign else ALT.match(words.text) or DEFINITION.match(bare)
    )
    if is_ornament:
        return []
    address = words.links[0].target if words.links and not words.text else bare
    if not words.text or (ADDRESS.match(bare) and (is_alone or paper_id(bare))):
        return [Item(Kind.LINK, number, links=(Link("", address),))]
    text = without_opener(words.text, is_closed=False)
    items = structure(Row(bare, text, number, words.links, is_marked=True, is_bulleted=True))
    whole = Item(Kind.TEXT, number, words.text, links=words.links, is_link=words.is_link, is_marked=True)
    return list(items) or [whole._replace(is_closed=words.is_closing, is_indented=is_indented)]
