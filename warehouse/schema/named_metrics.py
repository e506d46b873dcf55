"""The metrics that abstracts name, declared once: what kind each is, whether more is better, how it is written.

`BETTER` says it of the kinds of `paper_claims.metric`; a metric in NAMED_METRICS may say otherwise.
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
    """A metric by its usual name; `spellings` in lower case are the same one, `scale` is how its levels are written.

    `scale` is None where abstracts write it in more than one way.
    """

    name: str
    kind: Metric
    scale: Scale | None
    spellings: tuple[str, ...]


NAMED_METRICS: Final[tuple[NamedMetric, ...]] = (
    NamedMetric("accuracy", "quality", "percent", ("accuracy", "accuracies", "acc", "top-1", "accurate")),
    NamedMetric("top-5 accuracy", "quality", "percent", ("top-5",)),
    NamedMetric("success rate", "quality", "percent", ("success rate", "success rates", "successful rate")),
    NamedMetric("resolved rate", "quality", "percent", ("resolved rate", "resolve rate", "resolution rate")),
    NamedMetric("pass rate", "quality", "percent", ("pass rate", "pass rates")),
    NamedMetric("win rate", "quality", "percent", ("win rate", "win rates", "win-rate", "winrate")),
    NamedMetric("exact match", "quality", "percent", ("exact match",)),
    NamedMetric("F1", "quality", None, ("f1", "f1 score", "f1-score", "f1 scores", "f1-scores", "f-score", "f-scores")),
    NamedMetric("recall", "quality", "percent", ("recall",)),
    NamedMetric("precision", "quality", "percent", ("precision",)),
    NamedMetric("mAP", "quality", None, ("map",)),
    NamedMetric("AP", "quality", None, ("ap",)),
    NamedMetric("mIoU", "quality", None, ("miou",)),
    NamedMetric("IoU", "quality", None, ("iou",)),
    NamedMetric("Dice", "quality", None, ("dice",)),
    NamedMetric("AUC", "quality", None, ("auc", "auroc")),
    NamedMetric("BLEU", "quality", "plain", ("bleu",)),
    NamedMetric("ROUGE", "quality", "plain", ("rouge", "rouge-l", "rouge-1", "rouge-2")),
    NamedMetric("CIDEr", "quality", "plain", ("cider",)),
    NamedMetric("nDCG", "quality", None, ("ndcg", "ndcg@10", "ndcg@5")),
    NamedMetric("MRR", "quality", None, ("mrr",)),
    NamedMetric("Elo", "quality", "plain", ("elo",)),
    NamedMetric("PSNR", "quality", "plain", ("psnr",)),
    NamedMetric("SSIM", "quality", "fraction", ("ssim",)),
    NamedMetric("score", "quality", None, ("score", "scores", "overall score")),
    NamedMetric("FID", "error", "plain", ("fid", "gfid", "rfid")),
    NamedMetric("FVD", "error", "plain", ("fvd",)),
    NamedMetric("LPIPS", "error", "fraction", ("lpips",)),
    NamedMetric("perplexity", "error", "plain", ("perplexity", "perplexities", "ppl")),
    NamedMetric("WER", "error", "percent", ("wer", "word error rate", "word error rates")),
    NamedMetric("CER", "error", "percent", ("cer", "character error rate")),
    NamedMetric("EER", "error", "percent", ("eer",)),
    NamedMetric("MAE", "error", "plain", ("mae",)),
    NamedMetric("RMSE", "error", "plain", ("rmse",)),
    NamedMetric("MSE", "error", "plain", ("mse",)),
    NamedMetric("error rate", "error", "percent", ("error rate", "error rates")),
)
METRIC_OF: Final[dict[str, NamedMetric]] = {said: one for one in NAMED_METRICS for said in one.spellings}
# `pass@1` is another metric than `pass@16`
AT_K: Final = r"pass@\d{1,4}"
