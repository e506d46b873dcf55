"""Normal forms of keywords: which are one keyword, and which stay apart."""

import polars as pl
import pytest

from transforms.core.attached import SMALL_WORDS, WRITTEN_OUT, normal_keywords


def normal(*keywords: str) -> list[str]:
    known = normal_keywords(pl.Series("keyword", keywords))
    forms = dict(known.rows())
    return [forms[keyword] for keyword in keywords]


@pytest.mark.parametrize(
    ("form", "keywords"),
    [
        (
            "large language model",
            ("llm", "LLMs", "large language models (llms)", "Large Language Model (LLM)", "large-language models"),
        ),
        ("reinforcement learning", ("RL", "Reinforcement Learning (RL)")),
        ("mixture of experts", ("MoE", "mixture-of-experts (MoE)", "Mixture of Experts")),
        (
            "reinforcement learning with verifiable reward",
            ("RLVR", "reinforcement learning with verifiable rewards (RLVR)"),
        ),
        ("chain of thought reasoning", ("chain-of-thought (CoT) reasoning", "chain of thought reasoning")),
        ("multimodal fusion", ("multi-modal fusion", "multimodal fusion")),
        (
            "parameter efficient finetuning",
            ("parameter-efficient fine-tuning (PEFT)", "parameter efficient finetuning"),
        ),
        ("policy", ("policy", "policies")),
        ("bounding box", ("bounding box", "bounding  boxes")),
        ("vlm", ("VLM", "VLMs")),
        ("perceptual loss", ("perceptual loss", "perceptual losses")),
    ],
)
def test_ways_to_write_one_keyword(form: str, keywords: tuple[str, ...]) -> None:
    assert normal(*keywords) == [form] * len(keywords)


def test_what_is_not_the_same_stays_apart() -> None:
    """Names without vowels in the wrong place, plurals that are none, abbreviations of something else, digits."""
    keywords = (
        "mars",
        "mar",
        "star",
        "st-ar",
        "physics",
        "analysis",
        "windows",
        "lens",
        "chain of thoughts",
        "aime 24",
    )
    assert normal(*keywords) == [
        *("mars", "mar", "star", "st ar", "physics", "analysis", "windows", "lens", "chain of thoughts", "aime 24"),
    ]
    kept = (
        "multimodal extensions (mllms)",
        "vision encoder (clip)",
        "math500",
        "10\N{SUPERSCRIPT TWO}",
        "join()",
        "--",
    )
    assert normal(*kept) == list(kept)
    assert normal("vision-language models (VLMs)", "VLMs", "video-language models (VLMs)") == [
        "vision language model",
        "vlm",
        "video language model",
    ]


def test_an_abbreviation_is_that_of_its_words() -> None:
    for short, written in WRITTEN_OUT.items():
        words = written.replace("multimodal", "m").replace("finetuning", "fine tuning").split()
        initials = {"".join(word[0] for word in words), "".join(word[0] for word in words if word not in SMALL_WORDS)}
        assert short == "mllm" or short in initials
        assert normal(written) == [written]
