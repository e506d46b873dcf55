"""What a number is of: a whole benchmark, a part of it, a share of something, or another's number; on invented sentences."""

from __future__ import annotations

import pytest

from tests.one_text import claims_of
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
        ("We reach 41.2% accuracy on the Pear Reasoning task of GSM8K.", "41.2%", "Pear Reasoning", None),
        ("On GSM8K, we reach 41.2% accuracy on ripe problems.", "41.2%", "ripe problems", None),
        ("On GSM8K, we reach 41.2% in frost-free settings.", "41.2%", "frost-free settings", None),
        ("We reach 3.1% WER on test-other on LibriSpeech.", "3.1%", "test-other", "test-other"),
        ("We lead on GAIA validation (61.2%), and reach 41.2% on the test set.", "41.2%", "test", "test"),
        ("On GSM8K, we reach 61.2% validation and 41.2% test pass rate.", "61.2%", "validation", "val"),
        ("We reach 41.2% on GSM8K tree-counting problems.", "41.2%", "tree-counting problems", None),
        ("On GSM8K, the accuracy on the ripe task is only 41.2%.", "41.2%", "ripe task", None),
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
        ("On GSM8K, we reach 81% with 1K labels (0.18% of full supervision).", "0.18%"),
        ("It raises SOP-Bench from 80% to 95%, and Lifelong AgentBench from 60% to 90%.", "90%"),
    ],
)
def test_a_share_and_a_longer_name_are_no_score_of_a_benchmark(text: str, number: str) -> None:
    assert claim_at(f"We present Pear. {text}", number).benchmark_name is None


