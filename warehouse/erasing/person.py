"""Whom to erase, and what of a text is theirs: logins as identifiers, never as parts of words, and names they go by.

A text that is printed (title, abstract, summary, keyword, an author's name) is the paper's: of it an address and a
handle alone are masked, in as many characters, so that places in the text stay. The same word in prose stays too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

MASK: Final = re.compile(r"erased[0-9a-f]{8}")
FILLER: Final = "x"
NOBODY: Final = "0" * 24  # as the Hub's ids are
NO_PICTURE: Final = "/avatars/erased.svg"
ADDRESS: Final = re.compile(
    r"(?:https?:)?//[^\s\"'<>)\]&]+|\b(?:huggingface\.co|hf\.co|github\.com|twitter\.com|x\.com)/[^\s\"'<>)\]&]+"
    r"|(?<=[(\"'])/[^\s\"'<>)\]&]+|(?<=&quot;)/[^\s\"'<>)\]&]+|(?<![\w.])@[\w.-]+"
)
OF_THE_HUB: Final = re.compile(r"(?:https?:)?//(?:www\.)?(?:huggingface\.co|hf\.co)/|(?:huggingface\.co|hf\.co)/|[/@]")
BEFORE: Final = r"(?<![\w-])|(?<=%2F)|(?<=%2f)|(?<=%40)|(?<=%3D)|(?<=\\n)|(?<=\\t)"
SUBMITTED: Final = r"(Submitted\s+by(?:[\s*>\[]|<[^<>]*>)*)"


def normal(name: str) -> str:
    """A name or a login as it is compared: case and runs of spaces do not count."""
    return " ".join(name.split()).casefold()


@dataclass(frozen=True)
class Person:
    """One person: `mask` stands in place of logins and names. With `authorship` printed names of authors go too, with
    `words` the login also where it stands as a word in prose.
    """

    mask: str
    logins: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    authorship: bool = False
    words: bool = False

    @cached_property
    def token(self) -> re.Pattern[str]:
        """A login, whole; what stands before is looked at where there is one: anywhere, it takes five times as long."""
        login = _any(map(re.escape, self.logins))
        return re.compile(rf"(?={login})(?:{BEFORE})(?:{login})(?![\w-])", re.IGNORECASE)

    @cached_property
    def phrase(self) -> re.Pattern[str]:
        """A name, whole, however it is spaced or escaped."""
        spelt = {*self.names, *(json.dumps(name)[1:-1] for name in self.names)}
        name = _any(r"\s+".join(map(re.escape, name.split())) for name in spelt)
        return re.compile(rf"(?={name})(?<!\w)(?:{name})(?!\w)", re.IGNORECASE)

    @cached_property
    def either(self) -> str:
        """A pattern for a fast first look, of a syntax that Polars and DuckDB know too: it finds too much at most."""
        parts = [*map(re.escape, self.logins), *(r"\s+".join(map(re.escape, name.split())) for name in self.names)]
        return f"(?i){_any(parts)}"

    @cached_property
    def _delimited(self) -> re.Pattern[str]:
        """A login that is all there is between two marks of a page, or on a line."""
        login = _any(map(re.escape, self.logins))
        before = r"((?:^|[>\"'|\t=]|&quot;|&#39;|\*\*|\[)\s*)"
        return re.compile(
            rf"{before}(?:{login})(?=\s*(?:$|[\"'<|\t]|&quot;|&#39;|\*\*|\]\())", re.IGNORECASE | re.MULTILINE
        )

    @cached_property
    def _submitted(self) -> re.Pattern[str]:
        parts = [*map(re.escape, self.logins), *(r"\s+".join(map(re.escape, name.split())) for name in self.names)]
        return re.compile(rf"{SUBMITTED}(?:{_any(parts)})(?![\w-])", re.IGNORECASE)

    def is_in(self, text: str) -> bool:
        """Whether a text may hold anything of theirs."""
        return bool(self.token.search(text) or self.phrase.search(text))

    def is_login(self, text: str) -> bool:
        return normal(text) in {normal(login) for login in self.logins}

    def is_name(self, text: str) -> bool:
        return normal(text) in {normal(name) for name in self.names}

    def of_value(self, text: str) -> str:
        """A value that is no printed text, masked."""
        return self.mask if self.is_name(text) else self.token.sub(self.mask, text)

    def of_printed(self, text: str) -> str:
        """A text of the paper, masked in addresses and handles."""
        masked = ADDRESS.sub(lambda found: self._filled(found[0]), text)
        return self._as_asked(masked)

    def of_author(self, text: str) -> str:
        """The printed name of an author."""
        return self.mask if self.authorship and self.is_name(text) else text

    def of_page(self, text: str) -> str:
        """A page, or a document, that is text: nothing but its marks says what is printed."""
        masked = ADDRESS.sub(lambda found: self._led(found[0]), text)
        masked = self._submitted.sub(rf"\g<1>{self.mask}", masked)
        masked = self._delimited.sub(rf"\g<1>{self.mask}", masked)
        return self._as_asked(masked)

    def words_in(self, text: str) -> int:
        """How often a login stands in a text as a word."""
        return sum(1 for _ in self.token.finditer(text))

    def _as_asked(self, text: str) -> str:
        if self.authorship:
            text = self.phrase.sub(self.mask, text)
        return self.token.sub(self._fill, text) if self.words else text

    def _led(self, address: str) -> str:
        """An address of a page: one of the Hub leads to the mask."""
        return self.token.sub(self.mask, address) if OF_THE_HUB.match(address) else self._filled(address)

    def _filled(self, address: str) -> str:
        return self.token.sub(self._fill, address)

    def _fill(self, found: re.Match[str]) -> str:
        return FILLER * len(found[0])


def _any(patterns: Iterable[str]) -> str:
    """One of these; of none at all nothing is found."""
    return "|".join(sorted(patterns)) or r"[^\s\S]"
