"""Rules by which a text is indexed and a query ranked, shared by the index, the SQL macros and the browser.

Each engine computes with the same integers, so that it gives the same papers in the same order. A change here that
could index a text differently raises `MODEL`. Where the figures come from: docs/search.md.
"""

from functools import reduce
from typing import Final

MODEL: Final = "lsa256.4"  # dimensions of the basis, and the version of all rules that make an index of a text

# Letters and digits of a text in lower case without accents, in ranges: a class like \p{L} follows the Unicode version
# of each client, and takes DuckDB longer to compile than the rest of a query
SPACED: Final = (  # of scripts that write spaces between words
    "0-9a-z\u00df-\u00f6\u00f8-\u02af"  # Latin
    "\u0370-\u1fff\u2c00-\u2dff"  # Greek, Cyrillic and the other alphabets
    "\u3100-\u33ff\u4dc0-\u4dff\ua000-\ud7ff\ufb00-\ufdff\ufe70-\ufefc\uff66-\uffdc"  # Korean; forms of letters
)
UNSPACED: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Japanese and Chinese
LETTERS: Final = SPACED + UNSPACED
JOINER: Final = "[-\u2010\u2011'\u2019]"
RUN: Final = f"[{UNSPACED}]+"  # its words are each two letters of it that follow one another
WORD: Final = f"[{SPACED}]+(?:{JOINER}[{SPACED}]+)*|{RUN}"
TO: Final = "^([a-z]+)2([a-z]+)$"  # a word of a query that is also asked for as `text-to-image` is: all in one
SIGN: Final = f"[^{LETTERS}]"
POSSESSIVE: Final = "['\u2019]s$"
# Letters that no accent is taken from, as they are typed where a keyboard lacks them; a final sigma is a sigma
PLAIN_LETTERS: Final = {
    "\u03c2": "\u03c3",
    "\u0142": "l",
    "\u00f8": "o",
    "\u0111": "d",
    "\u00f0": "d",
    "\u0127": "h",
    "\u0131": "i",
    "\u0167": "t",
    "\u00df": "ss",
    "\u00e6": "ae",
    "\u0153": "oe",
    "\u00fe": "th",
}
_ONE_FOR_ONE: Final = {letter: plain for letter, plain in PLAIN_LETTERS.items() if len(plain) == 1}
_UNACCENTED: Final = reduce(
    "replace({0}, '{1[0]}', '{1[1]}')".format,
    ((letter, plain) for letter, plain in PLAIN_LETTERS.items() if len(plain) > 1),
    f"translate(lower(strip_accents({{0}})), '{''.join(_ONE_FOR_ONE)}', '{''.join(_ONE_FOR_ONE.values())}')",
)
# As DuckDB folds a text; of most, which are ASCII, lower case is all
FOLDED: Final = f"CASE WHEN strlen({{0}}) = length({{0}}) THEN lower({{0}}) ELSE {_UNACCENTED} END"
LONGEST_WORD: Final = 64  # characters; what is longer is an address or data, which nobody searches for

# The language of a query: what is typed between spaces that are not quoted, and the parts of one such item. No class
# like \\s, which each engine reads in its own way
TYPED: Final = r'(?:[^ \t\r\n"]|"[^"]*")+|"'
ITEM: Final = r'^(?P<no>-?)(?:(?P<field>[a-z]+):)?(?:(?P<quoted>"[^"]*")|(?P<word>[^ \t\r\n"]+))?"?$'
CONDITIONS: Final = ("title", "author", "org", "keyword", "has", "id", "since", "until", "list", "year")
FIELDS: Final = (*CONDITIONS, "sort", "like", "words")  # `words`: words alone, whatever they name
NEGATED: Final = "[^-]"  # what a NOT has: hyphens alone stand between words, `University of Wisconsin - Madison`
# Or a quotation mark, or a NOT
HAS_FIELDS: Final = rf'"|(?:^|[ \t\r\n])(?:-+[^- \t\r\n]|-?(?:{"|".join(FIELDS)}):)'
SORTS: Final = ("relevance", "date", "upvotes")
HAS: Final = ("code", "project", "models")
A_DAY: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
A_YEAR: Final = "^(?:19|20)[0-9]{2}$"
A_MONTH: Final = "^(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])$"
MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)[.]?"
)
_DAY: Final = "[0-9]{1,2}(?:st|nd|rd|th)?"
MONTH_IN_WORDS: Final = f"^{_MONTH},? +(?:of +)?(?:19|20)[0-9]{{2}}$"
DAY_IN_WORDS: Final = f"^(?:{_MONTH} +{_DAY}|{_DAY} +(?:of +)?{_MONTH}),? +(?:19|20)[0-9]{{2}}$"

