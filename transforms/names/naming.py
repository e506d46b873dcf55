r"""Patterns of proper names, words that are not names, and sentences that introduce one.

Every repetition in a pattern is bounded.
"""

import re
from collections.abc import Iterator
from string import ascii_uppercase

from transforms.hooks import words_of
from warehouse.schema.core.claims import SystemKind

# A word of a name begins with a capital or a digit, or has a capital inside (`nnU-Net`, `eSCN`, `{\alpha}-FLOPs`)
WORD = (
    r"(?:[A-Z0-9\u0391-\u03a9]|[a-z]{1,6}-?(?=[A-Z])|\{?\\[a-z]{1,8}\}?-?(?=[A-Z])"
    r"|[\u03b1-\u03c9]-?(?=[A-Z])|[a-z](?=\d(?:\.\d)?(?:[,:;)]|\s)))[\w+@/'\u2019^*$\\{}-]{0,40}+(?:[.][\w-]{1,20}+){0,3}+"
)
LINK = r"(?:of|and|for|with|via|in|to|from|the|on|as|by|through|over|under|without|at|between|into|beyond|&)"
NAME = rf"{WORD}(?:\s(?:{LINK}\s){{0,2}}{WORD}){{0,7}}"

# The things that papers build, with the kind of each
KINDS: dict[str, SystemKind] = {
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
# Other nouns that stand before a name (`a new loss, X`), and do not show its kind
THINGS = words_of(
    "accelerator attack attention baseline concept criterion dataset decoder design encoder environment"
    " evaluation family format formulation implementation interface kernel language loss metric module objective"
    " operator paradigm plugin policy process protocol regularization representation runtime sampler scheduler"
    " series solution structure task tokenizer tool training unit variant version workflow"
)
THING = rf"(?:{'|'.join([*KINDS, *THINGS, 'strategies', 'libraries', 'corpora'])})s?"

# Abbreviations that the whole field uses, and that are no paper's own work
SHARED = frozenset(
    words_of(
        "2D 3D 3DGS 4D AGI AI AIGC API APIs AR ASR AUC Adam AdamW BERT BEV BF16 C++ CFG CLIP CNN CNNs COCO CPU CPUs"
        " CT CUDA CV ChatGPT Chinese Claude CoT CoTs ConvNet ConvNets DAG DNN DNNs DPO DeepSeek DeepSeek-R1 DiT DiTs"
        " ECG EEG ELBO EM English FID FLOP FLOPs FP16 FP32 FP4 FP8 FPGA FSDP GAN GANs GNN GNNs GPT GPT-3 GPT-4"
        " GPT-4o GPU GPUs GRM GRPO GS GUI Gemini GitHub Google HCI HPC HTML I/O I2V IBP ICL ICLR ID INT4 INT8 IO IR"
        " ImageNet IoT JAX JSON KL KV LAMs LLM LLMs LLaMA LM LMM LMMs LMs LRM LRMs LSTM Llama LoRA MAE MCMC MCP MCTS"
        " MDP MFU MIMO ML MLLM MLLMs MLP MLPs MRI MSE MTP Mamba Meta Mixture-of-Experts MoE MoEs NAS NFE NLI "
        "NLP NN NTK NVIDIA NeRF"
        " NeRFs OCR ODE OOD OPD ORM OpenAI PCA PDE PDEs PDF PEFT POMDP PPO PRM PRMs PTQ PoC PyTorch Python QA"
        " LLM-as-a-Judge LLM-as-a-judge"
        " CVE CVEs Qwen Qwen2.5 RAG RL RLHF RLVR RNN RNNs RTL SAE SAEs SD SDE SDEs SDF SFT SGD SLAM SLM SLMs SMoE SOTA"
        " SQL SSM"
        " SSMs SVD SfM T2I T2V TPU TTA TTRL TTS Transformer Transformers Triton UAV UAVs UI UMM UMMs VAE VAEs VLA"
        " VLAs VLM VLMs VQA VR ViT ViTs WER XML"
    )
)
# Words that begin titles and are no names
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
SMALL = re.compile(  # a name without a capital: `v1`, `plum4`, `\u03c4-bench`, `plum-embeddings-v3`
    r"(?:[a-z]{1,10}\d|[\u03b1-\u03c9]-)[\w.-]{0,30}|[a-z]{2,20}(?:-[a-z]{2,20}){0,3}-v\d[\d.]{0,4}"
)
TASK = re.compile(r"-to-[a-z]|-free$|-based$")  # what is done, not what is built: `Plum-to-pear`
# Names of what is found or measured with, seldom of what was built
FINDING = re.compile(
    r"\b(?:Scores?|Index|Metric|Rate|Ratio|Distance|Hypothesis|Conjecture|Problem|Phenomenon|Laws?|Coverage|Module"
    r"|Layer|Block|Loss|Feed)$"
)
LETTER = re.compile(r"[A-Z]")
NOT_IN_NAMES = re.compile(
    r"[\"\u201c\u201d?!]|^['\u2018]|^(?:How|Why|What|When|Do|Does|Is|Are|Can|Towards?|On|Beyond|From)\s"
)

# The stems of verbs that introduce a name: patterns are tried only there
INTRODUCES = words_of(
    "introduc propos present develop design releas unveil describ contribut creat construct devis build built"
    " open-sourc offer deriv formulat curat collect implement provid announc train pretrain"
)
INTRODUCING = re.compile(r"[a-z-]{4,13}[,:]?\s(?:\((?:i|1|a)\)\s)?")
WHO = re.compile(
    r"(?:\b[Ww]e|\b[Tt]his (?:paper|work|article|study|report|technical report)|\b[Tt]he paper|\band|\bto|\bby|,"
    r"|\bhere,?|\b[Oo]ur (?:paper|work))\s(?:(?:also|then|first|instead|further|here|therefore|hence|thus|next|now|and"
    r"|design and|present and|[a-z]{3,12}ly),?\s){0,2}$"
)
# The endings of WHO right before the verb and its space
WHO_ENDS = words_of(
    "we We paper work article study report and to by , here also then first instead further"
    " therefore hence thus next now ly"  # of adverbs
)
WHO_ALONE = (" we ", " We ", " and ", " to ", " by ", ", ")  # most that WHO finds end so, and need no search
# A quote, or a command that sets another type
OPEN = r"(?:\\[a-z]{1,8}\{|\{(?:\\?(?:bf|em|it|sf|tt)\s)?(?=[A-Za-z])|[\"\u201c\u2018`'*]{0,2})"
AHEAD = (
    r"(?=\}?[\"\u201d\u2019`'*]{0,2}(?:\s?[,(:;.)\u2014\u2013]|\s(?:a|an|the|that|which|to|for|as|with|by|is|and|in|on"
    r"|from|using|based|via|where|inspired|designed|built|capable|consisting|leveraging|whose|trained|combining|--?)\b"
    r"|\s--?\s|\s?$))"
)
WORDS = r"(?:[\w/+'\u2019.-]{1,30}+,?\s|\([A-Z]{2,6}\)\s)"

# `we introduce X, a …`, `this paper proposes the X framework`
INTRODUCED = re.compile(
    rf"(?:the\s(?:concept\sof\s)?|our\s)?{OPEN}(?P<name>{NAME})(?:\smodel\s(?:family|series)"
    rf"|(?P<far>(?:\s[a-z][a-z-]{{1,20}}){{1,3}})?\s{THING})?{AHEAD}"
)
# `we propose a novel framework, X, that`, `… a family of models: X`
DESCRIBED = re.compile(
    rf"(?:an?|the|our|two|three)\s{WORDS}{{0,10}}?{THING}(?P<mark>\s\(|[,:]|\s?[-\u2013\u2014]{{1,2}}"
    rf"|(?<!task)(?<!tasks)(?<!implementation)\sof)?\s?(?:\(?(?:namely|i\.e\.,|called|named|dubbed|termed)\s)?{OPEN}(?P<name>{NAME}){AHEAD}"
)
# `we introduce a Joint Pruning of Roots (JPR) method`
ABBREVIATED = re.compile(
    rf"(?:(?:an?|the|our)\s{WORDS}{{0,3}}?|(?=\{{))\{{?(?P<full>{NAME})\s\((?P<name>[A-Z][\w-]{{1,15}}+)\)"
)
# `we propose the joint pruning of early roots (JPER)`: words in lower case, and the abbreviation made of them
EXPANDED = re.compile(r"(?P<full>(?:[\w/\"\\-]{1,30}+\s){2,12})\((?P<name>[A-Za-z0-9][\w-]{1,20}+)\)")
# `…, called X`, `which we term X`, `we refer to the modified method as X`
CALLS = (
    *words_of("called named dubbed termed coined titled entitled denoted designated namely"),
    "abbreviated as",
    "referred to as",
    "refer to",
    "we call",
    "we name",
    "we term",
    "we dub",
)
CALLING = (
    rf"(?:called|named|dubbed|termed|coined|titled|entitled|denoted(?:\sas)?|designated(?:\sas)?|abbreviated\sas"
    rf"|referred\sto\sas|namely|refer\sto\s{WORDS}{{1,14}}?as|we\s(?:call|name|term|dub)(?:\s(?:this|our|it|the"
    rf"|these)(?:\s[\w-]{{1,20}}){{0,4}}?)?)[,:]?\s(?:as\s)?(?:the\s|an?\s)?"
)
CALLED = re.compile(rf"{CALLING}{OPEN}(?P<name>{NAME})")
CALLED_IN_FULL = re.compile(rf"(?<!so-){CALLING}{EXPANDED.pattern}")  # `…, termed plum orchard guidance (POG)`
# `our method, X,`, `our novel profiler X`, `a new language, X, that`
OUR = ("our ", "Our ", "novel ", "new ", "proposed ")
OURS = re.compile(
    rf"(?:[Oo]ur|new|novel|proposed)\s(?:[\w-]{{1,20}}\s){{0,4}}?{THING}(?:,|:|\s\()?\s{OPEN}(?P<name>{NAME}){AHEAD}"
)
# `X is a library …`
IS_A = (" is a ", " is an ", " is the first ", " are a ", ", an open", ", a ")
NAMED_BEFORE = re.compile(
    rf"(?:^|[.!?]\s|,\s|\b(?:motivates?|motivating|yields?|yielding|leads?\sto|leading\sto|results?\sin|resulting\sin)\s)"
    rf"(?:The\s)?(?P<name>{NAME})$"
)
DEFINED = re.compile(rf"(?:,| is| are) (?:an?|the first) {WORDS}{{0,12}}?{THING}\b")
# `X, a …, is proposed`; `contributions: …, and X (Spelled Out Name)`
SPELLS = tuple(f" ({letter}" for letter in ascii_uppercase)
SHORTENED = re.compile(r"(?P<name>[A-Z][\w^-]{1,20}+)$")
SPELLED = re.compile(r"\s\((?P<full>[A-Z][\w-]{0,30}+(?:[\s-]+[\w-]{1,30}+){1,9}+)\)")
# `Full Name (FN)`: the abbreviation behind a name
SHORT = re.compile(
    rf"\}}?\s{{0,2}}[\"\u201d\u2019]?\s?\(\s?(?:(?:abbr\.|abbreviated as|or|i\.e\.,|aka|a\.k\.a\.|short for|termed"
    rf"|dubbed|called)(?:\sas)?\s)?{OPEN}(?P<name>{NAME})[\"\u201d\u2019'`*]{{0,2}}\s?[),;]"
)
THING_BEHIND = re.compile(rf"\s{THING}(?=\s\()")  # `the Plum Orchard benchmark (POB)`
# Words which show that a name is not the main one
ALSO = re.compile(
    r"\b(?:also|additionally|furthermore|moreover|further|in addition|besides|finally|based on)\b",
    re.IGNORECASE,
)
ALSO_HOOKS = ("also", "additional", "further", "moreover", "in addition", "besides", "finally", "based on")
# Verbs of which a system is the subject
DOES = re.compile(
    r"(?:'s)?,?\s(?:achiev|outperform|improv|reduc|is|are|can|provid|show|surpass|deliver|consist|enabl|us|leverag"
    r"|integrat|employ|demonstrat|support|combin|attain|yield|exhibit|allow|incorporat|offer|cover|contain|generat"
    r"|adopt|learn|introduc|extend|exceed|set|also|not|first|significantly|consistently|maintain|adapt|treat|operat"
    r"|keep|build|comput|construct|decompos|train|transform|unif|aggregat|match|obtain|scal|speed)"
)


def is_odd(word: str) -> bool:
    """Whether a word is not spelled like a plain one: `FSMoE`, `Co2S`, `EVOL-RL`; not `Kraken` or `Multi-Agent`."""
    return PLAIN.fullmatch(word) is None


def is_name(name: str) -> bool:
    """Whether a text may be the proper name of something built."""
    words = name.split()
    return (
        name not in SHARED
        and (LETTER.search(name) is not None or SMALL.fullmatch(name) is not None)
        and TASK.search(name) is None
        and NOT_IN_NAMES.search(name) is None
        and any(is_odd(word) or word.lower() not in HEADS for word in words)
        and not all(word in SHARED for word in words)
    )


def places_of(name: str, text: str) -> Iterator[int]:
    """The places of a name in a text, as whole words."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            yield start
        start = text.find(name, end)


def place_of(name: str, text: str) -> int:
    """The first place of a name in a text; -1 where it is not there."""
    return next(places_of(name, text), -1)
