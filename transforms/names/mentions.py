"""Finding the benchmarks that a text names, the one that it introduces, and the only one that it has.

Declared names are found by themselves. Undeclared ones are found by their shape (`PlumBench`), by the word behind them
(`the Plum benchmark`), or behind `on` or in a list, where they are spelled like a name (`on PlumQA and PearQA`).
"""

import re
from collections.abc import Iterator
from typing import Final

from transforms.hooks import WordPlaces
from transforms.names.declared_names import Mention, declared_mentions, with_split
from transforms.names.naming import SHARED, is_odd

# What a name that no list has may end with, or stand behind
ENDS: Final = ("Bench", "bench", "BENCH", " benchmark", " leaderboard", " test set", " on ", "On ")

VERSION = r"(?:\s(?:v\d[\w.]{0,6}|\d{4}|\d{1,3}\b(?![.%,]\d|%|\s?(?:times|x))))?"
SHAPED = re.compile(
    r"(?<![\w-])(?P<name>[A-Z\u0370-\u03ff][\w+\u0370-\u03ff-]{0,30}?[Bb](?:ench"
    r"|ENCH)(?:-[A-Za-z0-9][\w.+]{0,12}(?<!\.)|[A-Z0-9][\w.+]{0,12}(?<!\.))?"
    rf"{VERSION})(?![\w])"
)
CALLED = re.compile(
    rf"(?<![\w-])(?P<name>(?!The\s)[A-Z][\w+-]{{1,30}}(?:\s[A-Z0-9][\w+-]{{0,20}}){{0,1}}{VERSION})\s(?:benchmark"
    rf"|test\sset|leaderboard)\b"
)
TRAINED = re.compile(
    r"\b(?:train|fine-?tun|pre-?train|tun|buil|based|rel|depend|focus|learn)[a-z]{0,4}\s(?:[\w-]{1,20}(?:\.[\w-]{1,10})?\s){0,2}(?:on\s)?$",
    re.IGNORECASE,
)
HYPHENED = re.compile(r"(?:^|-)[A-Z]")
# Right behind a name, what says that it is something else
SOMETHING_ELSE = r"\s(?:GPU|framework|architecture|model|backbone|policy|robot|training|corpus|platform|dataset\sfor)"
REACHED_ON = re.compile(rf"\s?[Oo]n\s(?:the\s)?(?P<name>[A-Z][\w+'-]{{1,30}}{VERSION})(?!-|\w|\.\d|{SOMETHING_ELSE})")
LIST_NAME = rf"(?:,\s(?:and\s)?|\sand\s)(?:the\s)?(?P<name>[A-Z][\w+'-]{{1,30}}{VERSION})"
_NAME = rf"(?:the\s)?[A-Z][\w+'-]{{1,30}}{VERSION}"
LIST = re.compile(rf"(?:,\s{_NAME})*,?\sand\s{_NAME}(?=[\s,.;)]|$)")
# Models and devices are spelled like benchmarks
NO_BENCHMARK = re.compile(
    r"(?:.*\d+(?:\.\d+)?[BM]\b|Our$|The$|When$|[AHBVLT]\d{2,4}s?$|(?:Llama|LLaMA|LLaMa|Qwen|QwQ|GPT|Claude|Gemini"
    r"|Gemma|Mistral|Mixtral"
    r"|DeepSeek|Phi|BERT|RoBERTa|DeBERTa|T5|ViT|DiT|SiT|ResNet|Swin|Stable|SD|SDXL|FLUX|Flux|Wan|LLaVA|InternVL|Intern"
    r"|Hunyuan|Cog|Open|NVIDIA|RTX|AMD|Intel|Apple|Amazon|AWS|Google|Android|iOS|Blackwell|Hopper|Ampere|Ada|TPU|Jetson"
    r"|Pythia|OPT|Mamba|Whisper|SAM|CLIP|DINO|VAR|LLM|VLM|MLLM|LMM|GRPO|PPO|DPO|CPU|GPU|FPGA|AMX|arXiv|GitHub|Hugging"
    r"|Kimi|GLM|MiniMax|OLMo|Falcon|Yi|MiniCPM|Pi|Chameleon|Janus|Bagel|BAGEL|Show|Emu|PixArt|SDv|o\d"
    r"|LLa?DA|LLADA|LLAMA|StarVLA|FlexVAR|Cosmos-|MedGemma|MediaTek|NPU|SWE-agent|DeepResearcher|DuckDB|SQLite"
    r"|PostgreSQL|Trainium|Inferentia|AlexNet|VGG|GEMM|KV|Key-Value)[\w.+-]*"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December)(?:\s.*)?$"
    r"|.*'s?$|STEM$|AbsRel$|Level-?\d|.*-(?:derived|style|based|like|inspired)$)"
)
SHORTEST: Final = 4  # code points of a name that no list has and that stands behind `on` or in a list
FAR: Final = 60  # code points between the end of a name that no list has and its beginning


def mentions_of(text: str, ends: WordPlaces) -> list[Mention]:
    """All benchmarks that a text names, in order; `ends` are the places of ENDS."""
    declared = list(declared_mentions(text))
    others = list(other_mentions(text, ends))
    listed = [one for mention in (*declared, *others) for one in listed_behind(text, mention)]
    found: list[Mention] = []
    for one in (*declared, *others, *listed):
        if not any(one.start < known.end and known.start < one.end for known in found):
            found.append(one)
    return sorted(found, key=lambda one: one.start)


