"""What words for training mean in numbers: optimiser, ZeRO, recomputation, loss, offload. Each with its source."""

from __future__ import annotations

from typing import NamedTuple

from tco.figures import Figure

MEGATRON = "Megatron-LM README, distributed optimiser"
ZERO = "ZeRO, arXiv 1910.02054"
TORCHTUNE = "torchtune README, memory ablation"
BITSANDBYTES = "8-bit optimisers, arXiv 2110.02861"
RECOMPUTE = "Korthikanti et al., arXiv 2205.05198"


class Recipe(NamedTuple):
    """Inputs that a word sets, in the model's units, and where they are from."""

    values: dict[str, float]
    source: str


def _states(weight: float, gradient: float, master: float, moment: float) -> dict[str, float]:
    return {"weight_bytes": weight, "gradient_bytes": gradient, "master_bytes": master, "moment_bytes": moment}


OPTIMIZERS = {
    "adamw_mixed": Recipe(_states(2, 2, 4, 8), ZERO),
    "adamw_fp32_grads": Recipe(_states(2, 4, 4, 8), MEGATRON),
    "adamw_fp32": Recipe(_states(4, 4, 0, 8), MEGATRON),
    "adamw_bf16": Recipe(_states(2, 2, 0, 4), TORCHTUNE),
    "adamw_bf16_fused": Recipe(_states(2, 0, 0, 4), TORCHTUNE),
    "adamw_8bit": Recipe(_states(2, 2, 0, 2), BITSANDBYTES),
    "adamw_8bit_fused": Recipe(_states(2, 0, 0, 2), BITSANDBYTES),
    "adamw_8bit_mixed": Recipe(_states(2, 4, 4, 2), BITSANDBYTES),
    "sgd": Recipe(_states(2, 4, 4, 0), "no moments"),
    "sgd_momentum": Recipe(_states(2, 4, 4, 4), "one moment of 32 bit"),
}
"""Bytes a parameter of weights, gradients, master weights and moments. Fused: stepped inside the backward pass."""


def _divided(weights: int, gradients: int, optimizer: int) -> Recipe:
    flags = {"weights_sharded": weights, "gradients_sharded": gradients, "optimizer_sharded": optimizer}
    return Recipe({name: float(value) for name, value in flags.items()}, ZERO)


STAGES = {0: _divided(0, 0, 0), 1: _divided(0, 0, 1), 2: _divided(0, 1, 1), 3: _divided(1, 1, 1)}
"""What ZeRO divides over data-parallel GPUs."""


def _kept(
    hidden: float, query: float, key_value: float, feed_forward: float, scores: float, *, again: float
) -> dict[str, float]:
    return {
        "kept_hidden": hidden,
        "kept_query": query,
        "kept_key_value": key_value,
        "kept_feed_forward": feed_forward,
        "scores_kept": scores,
        "recomputed_share": again,
    }


RECOMPUTED = {
    "none": Recipe(_kept(4, 2, 2, 4, 1, again=0), RECOMPUTE),
    "selective": Recipe(_kept(4, 2, 2, 4, 0, again=0.1), f"{RECOMPUTE}: the scores of attention"),
    "operators": Recipe(_kept(2, 2, 1, 1, 0, again=0.5), "torchtitan: every second matrix product is computed again"),
    "full": Recipe(_kept(1, 0, 0, 0, 0, again=1), f"{RECOMPUTE}: all but the input of a layer"),
}
"""Tensors of a layer that stay until the backward pass."""

LOSSES = {
    "plain": Recipe({"logit_bytes": 12}, "16-bit logits, a 32-bit copy, and gradients of both"),
    "shifted": Recipe({"logit_bytes": 16}, "Hugging Face: 32-bit logits, a shifted copy and gradients"),
    "chunked": Recipe({"logit_bytes": 2.5}, "torchtune: 16-bit logits, 32-bit ones in eight parts"),
    "fused": Recipe({"logit_bytes": 0}, "Liger Kernel, arXiv 2410.10989: logits are never held"),
}

ATTENTIONS = {
    "flash": Recipe({"score_bytes": 0}, "FlashAttention, arXiv 2205.14135"),
    "standard": Recipe({"score_bytes": 5}, f"{RECOMPUTE}: softmax, dropout mask and dropout's output"),
}


def _moved(parameters: int, optimizer: int, activations: int) -> Recipe:
    flags = {
        "parameters_offloaded": parameters,
        "optimizer_offloaded": optimizer,
        "activations_offloaded": activations,
    }
    return Recipe({name: float(value) for name, value in flags.items()}, "ZeRO-Offload, arXiv 2101.06840")


OFFLOADS = {
    "none": _moved(0, 0, 0),
    "optimizer": _moved(0, 1, 0),
    "parameters": _moved(1, 1, 0),
    "activations": _moved(0, 0, 1),
    "all": _moved(1, 1, 1),
}
"""What rests in the host's memory; parameters take gradients and optimiser with them."""

METHODS = {
    "lora": Recipe({"frozen_bytes": 2, "scale_bytes": 0, "dequantised_bytes": 0}, "16-bit base"),
    "qlora": Recipe(
        {"frozen_bytes": 0.5, "scale_bytes": 0.0625, "dequantised_bytes": 2, "gathered_bytes": 0.5625},
        "QLoRA, arXiv 2305.14314: NF4 with a 32-bit scale for 64 weights",
    ),
}

UNITS = {
    "score_bytes": "byte/token/token/layer",
    "logit_bytes": "byte/element",
    **dict.fromkeys(("kept_hidden", "kept_query", "kept_key_value", "kept_feed_forward"), "1/layer"),
    **dict.fromkeys(("frozen_bytes", "scale_bytes", "dequantised_bytes", "gathered_bytes"), "byte/parameter"),
    **dict.fromkeys(("weight_bytes", "gradient_bytes", "master_bytes", "moment_bytes"), "byte/parameter"),
}  # fmt: skip


def figures(recipe: Recipe, note: str, *, stated: bool) -> dict[str, Figure]:
    """The inputs of a recipe; what nobody stated is listed as a default."""
    status, origin = ("derived", "derived") if stated else ("default", "default")
    return {
        name: Figure(value, UNITS.get(name, ""), source=recipe.source, status=status, note=note, origin=origin)
        for name, value in recipe.values.items()
    }
