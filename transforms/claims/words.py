"""Words by which results are found and reported: metrics and verbs of change, in lower case."""

import re

from transforms.numbers.figures import BOUND
from warehouse.schema.benchmarks import Metric

# Metrics. The one nearest to the number is taken; a phrase comes before the words it contains
METRICS: dict[Metric, str] = {
    "speedup": r"(?:(?:computational|wall[\s-]clock|latency|inference|training|end-to-end|runtime|throughput|generation"
    r"|sampling) ){1,3}speed[\s-]?ups?|speed[\s-]?ups?|speed\w*|accelerat\w+|faster|quicker|slower|slow[\s-]?downs?"
    r"|fast",
    "communication": r"communication(?: volumes?| overheads?| costs?| time)?|network traffic|traffic"
    r"|data (?:movement|transfers?|traffic)|bits? exchanged",
    "memory": r"(?:peak |gpu |activation )*memory(?: footprint| usage| consumption| requirements?| overheads?"
    r"| costs?| use)?|vram|(?:kv|key-value)[\s-]cache(?: size| memory| usage)?|memory footprint|footprint",
    "throughput": r"throughputs?|tokens? per second|tokens/s\w*|fps|frames? per second|qps|bandwidth"
    r"|[tp]flops(?:/s)?|requests per second|goodput|(?:training|inference|serving) efficiency",
    "latency": r"latenc\w+|runtimes?|run[\s-]times?|wall[\s-]clock(?:[\s-]time)?|time[\s-]to[\s-]first[\s-]token"
    r"|ttft|makespan|delays?|(?<!at )(?<!during )(?:training|inference|execution|computation(?:al)?|processing"
    r"|search|tuning|decoding|generation|rendering|response|sampling|optimi[sz]ation|completion|transfer|startup"
    r"|build|compilation|compile|solve|iteration|reconstruction) times?"
    r"|(?<!test )(?<!inference )(?<!real )(?<!first )(?<!same )times?(?!\s(?:faster|more|fewer|larger|smaller"
    r"|higher|less))",
    "utilization": r"(?:(?:model |peak )?flops? |compute |gpu |hardware |bandwidth )?utili[sz]ation|mfu"
    r"|(?:theoretical |hardware )peak(?: performance)?|peak performance|(?<=of )(?:the )?peak|occupancy"
    r"|theoretical(?=\s(?:peak|max|limit|bound))"
    r"|of optimal",
    "energy": r"energy(?: consumption| efficiency| use)?|power(?: consumption)?|carbon|emissions?|watts?",
    "cost": r"(?:training |token )?costs?(?:-(?:per|of)-\w+)?|cost-effective\w*"
    r"|input tokens?(?: consumption)?|cheaper|expenses?"
    r"|prices?|pricing|usd|dollars?|budgets?",
    "compute": r"(?:thinking|token|compute|inference) budgets?|flops?|gflops|computation\w*|compute(?: costs?"
    r"| budgets?)?|gpu[\s-](?:hours?|days?)"
    r"|(?:gpu|compute|computational|computing) resources?|accelerator hours|macs"
    r"|training (?:compute|steps?)|(?:inference |sampling |denoising |decoding |training )?(?:iterations?|steps)"
    r"|tokens?(?! compression)|(?:function|model|score|reward|oracle|energy) evaluations|evaluations(?= (?:than|per))"
    r"|calculations|calls|operations|nfes?",
    "data": r"(?:training |labell?ed |annotated )?(?:data|samples|examples|annotations|demonstrations)|training tokens"
    r"|rollouts(?! (?:tokens|steps|length))|(?:sample|data)[\s-]efficien\w+",
    "size": r"(?:trainable )?parameters?|model sizes?|sizes?|smaller|compress\w*|storage|larger|compact",
    "error": r"sensitivity of (?:\w+ ){0,2}scores?|sensitivity(?= (?:of|to)\b)|(?:word |character )?errors?"
    r"(?! (?:locali|detect|correct|analys|attribut|propagat|recover|signal|message|type|identif))(?: rates?)?"
    r"|loss(?:es)?|perplexit\w+|ppl|wer|cer"
    r"|reconstruction f[iv]d|(?:[rg]?fid|[rg]?fvd)(?: scores?)?"
    r"|mae|mape|rmse|mse|lpips|divergence|hallucinat\w+(?: rates?)?"
    r"|(?:failure|false (?:positive|alarm)|attack[ -]success|collision|rejection) rates?|failures?|regret"
    r"|violations?(?: rates?)?(?! (?:detect|recall|judg))|eer|chamfer\S*|drift|mistakes?"
    r"|bias|toxicity|forgetting|fprs?|(?<!performance )gap(?! between)",
    "other": r"token compression|sparsity|context (?:length|window)s?",
    "quality": r"(?!avg|mean)[a-z]{1,9}@(?:\d[\d.]*(?<!\.)|all)|pass\^\d+|accurac\w+|correctness"
    r"|f1(?:[\s-](?:macro |micro |weighted )?scores?)?|f-scores?|bleu|rouge(?:-\w)?|cider"
    r"|(?:inception |clip[ -])?scores?|(?:length-controlled |lc )?win[\s-]?rates?"
    r"|success(?:ful)?(?: rates?)?"
    r"|(?<!diffusion )(?<!image )(?<!video )sr(?! model| network| method)"
    r"|quality|m?ap|miou|iou|recall|precision|auc|auroc|pass@\w+|psnr|ssim|ndcg\S*|mrr"
    r"|correlat\w+|agreement|pass rates?|resolution rates?|resolv\w+(?: rates?)?|solv\w+|accurate"
    r"|intersection over union|elo|rewards?|top-1|top-5|dice|exact match|em"
    r"|preferred|preference|coverage|consistency|fidelity|robustness|r",
}
# Words that go with any measure of quality: used where no metric is named
WEAK_QUALITY = (
    r"performance|improv\w*|gains?|outperform\w*|surpass\w*|benchmarks?|tasks?|state-of-the-art|sota|better"
    r"|reasoning|correct\w*|detect\w*|identif\w*|humans?|generali[sz]\w*|competitive|best|exceed\w*|questions"
    r"|problems|cases|on [\w-]*bench\S*|baselines?|evaluat\w*|predict\w*|classif\w*"
)

