"""Texts without TeX's mark-up, as every reader of a title or an abstract is shown them."""

# ruff: noqa: RUF001 - signs that look like letters are what this is about

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warehouse.tex import CLOSE, OPEN, marked, untexed

EXAMPLES = (
    (r"\textit{Folded} kilns, \textbf{warm \emph{reeds}}", "Folded kilns, warm reeds"),
    (r"{\it Looms} and {\sc Bench} of {\alpha}-weave", "Looms and Bench of α-weave"),
    (r"kettles (\eg pots, \ie tins) \etc. Then", "kettles (e.g. pots, i.e. tins) etc. Then"),
    (
        r"na\"{\i}ve Schr\"odinger, T\"ULU, caf\'e, Bolet\'{\i}n, vis-\`a-vis",
        "naïve Schrödinger, TÜLU, café, Boletín, vis-à-vis",
    ),
    (r"the loom\'s reed", "the loom's reed"),
    (r"45\% of Q\&A for \$5K, under \20 USD; \3) last", "45% of Q&A for $5K, under $20 USD; 3) last"),
    (r"\( O(n^3) \), \(W_1\), 10^{-3} and 2^{18}, R^2 at 360^{\circ}", "O(n³), W_1, 10^-3 and 2^18, R² at 360°"),
    ("from $5 million to $10 million", "from $5 million to $10 million"),
    (r"$\tau \leq 3$ and $x_{ij}$", "τ ≤ 3 and x_ij"),
    ("1.67times faster, 256times 256 tiles, sometimes", "1.67× faster, 256 × 256 tiles, sometimes"),
    (r"\href{https://loom.example}{the page}, \url{https://kiln.example}", "the page, https://kiln.example"),
    (r"a new \color{red}Loom\footnote{of reeds} at 19.7\,FPS", "a new Loom (of reeds) at 19.7 FPS"),
    (r"we call it \LoomBench{}, \ours and \frac{1}{2}", "we call it LoomBench, ours and 1/2"),
    ("``warm'' kilns~(of clay), about~5", "“warm” kilns (of clay), about~5"),
    ("A calm title: it's 2x faster & {plain}", "A calm title: it's 2x faster & {plain}"),
)


@pytest.mark.parametrize(("text", "shown"), EXAMPLES)
def test_it_is_shown_without_mark_up(text: str, shown: str) -> None:
    assert untexed(text) == shown


def test_marks_stay_where_mark_up_goes() -> None:
    text = r"we weave \method of \textbf{calm reeds}, 2.5\times faster " + OPEN
    spans = [(text.index(word), text.index(word) + len(word)) for word in ("method", "calm", r"2.5\times")]
    found = marked(text, spans).replace(OPEN, "[").replace(CLOSE, "]")
    assert found == "we weave [method] of [calm] reeds, [2.5\u00d7] faster \ufffd"


@settings(deadline=None)
@given(st.text(alphabet="ab \\{}$^_'`\"~%1t.", max_size=40))
def test_no_command_stays(text: str) -> None:
    assert not re.search(r"\\[A-Za-z]", untexed(text))
