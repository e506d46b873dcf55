"""The person to erase, and how a text is masked: logins as whole identifiers, never parts of words, and their names.

Printed text (title, abstract, summary, keyword, an author's name) is the paper's: only addresses and handles in it are
masked, with as many characters, so that offsets into the text stay valid. The same word in prose stays.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from warehouse.tex import surname, tex

OF_AUTHOR: Final = re.compile(r"^@misc\{[a-z]+")
AUTHORS: Final = re.compile(r"(?<=^  author = \{).*(?=\},$)", re.MULTILINE)
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
PRINTED_AUTHOR: Final = re.compile(r"(?<=<author><name>)([^<]*)(?=</name></author>)")  # of a feed
SUBMITTED: Final = (
    r"(Submitted\s+by(?:[\s*>\[]|<[^<>]*>)*|<submitter>\s*"  # a page of the Hub, a record of arXiv
    r"|\.submitter_\w+` of `[^`]*` is (?:(?:null|`[^`]*`); the source says )?`)"  # what a release says it corrected
)


def normal(name: str) -> str:
    """A name or a login in the form that is compared: case folded, runs of spaces made one."""
    return " ".join(name.split()).casefold()


@dataclass(frozen=True)
class Person:
    """One person to erase: `mask` replaces their logins and names. With `authorship` it also replaces printed names of
    authors, and with `words` the login is masked where it stands as a word in prose.
    """

    mask: str
    logins: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    authorship: bool = False
    words: bool = False

    @cached_property
    def token(self) -> re.Pattern[str]:
        """A pattern of any whole login. The lookahead comes first: trying BEFORE everywhere takes 5 times as long."""
        login = _any(map(re.escape, self.logins))
        return re.compile(rf"(?={login})(?:{BEFORE})(?:{login})(?![\w-])", re.IGNORECASE)

    @cached_property
    def phrase(self) -> re.Pattern[str]:
        """A pattern of any name, whole, however it is spaced or escaped."""
        name = _any(map(_spaced, self._spelt | set(map(_in_json, self.names))))
        return re.compile(rf"(?={name})(?<!\w)(?:{name})(?!\w)", re.IGNORECASE)

    @cached_property
    def parted(self) -> re.Pattern[str]:
        """A coarse pattern of the end of any name, as a registry's record has it apart from given names."""
        ends = {" ".join(one.split()[place:]) for one in self.names for place in range(1, len(one.split()))}
        return re.compile(rf'"family"\s*:\s*"(?:{_any(map(_spaced, ends | set(map(_in_json, ends))))})"', re.IGNORECASE)

    @cached_property
    def either(self) -> str:
        """A coarse filter, in syntax that Polars and DuckDB share: it may match too much, never too little."""
        return f"(?i){self._login_or_name}"

    @cached_property
    def _login_or_name(self) -> str:
        return _any([*map(re.escape, self.logins), *map(_spaced, self._spelt)])

    @property
    def _spelt(self) -> frozenset[str]:
        """Their names as pages have them, and as citations have them in TeX."""
        return self.names | set(map(tex, self.names))

    @cached_property
    def _delimited(self) -> re.Pattern[str]:
        """A pattern of a login that stands alone between two marks of a page, or on a line."""
        login = _any(map(re.escape, self.logins))
        # Each run of spaces is gone through once: a page is not trusted, and may be nothing but lines
        before = r"((?:\A|[>\"'|=]|&quot;|&#39;|\*\*|\[)\s*+|(?<!\s)[^\S\n\t]*+[\n\t]\s*+)"
        return re.compile(
            rf"{before}(?:{login})(?=\s*(?:$|[\"'<|\t]|&quot;|&#39;|\*\*|\]\())", re.IGNORECASE | re.MULTILINE
        )

    @cached_property
    def _submitted(self) -> re.Pattern[str]:
        return re.compile(rf"{SUBMITTED}(?:{self._login_or_name})(?![\w-])", re.IGNORECASE)

    def is_in(self, text: str) -> bool:
        """Whether a text may hold anything of theirs."""
        is_parted = self.authorship and self.parted.search(text)
        return bool(self.token.search(text) or self.phrase.search(text) or is_parted)

    def is_login(self, text: str) -> bool:
        return normal(text) in {normal(login) for login in self.logins}

    def is_name(self, text: str) -> bool:
        return normal(text) in {normal(name) for name in self.names}

    def of_value(self, text: str) -> str:
        """A value that is not printed text (a login, a URL, a header), with the person masked."""
        return self.mask if self.is_name(text) else self.token.sub(self.mask, text)

    def of_printed(self, text: str) -> str:
        """A printed text of the paper, with the person masked in addresses and handles."""
        masked = ADDRESS.sub(lambda found: self._filled(found[0]), text)
        return self._mask_optional(masked)

    def of_name(self, text: str) -> str:
        """The name of an account, which may have the login of another one for a first name."""
        return self.mask if self.is_name(text) or self.is_login(text) else self.of_printed(text)

    def of_any(self, text: str) -> str:
        """A value that may be of any column: a sentence is printed text, a single word or a name is a value."""
        return self.of_printed(text) if " " in text and not self.is_name(text) else self.of_value(text)

    def of_author(self, text: str) -> str:
        """The printed name of an author; masked only with `authorship`, and as a whole: others share first names."""
        if self.authorship and normal(text) in map(normal, self._spelt):
            return self.mask
        return ADDRESS.sub(lambda found: self._filled(found[0]), text)

    def of_citation(self, text: str) -> str:
        """An entry for BibTeX, whose key begins with the surname of the first author."""
        found = AUTHORS.search(text)
        start, end = found.span() if found else (0, 0)
        authors = " and ".join(map(self.of_author, text[start:end].split(" and ")))
        masked = self.of_printed(text[:start]) + authors + self.of_printed(text[end:])
        return OF_AUTHOR.sub(f"@misc{{{surname(self.mask)}", masked) if authors.startswith(self.mask) else masked

    def of_page(self, text: str) -> str:
        """A page or document of text or HTML, masked: only its markup shows what is printed text."""
        parts = PRINTED_AUTHOR.split(text)
        return "".join(self.of_author(one) if place % 2 else self._of_markup(one) for place, one in enumerate(parts))

    def _of_markup(self, text: str) -> str:
        masked = ADDRESS.sub(lambda found: self._masked_address(found[0]), text)
        masked = self._submitted.sub(rf"\g<1>{self.mask}", masked)
        masked = self._delimited.sub(rf"\g<1>{self.mask}", masked)
        return self._mask_optional(masked)

    def words_in(self, text: str) -> int:
        """How often a login stands in a text as a word."""
        return sum(1 for _ in self.token.finditer(text))

    def _mask_optional(self, text: str) -> str:
        if self.authorship:
            text = self.phrase.sub(self.mask, text)
        return self.token.sub(self._fill, text) if self.words else text

    def _masked_address(self, address: str) -> str:
        """An address in a page: on the Hub the mask replaces the login, elsewhere filler of the same length does."""
        return self.token.sub(self.mask, address) if OF_THE_HUB.match(address) else self._filled(address)

    def _filled(self, address: str) -> str:
        return self.token.sub(self._fill, address)

    def _fill(self, found: re.Match[str]) -> str:
        return FILLER * len(found[0])


def _in_json(name: str) -> str:
    return json.dumps(name)[1:-1]


def _spaced(name: str) -> str:
    """A pattern of a name, however it is spaced."""
    return r"\s+".join(map(re.escape, name.split()))


def _any(patterns: Iterable[str]) -> str:
    """A pattern that matches any of these; without any, one that matches nothing."""
    return "|".join(sorted(patterns)) or r"[^\s\S]"