# What a text names. An id of arXiv is found wherever it stands in one: in an address, a DOI, a reference. Each digit
# counts: one too many makes it another id, which no paper has
ARXIV_ID: Final = "(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})"
ADDRESS: Final = f"^(?:[^ ]*|arxiv ?:? ?){ARXIV_ID}[^ ]*(?: \\[[^ ]*\\])?$"  # a text that is nothing else
LONGEST_NAMED: Final = 400  # characters of a text that names something: a reference is shorter
MOST_NAME_WORDS: Final = 6  # of an author: for a longer text, or one without a letter, no author is looked at
CUT_ID: Final = "^(?:arxiv ?:? ?)?([0-9]{4}[.][0-9]{1,4})(?:v[0-9]+)?$"  # perhaps a number that lost its last zeros
NEWEST: Final = "all|the|new|newest|recent|latest"
LEADING: Final = (
    f"^(?:(?:find|show(?: me)?) +)?(?:(?:{NEWEST}) +)*(?:(?:papers?|works?|publications?|articles?|research|lists?) +)?"
    "(?:(?:authored +|written +)?by|from|of|on|at) +(?:the +)?|^authors?:? +"
)
TRAILING: Final = (
    f"(?:['\u2019]s?)?(?: +(?:{NEWEST}))?(?: +(?:papers?|works?|publications?|articles?))$|,? +et +al[.]?$"
)
OF_GROUP: Final = "^the +| +(?:team|group|lab)$"  # of an organization that is told so: "the NVIDIA team"
AND: Final = " +(?:and|&) +"  # between names that stand together
INITIAL: Final = "(?:^|[ .])[a-z][.]|,"  # how names are shortened or turned round: "K. He", "He, Kaiming"

# Spelling: an unknown word is read as the nearest known one by Damerau-Levenshtein that begins with the same letter
PLAIN_WORD: Final = "^[a-z]+$"
FEWEST_LETTERS: Final = 5  # of a word that is corrected: shorter ones have too many neighbours
LONG_WORD: Final = 8  # letters from which on two slips are corrected, in shorter words one
MOST_CORRECTED: Final = 32  # words in a query that is corrected at most: a longer one is pasted, and spelled right

# BM25F over title and abstract as one text in which the title stands twice
TITLE_TIMES: Final = 2
K1_TENTHS: Final = 9  # k1 .9, b .6: the measured best (docs/search.md)
B_TENTHS: Final = 6
AVERAGE_LENGTH: Final = 170  # measured on 8,017 papers, and frozen: a weight is a function of its text alone
WEIGHT_UNIT: Final = 100
WEIGHT_MOST: Final = WEIGHT_UNIT * (10 + K1_TENTHS) // 10  # what a term can have: k1 + 1
COUNT_MOST: Final = 127  # more often in one text is as often: its weight is within 1 of the most
HASH_DIGITS: Final = 16  # of a text's SHA-256: enough to tell apart the texts of a million papers
RARITY_UNIT: Final = 1024  # a rarity is an integer of 1/1024

# Latent semantic analysis: vectors of small integers, whose products are exact in the floats that clients multiply by
DIMENSIONS: Final = 256
BASIS_MOST: Final = 7  # magnitude of a value of the basis: four bits
VECTOR_MOST: Final = 31  # of a paper's vector: six bits
QUERY_MOST: Final = 127  # of a query's: 256 * 31 * 127 stays below 2^24
MEANING_TENTHS: Final = 2  # weight of the cosine beside BM25, each as a share of the query's best
# A query with a function word is a sentence: it is asked for its meaning, and few papers have all of its words. One
# without is a row of words: BM25 counts up to twice as much where a paper has all of them
SENTENCE_TENTHS: Final = 6  # weight of the cosine beside the BM25 of a sentence
LIKENESS_TENTHS: Final = 5  # of likeness to papers that are named, beside BM25
CANDIDATES: Final = 1_000  # papers, the best by BM25, whose meaning counts; 200 find the same

