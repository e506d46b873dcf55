"""Which sightings are the same paper: a function of the set of them, never of their order."""

import hashlib
from datetime import datetime
from typing import Any

import polars as pl
import pytest

from tests.builders import ONE, THREE, TWO, WOVEN, A, B, C, frame, sighting
from tests.linkage import identify
from transforms.core.papers import paper_aliases
from transforms.identity.blocking import title_key
from warehouse.schema.core.identity import PAPER_ALIASES

# Abstracts that share hardly a word of four letters
WEAVING = "Weavers learn patient patterns from frugal ledgers, measuring where every thread finally settles."
TIDES = "Lunar gravity moves harbour water; simple gauges forecast floods within minutes without supervision."
BIRDS = "Counting unlabelled songbirds becomes cheap once microphones listen together across restless orchards."
AGREED = 1 / (1 + 2**-16)  # PRIOR + SAME_TITLE + the best ABSTRACT, in bits
SCHEMA = {"arxiv_id": pl.String, "title": pl.String, "abstract": pl.String}

Row = tuple[str | None, str, str | None]


def ids(*rows: Row) -> list[str]:
    return identify(pl.DataFrame(rows, schema=SCHEMA, orient="row"))["paper_id"].to_list()


def title_id(key: str) -> str:
    return f"title:{hashlib.sha256(key.encode()).hexdigest()[:16]}"


class TestTitleKey:
    @pytest.mark.parametrize(
        ("shown", "stripped"),
        [
            (r"$\ell_p$ Norms", "ell_p Norms"),
            (r"2.61$\times$ Faster", "2.61times Faster"),
            (r"Train \& Decode", "Train & Decode"),
            ("EN-T:  Looms", "en-t: looms"),
            ("Looms \N{EM DASH} a Survey", "Looms: A Survey"),
            ("\N{LATIN SMALL LIGATURE FI}ne Looms", "Fine looms"),
            ("N\N{SUPERSCRIPT TWO} Looms", "N2 looms"),
            ("Cafe\N{COMBINING ACUTE ACCENT} Looms", "Caf\N{LATIN SMALL LETTER E WITH ACUTE} looms"),
            ("<think> Looms", "think Looms"),
        ],
    )
    def test_titles_that_differ_in_form_only_have_one_key(self, shown: str, stripped: str) -> None:
        keys = pl.DataFrame({"title": [shown, stripped]}).select(title_key(pl.col("title"))).to_series()
        assert keys.n_unique() == 1

    def test_titles_that_differ_in_a_letter_or_digit_have_two(self) -> None:
        titles = ["Looms 2", "Looms 3", "Loom 2", "你好", "你们", "???", "!!!", "Łooms 2"]
        assert pl.DataFrame({"title": titles}).select(title_key(pl.col("title"))).to_series().n_unique() == len(titles)


class TestOnePaper:
    def test_two_dumps_and_the_api_meet(self) -> None:
        assert (
            ids(
                (None, "ell_p Looms", WEAVING),
                ("2503.01234", r"$\ell_p$ Looms", WEAVING),
                (None, "ell_p looms", WEAVING.upper()),
                (None, "Ell_p Looms", None),
                ("2503.01234", r"A New Name for $\ell_p$ Looms", TIDES),
            )
            == ["2503.01234"] * 5
        )

    def test_two_dumps_meet_without_the_api(self) -> None:
        assert ids((None, "Slow Tides", TIDES), (None, "slow tides!", f"{TIDES} More.")) == [title_id("slowtides")] * 2

    def test_a_shared_id_is_one_paper_whatever_the_texts_say(self) -> None:
        assert ids(("2503.01234", "Looms", WEAVING), ("2503.01234", "Tides", TIDES)) == ["2503.01234"] * 2

    def test_abstracts_that_differ_a_little_agree(self) -> None:
        newer = WEAVING.replace("patient", "restless") + " Code is released."
        assert ids(("2503.01234", "Looms", WEAVING), (None, "Looms", newer)) == ["2503.01234"] * 2

    @pytest.mark.parametrize("silent", [None, "We do so.", "…"])
    def test_an_uninformative_abstract_contradicts_nothing(self, silent: str | None) -> None:
        assert ids(("2503.01234", "Looms", WEAVING), (None, "looms", silent)) == ["2503.01234"] * 2
        assert ids(("2503.01234", "Looms", silent), (None, "looms", WEAVING)) == ["2503.01234"] * 2
        assert ids((None, "Looms", silent), (None, "looms", WEAVING)) == [title_id("looms")] * 2
        assert ids((None, "Looms", silent), (None, "looms", silent)) == [title_id("looms")] * 2

    def test_two_abstracts_meet_through_a_third(self) -> None:
        first, middle, last = WEAVING, f"{WEAVING} {TIDES}", TIDES
        assert len(set(ids((None, "Looms", first), (None, "Looms", last)))) == 2
        assert len(set(ids((None, "Looms", first), (None, "Looms", middle), (None, "Looms", last)))) == 1

    def test_titles_of_signs_alone_stay_apart(self) -> None:
        assert ids((None, "???", WEAVING), (None, "!!!", WEAVING)) == [title_id("???"), title_id("!!!")]


