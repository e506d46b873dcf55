r"""The sentences that introduce a name, as patterns over an abstract. Every repetition in them is bounded."""

from __future__ import annotations

import re

from transforms.claims.naming import NAME, THING

# The stems of the verbs that introduce: only around them anything is tried
INTRODUCES = (
    "introduc propos present develop design releas unveil describ contribut creat construct devis build built open-sourc offer deriv formulat curat"
    " collect implement provid announc"
).split()
INTRODUCING = re.compile(r"[a-z-]{4,13}(?=,?\s),?\s")
WHO = re.compile(
    r"(?:\b[Ww]e|\b[Tt]his (?:paper|work|article|study|report|technical report)|\b[Tt]he paper|\band|\bto|\bby|,|\bhere,?|\b[Oo]ur (?:paper|work))\s"
    r"(?:(?:also|then|first|instead|further|here|and|design and|present and|[a-z]{3,12}ly),?\s){0,2}$"
)
OPEN = r"[\"“‘`'*]{0,2}"  # noqa: RUF001
AHEAD = (
    r"(?=[\"”’`'*]{0,2}(?:\s?[,(:;.—–]|\s(?:a|an|the|that|which|to|for|as|with|by|is|and|in|on|from|using|based|via|where|--?)\b|\s--?\s|\s?$))"  # noqa: RUF001
)
WORDS = r"(?:[\w/+'’.-]{1,30}+,?\s)"  # noqa: RUF001

# `we introduce X, a …`, `this paper proposes the X framework`
INTRODUCED = re.compile(rf"(?:the\s(?:concept\sof\s)?|our\s)?{OPEN}(?P<name>{NAME})(?:\s{THING})?{AHEAD}")
# `we propose a novel framework, X, that`, `… a family of models: X`
DESCRIBED = re.compile(
    rf"(?:an?|the|our|two|three)\s{WORDS}{{0,10}}?{THING}(?P<mark>\s\(|[,:]|\s?[-–—]{{1,2}}|\sof)?\s?"  # noqa: RUF001
    rf"(?:\(?(?:namely|i\.e\.,|called|named|dubbed|termed)\s)?{OPEN}(?P<name>{NAME}){AHEAD}"
)
# `…, called X`, `which we term X`, `we refer to the modified method as X`
CALLS = (
    "called named dubbed termed coined titled entitled denoted designated namely".split()
    + ["abbreviated as", "referred to as", "refer to", "we call", "we name", "we term", "we dub"]
)
CALLED = re.compile(
    r"(?:called|named|dubbed|termed|coined|titled|entitled|denoted(?:\sas)?|designated(?:\sas)?|abbreviated\sas|referred\sto\sas|namely"
    rf"|refer\sto\s{WORDS}{{1,14}}?as|we\s(?:call|name|term|dub)(?:\s(?:this|our|it|the|these)(?:\s[\w-]{{1,20}}){{0,4}}?)?)[,:]?\s(?:as\s)?(?:the\s|an?\s)?"
    rf"{OPEN}(?P<name>{NAME})"
)
# `our method, X,`, `our novel profiler X`, `a new language, X, that`
OUR = ("our ", "Our ", "novel ", "new ", "proposed ")
OURS = re.compile(rf"(?:[Oo]ur|new|novel|proposed)\s(?:[\w-]{{1,20}}\s){{0,4}}?{THING}(?:,|:|\s\()?\s{OPEN}(?P<name>{NAME}){AHEAD}")
# `X is a library …`
IS_A = (" is a ", " is an ", " is the first ", " are a ", ", an open", ", a ")
NAMED_BEFORE = re.compile(rf"(?:^|[.!?]\s|,\s)(?:The\s)?(?P<name>{NAME})$")
DEFINED = re.compile(rf"(?:,| is| are) (?:an?|the first) {WORDS}{{0,12}}?{THING}\b")
# `X, a …, is proposed`; `contributions: …, and X (Spelled Out Name)`
SPELLED = re.compile(r"(?P<name>[A-Z][\w-]{1,20}+)\s\((?P<full>[A-Z][\w-]{0,30}+(?:[\s-]+[\w-]{1,30}+){1,9}+)\)")
# `Full Name (FN)`: the abbreviation behind a name
SHORT = re.compile(rf"\s{{0,2}}[\"”’]?\s?\(\s?(?:(?:abbr\.|abbreviated as|or|i\.e\.,|aka|a\.k\.a\.|short for|termed|dubbed|called)\s)?{OPEN}(?P<name>{NAME})[\"”’'`*]{{0,2}}\s?[),;]")  # noqa: RUF001
# What says that a name is not the main one
ALSO = re.compile(r"\b(?:also|additionally|furthermore|moreover|further|in addition|besides|finally|based on)\b", re.IGNORECASE)
# What a system does
DOES = re.compile(
    r"(?:'s)?,?\s(?:achiev|outperform|improv|reduc|is|are|can|provid|show|surpass|deliver|consist|enabl|us|leverag|integrat|employ|demonstrat|support"
    r"|combin|attain|yield|exhibit|allow|incorporat|offer|cover|contain|generat|adopt|learn|introduc|extend|exceed|set|also|not|first|significantly"
    r"|consistently|maintain|adapt|treat|operat|keep|build|comput|construct|decompos|train|transform|unif|aggregat|match|obtain|scal|speed)"
)
