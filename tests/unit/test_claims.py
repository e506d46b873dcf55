"""Systems and claims, on invented sentences and on texts that are none."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.one_text import claims_of, system_of
from transforms.claims.claim_row import Claim
from transforms.hooks import words_of


def only(sentence: str) -> Claim:
    [claim] = claims_of(sentence)
    return claim


def told(claim: Claim) -> tuple[object, ...]:
    return claim.text, claim.value, claim.value_high, claim.unit, claim.direction, claim.bound


@pytest.mark.parametrize(
    "sentence",
    [
        "We train a 7B model on 15T tokens.",
        "We use 2,048 H100s and a context of 4096.",
        "Our teacher is GPT-4, and our student is Plum-2.5-Chat.",
        "In 2023 we began, and in 2024 we were done.",
        "Our code is at https://example.org/v2.1/plum-50%25.html.",
        "We release version 3.2.1 under the Apache 2.0 license.",
        "We present a 4-bit format, and 16x16 tiles of 2x2 blocks.",
        "Our images have 512x512 pixels after 4x upsampling.",
        "We report results with 95% confidence intervals.",
        "We fine-tune on 10% of the training data to improve the encoder.",
        "We evaluate pruned networks at 70% sparsity.",
        "Our corpus has 30 hours of speech from 12 speakers.",
        "We give three reasons, and our contributions are twofold.",
        "We show results in double precision, and a half-space is enough.",
        "We give scores from 17 models on 220 APIs.",
        "Our pear rivals VLAs up to 7 times larger, through a 3-fold evaluation and analysis.",
        "We give 393 scores (2,646 bars) at a downsample ratio of 16.",
        "Our corpus has clips ranging from several seconds to 30 minutes, and we train on text, images and triples.",
        "We improve PlumNetV2-1.0 on all trees, even when 50% of the labels are wrong.",
        "Existing engines reach only 35% of the peak. We think about that.",
        "We save 1000 orders of magnitude of it.",  # no float
        "",
    ],
)
def test_sentences_without_a_claim(sentence: str) -> None:
    assert claims_of(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (r"We achieve a 1.75\times speedup.", (r"1.75\times", 1.75, None, "x", "up", None)),
        (r"We achieve a $2.61\times$ speedup.", (r"2.61\times", 2.61, None, "x", "up", None)),
        ("We achieve a 1.75times speedup.", ("1.75times", 1.75, None, "x", "up", None)),
        (r"Our method reduces latency by 8.7\%.", (r"8.7\%", 8.7, None, "%", "down", None)),
        ("We are 2\u20134\u00d7 faster.", ("2\u20134\u00d7", 2.0, 4.0, "x", "up", None)),
        ("We are 10sim100times faster.", ("10sim100times", 10.0, 100.0, "x", "up", None)),
        ("We see speedups between 2.1 and 26.", ("2.1 and 26", 2.1, 26.0, "x", "up", None)),
        ("Our cache halves the memory of decoding.", ("halves", 2.0, None, "x", "down", None)),
        ("Our solver is twice as fast.", ("twice", 2.0, None, "x", "up", None)),
        (
            "We need three orders of magnitude fewer steps.",
            ("three orders of magnitude", 1000.0, None, "x", "down", None),
        ),
        ("We save 1 to 2 orders of magnitude of it.", ("1 to 2 orders of magnitude", 10.0, 100.0, "x", "down", None)),
        ("We gain up to 3.2 points of accuracy.", ("3.2 points", 3.2, None, "points", "up", "up to")),
        ("We train at over 502 petaFLOP/s.", ("502 petaFLOP/s", 502.0, None, "FLOP/s", "level", "at least")),
        ("Our engine reaches 1,200 tokens/s.", ("1,200 tokens/s", 1200.0, None, "tokens/s", "level", None)),
        ("Our method renders a scene in about two minutes.", ("two minutes", 2.0, None, "s", "level", "about")),
        ("We cut peak memory to 3.5 GB.", ("3.5 GB", 3.5, None, "B", "level", None)),
        ("We obtain an F1 score of 0.87.", ("0.87", 0.87, None, "score", "level", None)),
        ("Our parser reaches 34.5 BLEU.", ("34.5", 34.5, None, "score", "level", None)),
        ("By a factor of 6,574 our index is smaller.", ("6,574", 6574.0, None, "x", "down", None)),
        ("Our prover solved 7 of 9 problems.", ("7 of 9", 7.0, None, "count", "level", None)),
        ("Our policy learns in only 4 rollouts.", ("4 rollouts", 4.0, None, "count", "level", None)),
    ],
)
def test_a_claim_has_its_parts(sentence: str, expected: tuple[object, ...]) -> None:
    assert told(only(sentence)) == expected


def test_each_number_of_a_list_is_a_claim() -> None:
    claims = claims_of("Our kernel improves throughput by up to 8.7%, 12.2% and 11.0% over Pear.")
    assert [claim.text for claim in claims] == ["8.7%", "12.2%", "11.0%"]
    assert {(claim.metric, claim.direction, claim.bound, claim.comparator) for claim in claims} == {
        ("throughput", "up", "up to", "Pear")
    }
    assert [claim.position for claim in claims] == [1, 2, 3]


def test_from_one_value_to_another_is_two_claims() -> None:
    claims = claims_of("We raise accuracy from 73.4% to 81.3%.")
    assert [(claim.text, claim.direction) for claim in claims] == [("73.4%", "level"), ("81.3%", "level")]


def test_a_verb_says_what_it_acts_on() -> None:
    claims = claims_of("We reduce activation memory by 5x, while improving the throughput of decoding by 30%.")
    assert [(claim.metric, claim.direction) for claim in claims] == [("memory", "down"), ("throughput", "up")]


@pytest.mark.parametrize(
    ("sentence", "comparator"),
    [
        ("We are 2x faster than the fastest Pear.", "the fastest Pear"),
        ("Compared to Pear and Quince, we save 30% of the memory.", "Pear and Quince"),
        ("Plum outperforms existing engines by 1.4x on long inputs.", "existing engines"),
        ("We see a 2x speedup over several days.", None),
        ("We see a 2x speedup.", None),
    ],
)
def test_a_claim_names_its_comparator(sentence: str, comparator: str | None) -> None:
    assert only(f"Here is our work. {sentence}").comparator == comparator


def test_each_of_two_numbers_has_its_comparator() -> None:
    claims = claims_of("We are 2x and 3x faster than Pear and Quince, respectively.")
    assert [one.comparator for one in claims] == ["Pear", "Quince"]
    claims = claims_of("We are 2x and 3x faster than Pear and Quince.")
    assert [one.comparator for one in claims] == ["Pear and Quince"] * 2


def test_what_others_reach_behind_the_own_number_is_a_baseline() -> None:
    for other in ("previous work only solved 42.1%", "direct fine-tuning on old trees recovers only 42.1%"):
        own, others = claims_of(f"We show that we solve 84.2% of the pears, whereas {other}.")
        assert (own.role, others.role, others.is_own) == ("result", "baseline", False)


@pytest.mark.parametrize(
    "sentence",
    [
        "Our pear reaches 54.2% accuracy, whereas Quince 2.5 Pro reaches 42.1%.",
        "Our pear reaches 54.2% accuracy, improving over the previous record of 42.1%.",
        "Our pear reaches 54.2% accuracy, in contrast to 42.1% for others.",
        "Our pear reaches 54.2% accuracy rather than 42.1%.",
        "Our pear reaches 54.2% accuracy, matching the 42.1% of the whole tree.",
        "Our pear reaches 54.2% accuracy over Quince's 42.1%.",
        "Our pear reaches 54.2% accuracy, ahead of Quince (42.1%).",
        "Our pear reaches 54.2% accuracy (baseline: 42.1%).",
        "Our pear reaches 54.2% accuracy against a baseline of 42.1%.",
        "The accuracy is 54.2% for ours and 42.1% for Quince.",
        "Existing trees achieve at most 42.1% accuracy, and ours reaches 54.2%.",
        "While Quince only achieves 42.1% accuracy, our method achieves 54.2%.",
        "Compared with Quince (42.1%), our pear reaches 54.2% accuracy.",
        "Accuracy improves from 42.1% for the base tree to 54.2%.",
        "Our pear reaches 54.2% accuracy, in stark contrast to the 42.1% of Quince.",
        "Our pear reaches 54.2% accuracy, competitive with Quince (42.1%).",
        "Our pear reaches 54.2% accuracy, close to the 42.1% of Quince.",
        "Our pear reaches 54.2% accuracy, as opposed to Quince's 42.1%.",
        "Our pear reaches 54.2% accuracy, while the best orchard model stays at 42.1%.",
        "Existing trees achieve an accuracy of 42.1% on all, but Pear achieves 54.2%.",
        "Our pear reaches 54.2% accuracy, higher than what was achieved without it (pass@1 = 42.1%).",
        "Our pear reaches an accuracy of 54.2%, while humans achieve an average accuracy of 42.1%.",
        "Our pear improves the accuracy on held-out trees (42.1% to 54.2%).",
        "Our pear is better than Quince in accuracy (54.2% vs. 42.1%).",
        "On old trees our pear beats Quince (54.2% v.s. 42.1% in accuracy).",
        "The strongest baseline tree achieves an accuracy of 42.1%, and our pear reaches 54.2%.",
        "Our pear reaches 54.2% accuracy, while baselines remain below 42.1%.",
        "Our pear reaches 54.2% accuracy, while the stock model obtains 42.1%.",
        "Our pear reaches 54.2% accuracy, nearly matching Quince 2.5 at 42.1%.",
        "Our pear reaches 54.2% accuracy, outperforming Quince, the best of all trees, at 42.1%.",
        "Our pear reaches 54.2% accuracy, exceeding trees trained for years with old tools (42.1%).",
        "Our pear reaches 54.2% accuracy, outperforming the best score achieved without care (pass@1 = 42.1%).",
        "Our pear reaches 54.2% accuracy, comparable to Quince, which achieves an accuracy of 42.1%.",
        "Our pear reaches 54.2% accuracy, compared to $42.1\\%$ in old trees.",
        "Our pear raises accuracy from $42.1\\%$ to $54.2\\%$.",
        "Our pear raises accuracy to 54.2% up from 42.1%.",
        "Our pear reaches 54.2% accuracy where Quince previously failed (42.1%).",
        "Our pear has a higher accuracy than Quince (54.2% to 42.1%).",
        "While Quince does better without care (accuracy of 42.1%), our pear reaches 54.2%.",
        "Our pear reaches 54.2% accuracy, in contrast to a gardener solving 42.1%.",
        "In comparison, the best old tree reaches an accuracy of 42.1%; our pear reaches 54.2%.",
    ],
)
def test_the_own_number_is_told_from_the_one_it_is_set_against(sentence: str) -> None:
    roles = {one.text.replace("\\", ""): one.role for one in claims_of(f"We present Pear. {sentence}")}
    assert roles == {"54.2%": "result", "42.1%": "baseline"}


def test_numbers_of_others_are_listed_and_moves_follow_one_another() -> None:
    listed = claims_of(
        "We present Pear. It reaches 54.2% accuracy, beating Plum (AUC: 42.1%), its small sibling (41.1%) and Fig (40.1%)."
    )
    assert [one.role for one in listed] == ["result", "baseline", "baseline", "baseline"]
    for moves in ("3.3 -> 3.0, 2.6 -> 2.4", "3.3 $\\rightarrow$ 3.0, 2.6 $\\rightarrow$ 2.4"):
        roles = [one.role for one in claims_of(f"Our pear improves FID scores ({moves}).")]
        assert roles == ["baseline", "result", "baseline", "result"]
    both = claims_of("Our pear improves from 70.9% to 77.6% on Fig and 46.9% to 59.1% on Plum.")
    assert [one.role for one in both] == ["baseline", "result", "baseline", "result"]
    assert [one.role for one in claims_of("Accuracy drops only a little for our pear (95.1% to 94.9%).")] == [
        "baseline",
        "result",
    ]


def test_numbers_of_the_own_stay_own() -> None:
    for own in (
        "Our pear matches the dense tree while using only 55.8% of the water.",
        "Our strong baseline with new soil reaches 90.4% accuracy.",
        "Pear outperforms the old trees by a large margin with a success rate of 92.1%.",
        "Random Forest and Naive Bayes achieved 89.3% accuracy in our orchard.",
        "While using only 10.1% of the soil, our pear grows.",
    ):
        assert [one.is_own for one in claims_of(f"We present Pear. {own}")] in ([True], [])
    assert only("Our pear reaches a score of 5.3 million.").scale == "plain"


def test_the_own_number_behind_that_of_another_is_own() -> None:
    for own in ("by 12.1%", "while retaining 64.2% of the memory", "with 39.2% fewer parameters"):
        last = claims_of(f"We present Pear. It reaches 54.2% accuracy, surpassing Quince (42.1%) {own}.")[-1]
        assert (last.role == "baseline", last.is_own) == (False, True)
    assert only("We reach pass rates above 76.1% on all trees.").is_own


def test_a_gain_behind_a_comparison_is_own() -> None:
    claim = only("Pear is better than all known orchards (up to 7.1% accuracy gain) in our experiments.")
    assert (claim.role, claim.is_own, claim.bound) == ("change", True, "up to")


def test_gains_that_range_are_changes_and_a_share_of_tasks_is_a_level() -> None:
    assert only("We see gains on all trees ranging from 2.3 to 8.5 points.").direction == "up"
    assert only("Pear outperforms Quince by margins of 10%-20%.").direction == "up"
    assert only("Our pear is 5.1 points above Quince in accuracy.").direction == "up"
    assert only("Our pear improves all, and completes only 26.5% of the tasks.").direction == "level"
    assert [one.direction for one in claims_of("Our pear wins on PlumQA (R1@0.7: 52.9%, +2.7%).")] == ["level", "up"]


def test_years_ranks_and_agreement_are_no_scores() -> None:
    assert claims_of("We present Pear. It gains 3.9% on AIME 24/25 benchmarks.")[-1].text == "3.9%"
    assert [one.text for one in claims_of("We present Pear. It achieves an NDCG at 10 of 93.5%.")] == ["93.5%"]
    claim = only("We present Pear. It achieves a Pearson correlation of 0.94 with people on MMStar.")
    assert (claim.benchmark, claim.benchmark_name) == ("MMStar", None)
    assert only("Our trees achieve a perplexity of 10.4 or greater on WikiText.").bound == "at least"
    assert only("We see prefill speedups reaching 175%.").direction == "up"


def test_what_goes_on_measures_the_same() -> None:
    text = "We improve the FID of PlumNet from 8.2 to 3.6 and of PearNet from 7.1 to 3.5."
    assert [one.metric_name for one in claims_of(text)] == ["FID"] * 4
    text = "We cut step latency by up to 99% and the whole latency by up to 55% across seven pears."
    assert [one.metric for one in claims_of(text)] == ["latency"] * 2


def test_numbers_of_others_are_baselines() -> None:
    claims = claims_of("We reach 54.2%, faster than the 42.1% of Pear.")
    assert [(claim.text, claim.role, claim.is_own) for claim in claims] == [
        ("54.2%", "result", True),
        ("42.1%", "baseline", False),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "Our parser is far below human performance, 93.1%.",
        "We work better than Pear 2.5, which scores 42.1%.",
        "On our trees the strongest baseline remains at 42.1% accuracy.",
        "We outperform agents such as Pear and Quince that achieve 42.1%.",
        "Our plum approaches Quince's accuracy (42.1% in the orchard).",
        "Our orchard is hard for known baselines (Pear-7B only obtains 42.1% accuracy).",
        "We beat the prior best pruning approach based on night work (42.1%).",
    ],
)
def test_levels_of_people_and_of_baselines_are_not_the_papers_own(sentence: str) -> None:
    assert (only(sentence).role, only(sentence).is_own) == ("baseline", False)


@pytest.mark.parametrize(
    "sentence",
    [
        "We raise accuracy from 73.4% to 81.3%.",
        "We raise accuracy from 73.4% with one to 81.3%.",
        "We raise the score from 0.62 to 0.71 on PlumBench.",
        "Our parser needs fewer edits (4.9 vs. 7.0), a good result.",
    ],
)
def test_the_number_before_is_a_baseline_and_the_one_after_knows_it(sentence: str) -> None:
    before, after = claims_of(sentence)
    if sentence.startswith("Our"):
        before, after = after, before
        assert before.baseline_position is None
    else:
        assert after.baseline_position == before.position
    assert (before.role, before.is_own, after.role, after.is_own) == ("baseline", False, "result", True)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We gain up to 3.2 points of accuracy.", ("change", "absolute", "percent")),
        ("We are 2x faster.", ("change", "factor", "factor")),
        ("We cut memory by 40%.", ("change", "relative", "percent")),
        ("We improve accuracy by 4%.", ("change", None, "percent")),
        ("We improve accuracy by 4% (absolute).", ("change", "absolute", "percent")),
        ("We obtain an F1 score of 0.87.", ("result", None, "fraction")),
        ("We reach an FID of 0.87 on PlumBench.", ("result", None, "plain")),
        ("Our policy learns in only 4 rollouts.", ("result", None, "count")),
    ],
)
def test_a_claim_has_its_role_and_scale(sentence: str, expected: tuple[object, ...]) -> None:
    claim = only(sentence)
    assert (claim.role, claim.change_kind, claim.scale) == expected


@pytest.mark.parametrize(
    ("sentence", "metric_text", "metric_name", "polarity", "direction"),
    [
        ("We improve FID by 12%.", "FID", "FID", "less", "down"),
        ("We reach a pass@16 of 61.2%.", "pass@16", "pass@16", "more", "level"),
        ("Our error rate falls by 3%.", "error rate", "error rate", "less", "down"),
        ("We save 30% of the energy.", None, None, None, "down"),
        ("Our accuracy falls below 30%.", "accuracy", "accuracy", "more", "level"),
    ],
)
def test_a_metric_has_its_words_and_its_polarity(
    sentence: str, metric_text: str | None, metric_name: str | None, polarity: str | None, direction: str
) -> None:
    claim = only(sentence)
    assert (claim.metric_name, claim.direction) == (metric_name, direction)
    if metric_text:
        assert (claim.metric_text, claim.polarity) == (metric_text, polarity)
        assert claim.metric_start == sentence.index(metric_text)


def told_benchmarks(sentence: str) -> list[tuple[str, str | None, str | None, str | None]]:
    claims = claims_of(sentence)
    assert all(sentence[one.benchmark_start :].startswith(one.benchmark) for one in claims if one.benchmark)
    assert all(sentence[one.split_start :].startswith(one.split) for one in claims if one.split)
    return [(one.text, one.benchmark, one.benchmark_name, one.split_name) for one in claims]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We reach 81.3% on GSM8K.", [("81.3%", "GSM8K", "GSM8K", None)]),
        ("We score 62.6 on AIME24.", [("62.6", "AIME24", "AIME 2024", None)]),
        ("We score 62.6 on AIME'25.", [("62.6", "AIME'25", "AIME 2025", None)]),
        ("We resolve 61.2% of SWE-Bench Verified issues.", [("61.2%", "SWE-Bench", "SWE-bench", "Verified")]),
        ("We reach 41% on MMMU-Pro.", [("41%", "MMMU-Pro", "MMMU-Pro", None)]),
        ("We reach 41% on PlumBench-2.", [("41%", "PlumBench-2", None, None)]),
        ("We reach 41% on PlumQA (test).", [("41%", "PlumQA", None, "test")]),
        ("We reach 41% on LiveCodeBench v6.", [("41%", "LiveCodeBench v6", "LiveCodeBench v6", None)]),
        ("We reach 41% on LiveCodeBench v9.", [("41%", "LiveCodeBench v9", None, None)]),
        (
            "We reach 81.3%, 61.2% and 40.5% on GSM8K, MATH-500, and PlumQA.",
            [
                ("81.3%", "GSM8K", "GSM8K", None),
                ("61.2%", "MATH-500", "MATH-500", None),
                ("40.5%", "PlumQA", None, None),
            ],
        ),
        ("We reach 81.3% on GSM8K and MATH-500.", [("81.3%", None, None, None)]),  # of several none
        (
            "On GSM8K (81.3%) and MATH-500 (61.2%) we win.",
            [("81.3%", "GSM8K", "GSM8K", None), ("61.2%", "MATH-500", "MATH-500", None)],
        ),
        ("We gain 22.4% (GSM8K) and win.", [("22.4%", "GSM8K", "GSM8K", None)]),
        (
            "We score 57.3 on GSM8K, above the best before (49.1).",
            [("57.3", "GSM8K", "GSM8K", None), ("49.1", "GSM8K", "GSM8K", None)],
        ),
        (
            "On GSM8K we reach 24.6% with 50 steps and 22.7% with 15 steps.",
            [("24.6%", "GSM8K", "GSM8K", None), ("22.7%", "GSM8K", "GSM8K", None)],
        ),
        (
            "We score 57.3 on GSM8K, and improve success by 12% in real orchards.",
            [("57.3", "GSM8K", "GSM8K", None), ("12%", None, None, None)],
        ),
        ("We reach 41% on LiveCodeBench (v9).", [("41%", "LiveCodeBench (v9)", None, None)]),
        (
            "We reach 81.3% on QA, and improve on Nvidia's by 4%.",
            [("81.3%", None, None, None), ("4%", None, None, None)],
        ),
        ("We are 2.5x faster on H100 GPUs.", [("2.5x", None, None, None)]),
        ("We reach 81.3% in math.", [("81.3%", None, None, None)]),
        ("We reach 41% on LiveCodeBench (v6).", [("41%", "LiveCodeBench (v6)", "LiveCodeBench v6", None)]),
        ("We reach an FID of 2.1 on ImageNet-256.", [("2.1", "ImageNet-256", "ImageNet", "256x256")]),
        ("We reach an FID of 2.1 on ImageNet 256 times 256.", [("2.1", "ImageNet", "ImageNet", "256x256")]),
        (
            "We raise AIME 2024 Pass@1 accuracy from 50.0% to a peak of 58.0% at once.",
            [("50.0%", "AIME 2024", "AIME 2024", None), ("58.0%", "AIME 2024", "AIME 2024", None)],
        ),
        (
            "We reach 57.1% on GSM8K and 94.8% on MATH-500, improving from earlier models' 6.5% and 59.2% respectively.",
            [
                ("57.1%", "GSM8K", "GSM8K", None),
                ("94.8%", "MATH-500", "MATH-500", None),
                ("6.5%", "GSM8K", "GSM8K", None),
                ("59.2%", "MATH-500", "MATH-500", None),
            ],
        ),
        (
            "We reach only 30%, a drop from GSM8K, while small models gain 12%.",
            [("30%", None, None, None), ("12%", None, None, None)],
        ),
        ("Our model trained on GSM8K surpasses others on 4 out of 5 tasks.", [("4 out of 5", None, None, None)]),
        ("We improve Llama-3-8B by 3.1% on GSM8K.", [("3.1%", "GSM8K", "GSM8K", None)]),
        (
            "We improve GSM8K scores from 7.2 to 8.3 and win rates in MATH-500 from 33.4% to 52.4%.",
            [
                ("7.2", "GSM8K", "GSM8K", None),
                ("8.3", "GSM8K", "GSM8K", None),
                ("33.4%", "MATH-500", "MATH-500", None),
                ("52.4%", "MATH-500", "MATH-500", None),
            ],
        ),
        ("Scores fall compared to GSM8K, and the best pear reaches 20.9%.", [("20.9%", None, None, None)]),
        ("Pears that have mastered others, despite tests such as GSM8K, reach 9.3%.", [("9.3%", None, None, None)]),
        ("We reach 41% on GSM8K Pro.", [("41%", "GSM8K Pro", None, None)]),
        ("We keep 99% of the accuracy on the PlumKV framework.", [("99%", None, None, None)]),
        ("Building on PlumQA, we reach 24.1%.", [("24.1%", None, None, None)]),
    ],
)
def test_a_claim_names_its_benchmark(
    sentence: str, expected: list[tuple[str, str | None, str | None, str | None]]
) -> None:
    assert told_benchmarks(sentence) == expected


def test_a_relative_gain_behind_a_level_is_a_change() -> None:
    for text in (
        "It raises success on GSM8K from 9.3% to 15.8%, a 70% relative improvement.",
        "We reach 15.8% on GSM8K, a 70% relative gain over Pear.",
    ):
        *_, level, gain = claims_of(text)
        assert (level.text, level.direction, gain.text, gain.direction) == ("15.8%", "level", "70%", "up")


def test_what_is_reported_on_an_own_benchmark_is_of_it() -> None:
    text = "We introduce PlumQA, a benchmark of orchards. The best model reaches only 41.2%. Prompting gains 3 points."
    assert told_benchmarks(text) == [("41.2%", "PlumQA", None, None), ("3 points", None, None, None)]
    text = "We introduce PlumQA, a benchmark of orchards. Accuracy drops by 30% under stress."
    assert told_benchmarks(text) == [("30%", "PlumQA", None, None)]
    text = "We introduce PlumQA, an evaluation framework. Accuracy is 41%. Its ratings show a correlation of 0.91 with people."
    assert told_benchmarks(text) == [("41%", "PlumQA", None, None), ("0.91", None, None, None)]
    text = "We present the Plum Orchard Index (POI), a broad benchmark. The best agent reaches 41%."
    assert told_benchmarks(text) == [("41%", "POI", None, None)]
    text = "We introduce PearDye, a framework that finds pears in benchmark sets. It reaches 41%."
    assert told_benchmarks(text) == [("41%", None, None, None)]
    text = "Such pears feed PlumArena, a novel benchmark of orchards. Our best agent reaches 41%."
    assert told_benchmarks(text) == [("41%", "PlumArena", None, None)]


def test_what_is_tried_on_one_benchmark_alone_is_of_it() -> None:
    text = "We compare two pears on GSM8K. Accuracy improves from 29% to 55%."
    assert told_benchmarks(text) == [("29%", "GSM8K", "GSM8K", None), ("55%", "GSM8K", "GSM8K", None)]
    text = "We compare two pears on GSM8K and MATH-500. Accuracy improves from 29% to 55%."
    assert told_benchmarks(text) == [("29%", None, None, None), ("55%", None, None, None)]


def test_words_are_numbers() -> None:
    assert only("We scale to 1 million tokens.").value == 1_000_000


def test_a_claim_knows_its_sentence() -> None:
    abstract = "Orchards grow, e.g. in Kent. We prune 3.5x faster. That is all."
    claim = only(abstract)
    assert abstract[claim.sentence_start : claim.sentence_end] == "We prune 3.5x faster."


@pytest.mark.parametrize(
    ("title", "abstract", "name", "rule"),
    [
        ("PlumServe: Fast Orchards", "We serve.", "PlumServe", "title"),
        ("Fast Orchards", "We introduce PlumServe, a serving engine.", "PlumServe", "introduced"),
        ("Fast Orchards", "We propose a new engine, PlumServe, that serves.", "PlumServe", "described"),
        ("Fast Orchards", "The engine dubbed PlumServe is new. PlumServe is small.", "PlumServe", "called"),
        ("Fast Orchards", "We propose Pruned Layer Update Mixing (PLUM), a method.", "PLUM", "abbreviated"),
        ("Fast Orchards", "To see it we use our novel profiler PlumScope and a clock.", "PlumScope", "ours"),
        ("Fast Orchards", "We present p1, a pruner. Here p1 is small.", "p1", "introduced"),
        ("Fast Orchards", "We therefore propose {Plum-RL}: a pruner. Plum-RL is small.", "Plum-RL", "introduced"),
        (
            "Fast Orchards",
            "We present Plum S 30B-A3B, a model. Plum S prunes, and Plum S sleeps.",
            "Plum S",
            "introduced",
        ),
        ("Fast Orchards", "We present PLUM Pruning Layers Under Mud, a tool. PLUM is small.", "PLUM", "introduced"),
        ("Fast Orchards", "We present the Plum-Linear model series, trained at night.", "Plum-Linear", "introduced"),
        ("Fast Orchards", "We introduce a novel framework (PlumRL), which prunes.", "PlumRL", "described"),
        ("Fast Orchards", "We present Randomized AutoRegressive modeling (RAR). RAR is a tree.", "RAR", "abbreviated"),
        (
            "Fast Orchards",
            "These results directly motivate PLUM, a pruning pipeline. PLUM is small, PLUM is fast.",
            "PLUM",
            "defined",
        ),
        ("Silent Plum: Pruning at Night", "Silent Plum prunes. Silent Plum is quiet.", "Silent Plum", "title"),
        ("Plum Anywhere: Pruning", "We prune trees. See https://plum.example/Plum-Anywhere/", "Plum Anywhere", "title"),
        ("plum4: Pruning", "We present plum4, a pruner.", "plum4", "title"),
        ("PLUMTREE: Pruning", "We present PlumTree, a pruner. PlumTree prunes.", "PlumTree", "introduced"),
        ("Fast Orchards", "We present Plum 3.0 night-tuned pear model, a tree. Plum 3.0 is.", "Plum 3.0", "introduced"),
        ("Fast Orchards", "We use a trick coined pruned limb mowing (PLiM). PLiM is.", "PLiM", "abbreviated"),
        ("Fast Orchards", "We have a new framework, Plum Trees for pears (PTP). PTP is.", "PTP", "abbreviated"),
        ("Fast Orchards", "We prune. PLiM is small. Tests show that PLiM outperforms saws.", "PLiM", "shown"),
        ("Fast Orchards", "We introduce PlumBig-the largest tree dataset to date.", "PlumBig", "introduced"),
        (
            "Fast Orchards",
            "We introduce the Plum Life Score (PLS), a metric. PLS is. PLS can. We propose PlumRL, a pruner. PlumRL is.",
            "PlumRL",
            "introduced",
        ),
        ("Plum Plan Technical Report", "We present Plan-B, a pruner. Plan-B is small.", "Plan-B", "introduced"),
    ],
)
def test_a_system_is_named_by_its_rule(title: str, abstract: str, name: str, rule: str) -> None:
    system = system_of(title, abstract)
    assert system is not None
    assert (system.name, system.rule) == (name, rule)
    text = title if system.field == "title" else abstract
    assert text[system.span_start : system.span_end] == name


@pytest.mark.parametrize(
    ("title", "abstract"),
    [
        ("How Do Orchards Grow? A Study", "We study orchards on GH200 and FP8 hardware with LLMs."),
        ("Growth of Trees: A Survey", "We survey trees."),
        ("PlumOCR: On the Effectiveness of Trees", "We study trees."),
        (
            "How Orchards Grow",
            "We train Plum-to-pear models, and present proof-of-concept (PoC) trees. A PoC is a tree.",
        ),
        ("How Orchards Grow", "We present a study built upon a frontier model (PlumGen) of trees."),
        ("How Orchards Grow", "Saws fail, a phenomenon that we call Plum-Rot. Plum-Rot is bad."),
        ("How Orchards Grow", "In this novel framework, Vision-Language Models (VLMs) are trees. They grow."),
        ("Understanding Orchards: Roots and Leaves", "We fine-tune BERT and GPT-4 on ImageNet."),
        ("", ""),
    ],
)
def test_texts_without_a_system(title: str, abstract: str) -> None:
    assert system_of(title, abstract) is None


@pytest.mark.parametrize(
    ("title", "abstract", "kind"),
    [
        ("PlumBench: Trees", "We introduce PlumBench.", "benchmark"),
        ("PlumKit: Trees", "We present PlumKit, an open-source library for trees.", "library"),
        ("PlumNet: Trees", "We present PlumNet.", None),
    ],
)
def test_a_system_has_its_kind(title: str, abstract: str, kind: str | None) -> None:
    system = system_of(title, abstract)
    assert system is not None
    assert system.kind == kind


PIECES = st.sampled_from(
    words_of(
        "We our 2.5x 8.7\\% 1.75\\times $ ( ) , . ; 3 to 5 and % points by reduce speedup twice half orders of magnitude"
        " three out of 4 /7 - \u2013 \u0130 \U0001f34e AUC 0.9 tokens/s introduce PlumServe: (PS) is a library called than"
        " Pear up to only 12 steps on GSM8K PlumBench SWE-bench Verified AIME 2024 from vs."
    )
)
WILD = st.one_of(
    st.text(), st.lists(st.one_of(PIECES, st.text(max_size=4))).map(" ".join), st.lists(PIECES).map("".join)
)


@given(WILD, WILD)
@settings(deadline=None, max_examples=200)
def test_spans_are_exact(title: str, abstract: str) -> None:
    claims = claims_of(abstract)
    assert [claim.position for claim in claims] == list(range(1, len(claims) + 1))
    for claim in claims:
        assert abstract[claim.span_start : claim.span_end] == claim.text
        assert claim.sentence_start <= claim.span_start < claim.span_end
        for words, place in (
            (claim.comparator, claim.comparator_start),
            (claim.metric_text, claim.metric_start),
            (claim.benchmark, claim.benchmark_start),
            (claim.split, claim.split_start),
        ):
            assert (words is None) == (place is None)
            assert words is None or abstract[place:].startswith(words)
        assert claim.baseline_position is None or claim.baseline_position < claim.position
    assert all(one.span_end <= other.span_start for one, other in pairwise(claims))
    system = system_of(title, abstract)
    if system:
        text = title if system.field == "title" else abstract
        assert text[system.span_start : system.span_end] == system.name


UNITS = (
    "1", "1.", "1,", "(", ")", "\\", "1%", "2x ", "1-", "$1\\times$ ", "a (B) ", "3.5% and ", "we propose A", "Aa1 ",
    "than ", "up to ", "1/2 ",
)  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_reading_grows_with_its_text(unit: str) -> None:
    assert_linear(lambda text: (claims_of(f"We show {text}"), system_of(text, f"We show {text}")), unit, 4_000)


def assert_linear(read: Callable[[str], object], unit: str, length: int) -> None:
    def seconds(size: int) -> float:
        text, best = unit * (size // len(unit)), float("inf")
        for _ in range(2):
            start = time.process_time()
            read(text)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(4 * length) < 10 * seconds(length) + 0.02


def test_a_million_letters_are_read_as_far_as_an_abstract_goes() -> None:
    beginning = "We are 2x faster. "
    assert [claim.text for claim in claims_of(beginning + "(" * 1_000_000)] == ["2x"]
    assert claims_of("(" * 1_000_000 + beginning) == []


@pytest.mark.parametrize(
    ("sentence", "text", "expected"),
    [
        ("It is near human-level performance at 72% on PlumQA.", "72%", ("baseline", "level", None)),
        ("It beats a plain baseline (F1=0.117) on PlumQA.", "0.117", ("baseline", "level", "F1")),
        ("Others achieve less than random-level accuracy (50%).", "50%", ("baseline", "level", "accuracy")),
        ("It outperforms the one-step method (FVD 184.79).", "184.79", ("baseline", "level", "FVD")),
        ("It shows substantial performance gains (10.9%) on PlumQA.", "10.9%", ("change", "up", None)),
        ("It achieves FID scores of 2.06 on PlumQA.", "2.06", ("result", "level", "FID")),
        ("It gains 3.6% accuracy in PearMQ8, 2.6% in PLUM500 and 27.0% in FigQA.", "27.0%", ("change", "up", "accuracy")),
        ("It improves FID from 2.76 to 2.59-without retraining.", "2.76", ("baseline", "level", "FID")),
        ("It achieves an Inception Score of 87.68.", "87.68", ("result", "level", "Inception score")),
    ],
)  # fmt: skip
def test_a_level_beside_another_is_not_taken_for_a_result(
    sentence: str, text: str, expected: tuple[str, str, str | None]
) -> None:
    (claim,) = [one for one in claims_of(f"We present Pear. {sentence}") if one.text == text]
    assert (claim.role, claim.direction, claim.metric_name) == expected


@pytest.mark.parametrize(
    "sentence", ["Claude Sonnet 3.5 scores well on ChartQA.", "In experiments we introduce We-Math 2.0, a system that improves results."]
)  # fmt: skip
def test_a_version_is_no_score(sentence: str) -> None:
    assert claims_of(f"We present Pear. {sentence}") == []


def test_the_words_of_a_metric_have_its_modifiers_and_points_are_no_cost() -> None:
    (claim,) = claims_of("We present Pear. It reaches 81.5% zero-shot accuracy on PlumQA.")
    assert (claim.metric_text, claim.metric_name) == ("zero-shot accuracy", "accuracy")
    (claim,) = claims_of("We present Pear. Pruning its memory costs 3.5 points on PlumQA.")
    assert claim.metric == "quality"


def test_a_hyphen_may_make_another_benchmark() -> None:
    names = [
        claims_of(f"We present Pear. It achieves 61.5% on {said}.")[0].benchmark_name
        for said in ("LVBench", "LV-Bench")
    ]
    assert names == ["LVBench", None]


def test_a_benchmark_of_another_clause_is_not_that_of_a_number() -> None:
    text = "We present Pear. It reaches 61.5% on pears, while also yielding gains on GenEval."
    assert claims_of(text)[0].benchmark is None
