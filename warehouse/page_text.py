"""The text of a page: its bytes are UTF-8, or UTF-16 as programs of Windows save a text."""

from typing import Final

UTF_8: Final = "utf-8"
CODINGS: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}  # by the byte-order mark
ESCAPED: Final = "surrogateescape"  # of UTF-8: other bytes stay
LONE: Final = "surrogatepass"  # of UTF-16: half a character stays


def in_utf8(payload: bytes) -> bytes:
    r"""A page in UTF-8, whatever its byte-order mark says that it is in.

    >>> in_utf8(b"\xff\xfea\0"), in_utf8(b"a")
    (b'\xef\xbb\xbfa', b'a')
    """
    coding = coding_of(payload)
    return payload if coding == UTF_8 else text_in(coding, payload).encode(UTF_8, LONE)


def coding_of(payload: bytes) -> str:
    """The coding of a page, by its byte-order mark."""
    return CODINGS.get(payload[:2], UTF_8)


def codings_of(payload: bytes) -> tuple[str, ...]:
    """The codings that a page may have text in: UTF-8 and, with a zero byte, as letters of ASCII have one, UTF-16."""
    is_wide = b"\0" in payload or payload[:2] in CODINGS
    return (UTF_8, *CODINGS.values()) if is_wide else (UTF_8,)


def text_in(coding: str, payload: bytes) -> str:
    """The text of a page; bytes that are none stay visible as surrogates."""
    return payload.decode(UTF_8, ESCAPED) if coding == UTF_8 else payload[: _even(payload)].decode(coding, LONE)


def bytes_in(coding: str, text: str, before: bytes) -> bytes:
    """The bytes of a page that has this text now; of the text that it had `before`, those that it had."""
    return text.encode(UTF_8, ESCAPED) if coding == UTF_8 else text.encode(coding, LONE) + before[_even(before) :]


def _even(payload: bytes) -> int:
    """The bytes of a page in UTF-16 without a last odd one."""
    return len(payload) // 2 * 2
