"""`paper_systems` and `paper_claims`: the system that a paper names and the results it claims, as spans of text."""

import re
from typing import Final, Literal, get_args

from warehouse.schema import columns as c
from warehouse.schema.benchmarks import AT_K, NAMED_METRICS, Metric, Polarity, Scale
from warehouse.schema.core.papers import PAPER_VERSIONS
from warehouse.schema.provenance import ARXIV, PAPERLAKE
from warehouse.schema.shared import COHORT_PAPERS, MONTH_PAPERS, NEWEST_PAPERS, in_order
from warehouse.schema.table import Cut, Rule, Table

SystemKind = Literal["method", "system", "model", "dataset", "benchmark", "library", "theory"]
Field = Literal["title", "abstract"]
SystemRule = Literal["title", "introduced", "described", "called", "abbreviated", "ours", "defined", "shown"]
ClaimRule = Literal[
    "multiple",
    "factor",
    "orders",
    "worded",
    "percent",
    "points",
    "rate",
    "time",
    "bytes",
    "level",
    "score",
    "fraction",
    "count",
]
Unit = Literal["x", "%", "points", "tokens/s", "FLOP/s", "s", "bits", "B", "count", "score", "other"]
Direction = Literal["up", "down", "level"]
Bound = Literal["up to", "at least", "average", "about"]
Role = Literal["result", "baseline", "change"]
ChangeKind = Literal["absolute", "relative", "factor"]

# As `python -m bench.claims` counts them (bench/RESULTS.md); tests/real holds these words to its count
LABELLED: Final = (
    "On 287 papers that the rules were not tuned on, 150 labelled in two passes of one kind that did not see each "
    "other, 137 in one, 45 of these for the system alone; what these disagreed on or doubted counts neither way"
)
BY_RULES: Final = "Read by plain rules, no model; a null beats a guess."

read: Final = c.choice.but(source="computed from the text")
worded: Final = c.choice.but(source="computed from the words of the sentence", null="the sentence does not say")
named: Final = worded.but(whose="none")  # words of ours, which no person is named by
quoted: Final = c.hub_text.but(
    whose="prose", null="the sentence does not say", sources=("paper_texts.abstract",), origin=ARXIV
)
EXTRACTED: Final = c.count.but(
    name="span_start", unit="code points, from 0", meaning="", source="computed from the text"
)
READ_IN: Final = (
    c.text.but(
        name="text_sha256",
        meaning="SHA-256 of the text, in UTF-8, that the span lies in: it shows which version of the text was read.",
        source="computed from the text",
        pattern="^[0-9a-f]{64}$",
    ),
    EXTRACTED.but(
        name="extractor_version",
        unit="",
        meaning="Version of the rules that read it, the same in all rows of a release. It goes up with every change "
        "that could read a text differently, and then every text is read again.",
        source="the extractor",
        minimum=1,
    ),
    c.capture_id.but(meaning="The page that shows the text."),
)
PLACE: Final = EXTRACTED.but(null="the sentence does not say")
IN_ORDER: Final = Rule("span_in_order", "span_start < span_end", "the span ends before it begins")

PAPER_SYSTEMS = Table(
    name="paper_systems",
    grain="One paper that gives its main work a name.",
    answers=f"The name of what a paper built, as the span of its title or abstract. {BY_RULES} A paper without a row "
    "names nothing, or nothing that the rules see.",
    measured=f"{LABELLED}: precision .96, recall .93, F1 .94.",
    key=("paper_id",),
    revision=2,  # a page that says the same again is not the one that counts
    cut=Cut(COHORT_PAPERS, 2 * NEWEST_PAPERS),
    page_rows=512,
    columns=(
        c.paper_id,
        c.prose.but(
            name="name",
            meaning="The name, letter by letter as the text has it.",
            source="papers.title, or paper_texts.abstract",
            sources=("papers.title", "paper_texts.abstract"),
        ),
        read.but(
            name="kind",
            meaning="What the words beside the name call it (`framework`, `pipeline`: method; `engine`: system; …).",
            null="the words beside it do not say",
            allowed=get_args(SystemKind),
        ),
        read.but(
            name="field",
            meaning="Which text the span lies in: `papers.title`, if the name stands there, else "
            "`paper_texts.abstract`, at its first place.",
            allowed=get_args(Field),
        ),
        EXTRACTED.but(meaning="Where the name begins in the text."),
        EXTRACTED.but(name="span_end", meaning="Where it ends: text[span_start:span_end] is the name.", minimum=1),
        c.choice.but(
            name="rule",
            meaning="The rule that proposed the name first: it heads the `title`; `introduced`: we introduce X; "
            "`described`: we propose a framework, X, that; `called`: which we call X; `abbreviated`: Full Name (FN); "
            "`ours`: our method X; `defined`: X is a library.",
            source="the extractor",
            allowed=get_args(SystemRule),
        ),
        *READ_IN,
    ),
    rules=(IN_ORDER,),
)

