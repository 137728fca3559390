"""Which layers keep a whole cache, which a window of it, and which a state of fixed size."""

from __future__ import annotations

from typing import Any, cast

from tco.importing.config import Config
from tco.importing.source import plain

KINDS = {
    "full_attention": "full",
    "attention": "full",
    "global_attention": "full",
    "sliding_attention": "window",
    "local_attention": "window",
    "chunked_attention": "window",
    "linear_attention": "linear",
}

# Families whose `sliding_window`, when it stands alone, holds for every layer.
WINDOW_EVERYWHERE = ("mistral", "mixtral", "phi3", "starcoder2", "ministral")


def layer_kinds(config: Config, layers: int, context: int) -> tuple[tuple[str, ...], int]:
    """One of `full`, `window` and `linear` for each layer, and the length of the window."""
    kinds = _listed(config, layers) or _patterned(config, layers) or _spaced(config, layers)
    window = config.optional("sliding_window") or 0
    if kinds is None:
        kinds, window = _windowed(config, layers, window)
    if "window" not in kinds:
        if config.has("attention_chunk_size"):
            config.note("`attention_chunk_size` without `layer_types`: every layer counted in full, an upper bound")
        return kinds, 0
    window = window or config.optional("attention_chunk_size") or config.count("sliding_window", 4096)
    if window >= context:
        config.note(f"a window of {window:,} is no shorter than the context: counted as full attention")
        return tuple("full" if kind == "window" else kind for kind in kinds), 0
    return kinds, window


def _listed(config: Config, layers: int) -> tuple[str, ...] | None:
    named = config.items("layer_types", layers)
    if named is None:
        return None
    unknown = sorted({plain(kind, 40) for kind in named if not isinstance(kind, str) or kind not in KINDS})
    if unknown:
        config.refuse(f"`layer_types` holds {', '.join(unknown)}; wanted {', '.join(KINDS)}; enter the figures by hand")
    return tuple(KINDS[kind] for kind in named)


def _patterned(config: Config, layers: int) -> tuple[str, ...] | None:
    """A list of 0 (full) and 1 (window), or a number: every so-many-th layer is full."""
    switches = config.items("hybrid_layer_pattern", layers)
    if switches is not None:
        return tuple("window" if switch else "full" for switch in switches)
    every: Any = config.find("sliding_window_pattern")
    if every is None or not config.has("sliding_window"):
        return None
    if isinstance(every, list):
        flags = cast(list[Any], every)
        return tuple("window" if flags[index % len(flags)] else "full" for index in range(layers)) if flags else None
    step = config.count("sliding_window_pattern", 6)
    return tuple("full" if (index + 1) % step == 0 else "window" for index in range(layers))


def _spaced(config: Config, layers: int) -> tuple[str, ...] | None:
    """Linear attention with full attention every so-many-th layer."""
    step = config.optional("full_attention_interval")
    if not step and config.has("linear_num_value_heads"):
        step = config.count("full_attention_interval", 4)
    if not step:
        return None
    return tuple("full" if (index + 1) % step == 0 else "linear" for index in range(layers))


def _windowed(config: Config, layers: int, window: int) -> tuple[tuple[str, ...], int]:
    switch = config.find("use_sliding_window")
    if not window or switch is False:
        if window:
            config.note("`use_sliding_window` is false: the window is not used")
        return ("full",) * layers, 0
    if switch is True:
        first = min(config.count("max_window_layers", layers), layers)
        return ("full",) * first + ("window",) * (layers - first), window
    if config.model_type not in WINDOW_EVERYWHERE:
        config.refuse(
            f"`sliding_window` is {window:,} but not which layers use it; add `layer_types`, one value a layer, "
            "or remove `sliding_window` when none does"
        )
    return ("window",) * layers, window
