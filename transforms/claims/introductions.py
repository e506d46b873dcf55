r"""The sentences that introduce a name, as patterns over an abstract. Every repetition in them is bounded."""

from __future__ import annotations

import re

from transforms.claims.hooks import words_of
from transforms.claims.naming import NAME, THING

# The stems of the verbs that introduce: only around them anything is tried
INTRODUCES = words_of(
    "introduc propos present develop design releas unveil describ contribut creat construct devis build built"
    " open-sourc offer deriv formulat curat collect implement provid announc"
)
INTRODUCING = re.compile(r"[a-z-]{4,13}(?=,?\s),?\s")
WHO = re.compile(
    r"(?:\b[Ww]e|\b[Tt]his (?:paper|work|article|study|report|technical report)|\b[Tt]he paper|\band|\bto|\bby|,"
    r"|\bhere,?|\b[Oo]ur (?:paper|work))\s(?:(?:also|then|first|instead|further|here|and|design and|present and"
    r"|[a-z]{3,12}ly),?\s){0,2}$"
)
OPEN = r"[\"\u201c\u2018`'*]{0,2}"
AHEAD = (
    r"(?=[\"\u201d\u2019`'*]{0,2}(?:\s?[,(:;.\u2014\u2013]|\s(?:a|an|the|that|which|to|for|as|with|by|is|and|in|on"
    r"|from|using|based|via|where|inspired|designed|built|capable|consisting|leveraging|whose|trained|--?)\b|\s--?\s|\s?$))"
)
WORDS = r"(?:[\w/+'\u2019.-]{1,30}+,?\s)"

# `we introduce X, a …`, `this paper proposes the X framework`
INTRODUCED = re.compile(rf"(?:the\s(?:concept\sof\s)?|our\s)?{OPEN}(?P<name>{NAME})(?:\s{THING})?{AHEAD}")
# `we propose a novel framework, X, that`, `… a family of models: X`
DESCRIBED = re.compile(
    rf"(?:an?|the|our|two|three)\s{WORDS}{{0,10}}?{THING}(?P<mark>\s\(|[,:]|\s?[-\u2013\u2014]{{1,2}}"
    rf"|\sof)?\s?(?:\(?(?:namely|i\.e\.,|called|named|dubbed|termed)\s)?{OPEN}(?P<name>{NAME}){AHEAD}"
)
# `we propose the joint pruning of early roots (JPER)`: words in lower case, and the abbreviation made of them
EXPANDED = re.compile(r"(?P<full>(?:[\w/-]{1,30}+\s){2,12})\((?P<name>[A-Za-z0-9][\w-]{1,20}+)\)")
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
CALLED = re.compile(
    rf"(?:called|named|dubbed|termed|coined|titled|entitled|denoted(?:\sas)?|designated(?:\sas)?|abbreviated\sas"
    rf"|referred\sto\sas|namely|refer\sto\s{WORDS}{{1,14}}?as|we\s(?:call|name|term|dub)(?:\s(?:this|our|it|the"
    rf"|these)(?:\s[\w-]{{1,20}}){{0,4}}?)?)[,:]?\s(?:as\s)?(?:the\s|an?\s)?{OPEN}(?P<name>{NAME})"
)
# `our method, X,`, `our novel profiler X`, `a new language, X, that`
OUR = ("our ", "Our ", "novel ", "new ", "proposed ")
OURS = re.compile(
    rf"(?:[Oo]ur|new|novel|proposed)\s(?:[\w-]{{1,20}}\s){{0,4}}?{THING}(?:,|:|\s\()?\s{OPEN}(?P<name>{NAME}){AHEAD}"
)
# `X is a library …`
IS_A = (" is a ", " is an ", " is the first ", " are a ", ", an open", ", a ")
NAMED_BEFORE = re.compile(rf"(?:^|[.!?]\s|,\s)(?:The\s)?(?P<name>{NAME})$")
DEFINED = re.compile(rf"(?:,| is| are) (?:an?|the first) {WORDS}{{0,12}}?{THING}\b")
# `X, a …, is proposed`; `contributions: …, and X (Spelled Out Name)`
SPELLED = re.compile(r"(?P<name>[A-Z][\w-]{1,20}+)\s\((?P<full>[A-Z][\w-]{0,30}+(?:[\s-]+[\w-]{1,30}+){1,9}+)\)")
# `Full Name (FN)`: the abbreviation behind a name
SHORT = re.compile(
    rf"\s{{0,2}}[\"\u201d\u2019]?\s?\(\s?(?:(?:abbr\.|abbreviated as|or|i\.e\.,|aka|a\.k\.a\.|short for|termed"
    rf"|dubbed|called)\s)?{OPEN}(?P<name>{NAME})[\"\u201d\u2019'`*]{{0,2}}\s?[),;]"
)
# What says that a name is not the main one
ALSO = re.compile(
    r"\b(?:also|additionally|furthermore|moreover|further|in addition|besides|finally|based on)\b",
    re.IGNORECASE,
)
# What a system does
DOES = re.compile(
    r"(?:'s)?,?\s(?:achiev|outperform|improv|reduc|is|are|can|provid|show|surpass|deliver|consist|enabl|us|leverag"
    r"|integrat|employ|demonstrat|support|combin|attain|yield|exhibit|allow|incorporat|offer|cover|contain|generat"
    r"|adopt|learn|introduc|extend|exceed|set|also|not|first|significantly|consistently|maintain|adapt|treat|operat"
    r"|keep|build|comput|construct|decompos|train|transform|unif|aggregat|match|obtain|scal|speed)"
)
