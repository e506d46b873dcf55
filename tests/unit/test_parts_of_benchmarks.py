"""What a number is of: a whole benchmark, a part of it, a share of something, or another's number; on invented sentences."""

from __future__ import annotations

import pytest

from transforms.claims import claims_of
from transforms.claims.claim_row import Claim


def claim_at(text: str, number: str) -> Claim:
    (found,) = [one for one in claims_of(text) if one.text == number]
    return found


@pytest.mark.parametrize(
    ("text", "number", "split", "split_name"),
    [
        ("We reach 41.2% success on GSM8K Long.", "41.2%", "Long", None),
        ("We reach 41.2% on a GSM8K subset.", "41.2%", "subset", None),
        ("We reach 41.2% accuracy on the Ripe Plums task of GSM8K.", "41.2%", "Ripe Plums", None),
        ("On GSM8K, we reach 41.2% accuracy on ripe problems.", "41.2%", "ripe problems", None),
        ("On GSM8K, we reach 41.2% in frost-free settings.", "41.2%", "frost-free settings", None),
        ("We reach 3.1% WER on test-other on LibriSpeech.", "3.1%", "test-other", "test-other"),
        ("We lead on GAIA validation (61.2%), and reach 41.2% on the test set.", "41.2%", "test", "test"),
        ("On GSM8K, we reach 61.2% validation and 41.2% test pass rate.", "61.2%", "validation", "val"),
        ("We reach 41.2% on the test sets of GSM8K and MATH-500.", "41.2%", None, None),
        ("We reach 41.2% overall accuracy on GSM8K.", "41.2%", None, None),
        ("On GSM8K, we reach 41.2% accuracy on average.", "41.2%", None, None),
    ],
)
def test_a_number_of_a_part_of_a_benchmark_says_which(
    text: str, number: str, split: str | None, split_name: str | None
) -> None:
    claim = claim_at(f"We present Pear. {text}", number)
    assert (claim.split, claim.split_name) == (split, split_name)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Pear retains 96.7% of the performance of Fig on GSM8K.", "96.7%"),
        ("Pear keeps 96.7% of the original accuracy on GSM8K.", "96.7%"),
        ("On GSM8K, it recovers 49% of failed trials.", "49%"),
        ("On GSM8K, it reaches 13.7% despite 71.5% with all hints.", "71.5%"),
        ("It solves 80% of GSM8K puzzles that others could not.", "80%"),
        ("It raises SOP-Bench from 80% to 95%, and Lifelong AgentBench from 60% to 90%.", "90%"),
    ],
)
def test_a_share_and_a_longer_name_are_no_score_of_a_benchmark(text: str, number: str) -> None:
    assert claim_at(f"We present Pear. {text}", number).benchmark_name is None


@pytest.mark.parametrize(
    ("text", "number", "name"),
    [
        ("We find that it misses 44% of rotten pears.", "44%", None),
        ("The best model reaches 9.4% on Deep Orchards.", "9.4%", None),
        ("The best model solves 41% of the tasks.", "41%", "GSM8K"),
        ("The best model reaches 41% accuracy.", "41%", "GSM8K"),
    ],
)
def test_what_is_reported_elsewhere_is_not_of_the_own_benchmark(text: str, number: str, name: str | None) -> None:
    assert claim_at(f"We introduce GSM8K, a benchmark of orchards. {text}", number).benchmark_name == name


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("Although humans achieve 93% accuracy, the best pear reaches 63%.", "93%", ("baseline", "level", None)),
        ("Pear is comparable to Fig and Plum on GSM8K (accuracy 63%).", "63%", ("result", "level", None)),
        ("Standard figs, while sweet, are often hollow, with only a 57.9% success rate.", "57.9%", ("baseline", "level", None)),
        ("None of them reach 60% accuracy on GSM8K.", "60%", ("result", "level", "up to")),
        ("It achieves gains in many orchards (76% CIDEr on YouCook2 and 9% AUC on PlumQA).", "9%", ("change", "up", None)),
        ("It makes large improvements over others: 11% on GSM8K and 20% on PlumQA.", "20%", ("change", "up", None)),
        ("It is better by a large margin of 5.6% accuracy on GSM8K.", "5.6%", ("change", "up", None)),
        ("It gains 29.2% on GSM8K (+2.9 pp vs. Plum), 8.7% on MATH-500 and 3.1% on PlumQA.", "8.7%", ("change", "up", None)),
        ("It shows improvements, including 56.7% (+40.0%) on AIME 2024.", "56.7%", ("result", "level", None)),
        ("We test pears, solving at most 23.7% of PlumQA, and 0.3% of GSM8K.", "0.3%", ("result", "level", "up to")),
    ],
)  # fmt: skip
def test_a_baseline_a_change_and_a_bound_are_told_from_a_level(
    text: str, number: str, expected: tuple[str, str, str | None]
) -> None:
    claim = claim_at(f"We present Pear. {text}", number)
    assert (claim.role, claim.direction, claim.bound) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It has 128 tasks where 89.8% need maps of results.",
        "It includes far more long tasks (62.2% vs. 9.5%) and better results.",
    ],
)
def test_how_much_of_a_collection_is_of_a_kind_is_no_result(text: str) -> None:
    assert {one.text for one in claims_of(f"We present Pear. {text}")} & {"62.2%", "89.8%"} == set()