@pytest.mark.parametrize(
    ("text", "number", "name"),
    [
        ("We find that it misses 44% of rotten pears.", "44%", None),
        ("The best model reaches 9.4% on deep orchards.", "9.4%", None),
        ("The best model reaches 9.4% on GPT-4o alone.", "9.4%", "GSM8K"),
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
        ("It reaches 84% on GSM8K, surpassing models such as Fig 2 Plum (36.0%).", "36.0%", ("baseline", "level", None)),
        ("It is also comparable to Fig-v0.3 on MMLU (63% accuracy).", "63%", ("baseline", "level", None)),
        ("The plum baseline (System 1) achieved 90% accuracy.", "90%", ("baseline", "level", None)),
        ("It reaches 56% accuracy (random 50%), a good score.", "50%", ("baseline", "level", None)),
        ("It reaches 92% compared to others (fig-300m: 97.0%, BAAI/fig-m3: 99.5%).", "99.5%", ("baseline", "level", None)),
        ("It outperforms agents trained on pears (AutoFig, 18.2%), with 20%.", "18.2%", ("baseline", "level", None)),
        ("It reaches 84% on GSM8K (previously 52%).", "52%", ("baseline", "level", None)),
        ("It reaches 84% on GSM8K, while FigNet achieves 61%.", "61%", ("baseline", "level", None)),
        ("It reaches 84%, from an almost perfect baseline of 99.3%.", "99.3%", ("baseline", "level", None)),
        ("It shows gains over the state of the art (+0.65% to +3.05%).", "0.65% to +3.05%", ("change", "up", None)),
        ("It lifts Pear and Fig from 45.0% and 58.5% to 60.0% and 71.0%.", "58.5%", ("baseline", "level", None)),
        ("It lifts Pear and Fig from 45.0% and 58.5% to 60.0% and 71.0%.", "60.0%", ("result", "level", None)),
        ("It reaches 41% on GSM8K, while the baseline collapses to 0.5%.", "0.5%", ("baseline", "level", None)),
        ("It reaches 85% on GSM8K, approaching fig1 (high) at 88.5%.", "88.5%", ("baseline", "level", None)),
        ("It reaches 77% on GSM8K, compared to Fig (F1 = 75.7%).", "75.7%", ("baseline", "level", None)),
        ("It reaches 0.8x speedup of Pear, while EagleNet achieves only 2.4x.", "2.4x", ("baseline", "level", None)),
        ("It achieves a 16% improvement in runtime.", "16%", ("change", "down", None)),
        ("It gains a 62% improvement in accuracy on GSM8K and a 0.7% drop in recall.", "0.7%", ("change", "down", None)),
        ("It outperforms Pear by 10.7 points at 1.5B and 3.9 points at 3B.", "3.9 points", ("change", "up", None)),
        ("It wins 4 out of 5 tasks with fewer steps, which is better.", "4 out of 5", ("result", "level", None)),
        ("It reaches 74% on GSM8K, outperforming Fig and Plum by 5%.", "5%", ("change", "up", None)),
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


@pytest.mark.parametrize(
    ("text", "number", "words", "name"),
    [
        ("We reach 81.2% node accuracy on GSM8K.", "81.2%", "node accuracy", None),
        ("We reach 81.2% average accuracy on GSM8K.", "81.2%", "accuracy", "accuracy"),
        ("We have a spatial score of 0.21 on GSM8K.", "0.21", "spatial score", None),
        ("We have a task success rate of 61% on GSM8K.", "61%", "task success rate", "success rate"),
        ("A pear tuned with this approach scores 94.1 on GSM8K.", "94.1", "scores", "score"),
        ("We reach 0.37 rFID on ImageNet.", "0.37", "rFID", "rFID"),
        ("We lead on ImageNet reconstruction, reaching 0.75 FID.", "0.75", "FID", None),
        ("We reach 93.7% Acc@5 on GSM8K.", "93.7%", "Acc@5", None),
        ("We reach a recall@2 of 72% on GSM8K.", "72%", "recall@2", "recall@2"),
        ("We reach 52% pass@1 and 33% pass^4 on GSM8K.", "33%", "pass^4", None),
        ("We achieve an EM of 62.7% on GSM8K.", "62.7%", "EM", "exact match"),
        ("We detect all pears with FPRs as low as 0.01% on GSM8K.", "0.01%", "FPRs", None),
        ("We reach 65% on GAIA, and 70% on GSM8K for Pass@5.", "65%", "Pass@5", "pass@5"),
        ("We improve success rates (e.g., from 8% to 20% for Pear at 15 steps, from 40% to 43% for Fig).", "43%", "success rates", "success rate"),
        ("It achieves a 29.61 win rate on AlpacaEval 2 against Fig and 7.35 on MT-Bench.", "7.35", "win rate", None),
        ("On COCO, we have an Aesthetic Score of 6.19.", "6.19", "Aesthetic Score", None),
        ("On COCO, we have a (PEAR) score of 6.19.", "6.19", "(PEAR) score", None),
        ("On COCO, we have a BLEU score of 25.2.", "25.2", "BLEU score", "BLEU"),
        ("On COCO, PlumNet scores 6.19.", "6.19", "scores", "score"),
        ("On COCO, we have a best (SOTA) score of 6.19.", "6.19", "score", "score"),
        ("On COCO, we have a COCO score of 6.19.", "6.19", "score", "score"),
        ("We improve TPF on GSM8K from 2.04 to 5.47.", "5.47", "TPF", None),
        ("We reach 76.5 Acc@All on GSM8K.", "76.5", "Acc@All", None),
        ("We win (FID: Plum 1.38 vs. Fig 1.42).", "1.38", "FID", "FID"),
        ("The sensitivity of scores fell from 4% in MMLU to 2% in GSM8K.", "2%", "sensitivity of scores", None),
    ],
)  # fmt: skip
def test_a_metric_is_named_by_all_its_words(text: str, number: str, words: str, name: str | None) -> None:
    claim = claim_at(f"We present Pear. {text}", number)
    assert (claim.metric_text, claim.metric_name) == (words, name)


@pytest.mark.parametrize(
    ("text", "number", "metric"),
    [
        ("It improves error localization and accuracy by 30 points.", "30 points", "quality"),
        ("It extends the frames of Fig by a factor of 128.", "128", "other"),
        ("This is a 1,000x gain.", "1,000x", "other"),
        ("We reach 3.01 rFVD with 32.6% MSRVTT retrieval.", "32.6%", "quality"),
        ("Its term grows, which we measure (0.018 on Figs, 0.106 on ADE20K).", "0.106", "other"),
        ("We reduce the tasks of a benchmark (as GSM8K) to 5%, a good result.", "5%", "other"),
        ("It finds 40x more errors.", "40x", "other"),
        ("It works at far horizons (25 times longer) than Fig.", "25 times", "other"),
        ("It sees a 7-fold speedup over Plum and a 9-fold improvement over Fig.", "9-fold", "speedup"),
        ("A bit of such data lowers honest behavior by over 20%.", "20%", "other"),
        ("With such data performance drops by 10%.", "10%", "quality"),
        ("Measured by the loss, Pear is better, and the whole reaches 7.3x.", "7.3x", "quality"),
        (
            "It scales far, three orders of magnitude beyond others.",
            "three orders of magnitude",
            "other",
        ),
        ("It has speedups: 8.7x on GSM8K, and 45.1x on long pears.", "45.1x", "speedup"),
        ("Pears fine-tuned on such samples perform up to 14% worse.", "14%", "quality"),
        ("It needs 71% fewer rollout tokens.", "71%", "compute"),
        ("It raises cuts with a 35% increase in Intersection over Union.", "35%", "quality"),
        ("It has 80% accuracy on GSM8K with a latency of only 1.1 ms.", "1.1 ms", "latency"),
        ("Pear reaches a 5.5x speedup, while Fig achieves only 2.4x.", "2.4x", "speedup"),
    ],
)
def test_a_number_is_of_the_metric_that_its_clause_names(text: str, number: str, metric: str) -> None:
    assert claim_at(f"We present Pear. {text}", number).metric == metric


def test_a_number_of_steps_and_of_pixels_is_no_score() -> None:
    text = "We present Pear. It has FID scores of 1.7 on ImageNet 256 x 256 and an FID at 250 steps of 2.0."
    assert not {one.text for one in claims_of(text)} & {"256", "250"}


def test_a_bold_number_ends_a_move_and_a_version_is_no_score() -> None:
    before, after = claims_of("We improve accuracy on GSM8K from 78.33% to **85.67**%, a record.")
    assert (before.role, after.text, after.role) == ("baseline", "85.67**%", "result")
    assert claims_of("We show that the results of We-Math 2.0 are good.") == []


def test_a_gain_of_more_than_a_hundred_points_is_no_percentage() -> None:
    assert claim_at("We gain 114 points on OCRBench.", "114 points").scale == "plain"


def test_a_number_is_of_the_benchmark_right_behind_it() -> None:
    text = "We raise accuracy on MATH-500 from 33% to 77%, accuracy on GSM8K questions from 8% to 37%."
    assert [one.benchmark_name for one in claims_of(text)] == ["MATH-500", "MATH-500", "GSM8K", "GSM8K"]
    text = "On GSM8K and real orchards, we reach success rates of 97.4% and 70.0%, respectively."
    assert [one.benchmark_name for one in claims_of(text)] == ["GSM8K", None]
    text = "We achieve records on GSM8K (69.8% pass@1) and others, such as GSM8K (61%), Fig-Seed (52%)."
    assert [one.benchmark_name for one in claims_of(text)] == ["GSM8K", "GSM8K", None]
    text = "We raise accuracy on GSM8K from 36% to 73%, and improve it across six orchards from 17% to 35%."
    assert [one.benchmark_name for one in claims_of(text)] == ["GSM8K", "GSM8K", None, None]
    text = "The drop falls from 4% in MMLU to just 2% in MMLU-Pro."
    assert claim_at(f"We present Pear. {text}", "2%").benchmark_name == "MMLU-Pro"


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("We reduce the computation (e.g., a 48% reduction).", "48%", ("compute", "down", "change")),
        ("With only 8B parameters, Pear wins 16 out of 24 tasks.", "16 out of 24", ("quality", "level", "result")),
        ("It outperforms Fig with hints (72.1%), and reaches 84%.", "72.1%", ("quality", "level", "baseline")),
        ("It reaches 69.8% accuracy (from 48.7% before).", "48.7%", ("quality", "level", "baseline")),
        ("It supports contexts of up to 256K tokens.", "256K tokens", ("other", "level", "result")),
        ("It learns with only 4K tokens.", "4K tokens", ("compute", "level", "result")),
        ("It achieves a higher success rate of 93.4 on Fig.", "93.4", ("quality", "level", "result")),
        ("It narrows the gap with people to only 3.7 points.", "3.7 points", ("error", "level", "result")),
        ("We find that none surpasses 21.1% recall.", "21.1%", ("quality", "level", "result")),
    ],
)
def test_what_a_clause_says_in_parentheses_and_before_them(
    text: str, number: str, expected: tuple[str, str, str]
) -> None:
    claim = claim_at(f"We present Pear. {text}", number)
    assert (claim.metric, claim.direction, claim.role) == expected
    assert claims_of("We present a judge that doubles as a guide of results.") == []


def test_a_number_with_a_place_of_its_own_is_not_of_the_only_benchmark() -> None:
    text = "We compare two pears on GSM8K. Pear gains {} on Figs and 9% on pruned trees."
    assert [one.benchmark for one in claims_of(text.format("12%"))] == [None, None]
    assert claims_of("We show that the Plum benchmark, or the cost, falls by 9%.")[0].benchmark == "Plum"
    assert claims_of("We show that with The Plum benchmark the cost falls by 9%.")[0].benchmark == "Plum"
