"""The metrics that abstracts name, declared once: what kind each is, whether more is better, how it is written.

`BETTER` says whether more is better, by kind (`paper_claims.metric`): every metric of a kind is as its kind.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

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
