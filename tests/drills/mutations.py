"""What becomes of bytes on the way: damage by chance, and by somebody who knows what a parser dislikes."""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any, Final

MOST_BYTES: Final = 200_000
HOSTILE: Final = (
    *(b"", b"\0", b"\x1b[2J", b"\r", b"\n", b"\r\n\r\n", b"\t", b":", b"=", b"/../", b"%00", b"\\", b'"', b"'"),
    *(b"<", b">", b"&amp;", b"[", b"]", b"{", b"}", b"[" * 3000, b'{"a":' * 2000, b"- " * 2000, b"(" * 2000),
    *(b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", "\u202e\u2066".encode(), "\ufeff".encode(), "\U0010ffff".encode()),
    *(b"-1", b"0", b"9" * 19, b"9" * 400, b"1e999", b"NaN", b"null", b"true", b"2024-02-30", b"0000-00-00", b"24:61"),
    *(b"a" * 40_000, b" " * 40_000, b"\n" * 20_000, "\u0300".encode() * 5000, b"<a id=", b"<script>", b"javascript:"),
)
VALUES: Final = (
    *(None, True, -1, 0, 2**31, 2**63, 2**64, 1e308, 0.5, "", " ", "\0", "\ud800", "\u202e", "=1+1", "a" * 70_000),
    *("9999-12-31T23:59:59Z", "0001-01-01", "2024-02-30T00:00:00.000Z", "2503.01234", "../../etc", "https://", "<b>"),
    *([], {}, [None], [[]], [{}], {"a": {}}, ["x"] * 3000, {"id": 1}, [[[[[[]]]]]]),
)

Chance = random.Random
Mutation = Callable[[bytes, Sequence[bytes], Chance], bytes]


def mutated(data: bytes, others: Sequence[bytes], chance: Chance) -> bytes:
    """The bytes after one to four mutations; `others` are what pieces may be taken from."""
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        data = chance.choice(MUTATIONS)(data, others, chance)[:MOST_BYTES]
    return data


def _span(data: bytes, chance: Chance, most: int = 400) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((0, 1, 2, 8, 40, most)))


def _flipped(data: bytes, _others: Sequence[bytes], chance: Chance) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 20)) if data else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _with_hostile(data: bytes, _others: Sequence[bytes], chance: Chance) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + chance.choice(HOSTILE) + data[end:]


def _repeated(data: bytes, _others: Sequence[bytes], chance: Chance) -> bytes:
    start, end = _span(data, chance)
    return data[:end] + data[start:end] * chance.choice((1, 2, 50)) + data[end:]


def _cut(data: bytes, _others: Sequence[bytes], chance: Chance) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] if chance.random() < 0.7 else data[at:]


def _spliced(data: bytes, others: Sequence[bytes], chance: Chance) -> bytes:
    start, end = _span(data, chance)
    other = chance.choice(others)
    first, last = _span(other, chance, most=4000)
    return data[:start] + other[first:last] + data[end:]


def _lines(data: bytes, others: Sequence[bytes], chance: Chance) -> bytes:
    """Lines left out, doubled, moved, joined, or taken from elsewhere."""
    lines = data.split(b"\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at : at + 2] = [b"".join(lines[at : at + 2])]
        case _:
            lines.insert(at, chance.choice(chance.choice(others).split(b"\n")))
    return b"\n".join(lines)


def _json(data: bytes, others: Sequence[bytes], chance: Chance) -> bytes:
    """A value replaced, a key renamed, an item gone, somewhere in JSON; in anything else a few bytes."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return _with_hostile(data, others, chance)
    return json.dumps(_changed(value, chance), ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def _changed(value: Any, chance: Chance) -> Any:
    if isinstance(value, dict | list) and value and chance.random() < 0.8:
        places = list(value) if isinstance(value, dict) else list(range(len(value)))
        place, act = chance.choice(places), chance.random()
        if act < 0.8:
            value[place] = _changed(value[place], chance)
        elif act < 0.9:
            del value[place]
        elif isinstance(value, dict):
            value[chance.choice(("id", "title", "paper", "\0", "é" * 300, f"{place}2"))] = value.pop(place)
        else:
            value.append(value[place])
        return value
    return chance.choice(VALUES)


MUTATIONS: Final[tuple[Mutation, ...]] = (_flipped, _with_hostile, _repeated, _cut, _spliced, _lines, _json, _json)
