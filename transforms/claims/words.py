"""The words that results are told with: metrics, verbs of change, bounds. Lists one can read, in lower case."""

from __future__ import annotations

import re

from transforms.claims.found import Bound, Metric

# What is measured. The nearest to the number is taken; a phrase stands before the words it holds
METRICS: dict[Metric, str] = {
    "speedup": r"(?:(?:wall[\s-]clock|latency|inference|training|end-to-end|runtime|throughput|generation|sampling) ){1,3}speed[\s-]?ups?|speed[\s-]?ups?|speed\w*|accelerat\w+|faster|quicker|slower|slow[\s-]?downs?|fast",
    "communication": r"communication(?: volumes?| overheads?| costs?| time)?|network traffic|traffic|data (?:movement|transfers?|traffic)|bits? exchanged",
    "memory": r"(?:peak |gpu |activation )*memory(?: footprint| usage| consumption| requirements?| overheads?| costs?| use)?|vram"
    r"|(?:kv|key-value)[\s-]cache(?: size| memory| usage)?|memory footprint|footprint",
    "throughput": r"throughputs?|tokens? per second|tokens/s\w*|fps|frames? per second|qps|bandwidth|[tp]flops(?:/s)?|requests per second|goodput",
    "latency": r"latenc\w+|runtimes?|run[\s-]times?|wall[\s-]clock(?:[\s-]time)?|time[\s-]to[\s-]first[\s-]token|ttft|makespan|delays?"
    r"|(?<!at )(?<!during )(?:training|inference|execution|computation(?:al)?|processing|search|tuning|decoding|generation|rendering|response|sampling"
    r"|optimi[sz]ation|completion|transfer|startup|build|compilation|compile|solve|iteration|reconstruction) times?|(?<!test )(?<!inference )(?<!real )"
    r"(?<!first )(?<!same )times?",
    "utilization": r"(?:(?:model |peak )?flops? |compute |gpu |hardware |bandwidth )?utili[sz]ation|mfu|(?:theoretical |hardware )?peak(?: performance)?|occupancy|theoretical|of optimal",
    "energy": r"energy(?: consumption| efficiency| use)?|power(?: consumption)?|carbon|emissions?|watts?",
    "cost": r"costs?|cheaper|expenses?|prices?|pricing|usd|dollars?|budgets?",
    "compute": r"flops?|gflops|computation\w*|compute(?: costs?| budgets?)?|gpu[\s-](?:hours?|days?)|accelerator hours|macs|training (?:cost|compute|steps?)"
    r"|(?:inference |sampling |denoising |decoding |training )?(?:iterations?|steps)|tokens?|rollouts?|evaluations|calculations|calls|operations|nfes?",
    "data": r"(?:training |labell?ed |annotated )?(?:data|samples|examples|annotations|demonstrations)|(?:sample|data)[\s-]efficien\w+",
    "size": r"(?:trainable )?parameters?|model sizes?|sizes?|smaller|compress\w*|storage|larger|compact",
    "error": r"errors?(?: rates?)?|loss(?:es)?|perplexit\w+|ppl|wer|cer|fid|fvd|mae|mape|rmse|mse|lpips|divergence|hallucinat\w+"
    r"|(?:failure|false positive|attack success|violation|collision|rejection) rates?|failures?|regret|eer|chamfer|drift|mistakes?|bias|toxicity|gap",
    "quality": r"accurac\w+|f1(?:[\s-]scores?)?|f-scores?|bleu|rouge(?:-\w)?|cider|scores?|win[\s-]?rates?|success(?:ful)?(?: rates?)?"
    r"|quality|m?ap|miou|iou|recall|precision|auc|auroc|pass@\w+|psnr|ssim|ndcg\S*|mrr|correlat\w+|agreement|pass rates?|resolv\w+|solv\w+"
    r"|accurate|elo|rewards?|top-1|top-5|dice|exact match|preferred|preference|coverage|consistency|fidelity|robustness|r",
}
# Words that go with any score of goodness: taken where no metric is named
WEAK_QUALITY = (
    r"performance|improv\w*|gains?|outperform\w*|surpass\w*|benchmarks?|tasks?|state-of-the-art|sota|better|reasoning|correct\w*|detect\w*|identif\w*"
    r"|humans?|generali[sz]\w*|competitive|best|exceed\w*|questions|problems|cases|on [\w-]*bench\S*|baselines?|evaluat\w*|predict\w*|classif\w*"
)

