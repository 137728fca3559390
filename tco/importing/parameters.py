"""Parameters of an architecture, part by part, and what its cache holds of a token."""

from __future__ import annotations

from dataclasses import dataclass

from tco.importing.config import Config
from tco.importing.shapes import Architecture, Heads, Latent, Recurrent

# Families whose feed-forward part has two matrices; all others gate it with a third.
UNGATED = ("gpt2", "gpt_bigcode", "gptj", "gpt_neox", "opt", "falcon", "bloom", "mpt", "phi", "starcoder2", "nemotron",
           "codegen")  # fmt: skip
GATED_ACTIVATIONS = ("silu", "swish", "swiglu", "swigluoai", "gelu_pytorch_tanh", "geglu")


@dataclass(frozen=True)
class Parts:
    """Parameters by part. `experts` are all routed experts, `chosen` those that a token uses."""

    attention: int
    dense: int
    experts: int
    chosen: int
    embedding: int
    head: int
    norms: int
    drafts: int

    @property
    def total(self) -> int:
        """Everything but drafting layers."""
        return self.attention + self.dense + self.experts + self.embedding + self.head + self.norms

    @property
    def active(self) -> int:
        """The total without the experts that a token leaves out."""
        return self.total - self.experts + self.chosen


def parts_of(config: Config, shape: Architecture, tied: bool) -> Parts:
    """Count every matrix."""
    forward, matrices = shape.feed_forward, _matrices(config)
    expert = matrices * shape.hidden * forward.expert_width
    if config.model_type == "gpt_oss":
        expert += 2 * forward.expert_width + shape.hidden  # its experts have biases
    router = shape.hidden * forward.experts if forward.expert_layers else 0
    shared = matrices * shape.hidden * forward.shared_width
    embedding = shape.vocabulary * shape.hidden
    norms = 2 * shape.hidden * shape.layers + shape.hidden
    attention = {kind: _attention(config, shape, kind) for kind in set(shape.kinds)}
    layer = max(attention.values()) + forward.experts * expert + router + shared + 2 * shape.hidden**2
    return Parts(
        attention=sum(attention[kind] for kind in shape.kinds),
        dense=matrices * shape.hidden * forward.dense_width * forward.dense_layers
        + (router + shared) * forward.expert_layers,
        experts=expert * forward.experts * forward.expert_layers,
        chosen=expert * forward.chosen * forward.expert_layers,
        embedding=embedding + (shape.context * shape.hidden if config.model_type in ("gpt2", "gpt_bigcode") else 0),
        head=0 if tied else embedding,
        norms=norms,
        drafts=shape.drafts * layer,
    )


def _matrices(config: Config) -> int:
    if config.model_type in UNGATED:
        return 2
    activation = config.find("hidden_activation") or config.find("hidden_act") or config.find("activation_function")
    if isinstance(activation, str) and activation not in GATED_ACTIVATIONS:
        config.note(f"activation `{activation}`: three matrices in the feed-forward part assumed")
    return 3


def _attention(config: Config, shape: Architecture, kind: str) -> int:
    if kind == "linear":
        assert shape.recurrent
        return _recurrent(shape.recurrent, shape.hidden)
    indexer = _indexer(config, shape)
    if shape.latent:
        return _latent(shape.latent, shape.hidden, shape.heads.queries) + indexer
    heads = shape.window_heads if kind == "window" else shape.full_heads
    shared = kind == "full" and config.flag("attention_k_eq_v") and config.has("global_head_dim")
    return _multi_head(config, shape.hidden, heads, shared) + indexer


def _multi_head(config: Config, hidden: int, heads: Heads, values_are_keys: bool) -> int:
    query = heads.queries * heads.key_width * (2 if config.flag("attn_output_gate", _gated(config)) else 1)
    key, value = heads.pairs * heads.key_width, heads.pairs * heads.value_width
    output = heads.queries * heads.value_width * hidden
    biased = config.flag("attention_bias") or config.model_type in ("qwen2", "qwen2_moe")
    bias = query + key + value + hidden if biased else 0
    return hidden * (query + key + (0 if values_are_keys else value)) + output + bias


def _gated(config: Config) -> bool:
    return config.model_type.startswith(("qwen3_next", "qwen3_5"))


def _latent(latent: Latent, hidden: int, queries: int) -> int:
    width = queries * (latent.plain_width + latent.rotated_width)
    query = (hidden + width) * latent.query_rank if latent.query_rank else hidden * width
    compressed = hidden * (latent.rank + latent.rotated_width)
    expanded = latent.rank * queries * (latent.plain_width + latent.value_width)
    return query + compressed + expanded + queries * latent.value_width * hidden


def _indexer(config: Config, shape: Architecture) -> int:
    """The part of sparse attention that picks the tokens to look at."""
    heads = config.optional("index_n_heads")
    if not heads:
        return 0
    width = config.count("index_head_dim", 128)
    config.note(f"keys of the indexer ({width} elements a token and layer) are not counted in the cache")
    query_from = shape.latent.query_rank if shape.latent and shape.latent.query_rank else shape.hidden
    return query_from * heads * width + shape.hidden * (width + heads)


def _recurrent(layer: Recurrent, hidden: int) -> int:
    key, value = layer.key_heads * layer.key_width, layer.value_heads * layer.value_width
    projections = hidden * (2 * key + 2 * value + 2 * layer.value_heads)
    return projections + (2 * key + value) * layer.kernel + value * hidden


def cache_of(shape: Architecture) -> tuple[int, int]:
    """Elements of a token in layers that grow with the context, and in layers with a window."""
    full, window = shape.kinds.count("full"), shape.kinds.count("window")
    if shape.latent:
        one = shape.latent.rank + shape.latent.rotated_width
        return full * one, window * one
    return full * _pair(shape.full_heads), window * _pair(shape.window_heads)


def _pair(heads: Heads) -> int:
    return heads.pairs * (heads.key_width + heads.value_width)


def state_of(shape: Architecture) -> int:
    """Elements that linear-attention layers keep for a request, whatever its length."""
    layer = shape.recurrent
    if layer is None:
        return 0
    key, value = layer.key_heads * layer.key_width, layer.value_heads * layer.value_width
    held = layer.value_heads * layer.key_width * layer.value_width + (2 * key + value) * (layer.kernel - 1)
    return shape.kinds.count("linear") * held