class TestTwins:
    def test_two_ids_stay_two_papers(self) -> None:
        assert ids(("2503.00001", "Looms", WEAVING), ("2503.00002", "Looms", WEAVING)) == ["2503.00001", "2503.00002"]

    def test_without_ids_each_has_a_name_of_its_own(self) -> None:
        found = ids((None, "Looms", WEAVING), (None, "Looms", TIDES))
        suffixes = [f"-{hashlib.sha256(text.encode()).hexdigest()[:8]}" for text in (WEAVING, TIDES)]
        assert found == [title_id("looms") + suffix for suffix in suffixes]

    def test_a_contradiction_keeps_off_the_id(self) -> None:
        assert ids(("2503.00001", "Looms", WEAVING), (None, "Looms", TIDES)) == ["2503.00001", title_id("looms")]

    def test_the_best_agreement_wins(self) -> None:
        words = WEAVING.split()
        nearly = " ".join([*words[:9], *BIRDS.split()[:3]])
        found = ids(("2503.00001", "Looms", nearly), ("2503.00002", "Looms", WEAVING), (None, "Looms", WEAVING))
        assert found[2] == "2503.00002"
        assert ids(("2503.00001", "Looms", nearly), (None, "Looms", WEAVING)) == ["2503.00001"] * 2

    def test_a_field_s_vocabulary_is_no_agreement(self) -> None:
        common = " ".join(WEAVING.split()[:4])
        assert len(set(ids((None, "Looms", f"{common} {TIDES}"), (None, "Looms", f"{common} {BIRDS}")))) == 2

    def test_the_lower_id_where_two_agree_alike(self) -> None:
        assert (
            ids(("2503.00002", "Looms", TIDES), ("2503.00001", "Looms", TIDES), (None, "Looms", TIDES))[2]
            == "2503.00001"
        )

    def test_a_missing_abstract_does_not_join_what_abstracts_part(self) -> None:
        weaving, tides, silent = ids((None, "Looms", WEAVING), (None, "Looms", TIDES), (None, "Looms", None))
        assert weaving != tides
        assert silent == min(weaving, tides)

    def test_a_missing_abstract_does_not_carry_a_twin_to_the_id(self) -> None:
        found = ids(("2503.00001", "Looms", WEAVING), (None, "Looms", TIDES), (None, "Looms", None))
        assert found == ["2503.00001", title_id("looms"), "2503.00001"]

    def test_a_paper_that_lost_its_abstract_once_is_judged_by_the_one_it_has(self) -> None:
        found = ids(("2503.00001", "Looms", WEAVING), ("2503.00001", "Looms", None), (None, "Looms", TIDES))
        assert found == ["2503.00001", "2503.00001", title_id("looms")]


def test_no_sightings_have_no_ids() -> None:
    assert ids() == []


def test_other_columns_and_the_order_of_rows_stay() -> None:
    frame = pl.DataFrame([("2503.01234", "A", None), (None, "B", None)] * 3, schema=SCHEMA, orient="row")
    frame = frame.with_row_index("place")
    assert identify(frame).drop("paper_id").equals(frame)


class TestAliases:
    AT = (datetime(2025, 3, 1), datetime(2025, 3, 2))

    def aliases(self, *rows: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        schema = SCHEMA | {"capture_id": pl.String, "observed_at": pl.Datetime("us"), "position": pl.Int32}
        told = identify(pl.DataFrame(rows, schema=schema, orient="row"))
        frame = paper_aliases(told.with_columns(outer_title=pl.lit(None, pl.String)))
        assert PAPER_ALIASES.split(frame)[1].is_empty()
        return frame.rows()

    def test_every_name_of_a_paper_is_an_alias(self) -> None:
        early, late = self.AT
        found = self.aliases(
            (None, "ell_p Looms", WEAVING, "c" * 20, None, 1),
            ("2503.01234", r"$\ell_p$ Looms", WEAVING, "b" * 20, late, 1),
            ("2503.01234", r"$\ell_p$ Looms", WEAVING, "a" * 20, early, 7),
        )
        assert found == [
            ("arxiv_id", "2503.01234", "2503.01234", "arxiv_id", 1.0, early, late, 2, "b" * 20),
            ("title", r"$\ell_p$ Looms", "2503.01234", "arxiv_id", 1.0, early, late, 2, "b" * 20),
            ("title", "ell_p Looms", "2503.01234", "title", AGREED, None, None, 1, "c" * 20),
        ]

    def test_a_title_that_both_kinds_of_page_show(self) -> None:
        found = self.aliases(
            (None, "Looms", WEAVING, "b" * 20, self.AT[1], 1), ("2503.01234", "Looms", WEAVING, "a" * 20, self.AT[0], 1)
        )
        assert [row[:4] for row in found if row[0] == "title"] == [("title", "Looms", "2503.01234", "arxiv_id")]
        assert found[1][5:] == (*self.AT, 2, "b" * 20)

    def test_the_title_of_the_outer_object_too(self) -> None:
        rows = [
            sighting(A, ONE, title="2times Looms", outer_title=r"2$\times$ Looms"),
            sighting(B, TWO, title="2times Looms"),
            sighting(C, THREE, title=r"2$\times$ Looms"),
        ]
        found = paper_aliases(frame(*rows)).filter(kind="title").drop("kind", "score").rows()
        assert found == [
            (r"2$\times$ Looms", WOVEN, "arxiv_id", ONE, THREE, 2, C),
            ("2times Looms", WOVEN, "arxiv_id", ONE, TWO, 2, B),
        ]

    def test_a_paper_without_an_id_has_its_title_as_alias(self) -> None:
        ((*name, method, score, _, _, count, _),) = self.aliases((None, "Looms", None, "a" * 20, None, 1))
        assert (name, method, score, count) == (["title", "Looms", title_id("looms")], "alone", None, 1)

    def test_twins_share_a_title(self) -> None:
        found = self.aliases((None, "Looms", WEAVING, "a" * 20, None, 1), (None, "Looms", TIDES, "a" * 20, None, 2))
        assert [row[:2] for row in found] == [("title", "Looms")] * 2
        assert len({row[2] for row in found}) == 2
