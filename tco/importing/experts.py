"""The feed-forward part of the layers: dense ones, experts, shared experts."""

from __future__ import annotations

from typing import Any

from tco.importing.config import Config
from tco.importing.shapes import FeedForward

FOUR_TIMES = ("gpt2", "gpt_bigcode", "falcon", "bloom", "gptj", "gpt_neox")
EXPERT_WIDTH = ("moe_intermediate_size", "expert_intermediate_size", "moe_ffn_hidden_size")


def feed_forward_of(config: Config, layers: int, hidden: int) -> FeedForward:
    """Widths and counts of both kinds of layer."""
    experts = config.optional("num_experts") or 0
    if experts <= 1:
        return FeedForward(layers, _dense_width(config, hidden))
    chosen = config.count("num_experts_per_tok", 8)
    if chosen > experts:
        config.refuse(f"`num_experts_per_tok` is {chosen}, more than the {experts} experts; correct one of them")
    expert_layers = _expert_layers(config, layers)
    beside = config.has("enable_moe_block")
    dense_layers = layers if beside else layers - expert_layers
    if beside:
        config.note("every layer holds a dense part beside its experts (`enable_moe_block`)")
    width = _expert_width(config)
    return FeedForward(
        dense_layers=dense_layers,
        dense_width=_dense_width(config, hidden, moe=True) if dense_layers else 0,
        expert_layers=expert_layers,
        experts=experts,
        chosen=chosen,
        expert_width=width,
        shared_width=_shared_width(config, width),
    )


def _dense_width(config: Config, hidden: int, moe: bool = False) -> int:
    if moe and config.optional("intermediate_size_mlp"):
        return config.count("intermediate_size_mlp", 16384)
    if config.model_type in FOUR_TIMES and not config.optional("intermediate_size"):
        config.note("`intermediate_size` is missing: 4 x the hidden size, as in this family")
        return 4 * hidden
    return config.count("intermediate_size", 14336)


def _expert_width(config: Config) -> int:
    for key in EXPERT_WIDTH:
        if config.optional(key):
            return config.count(key, 2048)
    config.note("`moe_intermediate_size` is missing: `intermediate_size` is the width of an expert")
    return config.count("intermediate_size", 14336)


def _shared_width(config: Config, width: int) -> int:
    stated = config.optional("shared_expert_intermediate_size") or config.optional("shared_intermediate_size")
    if stated:
        return stated
    if config.model_type == "llama4_text":
        config.note("one shared expert, as in the class llama4_text")
        return width
    return (config.optional("n_shared_experts") or 0) * width


def _expert_layers(config: Config, layers: int) -> int:
    """How many layers hold experts, by whichever key the family uses."""
    named = config.find("moe_layers")
    if isinstance(named, list):
        return sum(isinstance(index, int) and 0 <= index < layers for index in named)  # pyright: ignore[reportUnknownVariableType]
    dense = {index for index in range(layers) if not _has_experts(config, index, layers)}
    listed: Any = config.find("mlp_only_layers")
    if isinstance(listed, list):
        dense |= {index for index in listed if isinstance(index, int) and 0 <= index < layers}  # pyright: ignore[reportUnknownVariableType]
    if len(dense) == layers:
        config.refuse("no layer is left for the experts; correct `first_k_dense_replace` or the step between them")
    return layers - len(dense)


def _has_experts(config: Config, index: int, layers: int) -> bool:
    if index < (config.optional("first_k_dense_replace") or 0):
        return False
    if isinstance(config.find("moe_layer_freq"), list):
        return bool((config.items("moe_layer_freq", layers) or [])[index])
    for key, offset in (("decoder_sparse_step", 1), ("interleave_moe_layer_step", 1), ("moe_layer_freq", 0)):
        step = config.optional(key)
        if step:
            return (index + offset) % step == 0
    return True
