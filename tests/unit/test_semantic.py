"""A language model beside the basis: what it reads, that it reads a text once, and how papers are found by it.

The model here is invented: words to numbers by their hash. The real one is asked where `paperlake[semantic]` is.
"""

import random
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from flows.runtime import encoder as encoders
from paperlake.find.finder import Finder
from tests.collected import page
from tests.derived import derive
from tests.invented import HUB
from tests.unit.test_macros import database
from tests.unit.test_search_index import WORDS, equal, release
from tests.unit.test_search_papers import EIGHT, KILNS, LOOMS, REEDS, TIDES, item
from transforms.collect.collect import collect, read_page
from transforms.search.embeddings import MOST_PIECES, pieces_of, rounded
from warehouse.errors import UsageError
from warehouse.release.query import Database
from warehouse.schema import search_rules as rules

ALIKE = {"looms": "reeds"}  # what the invented model holds for one thing


class Model:
    """Notes what it is asked to read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self.read += texts
        return np.array([self.vector(text) for text in texts], np.float32).reshape(-1, rules.EMBEDDED_DIMENSIONS)

    def vector(self, text: str) -> np.ndarray:
        words = [ALIKE.get(word, word) for word in text.lower().split()]
        dice = [np.random.default_rng(int(sha256(word.encode()).hexdigest()[:8], 16)) for word in words]
        return np.sum([one.normal(size=rules.EMBEDDED_DIMENSIONS) for one in dice], axis=0)


@pytest.mark.parametrize(
    ("text", "expected"),  # as the model's own reader has it, but for its signs, which are text here
    [
        ("Na\u00efve KV-caches, 12.5x!", [15743, 24888, 1011, 17053, 2015, 1010, 2260, 1012, 1019, 2595, 999]),
        ("\u8d85\u957f\u4e0a\u4e0b\u6587 \u03a3\u0391\u03a3\u200b\t\u03c4\u03ad\u03bb\u03bf\u03c2",
         [100, 100, 1742, 1743, 1861, 1173, 14608, 29733, 1174, 29723, 29727, 15297]),
        ("a" * 101 + " weaving", [100, 15360]),
        ("$\\alpha$ \U0001f642 \u00e9\u0301", [1002, 1032, 6541, 1002, 100, 1041]),
        ("[CLS]", [1031, 18856, 2015, 1033]),
        ("", []),
    ],
)  # fmt: skip
def test_a_text_is_cut_into_the_model_s_pieces(text: str, expected: list[int]) -> None:
    assert pieces_of(text) == [101, *expected, 102]


def test_a_long_text_is_read_in_part() -> None:
    assert len(pieces_of("weave " * 100_000)) == MOST_PIECES


def test_vectors_are_rounded() -> None:
    assert rounded(np.array([[0.5, -0.2, 0], [0, 0, 0]], np.float32)).tolist() == [[127, -51, 0], [0, 0, 0]]


def test_a_text_is_read_once() -> None:
    dice, model = random.Random(3), Model()
    texts: dict[str, tuple[str, str | None]] = {
        f"2503.{number:05}": (" ".join(dice.choices(WORDS, k=3)) + str(number), None) for number in range(30)
    }
    known = release(texts, encode=model)
    assert len(model.read) == 30
    texts["2503.00007"] = ("Looms revised", "Abstract")
    texts["2412.00001"] = ("Tides anew", None)
    del texts["2503.00011"]
    model.read.clear()
    grown = release(texts, known, model)
    assert sorted(model.read) == ["Looms revised\nAbstract", "Tides anew"]
    assert equal(grown, release(texts, encode=Model()))
    assert grown.search_embeddings["model"].unique().to_list() == [rules.EMBEDDER]
    without = release(texts, grown)
    assert without.search_embeddings.is_empty()
    assert equal(without, release(texts))
    assert equal(release(texts, without, Model()), grown)


@pytest.fixture(scope="module")
def semantic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    listed = page([item(one) for one in (LOOMS, TIDES, REEDS, KILNS)], f"{HUB}/api/daily_papers?date=2025-10-07", EIGHT)
    with database(tmp_path_factory.mktemp("semantic"), derive(collect([read_page(listed)]), encode=Model())) as made:
        yield made


def test_papers_are_found_by_what_the_model_reads(semantic: Database) -> None:
    model = Model()
    plain, finder = Finder(semantic), Finder(semantic, model)
    asked = "agents that weave looms"
    before, hits = plain.search(asked, 9).hits, finder.search(asked, 9).hits
    assert model.read == [asked]
    assert {hit.paper_id for hit in before} == {hit.paper_id for hit in hits}
    assert [hit.matching for hit in sorted(before)] == [hit.matching for hit in sorted(hits)]
    assert [hit.meaning for hit in sorted(before)] != [hit.meaning for hit in sorted(hits)]
    model.read.clear()
    finder.search("weave title:reeds", 3)
    assert model.read == ["weave"]
    assert finder.search("the of", 3).hits == []


def test_similar_to_gives_the_same_in_python_and_sql(semantic: Database) -> None:
    finder = Finder(semantic)
    for paper in (LOOMS, TIDES, REEDS, KILNS):
        rows = list(semantic.rows("SELECT paper_id, score FROM similar_to(?) ORDER BY rank", [paper]).rows)
        assert [(hit.paper_id, int(hit.score * 10_000 + 0.5)) for hit in finder.similar([paper], 20)] == rows
    assert {LOOMS, REEDS}.isdisjoint(hit.paper_id for hit in finder.similar([LOOMS, REEDS], 20))


def test_without_the_extra_a_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(encoders, "WEIGHTS", "no_such_package")
    with pytest.raises(UsageError, match=r"^PAPERLAKE_SEMANTIC asks for a language model; .*paperlake\[semantic\]'$"):
        encoders.encoder()
    (tmp_path / "other_weights").mkdir()
    (tmp_path / "other_weights" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(encoders, "WEIGHTS", "other_weights")
    monkeypatch.setattr(encoders, "RUNTIME", "json")
    with pytest.raises(UsageError, match="is not the one paperlake uses"):
        encoders.encoder()
    (tmp_path / "other_weights" / "model.onnx").write_bytes(b"other")
    with pytest.raises(UsageError, match="is not the one paperlake uses"):
        encoders.encoder()


def test_the_real_model_puts_like_texts_near_each_other() -> None:
    pytest.importorskip(encoders.WEIGHTS, reason="paperlake[semantic] is not installed")
    encode = encoders.encoder()
    texts = [
        "caches of attention take less memory",
        "compressing keys and values of a transformer",
        "kettles and tides",
    ]
    vectors = rounded(encode(texts))
    assert np.array_equal(vectors[1:2], rounded(encode(texts[1:2])))  # alone as among others
    near, far = (int(vectors[0].astype(int) @ vectors[other]) for other in (1, 2))
    assert near > far
