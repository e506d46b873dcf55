"""The words around a number that make it a result, or a setting, a size, a name, the number of another's work.

Each pattern looks at the words right behind a number, or right before it, in lower case; those before end at the
number.
"""

from __future__ import annotations

import re

from transforms.claims.units import Shape
from transforms.claims.words import BOUND, CHANGE

# What right behind a number makes it a setting, a size or a name: `4x upsampling`, `8x A100`, `95% confidence`
SETTING_AFTER = re.compile(
    r"[\s-]?(?:super-?resolution|up-?sampl|down-?sampl|up-?scal|zoom|magnif|sr\b|[ahbv]\d{2,3}0?\b|nvidia|rtx"
    r"|gpus?\b|tpus?\b|confidence|ci\b|credible|free\b|\d|quantile|percentile|dropout|probability\b"
    r"|sparsity (?:level|ratio)|mask|confidence)"
)
# What right before a number does: `top-5%`, `p = 5%`, `table 3`
SETTING_BEFORE = re.compile(
    r"(?:\btop|\bfirst|\blast|confidence|\b[pnk]|alpha|beta|epsilon|lambda|temperature|threshold|section|table"
    r"|figure|day|version|phase|stage|chapter)[\s=-]$"
)
# A share of what is used, not of what is reached: `10% of the data`
SHARE = re.compile(
    r"\s(?:of|the)\s(?:(?:the|all|total|original|full|available|labell?ed|training|its|their|our|real|synthetic"
    r"|human|image)\s)*(?:data\b|dataset|training|tokens|samples|examples|labels|parameters|users|people"
    r"|participants|images|layers|weights|papers|time\b|population|cases\b|words|languages|annotations|corpus|pages"
    r"|neurons|experts|heads|pixels)"
)
# Unless it is offered as little: `only 10% of the data`
LITTLE = re.compile(r"\b(?:only|just|merely|mere|less than|as little as|fewer than|under|within|using)\s(?:an?\s)?$")
# What behind a number word makes it a comparison: `twice as fast`, `ten-fold speedup`
COMPARATIVE = re.compile(
    r"\s?\)?\s(?:as \w+|the |more|less|fewer|faster|slower|smaller|larger|bigger|longer|shorter|higher|lower"
    r"|better|worse|greater|cheaper|deeper|[\w-]* ?(?:speed-?up|reduction|improvement|increase|acceleration|gain"
    r"|saving|compression|throughput|decrease|boost))"
)
# What before one does: `reduced by half`
BY = re.compile(rf"\b(?:by|of|to|achiev\w+|{CHANGE})\s{BOUND}{{0,3}}(?:an?\s)?$")
# A setting that results are told under: `at 50% sparsity`, `under 4x compression`
AT_RATIO = re.compile(r"\b(?:under|at|with|using)\s(?:an?\s)?$")
OF_RATIO = re.compile(r"\s(?:\w+\s)?(?:compression|sparsity|pruning|masking|dropout|ratio|context|length|scale)\b")
# How large a thing is, which is no result: `twice the size of`
SIZE = re.compile(r"\s(?:the size|as (?:large|big|many)|larger|bigger|more\s(?!\w*(?:effici|accura|fast)))")
# What makes a bare number a multiple: `by a factor of 6`, `speedup of 3`
FACTOR = re.compile(
    rf"\b(?:factors?(?: of)?|(?:speed-?ups?|acceleration|reduction|improvement) factors?(?: of)?"
    rf"|speed-?ups? (?:of|greater than|by)|speed-?ups?(?= between))\s{BOUND}{{0,3}}(?:between\s)?$"
)
FACTOR_AFTER = re.compile(
    r"\s(?:(?:end-to-end|training|inference|wall-clock|average|[a-z]+-level)\s){0,2}speed-?ups?\b"
)
# What makes a bare decimal a gain: `improves BLEU by 1.2`, `raises the average from 70.6`
GAINED = re.compile(
    rf"\b(?:gains?|improv\w+|increas\w+|boost\w*|drops?|dropp\w+|reduc\w+|decreas\w+|rais\w+|lift\w*|surpass\w*"
    rf"|outperform\w*|fall\w*)\s(?:[^\s]{{1,24}}\s){{0,6}}(?:of|by|from)\s{BOUND}{{0,3}}[+-]?$"
)
# What makes one a score, where a benchmark follows: `achieves 68.1 on`
REACHED = re.compile(
    rf"\b(?:scor(?:es?|ed|ing)|achiev\w+|reach\w*|attain\w*|obtain\w*|is|was)\s{BOUND}{{0,3}}(?:an?\s|only\s"
    rf"|just\s)?$"
)
IS_YEAR = re.compile(r"(?:19|20)\d\d")
# From one value to another, which is always told as a result
MOVED = re.compile(r"\bfrom\s$")
# What is reached without a word for it: `trains at 502 petaFLOP/s`
AT = re.compile(rf"\b(?:at|sustain\w*)\s{BOUND}{{0,3}}$")
# What a score goes on with: `64.7 on A, 40.2 on B and 73.1 on C`
NEXT = re.compile(r"(?:,|,?\sand|;)\s$")
ON = re.compile(r"\s(?:on|in|for|at)\s")
# What makes a duration a result: `in just 0.6 seconds`, `takes 3 hours`
IN_TIME = re.compile(rf"\bin\s(?:(?:only|just|merely|{BOUND})\s?){{1,3}}$")
TAKES = re.compile(
    rf"\b(?:in|within|under|takes?|taking|requir\w+|needs?|to|from|only|just|by|latency of|time of|runtime of"
    rf"|memory|memory of|footprint of|uses?|using|consum\w+)\s{BOUND}{{0,3}}(?:an?\s)?$"
)
# How long a thing is, which is no result: `10 hours of video`
OF_MEDIA = re.compile(
    r"\s?(?:of\s(?:[\w-]+\s){0,3}(?:video|audio|speech|data|footage|recording|music|conversation|play|content"
    r"|demonstration|interaction|motion|videos|recordings)|long\b|windows?\b|videos?\b|clips?\b|segments?\b|horizon)"
)
# What takes time, and what takes memory
SPEED = re.compile(
    r"\b(?:train\w*|generat\w*|reconstruct\w*|infer\w*|render\w*|process\w*|latenc\w*|runtimes?|tim(?:e|es)|run\w*"
    r"|optimi[sz]\w*|comput\w*|complet\w*|decod\w*|synthesi[sz]\w*|converg\w*|solv\w*|produc\w*|per|fine-tun\w*"
    r"|edit\w*|speed\w*|construct\w*|build\w*|fast\w*|respon\w*|predict\w*)\b"
)
MEMORY = re.compile(
    r"\b(?:memory|vram|footprint|storage|cache|model size|size|disk|bandwidth|checkpoint|communicat\w*|compress\w*"
    r"|reduc\w*|requir\w*)\b"
)
# What `7 of 7` may count
FRACTION_OF = re.compile(
    r"\s(?:[\w-]+\s){0,3}(?:tasks?|problems?|benchmarks?|cases|runs|datasets?|metrics|settings|models|games"
    r"|environments|domains|categories|experiments|trials|questions|instances|languages|comparisons|subjects|times"
    r"|scenarios)"
)
# The number of another's work, which the paper's own is set against: `than the 42.1% of X`, `above its own 77.5%`
OTHERS = re.compile(
    r"\b(?:than|compared (?:to|with)|above|versus|exceed\w*|surpass\w*|outperform\w*|relative to)\s(?:a\s"
    r"|the\s)?(?:(?!by\b|with\b|up\b|on\b|in\b|and\b|to\b"
    r"|for\b)[^\s,;()]{1,30}\s){1,6}(?:and its (?:[^\s,;()]{1,30}\s){1,4})?$"
)
# and one set against it directly: `versus 76.2%`
SET_AGAINST = re.compile(r"\b(?:versus|compared (?:to|with)|relative to)\s$")
# The shapes that may be a number of another's
LEVELS: frozenset[Shape] = frozenset({"percent", "bare", "time", "bytes", "rate", "level"})
# How much larger a dataset is than others
OF_DATASETS = re.compile(
    r"\s(?:larger|bigger|more)\s(?:\w+\s){0,3}(?:than|compared to)\s(?:\S+\s){0,6}(?:datasets?|benchmarks?|corpora"
    r"|resources)\b"
)
