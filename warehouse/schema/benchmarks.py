"""The benchmarks that boards are kept of, as `benchmarks.csv` declares them, and the metrics that abstracts name.

They were mined from abstracts (names beside numbers, read through), and widely used ones were added. A year or a
version that is another benchmark has a row of its own (AIME 2024, AIME 2025); a part that is reported apart is a split
(SWE-bench: Verified, Lite). Of a metric it is declared what kind it is and how it is written; `BETTER` says whether
more is better, by kind (`paper_claims.metric`): every metric of a kind is as its kind.
"""

import csv
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple, get_args

SEPARATORS: Final = r"\-\s_'\u2019~"  # what names are spelled with or without: `AIME24`, `AIME-24`, `AIME'24`
BETWEEN: Final = re.compile(rf"[{SEPARATORS}]+")
LISTED: Final = "|"  # between the spellings, and between the splits
SPELLED: Final = "="  # between the spellings of a split
TIMES: Final = re.compile(r"(?<=\d)\s?(?:x|\\?times|\u00d7)\s?(?=\d)")  # of a resolution


class Benchmark(NamedTuple):
    """A benchmark by its usual name; spaces, hyphens and case aside, `spellings` are other names of it.

    `split_names` has each split by its spellings, as `split_key` makes them. `metric` is what it is measured by where a
    sentence does not say, None where it has no usual one. A name that `is_word` may mean something else, and counts
    only as it is spelled, behind a preposition or in a list.
    """

    name: str
    spellings: tuple[str, ...]
    split_names: Mapping[str, str]
    metric: str | None
    is_word: bool

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits, in the order in which they are declared."""
        return tuple(dict.fromkeys(self.split_names.values()))


@cache
def declared_benchmarks() -> tuple[Benchmark, ...]:
    """All declared benchmarks, in the order of their names."""
    text = (files("warehouse.schema") / "benchmarks.csv").read_text("utf-8")
    return tuple(
        Benchmark(
            row["name"], _parts(row["spellings"]), _splits(row["splits"]), row["metric"] or None, bool(row["is_word"])
        )
        for row in csv.DictReader(text.splitlines())
    )


def benchmark_key(name: str) -> str:
    """The key that all spellings of one benchmark share: small letters without spaces, hyphens, apostrophes, tildes."""
    return BETWEEN.sub("", name).lower()


def split_key(said: str) -> str:
    """The key that all spellings of one split share: small letters, and `x` in a resolution however it is written."""
    return TIMES.sub("x", said.lower())


def _splits(cell: str) -> dict[str, str]:
    names = [part.split(SPELLED) for part in _parts(cell)]
    return {split_key(said): first for first, *others in names for said in (first, *others)}


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(LISTED)) if cell else ()


Metric = Literal[
    "speedup",
    "throughput",
    "latency",
    "memory",
    "size",
    "energy",
    "cost",
    "quality",
    "error",
    "utilization",
    "data",
    "communication",
    "compute",
    "other",
]
Polarity = Literal["more", "less"]
Scale = Literal["percent", "fraction", "factor", "count", "plain"]

BETTER: Final[dict[Metric, Polarity | None]] = {
    **dict.fromkeys(get_args(Metric), None),
    **dict.fromkeys(("speedup", "throughput", "quality", "utilization"), "more"),
    **dict.fromkeys(
        ("latency", "memory", "size", "energy", "cost", "error", "data", "communication", "compute"), "less"
    ),
}


class NamedMetric(NamedTuple):
    """A metric by its usual name; `spellings`, in lower case, are the same one.

    `is_plain` where a bare decimal up to 1 is no fraction of one: BLEU, FID.
    """

    name: str
    kind: Metric
    is_plain: bool
    spellings: tuple[str, ...]


NAMED_METRICS: Final[tuple[NamedMetric, ...]] = (
    NamedMetric("accuracy", "quality", False, ("accuracy", "accuracies", "top-1", "accurate")),
    NamedMetric("top-5 accuracy", "quality", False, ("top-5",)),
    NamedMetric(
        "success rate", "quality", False, ("success rate", "success rates", "successful rate", "success", "sr")
    ),
    NamedMetric("resolved rate", "quality", False, ("resolved rate", "resolve rate", "resolution rate")),
    NamedMetric("pass rate", "quality", False, ("pass rate", "pass rates")),
    NamedMetric(
        "win rate", "quality", False, ("win rate", "win rates", "win-rate", "win-rates", "winrate", "winrates")
    ),
    NamedMetric(
        "length-controlled win rate",
        "quality",
        False,
        (
            "length-controlled win rate",
            "length-controlled win rates",
            "length-controlled win-rate",
            "length-controlled win-rates",
            "lc win rate",
            "lc win rates",
        ),
    ),
    NamedMetric("exact match", "quality", False, ("exact match", "em")),
    NamedMetric(
        "F1", "quality", False, ("f1", "f1 score", "f1-score", "f1 scores", "f1-scores", "f-score", "f-scores")
    ),
    NamedMetric("recall", "quality", False, ("recall",)),
    NamedMetric("precision", "quality", False, ("precision",)),
    NamedMetric("mAP", "quality", False, ("map",)),
    NamedMetric("AP", "quality", False, ("ap",)),
    NamedMetric("mIoU", "quality", False, ("miou",)),
    NamedMetric("IoU", "quality", False, ("iou", "intersection over union")),
    NamedMetric("Dice", "quality", False, ("dice",)),
    NamedMetric("AUC", "quality", False, ("auc", "auroc")),
    NamedMetric("BLEU", "quality", True, ("bleu",)),
    NamedMetric("ROUGE", "quality", True, ("rouge", "rouge-l", "rouge-1", "rouge-2")),
    NamedMetric("CIDEr", "quality", True, ("cider",)),
    NamedMetric("nDCG", "quality", False, ("ndcg", "ndcg@10", "ndcg@5")),
    NamedMetric("MRR", "quality", False, ("mrr",)),
    NamedMetric("Elo", "quality", True, ("elo",)),
    NamedMetric("PSNR", "quality", True, ("psnr",)),
    NamedMetric("SSIM", "quality", False, ("ssim",)),
    NamedMetric("Inception score", "quality", True, ("inception score", "inception scores")),
    NamedMetric("CLIP score", "quality", True, ("clip score", "clip scores", "clip-score", "clip-scores")),
    NamedMetric("correlation", "quality", False, ("correlation", "correlations")),
    NamedMetric("agreement", "quality", False, ("agreement",)),
    NamedMetric("consistency", "quality", False, ("consistency",)),
    NamedMetric("coverage", "quality", False, ("coverage",)),
    NamedMetric("score", "quality", False, ("score", "scores")),
    NamedMetric("FID", "error", True, ("fid", "gfid", "fid score", "fid scores")),
    NamedMetric("rFID", "error", True, ("rfid", "rfid score", "reconstruction fid")),
    NamedMetric("FVD", "error", True, ("fvd", "gfvd", "fvd score", "fvd scores")),
    NamedMetric("rFVD", "error", True, ("rfvd", "reconstruction fvd")),
    NamedMetric("LPIPS", "error", False, ("lpips",)),
    NamedMetric("perplexity", "error", True, ("perplexity", "perplexities", "ppl")),
    NamedMetric("WER", "error", False, ("wer", "word error rate", "word error rates")),
    NamedMetric("CER", "error", False, ("cer", "character error rate")),
    NamedMetric("EER", "error", False, ("eer",)),
    NamedMetric("MAE", "error", True, ("mae",)),
    NamedMetric("RMSE", "error", True, ("rmse",)),
    NamedMetric("MSE", "error", True, ("mse",)),
    NamedMetric("error rate", "error", False, ("error rate", "error rates")),
)
# Words for a score that do not say by what it is measured
UNNAMED: Final = (
    *("performance", "performances", "score", "scores", "results", "solve", "solves", "solved", "solving", "resolve"),
    *("resolves", "resolved", "resolving", "quality"),
)
METRIC_OF: Final[dict[str, NamedMetric]] = {said: one for one in NAMED_METRICS for said in one.spellings}
# `pass@1` is another metric than `pass@16`
AT_K: Final = r"(?:pass|recall|hits)@\d{1,4}"
