"""The text of a page: its bytes are UTF-8, or UTF-16 where they begin with a mark of that, as programs of Windows save
it.
"""

from typing import Final

CODINGS: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}  # by the byte-order mark


def in_utf8(payload: bytes) -> bytes:
    """A page in UTF-8, its mark too; what is no text in UTF-16 is none then. Any other page as it is."""
    coding = CODINGS.get(payload[:2])
    return payload if coding is None else payload[: _whole(payload)].decode(coding, LONE).encode("utf-8", LONE)


def text_of(payload: bytes) -> str:
    r"""The text of a page; bytes that are none stay visible as surrogates.

    >>> text_of(b"\xff\xfea\0"), text_of(b"a\xff")
    ('\ufeffa', 'a\udcff')
    """
    return in_utf8(payload).decode("utf-8", "surrogateescape")


def bytes_of(text: str, before: bytes) -> bytes:
    """The bytes of a page that has this text now, coded as before; of the same text the same bytes."""
    data, coding = text.encode("utf-8", "surrogateescape"), CODINGS.get(before[:2])
    return data if coding is None else data.decode("utf-8", LONE).encode(coding, LONE) + before[_whole(before) :]


LONE: Final = "surrogatepass"  # half a character is passed through


def _whole(payload: bytes) -> int:
    """The bytes of a page in UTF-16 without a last odd one."""
    return len(payload) // 2 * 2
