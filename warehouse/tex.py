r"""TeX: texts of the source made safe for it, and TeX in them as a reader is shown it.

As TeX a text is ASCII only, has nothing that TeX would run, and math only where it is math. A letter is written as
BibTeX reads it (`{\'{e}}`); one that TeX does not have is spelled out (`[U+4E2D]`). The result needs no package but
amssymb and amsmath, for `\mathbb` and the like, and the font encoding T1 for a few letters. Shown, commands that have a
sign are that, and words are without mark-up; tables keep the text as the source gave it. Those rules are expressions
of Python and of JavaScript alike, so that the explorer has the same ones.
"""

# ruff: noqa: RUF001, RUF002 - letters and signs that look like others are what this is about

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Final
from unicodedata import decomposition, normalize

from warehouse.printable import printable

# Accents that TeX has. A letter with another mark (Vietnamese hooks and horns) goes without the mark
ACCENTS: Final = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c", "\u0328": "k", "\u0331": "b",
}  # fmt: skip
BELOW: Final = "dckb"  # accents under a letter, which keeps its dot
DOTLESS: Final = {"i": r"\i", "j": r"\j"}
ACCENTED: Final = ((0xC0, 0x180), (0x1CD, 0x1DD), (0x1E6, 0x1F0), (0x218, 0x21C), (0x1E00, 0x1EFA))  # ranges of letters
ASCII: Final = {
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "$": r"\$", "&": r"\&", "%": r"\%",
    "#": r"\#", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''", "`": r"\textasciigrave{}",
}  # fmt: skip
LETTERS: Final = {
    "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "dj", "Đ": "DJ",
    "ð": "dh", "Ð": "DH", "þ": "th", "Þ": "TH", "ı": "i", "ȷ": "j", "ŋ": "ng", "Ŋ": "NG", "…": "ldots",
    "•": "textbullet", "·": "textperiodcentered", "°": "textdegree", "§": "S", "¶": "P", "©": "copyright",
    "®": "textregistered", "™": "texttrademark", "£": "pounds", "€": "texteuro", "¥": "textyen", "¢": "textcent",
    "¡": "textexclamdown", "¿": "textquestiondown", "ª": "textordfeminine", "º": "textordmasculine",
    "½": "textonehalf", "¼": "textonequarter", "¾": "textthreequarters", "‰": "textperthousand",
    "«": "guillemotleft", "»": "guillemotright", "‹": "guilsinglleft", "›": "guilsinglright",
    "‚": "quotesinglbase", "„": "quotedblbase", "†": "dag", "‡": "ddag",
}  # fmt: skip
SIGNS: Final = {
    "‐": "-", "‑": "-", "‒": "--", "–": "--", "—": "---", "―": "---", "−": "-", "‘": "`", "’": "'", "‛": "`", "“": "``",
    "”": "''", "′": "'", "″": "''", "⁄": "/", "∗": "*", "\u00a0": "~",
    "Α": "A", "Β": "B", "Ε": "E", "Ζ": "Z", "Η": "H", "Ι": "I", "Κ": "K", "Μ": "M", "Ν": "N", "Ο": "O", "Ρ": "P",
    "Τ": "T", "Χ": "X", "ο": "o",
}  # fmt: skip
_SIGNS = "αβγδεζηθικλμνξπρςστυφχψωϑϕϵΓΔΘΛΞΠΣΥΦΨΩµ±×÷¬≤≥≠≈≡∼≅∝∞∂∇∑∏∫√∈∉∋∪∩⊂⊆⊃⊇⊕⊗⊥∘∀∃∅∧∨←→↔↑↓⇐⇒⇔↦⟨⟩ℓℵ⋅⋯≪≫∥⊤⋆"
_SIGN_NAMES = """
alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho varsigma sigma tau upsilon varphi
chi psi omega vartheta phi epsilon Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega mu pm times div neg leq
geq neq approx equiv sim cong propto infty partial nabla sum prod int surd in notin ni cup cap subset subseteq supset
supseteq oplus otimes perp circ forall exists emptyset wedge vee leftarrow rightarrow leftrightarrow uparrow downarrow
Leftarrow Rightarrow Leftrightarrow mapsto langle rangle ell aleph cdot cdots ll gg parallel top star
"""
MATH_SIGNS: Final = dict(zip(_SIGNS, _SIGN_NAMES.split(), strict=True))
BLACKBOARD: Final = dict(zip("ℂℕℚℝℤ", "CNQRZ", strict=True))
RAISED, LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
SPACES: Final = re.compile("[\u2000-\u200a\u2028\u2029\u202f\u205f\u3000 \t\n\f\r]")
# Controls, of directions and joining too, soft hyphens, marks that no letter took, and variants of signs
UNSEEN: Final = re.compile(
    "[\u0000-\u001f\u007f-\u009f\u00ad\u0300-\u036f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)

# `$…$` is math if it has only commands of NAMES, fonts with their argument, signs and single scripts, and no words
# after a space; else it may be an amount of money, which begins with a digit and goes on in words, or up to the next
# amount. A text with any other command has no math
NAMES: Final = frozenset({*MATH_SIGNS.values(), "exp", "log", "max", "min", "to"})
_FONT: Final = r"\\(?:math(?:bf|cal|bb|rm|it|sf)|boldsymbol|text(?:bf|it|tt)?)\{[A-Za-z0-9 .+-]*\}"
_ARGUMENT: Final = r"(?:[A-Za-z0-9]|\{[A-Za-z0-9+*.,=<>() -]*\}|\\[A-Za-z]+)"
_SCRIPTS: Final = rf"(?:\^{_ARGUMENT}(?:_{_ARGUMENT})?|_{_ARGUMENT}(?:\^{_ARGUMENT})?)"
_COMMAND: Final = rf"(?:{_FONT}|\\[A-Za-z]+)(?:{_SCRIPTS})?"
_CLOSED: Final = rf"(?:{_COMMAND}|[A-Za-z0-9)\]|](?:{_SCRIPTS})?)"
_ANY: Final = rf"(?:{_CLOSED}|[-+*/=<>(\[,.:;!])"
_BEHIND_SPACE: Final = rf"(?:[A-Za-z]|(?:[A-Za-z0-9]{_SCRIPTS}|{_COMMAND}|[-+*/=<>()\[\]|]){_ANY}*)"
_MATH: Final = (
    rf"\$(?:[0-9](?:{_ANY}*{_CLOSED})?|(?:{_COMMAND}|[A-Za-z](?:{_SCRIPTS})?|[(\[|<+-]){_ANY}*(?: +{_BEHIND_SPACE})*)\$"
)
# The pieces that a text is cut into: math, a character that its author has escaped, a script without math around it,
# an opening quote, and every other character by itself (docs/tell.md)
_PIECE: Final = r'\\[ &%$#_]|[\^_]\{[A-Za-z0-9.+-]+\}|\^[0-9]|[ (\[]"|(?s:.)'
PIECE: Final = re.compile(_PIECE)
PIECE_OR_MATH: Final = re.compile(f"{_MATH}|{_PIECE}")
FONT: Final = re.compile(_FONT)
COMMAND: Final = re.compile(r"\\([A-Za-z]+)")
PLAIN: Final = re.compile(r"[A-Za-z0-9 .,:;!?'()/+*=@-]+")  # a text that stays as it is: nineteen of twenty
# A name that BibTeX must not split, as it would at `and` or a comma; a team has no family name (docs/source.md §4)
ONE_NAME: Final = re.compile(
    r"\b(?:and|team|teams|group|lab|labs|contributors|collaboration|consortium|community|project)\b|,|^others$",
    re.IGNORECASE,
)
# In a name in TeX: commands for accents, and what stands for a letter that TeX does not have
NO_LETTERS: Final = re.compile(r"\\[A-Za-z]\{|\\ensuremath|\[U\+[0-9A-F]+\]|[^A-Za-z ]")
SURNAME: Final = re.compile(r"([A-Za-z]+)(?: +(?:Jr|Sr|II|III|IV))* *$")


def tex(text: str) -> str:
    r"""A text in TeX.

    >>> tex("Łoś of $x^2$ & 5%")
    "{\\L}o{\\'{s}} of $x^2$ \\& 5\\%"
    """
    if PLAIN.fullmatch(text):
        return text
    # A quote opens behind a space, so that one is set before the text
    spaced = " " + UNSEEN.sub("", SPACES.sub(" ", normalize("NFC", text)))
    has_math = NAMES.issuperset(COMMAND.findall(FONT.sub("", text)))
    pieces = (PIECE_OR_MATH if has_math else PIECE).findall(spaced)
    return "".join(map(_piece, pieces)).strip(" ")


def _piece(piece: str) -> str:
    if letter := characters().get(piece):
        return letter
    if piece == r"\ ":
        return " "
    if len(piece) == 1:
        return piece if piece.isascii() else f"[U+{ord(piece):04X}]"
    if piece[-1] == '"':
        return f"{piece[0]}``"
    return rf"\ensuremath{{{piece}}}" if piece[0] in "^_" else piece


def surname(name: str) -> str:
    """The family name in a name in TeX, in lower case without accents; empty where no letter is ASCII.

    >>> surname(tex("Ada Łoś Jr.")), surname(tex("李明"))
    ('los', '')
    """
    found = SURNAME.search(NO_LETTERS.sub("", name))
    return found[1].lower() if found else ""


def is_one_name(name: str) -> bool:
    """Whether a name is that of a team, or contains something at which BibTeX would split it.

    >>> is_one_name("Gemma Team"), is_one_name("Ada Loom")
    (True, False)
    """
    return ONE_NAME.search(name) is not None


@cache
def characters() -> dict[str, str]:
    """The TeX of every character that is not written as itself; any other that is not ASCII is spelled out."""
    accented = map(chr, chain.from_iterable(range(*span) for span in ACCENTED))
    letters = {letter: tex for letter in accented if (tex := _composed(letter)) is not None}
    named = {letter: rf"{{\{name}}}" for letter, name in LETTERS.items()}
    math = {sign: rf"\ensuremath{{\{name}}}" for sign, name in MATH_SIGNS.items()}
    boards = {letter: rf"\ensuremath{{\mathbb{{{name}}}}}" for letter, name in BLACKBOARD.items()}
    scripts = {
        one: rf"\ensuremath{{{mark}{{{digit}}}}}"
        for mark, digits in (("^", RAISED), ("_", LOWERED))
        for digit, one in enumerate(digits)
    }
    return letters | named | math | boards | scripts | SIGNS | ASCII


def _composed(letter: str, within: bool = False) -> str | None:  # noqa: FBT001 - of itself
    r"""A letter by its parts, without a mark that TeX has no accent for; None where it has none.

    >>> _composed("é"), _composed("ế"), _composed("ơ"), _composed("ø")
    ("{\\'{e}}", "{\\'{\\^{e}}}", 'o', None)
    """
    base, _, mark = decomposition(letter).partition(" ")
    if not base or base.startswith("<") or not mark:
        return None
    first, accent = chr(int(base, 16)), ACCENTS.get(chr(int(mark, 16)))
    is_dotted = accent is None or accent in BELOW
    inner = _composed(first, within=True) or (first if is_dotted else DOTLESS.get(first, first))
    if not inner.isascii():
        return None
    tex = inner if accent is None else rf"\{accent}{{{inner}}}"
    return tex if within or accent is None else f"{{{tex}}}"


OPEN, CLOSE = "\ue000", "\ue001"  # private letters that stand for marks, until all else is printable
ARGUMENT: Final = r"\{([^{}]*)\}"
# In this order: an expression, and what stands in its place
RULES: Final = (
    (rf"\\(?=[{OPEN}{CLOSE}])", ""),
    (r"\\\\", " "),  # the end of a line
    (r"\\(?:color|label|cite[a-z]*|ref|[hv]space)\*?\{[^{}]*\}", ""),
    (rf"\\href\{{[^{{}}]*\}}{ARGUMENT}", r"\1"),
    (rf"\\footnote{ARGUMENT}", r" (\1)"),
    (rf"\\[dt]?frac{ARGUMENT}{ARGUMENT}", r"\1/\2"),
    (rf"\\sqrt{ARGUMENT}", r"√(\1)"),
    # Accents, then apostrophes that were escaped
    (r'\\"\{?\\?([aeiouyAEIOUY])\}?', "\\1\u0308"),
    (r"\\'(?!s\b)\{?\\?([aeiouyAEIOUYcnszCNSZ])\}?", "\\1\u0301"),
    (r"\\`\{?\\?([aeiouAEIOU])\}?", "\\1\u0300"),
    (r"\\\^\{?\\?([aeiouAEIOU])\}?", "\\1\u0302"),
    (r"\\~\{?([nNaoAO])\}?", "\\1\u0303"),
    (r"""\\(['"`])""", r"\1"),
    (r"\\eg\b\.?", "e.g."),
    (r"\\ie\b\.?", "i.e."),
    (r"\\etc\b\.?", "etc."),
    (r"\\nobreakdash\b ?", ""),
    (r"\{\\(?:it|bf|em|sc|tt|rm|sf|sl) +([^{}]*)\}", r"\1"),
    (r"\\[A-Za-z]+\*? ?\{([^{}]+)\}", r"\1"),  # of nothing, as of "\name{}", it is a name
    (rf"\b(?:textbf|textit|texttt|emph){ARGUMENT}", r"\1"),  # a page that lost the backslash
    (r"\$(?! )([^$\n]{1,200}?)(?<! )\$(?!\d)", r"\1"),
    (r"\\[(\[] ?", ""),
    (r" ?\\[)\]]", ""),
    (r"\\([0-9]+\))", r"\1"),
    (r"\\(?=[0-9])", "$"),  # of "\$20" a page keeps "\20"
    (r"\\([%&$_#])", r"\1"),
    (r"\\[,;:! ]", " "),
    (r"([0-9])times (?=[0-9])", r"\1 × "),
    (r"([0-9])times\b", r"\1×"),
    (r"\^\{?\\?circ\}?", "°"),
    *((rf"\^(?:{digit}|\{{{digit}\}})(?![0-9])", sign) for digit, sign in enumerate(RAISED)),
    (r"([_^])\{([A-Za-z0-9+-]*)\}", r"\1\2"),
    (r"([_^])\{([^{}]*)\}", r"\1(\2)"),
    ("``", "“"),
    ("''", "”"),
    (r"([A-Za-z,.])~(?=[A-Za-z(\[])", r"\1 "),
)
SHOWN_COMMAND: Final = r"\\*\{\\+([A-Za-z]+)\}|\\+([A-Za-z]+)(?:\{\})?"
# What has no sign here stands as its name
_SHOWN: Final = (
    "epsilon=ε mu=μ omicron=ο phi=φ cdot=· mp=∓ deg=° circ=° ast=* le=≤ ge=≥ ne=≠ sim=~ to=→ ldots=… dots=… ss=ß o=ø "
    "O=Ø ae=æ AE=Æ l=ł L=Ł i=ı aa=å AA=Å textgreater=> textless=< textasciitilde=~ left= right= it= bf= em= sc= tt= "
    "quad= qquad="
)
SHOWN_SIGNS: Final = {name: sign for sign, name in MATH_SIGNS.items()} | dict(
    pair.split("=", 1) for pair in _SHOWN.split(" ")
)
MARKED: Final = r"[\\{^$~]|``|''|[0-9]times"  # a text without any of these is as it was
NESTED: Final = 3  # commands in commands


def untexed(text: str) -> str:
    r"""A text without TeX's mark-up, for a reader.

    >>> untexed(r"\textit{Folds} of $\alpha \leq 10^2$, \eg 1.67times by Schr\"odinger; 5\% of \foo")
    'Folds of α ≤ 10², e.g. 1.67× by Schrödinger; 5% of foo'
    """
    if not re.search(MARKED, text):
        return text
    for _ in range(NESTED):
        before = text
        for expression, instead in _compiled():
            text = expression.sub(instead, text)
        if text == before:
            break
    return unicodedata.normalize("NFC", re.sub(SHOWN_COMMAND, _sign, text))


def marked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text without mark-up and all printable, its spans between OPEN and CLOSE; of two that overlap the first.

    >>> marked("We weave and weave.", [(3, 8), (13, 18)]).replace(OPEN, "[").replace(CLOSE, "]")
    'We [weave] and [weave].'
    """
    text = re.sub(f"[{OPEN}{CLOSE}]", "\ufffd", text)
    pieces, place = [], 0
    for start, end in sorted(spans, key=itemgetter(0)):
        if start >= place:  # a name may hold a number
            pieces += [text[place:start], OPEN, text[start:end], CLOSE]
            place = end
    return printable(untexed("".join([*pieces, text[place:]])), keep=OPEN + CLOSE)


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(expression), instead) for expression, instead in RULES)


def _sign(found: re.Match[str]) -> str:
    name = found[1] or found[2]
    return SHOWN_SIGNS.get(name, name)