UP = (
    r"improv\w*|increas\w*|gain\w*|boost\w*|faster|higher|better|outperform\w*|surpass\w*|exceed\w*|speed\w*|more|greater|larger|longer"
    r"|accelerat\w*|rais(?:e|es|ed|ing)|enhanc\w*|lift\w*|advantage|superior\w*|grow\w*|grew|rises?|rising|rose|bigger|uplift\w*|stronger|beat\w*"
    r"|elevat\w*|amplif\w*|expan\w*|wider|deeper|jump\w*|slower|extend\w*|multipl(?:y|ies|ied|ying)|quicker|richer|promot\w*|ahead|higher|extra"
)
DOWN = (
    r"reduc\w*|decreas\w*|fewer|less|lower\w*|smaller|saving\w*|saves?|saved|cuts?|cutting|drop\w*|degrad\w*|shrink\w*|shrank|cheaper|declin\w*"
    r"|compress(?:es|ed|ing)?|shorter|shorten\w*|minimi[sz]\w*|mitigat\w*|suppress\w*|fell|falls?|falling|eliminat\w*|prun\w+|lighter|diminish\w*|remov\w*"
    r"|trims?|trimming|worse|deteriorat\w*|collaps\w*|lag\w*|narrow\w*|discard\w*|slash\w*|underperform\w*|overestimat\w*|loss"
)
CHANGE = rf"(?:{UP}|{DOWN})"

BOUNDS: dict[Bound, str] = {
    "up to": r"up to|upto|at most|as much as|max(?:imum)?(?: of)?|under|below|less than|fewer than|within|no more than|<|\\leq?|leq|lower than",
    "at least": r"over|more than|at least|above|exceed(?:s|ing)?|>|\\geq?|geq|\\?textgreater|greater than|no less than|beyond|upwards? of|higher than",
    "average": r"on average|average(?: of)?|averaging|mean(?: of)?|avg\.?|geomean|averages|median(?: of)?",
    "about": r"about|around|nearly|roughly|approximately|almost|~|∼|\\sim|sim|close to|approx\.?|≈|\\approx|circa|some|an estimated",
}
BOUND = rf"(?:(?:an?\s)?(?:{'|'.join(BOUNDS.values())})\s?(?:an?\s)?)"

RESULT = re.compile(
    rf"\b(?:{CHANGE}|achiev\w*|reach\w*|yield\w*|obtain\w*|attain\w*|scor\w+|show\w*|finds?|found|findings|demonstrat\w*|observ\w*|reveal\w*"
    r"|report\w*|results?|experiments?|compared|state-of-the-art|sota|accura\w+|retain\w*|preserv\w*|maintain\w*|recover\w*|match\w*|resolv\w*"
    r"|solv\w*|complet\w*|success\w*|performance|wins?|won|correlat\w*|precision|recall|agreement|identif\w*|detect\w*|perform\w*|produc\w*"
    r"|deliver\w*|rates?|only|moves?|climb\w*|differ\w*|overhead|utili[sz]ation)\b"
)
SCORE_NAMES = (
    r"(?:accurac(?:y|ies)|f1|f-score|bleu|rouge-?\w?|cider|scores?|aucs?|auroc|m?ap|miou|iou|recall|precision|psnr|ssim|fid|fvd|lpips|perplexity|ppl"
    r"|wer|cer|correlations?|pearson|spearman|kappa|elo|rating|pass@\w+|ndcg\S*|mrr|dice|mae|rmse|mse|r|rho|r2|r\^2|mfu|loss|error|win rate|success rate"
    r"|hpsv2|geneval|clip|meteor|bertscore|sharpe ratio|ratio|exponent|reward|coefficient)"
)
SCORED = re.compile(
    rf"(?<!single )(?<!half )(?<!double )\b{SCORE_NAMES}(?:[\s-](?:scores?|values?|index|coefficients?|ratings?|metric))?(?:\s\([^()]{{1,20}}\))?[\s:=]*"
    rf"(?:of|is|was|to|reaches|reaching|from|at|by|only|just|is only|is just|of only|of just)?\s?{BOUND}*[\s(]?$"
)
SCORED_BEHIND = re.compile(
    r"\s(?:in\s|on\s)?(?:pass@|bleu|rouge|f1|m?ap|miou|fid|auc|auroc|psnr|cider|accuracy|perplexity|elo|wer|fvd|ndcg|mrr|dice|iou|pearson|spearman)(?:\b|(?<=@))"
)
# A sentence about the paper's own work: the first of an abstract ends its background
OWN = re.compile(
    r"\b(?:we|our|ours|this (?:paper|work|study|article|report|survey|thesis|approach|method|technique|design)|the proposed|herein"
    r"|in this (?:paper|work|study|article|report)|experiments?|experimental(?:ly)?|empirical(?:ly)?|is (?:proposed|presented|introduced|developed))\b"
)
