"""TeX in titles and abstracts, as a reader is shown it: signs for commands that have one, words without mark-up.

Tables keep the text as the source gave it. The rules are expressions of Python and of JavaScript alike, so that the
explorer has the same ones.
"""

# ruff: noqa: RUF001, RUF002 - signs that look like letters are what this is about

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from operator import itemgetter
from typing import Final

from warehouse.printable import printable

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
    *((rf"\^(?:{digit}|\{{{digit}\}})(?![0-9])", sign) for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")),
    (r"([_^])\{([A-Za-z0-9+-]*)\}", r"\1\2"),
    (r"([_^])\{([^{}]*)\}", r"\1(\2)"),
    ("``", "“"),
    ("''", "”"),
    (r"([A-Za-z,.])~(?=[A-Za-z(\[])", r"\1 "),
)
COMMAND: Final = r"\\*\{\\+([A-Za-z]+)\}|\\+([A-Za-z]+)(?:\{\})?"
# What has no sign here stands as its name
SIGNS: Final = dict(
    pair.split("=", 1)
    for line in (
        "alpha=α beta=β gamma=γ delta=δ epsilon=ε varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι kappa=κ lambda=λ",
        "mu=μ nu=ν xi=ξ omicron=ο pi=π rho=ρ sigma=σ tau=τ upsilon=υ phi=φ varphi=φ chi=χ psi=ψ omega=ω",
        "Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Phi=Φ Psi=Ψ Omega=Ω ell=ℓ nabla=∇",
        "times=× cdot=· pm=± mp=∓ div=÷ deg=° circ=° ast=* leq=≤ le=≤ geq=≥ ge=≥ neq=≠ ne=≠ ll=≪ gg=≫",
        "approx=≈ sim=~ equiv=≡ propto=∝ in=∈ subset=⊂ cup=∪ cap=∩ to=→ rightarrow=→ leftarrow=← Rightarrow=⇒",
        "leftrightarrow=↔ mapsto=↦ infty=∞ partial=∂ sum=∑ prod=∏ int=∫ forall=∀ exists=∃ ldots=… dots=… cdots=⋯",
        "textgreater=> textless=< textasciitilde=~ ss=ß o=ø O=Ø ae=æ AE=Æ l=ł L=Ł i=ı aa=å AA=Å",
        "left= right= it= bf= em= sc= tt= quad= qquad=",
    )
    for pair in line.split(" ")
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
    return unicodedata.normalize("NFC", re.sub(COMMAND, _sign, text))


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
    return SIGNS.get(name, name)