PAPER_CLAIMS = Table(
    name="paper_claims",
    grain="One number of one abstract that reports a result of the paper.",
    answers=f"What papers say they reached: each number with its exact words, unit, metric, direction, bound and what "
    f"it is compared with. {BY_RULES} They are claims of the authors: nothing here says that they hold. An abstract "
    "without a row claims no number, or none that the rules see.",
    measured=f"{LABELLED}: exact spans precision .97, recall .88, F1 .92. Of the claims found, right: unit 1.00, scale "
    ".99, role .97, is_own .98, metric .95, polarity .94, direction .98, bound .97, comparator .88, benchmark .92.",
    key=("paper_id", "position"),
    revision=2,  # a page that says the same again is not the one that counts
    cut=Cut(COHORT_PAPERS, 2 * NEWEST_PAPERS, MONTH_PAPERS),
    page_rows=512,
    columns=(
        c.paper_id,
        c.position.but(
            meaning="Place among the paper's claims, in the order of the abstract.", origin=PAPERLAKE, source="counted"
        ),
        c.prose.but(
            name="text",
            meaning="The number with its unit, letter by letter as the abstract has it, LaTeX too; a range is one.",
            sources=("paper_texts.abstract",),
        ),
        EXTRACTED.but(meaning="Where the text begins in `paper_texts.abstract`."),
        EXTRACTED.but(name="span_end", meaning="Where it ends: abstract[span_start:span_end] is the text.", minimum=1),
        EXTRACTED.but(name="sentence_start", meaning="Where its sentence begins in the abstract."),
        EXTRACTED.but(name="sentence_end", meaning="Where its sentence ends.", minimum=1),
        c.real.but(
            name="value",
            meaning="The number as written, not converted: of `two minutes` 2, of `3.5 GB` 3.5. Words are counted: of "
            "`three orders of magnitude` 1000, of `1 million` 1000000, of `halves` 2. Of a range its first number.",
            source="computed from the text",
        ),
        c.real.but(
            name="value_high", meaning="The second number of a range.", null="no range", source="computed from the text"
        ),
        read.but(
            name="unit",
            meaning="Kind of unit: `x` times; `%` a share, or a change of one; `points`; `s` any time and `B` any "
            "amount of memory, whose scale only the text has; `count` of the noun in the text; `score` a bare number.",
            allowed=get_args(Unit),
        ),
        read.but(
            name="scale",
            meaning="How the number is written: `percent`, also points of it; `fraction` a bare decimal from 0 to 1; "
            "`factor`; `count`; `plain` any other. Numbers of two scales are never compared.",
            allowed=get_args(Scale),
        ),
        worded.but(
            name="role",
            meaning="`result` what is reached, `change` how much it rose or fell, `baseline` what it is set against: "
            "in `from 42.3 to 51.0` the first number, and numbers of other work.",
            null="",
            allowed=get_args(Role),
        ),
        c.flag.but(
            name="is_own",
            meaning="Whether the number is of what the paper builds or finds; not of other work, or an earlier state.",
            source="computed from the words of the sentence",
        ),
        worded.but(
            name="change_kind",
            meaning="Of a change: `factor`; `absolute` in units of what changed; `relative` to what it was before.",
            null="no change, or the sentence does not say: a score that rises by 5 % may rise by 5 points",
            allowed=get_args(ChangeKind),
        ),
        EXTRACTED.but(
            name="baseline_position",
            unit="place, from 1",
            meaning="The claim of the paper, by its `position`, that gives the number before: 42.3 in `from 42.3 to "
            "51.0`.",
            null="the sentence gives none",
            minimum=1,
        ),
        worded.but(
            name="metric",
            meaning="What is measured: `quality` is any score of goodness, `error` any of badness, `latency` any time.",
            allowed=get_args(Metric),
        ),
        quoted.but(name="metric_text", meaning="The words that name what is measured, letter by letter."),
        PLACE.but(name="metric_start", meaning="Where they begin in the abstract."),
        named.but(
            name="metric_name",
            meaning="The metric by its usual name; `pass@1` is another than `pass@16`, reconstruction FID than FID.",
            null="the words name none that is declared: node accuracy is no accuracy",
            pattern=rf"^(?:{'|'.join(re.escape(one.name) for one in NAMED_METRICS)}|{AT_K})$",
        ),
        worded.but(
            name="polarity",
            meaning="Whether `more` of the metric is better, or `less`.",
            null="nobody can say: `other`, or no metric",
            allowed=get_args(Polarity),
        ),
        worded.but(
            name="direction",
            meaning="`up` or `down`: how much it rose or fell; `level`: where it stands.",
            allowed=get_args(Direction),
        ),
        worded.but(
            name="bound",
            meaning="How the sentence bounds the number: over and more than are `at least`, nearly is `about`.",
            null="the sentence does not bound it",
            allowed=get_args(Bound),
        ),
        quoted.but(name="comparator", meaning="What it is compared with, letter by letter as the abstract has it."),
        PLACE.but(name="comparator_start", meaning="Where that begins in the abstract."),
        quoted.but(
            name="benchmark",
            meaning="The benchmark or dataset it was measured on, letter by letter as the abstract has it, with its "
            "year or version.",
            null="the sentence names none, or several for one number",
        ),
        PLACE.but(name="benchmark_start", meaning="Where that begins in the abstract."),
        named.but(
            name="benchmark_name",
            meaning="The benchmark by its usual name, if the number is a score on it.",
            null="none, one that is not declared, or a number that is a share of something else",
        ),
        quoted.but(
            name="split",
            meaning="The split of the benchmark, or the part of it, letter by letter as the abstract has it.",
        ),
        PLACE.but(name="split_start", meaning="Where that begins in the abstract."),
        named.but(name="split_name", meaning="The split by its usual name.", pattern=r"^[\w-]+$"),
        c.choice.but(
            name="rule",
            meaning="The rule that took the number for a result: by how it is written (`multiple` 1.75x, `orders` of "
            "magnitude, `worded` twice, `percent`, `points`, `rate`, `time`, `bytes`, `level` dB, `fraction` 7 of 7, "
            "`count`), or what stands beside it (`factor` of 6, `score` AUC 0.96).",
            source="the extractor",
            allowed=get_args(ClaimRule),
        ),
        *READ_IN,
    ),
    rules=(
        IN_ORDER,
        in_order("span_in_sentence", "sentence_start", "span_start", "the span begins before its sentence"),
        Rule("sentence_in_order", "sentence_start < sentence_end", "the sentence ends before it begins"),
    ),
)

VERSION_CLAIMS = Table(
    name="version_claims",
    grain="One number of one version of an abstract that changed.",
    answers="What papers said they reached in each version of their abstract: a number that came later, or went. Spans "
    "lie in the text of the version. What a paper claims whose abstract never changed is in `paper_claims` alone.",
    measured=PAPER_CLAIMS.measured,
    key=("paper_id", "version_number", "position"),
    revision=2,  # a page that says the same again is not the one that counts
    cut=Cut(COHORT_PAPERS),
    page_rows=512,
    columns=(
        c.paper_id,
        PAPER_VERSIONS.column("version_number").but(meaning="The version, as in `paper_versions`."),
        *PAPER_CLAIMS.columns[1:],
    ),
    rules=PAPER_CLAIMS.rules,
)