# Embeddings by a language model, where a lake asks for them: all-MiniLM-L6-v2 with weights of 8 bits, identified by
# the SHA-256 of its file. 384 * 127 * 127 stays below 2^24
EMBEDDER: Final = "minilm384.1"
EMBEDDER_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
EMBEDDED_DIMENSIONS: Final = 384
EMBEDDED_TENTHS: Final = 6  # weight of its cosine beside BM25
BESIDE_TENTHS: Final = 3  # weight of the first vector's cosine then

# Acronyms by which a search finds more: what so many papers explain so, a third of those that explain it and an eighth
# of those that have it. GPU is explained by one in a hundred, CLIP is a clip too
FEWEST_EXPLAINED: Final = 3
OF_EXPLAINED: Final = 3
OF_HAVING: Final = 8

SAME_TITLE: Final = 1  # added where the letters of the query are those of a title: it was looked for by its name
IN_TITLE_TENTHS: Final = 3  # added where they are some of the title's, in one piece
IN_TITLE_LETTERS: Final = 8  # letters of such a piece at least
NAMED_TENTHS: Final = 5  # of the best BM25: a paper looked for by its name has more, so other titles are not compared

FLOOR_TENTHS: Final = 4  # of the best score: what has less is no hit
# Sorted by date or upvotes are the best ten, and what is as near to the query as this, of the best score; of a row of
# words only what has all of them
FEWEST_SORTED: Final = 10
CLOSE_TENTHS: Final = 7
CLOSE_SENTENCE_TENTHS: Final = 8

RARE: Final = 200  # a keyword of at most so many papers is a reason why two of them are similar

# How like two papers are: by meaning, and by the rare words that both have, of which six count half as much as very
# many. Chosen by folds (docs/search.md)
SHARED_TENTHS: Final = 3  # weight of the words
SHARED_HALF: Final = 6
COMMON_SHARE: Final = 50  # a word is common that more than one of so many papers has of those the basis is made of
SIMILAR_LEAST: Final = 3_600  # of SCORE_UNIT: papers that are less alike are not similar
SIMILAR_COUNT: Final = 20  # papers that `similar_papers` keeps for each
SCORE_UNIT: Final = 10_000  # a cosine is an integer of 1/10,000
DAY: Final = "coalesce(first_listed_on, published_on, submitted_at::DATE)"  # of a paper, by which years are meant
MOST_HITS: Final = 100  # rows that `search_papers` gives

# SQL for the weight of a term that is `count` times in a paper of `length`, WEIGHT_UNIT * (k1 + 1) count / (count + k1
# (1 - b + b length / average)): one division of integers, halves rounded up
_DAMPING: Final = f"{K1_TENTHS} * ({(10 - B_TENTHS) * AVERAGE_LENGTH} + {B_TENTHS} * length)"
_BELOW: Final = f"({100 * AVERAGE_LENGTH} * count + {_DAMPING})"
WEIGHT: Final = f"(({200 * AVERAGE_LENGTH * WEIGHT_MOST} * count + {_BELOW}) // (2 * {_BELOW}))"


def spoken(text: str) -> str:
    """SQL for a text as its words with a space around each."""
    return f"' ' || trim(regexp_replace({FOLDED.format(text)}, '{SIGN}+', ' ', 'g')) || ' '"


def sought(text: str) -> str:
    """SQL for a text as `spoken`, to be found in others that are: between ideograms and kana nobody writes a space."""
    return rf"regexp_replace(regexp_replace({spoken(text)}, '^ ({RUN})', '\1'), '({RUN}) $', '\1')"


def name_hash(word: str) -> str:
    """SQL for the hash of a word of a name, as `search_names` has it; two words with one cost a look at the names."""
    return f"left(md5({word}), 8)"


def letters(text: str) -> str:
    """SQL for the letters and digits of a text."""
    return f"regexp_replace({FOLDED.format(text)}, '{SIGN}', '', 'g')"
