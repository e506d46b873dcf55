"""What a proper name looks like, and the words that are none: shared abbreviations, heads of titles."""

from __future__ import annotations

import re

from transforms.claims.found import Kind
from transforms.claims.hooks import words_of

# A word of a name begins with a capital or a digit, or has a capital inside (`nnU-Net`, `eSCN`, `{\alpha}-FLOPs`)
WORD = (
    r"(?:[A-Z0-9\u0391-\u03a9]|[a-z]{1,6}-?(?=[A-Z])|\{?\\[a-z]{1,8}\}?-?(?=[A-Z])"
    r"|[\u03b1-\u03c9]-?(?=[A-Z]))[\w+@/'\u2019^*$\\{}-]{0,40}+(?:[.][\w-]{1,20}+){0,3}+"
)
LINK = r"(?:of|and|for|with|via|in|to|from|the|on|as|by|through|&)"
NAME = rf"{WORD}(?:\s(?:{LINK}\s){{0,2}}{WORD}){{0,7}}"

# What papers build, in singular and plural, and its kind
KINDS: dict[str, Kind] = {
    "agent": "system",
    "algorithm": "method",
    "approach": "method",
    "architecture": "model",
    "benchmark": "benchmark",
    "codebase": "library",
    "collection": "dataset",
    "compiler": "system",
    "corpus": "dataset",
    "dataset": "dataset",
    "engine": "system",
    "estimator": "method",
    "framework": "method",
    "infrastructure": "system",
    "leaderboard": "benchmark",
    "library": "library",
    "llm": "model",
    "mechanism": "method",
    "method": "method",
    "methodology": "method",
    "model": "model",
    "network": "model",
    "optimizer": "method",
    "package": "library",
    "paradigm": "method",
    "pipeline": "method",
    "platform": "system",
    "procedure": "method",
    "profiler": "system",
    "recipe": "method",
    "scheme": "method",
    "simulator": "system",
    "solver": "method",
    "strategy": "method",
    "suite": "benchmark",
    "system": "system",
    "technique": "method",
    "testbed": "benchmark",
    "theory": "theory",
    "toolbox": "library",
    "toolkit": "library",
    "transformer": "model",
}
# Other nouns that stand before a name (`a new loss, X`), and say little of its kind
THINGS = words_of(
    "accelerator attack attention baseline concept criterion dataset decoder design encoder environment"
    " evaluation family format formulation implementation interface kernel language loss metric module objective"
    " operator paradigm plugin policy process protocol representation runtime sampler scheduler series solution"
    " task tokenizer tool training unit variant version workflow"
)
THING = rf"(?:{'|'.join([*KINDS, *THINGS, 'strategies', 'libraries', 'corpora'])})s?"

# Abbreviations that all the field shares: the name of no paper's own work
SHARED = frozenset(
    words_of(
        "2D 3D 3DGS 4D AGI AI AIGC API APIs AR ASR AUC Adam AdamW BERT BEV BF16 C++ CFG CLIP CNN CNNs COCO CPU CPUs"
        " CT CUDA CV ChatGPT Chinese Claude CoT CoTs ConvNet ConvNets DAG DNN DNNs DPO DeepSeek DeepSeek-R1 DiT DiTs"
        " ECG EEG ELBO EM English FID FLOP FLOPs FP16 FP32 FP4 FP8 FPGA FSDP GAN GANs GNN GNNs GPT GPT-3 GPT-4"
        " GPT-4o GPU GPUs GRM GRPO GS GUI Gemini GitHub Google HCI HPC HTML I/O I2V IBP ICL ICLR ID INT4 INT8 IO IR"
        " ImageNet IoT JAX JSON KL KV LAMs LLM LLMs LLaMA LM LMM LMMs LMs LRM LRMs LSTM Llama LoRA MAE MCMC MCP MCTS"
        " MDP MFU MIMO ML MLLM MLLMs MLP MLPs MRI MSE MTP Mamba Meta MoE MoEs NAS NFE NLI NLP NN NTK NVIDIA NeRF"
        " NeRFs OCR ODE OOD OPD ORM OpenAI PCA PDE PDEs PDF PEFT POMDP PPO PRM PRMs PTQ PyTorch Python QA QAT Qwen"
        " Qwen2.5 RAG RL RLHF RLVR RNN RNNs RTL SAE SAEs SD SDE SDEs SDF SFT SGD SLAM SLM SLMs SMoE SOTA SQL SSM"
        " SSMs SVD SfM T2I T2V TPU TTA TTRL TTS Transformer Transformers Triton UAV UAVs UI UMM UMMs VAE VAEs VLA"
        " VLAs VLM VLMs VQA VR ViT ViTs WER XML"
    )
)
# Words that head titles and are no names
HEADS = frozenset(
    words_of(
        "a all an are attention better beyond building can comment deep demystifying diffusion do does efficient"
        " enhancing evaluating evaluation exploring fast faster foundations from generative how if image improving in"
        " introduction is it language large learning less let measuring memory model models more multimodal never no"
        " not on one overview part perspective position proceedings reasoning reinforcement report response rethinking"
        " revisiting scaling secrets security small stop survey technical the thinking this to toward towards training"
        " understanding unlocking unveiling video vision visual we what when where which who why world you your"
    )
)
PLAIN = re.compile(r"[A-Z]?[a-z]+(?:-[A-Z]?[a-z]+)*|[IVX]+|\d[\d.,]*|[A-Z]")
LETTER = re.compile(r"[A-Z]")
NOT_IN_NAMES = re.compile(
    r"[\"\u201c\u201d?!]|^['\u2018]|^(?:How|Why|What|When|Do|Does|Is|Are|Can|Towards?|On|Beyond|From)\s"
)


def is_odd(word: str) -> bool:
    """Whether no plain word is written so: `FSMoE`, `Co2S`, `EVOL-RL`, `S-LoRA`; not `Kraken` or `Multi-Agent`."""
    return PLAIN.fullmatch(word) is None


def is_name(name: str) -> bool:
    """Whether a text may be the proper name of something built."""
    words = name.split()
    return (
        name not in SHARED
        and LETTER.search(name) is not None
        and NOT_IN_NAMES.search(name) is None
        and any(is_odd(word) or word.lower() not in HEADS for word in words)
        and not all(word in SHARED for word in words)
    )


def places_of(name: str, text: str) -> list[int]:
    """Where a name stands in a text as words of their own."""
    places, start = [], text.find(name)
    while start >= 0:
        end = start + len(name)
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            places.append(start)
        start = text.find(name, end)
    return places


def place_of(name: str, text: str) -> int:
    """Where a name stands first in a text; -1 where it does not."""
    return next(iter(places_of(name, text)), -1)