UP = (
    r"improv\w*|increas\w*|gain\w*|boost\w*|faster|higher|better|outperform\w*|surpass\w*|exceed\w*"
    r"|speed(?!s?\sof\b)(?:-ups?|\w*)|more"
    r"|greater|larger|longer|accelerat\w*|rais(?:e|es|ed|ing)|enhanc\w*|lift\w*|advantage|superior\w*|grow\w*|grew"
    r"|rises?|rising|rose|bigger|uplift\w*|stronger|beat\w*|elevat\w*|amplif\w*|expan\w*|wider|deeper|jump\w*|slower"
    r"|extend\w*|multipl(?:y|ies|ied|ying)|quicker|richer|promot\w*|ahead|higher|extra"
)
DOWN = (
    r"reduc\w*|decreas\w*|fewer|less|lower\w*|smaller|saving\w*|saves?|saved|cuts?|cutting|drop\w*|degrad\w*"
    r"|shrink\w*|shrank|cheaper|declin\w*|compress(?:es|ed|ing)?|shorter|shorten\w*|minimi[sz]\w*|mitigat\w*"
    r"|suppress\w*|fell|falls?|falling|eliminat\w*|prun\w+|lighter|diminish\w*|remov\w*|trims?|trimming|worse"
    r"|deteriorat\w*|depress\w*|collaps\w*|lag\w*|narrow\w*|discard\w*|slash\w*|underperform\w*|overestimat\w*|loss"
)
CHANGE = rf"(?:{UP}|{DOWN})"

RESULT = re.compile(
    rf"\b(?:{CHANGE}|achiev\w*|reach\w*|yield\w*|obtain\w*|attain\w*|scor\w+|show\w*|finds?|found|findings"
    rf"|demonstrat\w*|observ\w*|reveal\w*|report\w*|results?|experiments?|compared|state-of-the-art|sota|accura\w+"
    rf"|retain\w*|preserv\w*|maintain\w*|recover\w*|match\w*|resolv\w*|solv\w*|complet\w*|success\w*|performance"
    rf"|wins?|won|correlat\w*|precision|recall|agreement|identif\w*|detect\w*|perform\w*|produc\w*|deliver\w*|rates?"
    rf"|only|moves?|climb\w*|differ\w*|overhead|utili[sz]ation)\b"
)
SCORE_NAMES = (
    r"(?:accurac(?:y|ies)|f1|f-score|bleu|rouge-?\w?|cider|scores?|aucs?|auroc|m?ap|miou|iou|recall|precision|psnr"
    r"|ssim|fid|fvd|lpips|perplexity|ppl|wer|cer|correlations?|pearson|spearman|kappa|elo|rating|pass@\w+|ndcg\S*"
    r"|mrr|dice|mae|rmse|mse|r|rho|r2|r\^2|mfu|loss|error|win rate|success rate|hpsv2|geneval|clip|meteor|bertscore"
    r"|sharpe ratio|(?<!downsample )(?<!downsampling )(?<!mask )(?<!aspect )ratio|exponent|reward|coefficient)"
)
SCORED = re.compile(
    rf"\([^():]{{0,40}}\b{SCORE_NAMES}:\s(?:[\w.\[\]-]{{1,20}}\s){{1,3}}$"
    rf"|(?<!single )(?<!half )(?<!double )\b{SCORE_NAMES}(?:[\s-](?:scores?|values?|index|coefficients?|ratings?"
    rf"|metric))?(?:\s\([^()]{{1,20}}\))?[\s:=]*(?:of|is between|is|was|to|reaches|reaching|from|at|by|only"
    rf"|just|is only"
    rf"|is just|of only|of just)?\s?{BOUND}{{0,3}}[\s(]?$"
)
SCORED_BEHIND = re.compile(
    r"(?:\s(?:vs\.?|versus)\s\d[\d.]*|/\d[\d.]*)?\s(?:(?:[\w-]{1,16}\s){0,2}scores?\b|ap(?:\d\d|[smlr]|bb)\b|ods\b"
    r"|[rg]f[iv]d|r?fvd"
    r"|(?:in\s|on\s)?(?:pass@|bleu|rouge|f1|m?ap|miou|fid|auc|auroc|psnr|cider|accuracy|perplexity|elo|wer|fvd|ndcg"
    r"|mrr|dice|iou|pearson|spearman)(?:\b|(?<=@)))"
)
# A sentence about the paper's own work: the first of an abstract ends its background
OWN = re.compile(
    r"\b(?:we|our|ours|this (?:paper|work|study|article|report|survey|thesis|approach|method|technique|design)"
    r"|the proposed|herein|in this (?:paper|work|study|article|report)|experiments?|experimental(?:ly)?"
    r"|empirical(?:ly)?|is (?:proposed|presented|introduced|developed))\b"
)
