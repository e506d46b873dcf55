"""Identity at scale, and its precision. `python -m bench.identity FILE 250000` makes a file, without a number reads it.

The sightings are invented: 3 of 10 are of a new paper; one paper in ten is never seen with its arXiv id, and a fifth
of all sightings have none. Those have noise: a letter lost, capitals, markup, a word lost; abstracts cut or missing.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from unittest.mock import patch

import polars as pl

from tests.linkage import Maker, identify, labelled_pairs, quality, sightings_of
from transforms.identity import resolve as resolving

SIZES = (250_000, 500_000, 1_000_000, 2_000_000)
SEEDS = (101, 102, 103)
PAIRS = 4_000
THRESHOLDS = (0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999)
CHUNK = 50_000
WORDS = 20  # how often the vocabulary of 4,000 words is taken again, with another ending: 80,000 words in all
Row = tuple[str, ...]


def identity_ratio() -> Iterator[Row]:
    """Seconds and peak memory, each size in a process of its own; processor time against half the sightings."""
    half = None
    for size in SIZES:
        told = _measured(size)
        what = f"identity of {size:,} sightings of {told['papers']:,.0f} papers"
        figure = f"{told['seconds']:.1f} s, processor {told['processor']:.1f} s, peak {told['peak MiB']:.0f} MiB"
        peer = "the promise: 60 s" if half is None else f"processor, half of them {half:.1f} s"
        yield what, figure, peer, f"{told['seconds'] / 60:.2f}" if half is None else f"{told['processor'] / half:.2f}"
        half = told["processor"]


def _measured(size: int) -> dict[str, float]:
    """Sightings are invented in one process and identified in another, so that the peak is that of identity."""
    with tempfile.TemporaryDirectory(prefix="paperlake-bench-") as folder:
        file = str(Path(folder) / "sightings.parquet")
        module = [sys.executable, "-m", "bench.identity", file]
        subprocess.run([*module, str(size)], check=True)
        return json.loads(subprocess.run(module, check=True, capture_output=True, text=True).stdout)


def identity_curve() -> Iterator[Row]:
    """Precision and recall of the pairs of sightings over the threshold, the mean of several seeds."""
    for threshold in THRESHOLDS:
        found = [_quality(seed, threshold) for seed in SEEDS]
        precision, recall = (sum(values) / len(values) for values in zip(*found, strict=True))
        yield f"{threshold}", f"{precision:.4f}", f"{recall:.4f}"


def _quality(seed: int, threshold: float) -> tuple[float, float]:
    pairs = labelled_pairs(seed, PAIRS)
    with patch.object(resolving, "MATCH", threshold):
        return quality(pairs, identify(sightings_of(pairs))["paper_id"].to_list())


def invented(size: int) -> pl.DataFrame:
    """`size` sightings, the same ones each time."""
    paper_count = size * 3 // 10
    papers = pl.concat(_papers(start, min(CHUNK, paper_count - start)) for start in range(0, paper_count, CHUNK))
    seen = pl.DataFrame({"paper": _random(size, 1) * paper_count, "dice": _random(size, 2), "cut": _random(size, 3)})
    shown = seen.with_columns(pl.col("paper").cast(pl.UInt32)).join(papers, on="paper")
    is_alone = (pl.col("dice") < 0.12) | (pl.col("paper") % 10 == 0)
    return shown.with_columns(
        arxiv_id=pl.when(~is_alone).then("arxiv_id"),
        title=pl.when(is_alone).then(_noisy_title()).otherwise("title"),
        abstract=pl.when(is_alone).then(_noisy_abstract()).otherwise("abstract"),
        published_on=pl.when(pl.col("cut") < 0.7).then("published_on"),
    ).drop("paper", "dice", "cut")


def _random(count: int, seed: int) -> pl.Series:
    return pl.select(pl.int_range(count, dtype=pl.UInt64).hash(seed) / 2.0**64).to_series()


def _papers(start: int, count: int) -> pl.DataFrame:
    number = pl.int_range(start, start + count, dtype=pl.UInt32)
    papers = pl.select(paper=number).with_columns(
        arxiv_id=pl.format("{}.{}", 1501 + pl.col("paper") // 90_000 * 100, 10_000 + pl.col("paper") % 90_000),
        published_on=pl.lit(date(2015, 1, 1)) + pl.duration(days=pl.col("paper") % 4_000),
        author_count=(pl.col("paper").hash(9) % 12 + 1).cast(pl.Int32),
    )
    return papers.with_columns(title=_said(papers, 9, 4).str.to_titlecase(), abstract=_said(papers, 130, 5))


def _said(papers: pl.DataFrame, length: int, seed: int) -> pl.Series:
    """For each paper a text of so many words, some common and most rare."""
    syllables = pl.Series(Maker(7).words)
    words = pl.concat([syllables, *(syllables + tail for tail in syllables[:WORDS])])
    place = (papers["paper"].cast(pl.UInt64) * 1_000).repeat_by(length).explode() + pl.Series(
        list(range(length)) * papers.height, dtype=pl.UInt64
    )
    chosen = words.gather(((place.hash(seed) / 2.0**64) ** 3 * words.len()).cast(pl.UInt32))
    return chosen.reshape((papers.height, length)).arr.join(" ")


def _noisy_title() -> pl.Expr:
    title, cut = pl.col("title"), (pl.col("cut") * 30).cast(pl.Int64) + 3
    noises = (
        title,
        title.str.slice(0, cut) + title.str.slice(cut + 1),
        title.str.to_uppercase(),
        title.str.replace(r"(\w+)$", r"\textbf{$1}"),
        title.str.replace(r"^\w+ ", ""),
    )
    return _one_of(noises, pl.col("cut"))


def _noisy_abstract() -> pl.Expr:
    abstract = pl.col("abstract")
    cut = (abstract.str.len_chars() * (0.2 + 0.7 * pl.col("cut"))).cast(pl.Int64)
    return _one_of(
        (abstract, abstract, abstract.str.slice(0, cut) + "...", pl.lit(None, pl.String)), pl.col("dice") * 7 % 1
    )


def _one_of(noises: tuple[pl.Expr, ...], dice: pl.Expr) -> pl.Expr:
    which = (dice * 997 % 1 * len(noises)).cast(pl.Int32)
    found = noises[0]
    for number, noise in enumerate(noises[1:], 1):
        found = pl.when(which == number).then(noise).otherwise(found)
    return found


def measure(file: str) -> dict[str, float]:
    """Seconds, processor seconds and peak memory (the frame included) of `identify`."""
    sightings = pl.read_parquet(file)
    start, processor = time.perf_counter(), time.process_time()
    found = identify(sightings)
    told = {"seconds": time.perf_counter() - start, "processor": time.process_time() - processor}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return told | {
        "peak MiB": peak,
        "frame MiB": sightings.estimated_size("mb"),
        "papers": found["paper_id"].n_unique(),
    }


def main(file: str, *size: str) -> None:
    if size:
        invented(int(size[0])).write_parquet(file)
    else:
        print(json.dumps(measure(file)))


if __name__ == "__main__":
    main(*sys.argv[1:])