def listed_behind(text: str, first: Mention) -> Iterator[Mention]:
    """The benchmarks listed behind one up to `and`, where they are spelled like names: `PlumQA, PearQA, and FigQA`."""
    listing = LIST.match(text, first.split[1] if first.split else first.end)
    listed = list(re.finditer(LIST_NAME, listing[0])) if listing else []
    if listing and all(is_long_name(one["name"]) and not NO_BENCHMARK.match(one["name"]) for one in listed):
        yield from (
            Mention(listing.start() + one.start("name"), listing.start() + one.end("name"), None) for one in listed
        )


def other_mentions(text: str, places: WordPlaces) -> Iterator[Mention]:
    """Names that no list has."""
    for place in places:
        before = max(place - FAR, 0)
        if text.startswith((" on ", "On "), place):
            found = REACHED_ON.match(text, place)
            if found and (not is_long_name(found["name"]) or TRAINED.search(text, max(place - FAR, 0), place + 1)):
                found = None
        elif text[place] == " ":
            found = reaching(CALLED, text, before, place + 1)
        else:
            found = reaching(SHAPED, text, before, place + 1)
        if found and found["name"] not in SHARED and not NO_BENCHMARK.match(found["name"]):
            yield with_split(text, *found.span("name"), None)


def is_proper(name: str) -> bool:
    """Whether a word is spelled like a name: `PlumQA`, `Plum-Eval`; not `English` or `GPU`."""
    return name not in SHARED and (is_odd(name) or len(HYPHENED.findall(name)) > 1)


def is_long_name(name: str) -> bool:
    """Whether a word is a name, and no short one: `on QA`, `on HDR`, `on L2` are tasks, formats and levels."""
    return len(name) >= SHORTEST and is_proper(name)


def reaching(pattern: re.Pattern[str], text: str, start: int, place: int) -> re.Match[str] | None:
    """The first match from `start` on that reaches beyond a place."""
    return next((one for one in pattern.finditer(text, start, place + FAR) if one.start() < place <= one.end()), None)


INTRODUCE = (
    r"\b(?:introduc|present|propos|develop|releas|construct|buil|creat|curat|contribut|design)(?:es?|s|ed|ing|d|t)?\s"
)
OWN_NAME = (
    r"(?P<name>(?:[A-Z](?:[a-z]{1,15}|[A-Z]{4,15})\s(?:(?:of|for|in|on|and|the)\s){0,2}){0,5}"
    r"[A-Z\u0370-\u03ff][\w+\u0370-\u03ff-]{1,30}(?:\s\d(?=,\s))?)"
)
KIND = r"(?:benchmark|testbed|test suite|leaderboard|evaluation (?:framework|suite))"
NO_CLAUSE = r"(?:(?!\s(?:that|which|to|framework|method|approach|taxonomy)\b)[^.;])"  # else it is of something else
INTRODUCED = re.compile(
    INTRODUCE + rf"(?:\\[a-z]{{1,8}}\{{)?(?:[a-z][\w-]{{1,20}}\s){{0,8}}?{OWN_NAME}\}}?"
    r"(?:\s\((?:(?:dubbed|named|called|termed)\s(?:as\s)?)?(?P<short>[A-Z\u0370-\u03ff][\w+\u0370-\u03ff-]{1,30})\)"
    rf"|\s\([^()]{{1,60}}\))?(?:,|:|\s\u2014|\s-{{1,2}})?\s(?:{NO_CLAUSE}{{0,90}}?\b)?{KIND}"
)
# `a new benchmark named PlumQA`
INTRODUCED_BEHIND = re.compile(
    INTRODUCE
    + rf"[^.;]{{0,80}}?\b(?:benchmark|testbed|test suite),?\s(?:(?:called|named|dubbed|termed|namely)\s)?{OWN_NAME}"
)
# `which leads to PlumQA, a new benchmark`
NEW = re.compile(rf"(?<![\w-]){OWN_NAME},\s(?:an?\s(?:novel|new)|the\sfirst)\s(?:[a-z][\w-]{{1,20}},?\s){{0,8}}?{KIND}")
KINDS = ("benchmark", "testbed", "test suite", "leaderboard", "evaluation ")  # a match of each of them has one
TRIED_ON = re.compile(r"\b[Oo]n\s(?:the\s(?:[a-z]{4,14}\s)?)?$")


def own_benchmark(text: str, mentions: list[Mention]) -> Mention | None:
    """The benchmark that the paper itself introduces: what it reports later, with none named, was measured on that."""
    if not any(kind in text for kind in KINDS):
        return None
    for pattern in (INTRODUCED, INTRODUCED_BEHIND, NEW):
        for found in pattern.finditer(text):
            short = found.groupdict().get("short")
            group = "short" if short and (" " in found["name"] or not is_proper(found["name"])) else "name"
            name, behind = found[group], text[found.end(group) :]
            is_long = " " in name and behind.startswith((",", ":", " \u2014", " -"))
            if (group == "short" or is_proper(name) or is_long) and not NO_BENCHMARK.match(name.split(" ")[-1]):
                start, end = found.span(group)
                return next((one for one in mentions if one.start == start), Mention(start, end, None))
    return None


def only_benchmark(text: str, mentions: list[Mention]) -> Mention | None:
    """The benchmark that all was tried on, as the text names no other one: `comparisons on PlumQA`."""
    first = mentions[0] if len({one.name or text[one.start : one.end] for one in mentions}) == 1 else None
    if first is None or TRAINED.search(text, max(first.start - FAR, 0), first.start):
        return None
    return first if TRIED_ON.search(text, max(first.start - 24, 0), first.start) else None
