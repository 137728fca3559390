"""The architecture that a config describes: what each layer holds, for parameters and cache."""

from __future__ import annotations

from typing import Any, cast

from tco.importing.config import Config
from tco.importing.experts import feed_forward_of
from tco.importing.layers import layer_kinds
from tco.importing.shapes import Architecture, Heads, Latent, Recurrent

LARGEST_LAYERS = 10_000

# A key that changes what a layer holds in a way that is not computed here, and what it stands for.
NOT_READ = {
    "compress_ratios": "a compressed cache",
    "linear_attn_config": "linear attention of its own kind",
    "hidden_size_per_layer_input": "embeddings in every layer",
    "num_kv_shared_layers": "layers that share a cache",
    "cross_attention_layers": "cross-attention to images",
    "block_configs": "layers that differ one by one",
    "hybrid_override_pattern": "state-space layers",
    "layers_block_type": "state-space layers",
    "mamba_d_state": "state-space layers",
    "mamba_num_heads": "state-space layers",
    "ssm_cfg": "state-space layers",
    "state_size": "state-space layers",
    "rwkv_version": "a recurrent model",
}


def architecture_of(config: Config) -> Architecture:
    """Read every key; what is missing is derived with a note or refused with a sentence."""
    _refuse_unread(config)
    layers = config.count("num_hidden_layers", 32)
    if layers > LARGEST_LAYERS:
        config.refuse(f"`num_hidden_layers` is {layers:,}; at most {LARGEST_LAYERS:,} are read")
    hidden, context = config.count("hidden_size", 4096), config.count("max_position_embeddings", 131072)
    kinds, window = layer_kinds(config, layers, context)
    latent = _latent(config)
    heads = _heads(config, hidden, latent)
    return Architecture(
        hidden=hidden,
        kinds=kinds,
        heads=heads,
        full_heads=_full_heads(config, heads),
        window_heads=_window_heads(config, heads),
        window=window,
        latent=latent,
        recurrent=_recurrent(config) if "linear" in kinds else None,
        feed_forward=feed_forward_of(config, layers, hidden),
        vocabulary=config.count("vocab_size", 128256),
        context=context,
        drafts=config.optional("num_nextn_predict_layers") or 0,
    )


def _refuse_unread(config: Config) -> None:
    for key, meaning in NOT_READ.items():
        if config.inner.get(key) not in (None, 0, False, [], {}):
            config.refuse(
                f"`{config.place}{key}` means {meaning}, which is not computed here; enter the figures by hand"
            )
    kinds: Any = config.inner.get("attn_type_list")
    if isinstance(kinds, list) and any(kind != 1 for kind in cast(list[Any], kinds)):
        config.refuse("`attn_type_list` holds linear attention, which is not computed here; enter the figures by hand")


def _heads(config: Config, hidden: int, latent: Latent | None) -> Heads:
    queries = config.count("num_attention_heads", 32)
    pairs = config.optional("num_key_value_heads")
    if not pairs:
        pairs = 1 if config.has("multi_query") else queries
        config.note(f"`num_key_value_heads` is missing: {pairs}")
    if latent:
        return Heads(queries, pairs, latent.plain_width + latent.rotated_width, latent.value_width)
    if queries % pairs:
        config.refuse(f"{queries} query heads do not share {pairs} key-value heads evenly; correct one of them")
    width = config.optional("head_dim") or _derived_width(config, hidden, queries)
    return Heads(queries, pairs, width, config.optional("v_head_dim") or width)


def _derived_width(config: Config, hidden: int, queries: int) -> int:
    if hidden % queries:
        config.refuse(f'`head_dim` is missing and {hidden} / {queries} is no whole number; add it: `"head_dim": 128`')
    config.note(f"`head_dim` is missing: {hidden} / {queries}")
    return hidden // queries


def _window_heads(config: Config, heads: Heads) -> Heads:
    width = config.optional("swa_head_dim") or heads.key_width
    value = config.optional("swa_v_head_dim") or (heads.value_width if width == heads.key_width else width)
    queries = config.optional("swa_num_attention_heads") or heads.queries
    return Heads(queries, config.optional("swa_num_key_value_heads") or heads.pairs, width, value)


def _full_heads(config: Config, heads: Heads) -> Heads:
    wide = config.optional("global_head_dim")
    pairs = config.optional("num_global_key_value_heads") or heads.pairs
    return Heads(heads.queries, pairs, wide or heads.key_width, wide or heads.value_width)


def _latent(config: Config) -> Latent | None:
    if not config.has("kv_lora_rank"):
        return None
    return Latent(
        query_rank=config.optional("q_lora_rank") or 0,
        rank=config.count("kv_lora_rank", 512),
        plain_width=config.count("qk_nope_head_dim", 128),
        rotated_width=config.count("qk_rope_head_dim", 64),
        value_width=config.count("v_head_dim", 128),
    )


def _recurrent(config: Config) -> Recurrent:
    return Recurrent(
        key_heads=config.count("linear_num_key_heads", 16),
        value_heads=config.count("linear_num_value_heads", 32),
        key_width=config.count("linear_key_head_dim", 128),
        value_width=config.count("linear_value_head_dim", 128),
        kernel=config.count("linear_conv_kernel_dim", 4),
    )
