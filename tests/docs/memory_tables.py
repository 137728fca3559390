"""How near memory comes to measurements, by kind."""

from __future__ import annotations

import numpy as np

from tests.docs.tables import table
from tests.work import test_serving_memory, test_training_memory

KINDS = {
    "weights": "weights as stored or loaded (GGUF files, vLLM)",
    "peaks": "peaks of one generation (litgpt)",
    "cache": "room for the cache (vLLM logs)",
    "torchtune": "training peaks, torchtune",
    "torchtitan": "training peaks, torchtitan",
    "litgpt": "training peaks, litgpt",
    "fsdp_qlora": "training peaks, fsdp_qlora",
    "longest context": "memory at the longest context, Unsloth and Hugging Face",
    "peft": "training peaks, PEFT",
}


def errors_of_memory(_: str) -> str:
    """Rows, median of the error's size, ninth decile, and median with its sign, by kind."""
    found = {**test_serving_memory.errors(), **test_training_memory.errors()}
    assert set(found) == set(KINDS)
    rows = [
        [words, str(len(found[kind])), *(f"{share:.1%}" for share in _shares(np.array(found[kind])))]
        for kind, words in KINDS.items()
    ]
    return table(["kind", "rows", "median error", "ninth decile", "median with its sign"], rows)


def _shares(errors: np.ndarray) -> tuple[float, float, float]:
    size = np.abs(errors)
    return float(np.median(size)), float(np.quantile(size, 0.9)), float(np.median(errors))
