"""What papers claim: `systems`, `claims_by_metric`, `boards` and `benchmarks`.

`systems`: what they built, each with its headline claim; `claims_by_metric`: the results that a year's papers claim, by
what is measured.

`boards`: what they claim on each benchmark, and the best of it over time; `benchmarks`, which there are.
"""

import json
from typing import Final

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.benchmarks import NAMED_METRICS, UNNAMED, declared_benchmarks
from warehouse.schema.core.claims import LABELLED, PAPER_CLAIMS, PAPER_SYSTEMS, VERSION_CLAIMS
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.ddl import literal
from warehouse.schema.mart import Mart
from warehouse.schema.marts.daily_papers import DAILY_PAPERS
from warehouse.schema.marts.paper_status import ARXIV_VERSION_ON, DATED_TEXTS
from warehouse.schema.shared import COHORT_PAPERS, MONTH_PAPERS, NEWEST_PAPERS
from warehouse.schema.table import Cut

NO_CLAIM = "the abstract claims no number that the rules see"

SYSTEMS = Mart(
    name="systems",
    grain="One paper that gives its main work a name.",
    answers="What papers built: name, kind, paper, organization, first listing, links, and the headline claim: the "
    "first of the abstract that names what it is compared with, else the first that reports a change, else the "
    "first. Two papers can give one name to two things.",
    measured=f"{LABELLED}: F1 of names .94, of claims .92 (paper_systems, paper_claims).",
    key=("paper_id",),
    cut=Cut(COHORT_PAPERS, NEWEST_PAPERS, MONTH_PAPERS),
    is_of_papers=True,
    columns=(
        PAPER_SYSTEMS.column("name"),
        PAPER_SYSTEMS.column("kind"),
        c.paper_id,
        c.title,
        c.organization_name,
        c.organization_login,
        PAPERS.column("first_listed_on"),
        m.SOUND_PUBLISHED_ON,
        c.upvote_count.but(meaning="Upvotes as last seen."),
        m.LAST_OBSERVED,
        m.PAPER_COUNT.but(
            name="claim_count", unit="claims", meaning="Claims of the abstract.", source="counted in paper_claims"
        ),
        PAPER_CLAIMS.column("text").but(
            name="claim", meaning="The headline claim, as the abstract has it.", null=NO_CLAIM
        ),
        *(PAPER_CLAIMS.column(name).but(name=f"claim_{name}", null=NO_CLAIM) for name in ("value", "unit")),
        *(
            PAPER_CLAIMS.column(name).but(name=f"claim_{name}", null=f"{NO_CLAIM}, or {PAPER_CLAIMS.column(name).null}")
            for name in ("metric", "direction", "bound", "comparator")
        ),
        c.prose.but(
            name="claim_sentence",
            meaning="The sentence of the abstract that the claim stands in.",
            null=NO_CLAIM,
            sources=("paper_texts.abstract",),
            max_length=c.ABSTRACT_LIMIT,
        ),
        DAILY_PAPERS.column("github_url"),
        DAILY_PAPERS.column("project_url"),
        c.arxiv_id,
    ),
)


MIXED = "the unit has no scale (`s`, `B`, `FLOP/s`, `other`): only the texts give it"

CLAIMS_BY_METRIC = Mart(
    name="claims_by_metric",
    grain="One metric, unit and direction in one year of first list days in which a paper claims it.",
    answers="How many of a year's papers claim what, and how much, as far as rules see it. Compare shares, not counts. "
    "Numbers are of different tasks and baselines: the median shows what is usual to claim, not what is true.",
    measured=f"{LABELLED}: exact spans precision .97, recall .88, so counts are an eighth too low; metric right .95.",
    key=("year_on", "metric", "unit", "direction"),
    columns=(
        m.MONTH.but(
            name="year_on",
            unit="first day of the year",
            meaning="Year of the papers' first list day. Papers that no daily list shows are left out.",
            sources=("papers.first_listed_on",),
        ),
        PAPER_CLAIMS.column("metric").but(null=""),
        PAPER_CLAIMS.column("unit"),
        PAPER_CLAIMS.column("direction").but(null=""),
        m.PAPER_COUNT.but(
            name="abstract_paper_count", meaning="Papers first listed in the year whose abstract was read."
        ),
        m.PAPER_COUNT.but(meaning="Those of them that claim such a thing."),
        m.SHARE.but(meaning="paper_count of abstract_paper_count.", null=""),
        m.PAPER_COUNT.but(name="claim_count", unit="claims", meaning="Such claims."),
        PAPER_CLAIMS.column("value").but(
            name="median_value", meaning="Median of their values, of ranges the first number.", null=MIXED
        ),
        PAPER_CLAIMS.column("value").but(
            name="best_value",
            meaning="The largest gain, of changes in times, percent and points that no word makes vague. Levels are of "
            "their tasks: `boards` compare them. A claim of authors, and the likeliest place for a slip.",
            null=f"{MIXED}; or a level, a change for the worse, or nobody can say (`other`)",
        ),
        c.paper_id.but(name="best_paper_id", meaning="The paper that claims it.", null="no best_value"),
    ),
)


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
    cut=Cut(m.COHORT_PAPERS // 4, m.NEWEST_PAPERS // 2),
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
            pattern=None,
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
        c.capture_id.but(meaning="The first page that shows the text."),
    ),
)
