"""`boards`: what papers claim on each benchmark, and the best of it over time; `benchmarks`, which there are."""

from __future__ import annotations

import json
from typing import Final

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.benchmarks import NAMED_METRICS, UNNAMED, declared_benchmarks
from warehouse.schema.core.claims import PAPER_CLAIMS, VERSION_CLAIMS
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.ddl import literal
from warehouse.schema.mart import Mart
from warehouse.schema.marts.paper_status import ARXIV_VERSION_ON, DATED_TEXTS
from warehouse.schema.marts.systems import SYSTEMS

DECLARED: Final = "the declarations"
APART: Final = {
    "other work": "NOT is_own",
    "a change": "role = 'change'",
    "a range": "value_high IS NOT NULL",
    "bounded": "bound IS NOT NULL",
    "a part": "split IS NOT NULL AND split_name IS NULL",
    "no metric": "board_metric IS NULL",
    "no polarity": "polarity IS NULL",
    "not dated": "first_seen_at IS NULL",
}
KIND_OF: Final = {one.name: one.kind for one in NAMED_METRICS} | {"pass@1": "quality"}


BENCHMARK_MART = Mart(
    name="benchmarks",
    grain="One benchmark that boards are kept of.",
    answers="Which benchmarks are known by name, how they are spelled and measured, and how many papers claim a number "
    "on them.",
    key=("benchmark",),
    parts={
        "rows": literal(
            json.dumps(
                [
                    {
                        "benchmark": one.name,
                        "spellings": one.spellings,
                        "splits": one.splits,
                        "metric": one.metric,
                        "metric_kind": KIND_OF.get(one.metric or ""),
                    }
                    for one in declared_benchmarks()
                ],
                ensure_ascii=False,
            )
        )
    },
    columns=(
        PAPER_CLAIMS.column("benchmark_name").but(name="benchmark", null="", source=DECLARED),
        c.texts.but(name="spellings", meaning="How else texts spell it.", source=DECLARED),
        c.texts.but(name="splits", meaning="Its own splits that are kept apart.", source=DECLARED),
        c.text.but(
            name="metric",
            meaning="What it is measured by, where a sentence does not say.",
            null="no usual one",
            source=DECLARED,
        ),
        PAPER_CLAIMS.column("metric").but(name="metric_kind", null="no usual metric", source=DECLARED),
        m.PAPER_COUNT.but(meaning="Papers that claim a number on it."),
        m.PAPER_COUNT.but(name="claim_count", unit="claims", meaning="Such claims, in newest texts."),
        c.first_seen_at.but(
            meaning="When the first of them was first seen.",
            null="none, or only at unknown times",
            is_bookkeeping=False,
        ),
    ),
)

BOARDS = Mart(
    name="boards",
    grain="One number that a paper claims on a declared benchmark, in the first version of its abstract that has it.",
    answers="Results over time: what was claimed on a benchmark, in which sentence, first seen when, and whether it "
    "was the best until then. Rows with `apart_because` are not compared. Numbers of two splits, metrics or scales "
    "never are. They are claims of authors: settings differ, and nobody checked them.",
    measured=PAPER_CLAIMS.measured,
    key=("paper_id", "version_number", "position"),
    cohort_rows=m.COHORT_PAPERS // 4,
    newest_rows=m.NEWEST_PAPERS // 2,
    parts={
        "dated": DATED_TEXTS,
        "unnamed": ", ".join(map(literal, UNNAMED)),
        "apart": "\n            ".join(f"WHEN {sql} THEN {literal(words)}" for words, sql in APART.items()),
    },
    columns=(
        PAPER_CLAIMS.column("benchmark_name").but(name="benchmark", null=""),
        PAPER_CLAIMS.column("split_name").but(
            name="split", meaning="The split of the benchmark.", null="the sentence names none"
        ),
        PAPER_CLAIMS.column("metric_name").but(
            name="metric",
            meaning="What is measured: as the sentence says, else what the benchmark is measured by.",
            null="the sentence does not say, and the benchmark has no usual one of that kind",
            pattern="",
        ),
        c.flag.but(name="is_metric_said", meaning="Whether the sentence says it.", source="paper_claims"),
        PAPER_CLAIMS.column("scale"),
        PAPER_CLAIMS.column("polarity").but(null="nobody can say"),
        PAPER_CLAIMS.column("value"),
        PAPER_CLAIMS.column("value_high"),
        PAPER_CLAIMS.column("bound"),
        PAPER_CLAIMS.column("role"),
        PAPER_CLAIMS.column("is_own"),
        c.choice.but(
            name="apart_because",
            meaning="Why the number is not compared: it is of `other work`, `a change`, `a range`, `bounded` by words "
            "as up to or average, is of `a part` that no list has, has `no metric`, `no polarity`, or is `not dated`.",
            null="it is compared",
            allowed=tuple(APART),
        ),
        c.flag.but(
            name="is_best",
            meaning="Whether it was the best of its benchmark, split, metric and scale when it was first seen.",
            null="it is not compared",
            source="boards",
        ),
        c.real.but(
            name="best_before",
            meaning="The best of all that were first seen before it.",
            null="it is not compared, or the first",
            source="boards",
        ),
        c.paper_id,
        c.title,
        SYSTEMS.column("name").but(
            name="system", null="the paper names none, or a benchmark: another reaches the number"
        ),
        PAPER_CLAIMS.column("comparator"),
        SYSTEMS.column("claim_sentence").but(name="sentence", meaning="The sentence that claims it.", null=""),
        PAPER_CLAIMS.column("text").but(meaning="The number, letter by letter as the sentence has it."),
        VERSION_CLAIMS.column("version_number").but(
            meaning="The first version of the abstract that has the number, as in `paper_versions`."
        ),
        PAPER_CLAIMS.column("position"),
        c.first_seen_at.but(
            meaning="When that version was first seen: nobody can say from here how long it had stood there.",
            is_bookkeeping=False,
        ),
        ARXIV_VERSION_ON,
        c.flag.but(name="is_current", meaning="Whether the newest version has the number.", source="paper_versions"),
        PAPERS.column("first_listed_on"),
        c.capture_id.but(meaning="The page that shows the text."),
    ),
)
