"""A Hugging Face `config.json` as questions with sentences for answers that are missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn, cast

from tco.errors import did_you_mean
from tco.importing.source import MEGABYTE, Source, parse_json, plain, read_text, refuse, source_of

LARGEST_CONFIG = 4 * MEGABYTE
LARGEST_COUNT = 10**9
NESTED = ("text_config", "llm_config", "language_config", "thinker_config")

UNTIED = ("llama", "llama4_text", "mistral", "mixtral", "qwen2", "qwen2_moe", "qwen3_moe", "qwen3_next", "deepseek_v2",
          "deepseek_v3", "gpt_oss", "phi3", "glm4_moe", "minimax_m2")  # fmt: skip

# What the model's class assumes when the file is silent; files of these families rely on it.
CLASS_DEFAULTS: dict[str, dict[str, Any]] = {
    "gemma": {"head_dim": 256, "tie_word_embeddings": True},
    "gemma2": {"head_dim": 256, "tie_word_embeddings": True, "sliding_window_pattern": 2},
    "gemma3_text": {
        "head_dim": 256, "tie_word_embeddings": True, "sliding_window_pattern": 6, "vocab_size": 262_208,
        "max_position_embeddings": 131_072, "num_attention_heads": 8, "num_key_value_heads": 4,
    },
    "gemma4_text": {"tie_word_embeddings": True},
    "qwen3": {"head_dim": 128, "tie_word_embeddings": False},
    "cohere": {"tie_word_embeddings": True},
    "cohere2": {"tie_word_embeddings": True, "sliding_window_pattern": 4},
    "gpt2": {"tie_word_embeddings": True},
    "gpt_bigcode": {"tie_word_embeddings": True, "multi_query": True},
    "falcon": {"tie_word_embeddings": True},
    "starcoder2": {"tie_word_embeddings": True},
    **{family: {"tie_word_embeddings": False} for family in UNTIED},
}  # fmt: skip

ALIASES = {
    "hidden_size": ("n_embd", "d_model", "dim"),
    "num_hidden_layers": ("n_layer", "n_layers", "num_layers"),
    "num_attention_heads": ("n_head", "n_heads"),
    "num_key_value_heads": ("num_kv_heads", "n_head_kv", "multi_query_group_num"),
    "head_dim": ("kv_channels",),
    "intermediate_size": ("n_inner", "ffn_hidden_size", "ffn_dim", "hidden_dim"),
    "vocab_size": ("padded_vocab_size",),
    "max_position_embeddings": ("n_positions", "max_sequence_length", "seq_length", "n_ctx", "max_seq_len"),
    "num_experts": ("num_local_experts", "n_routed_experts", "moe_num_experts"),
    "num_experts_per_tok": ("num_experts_per_token", "top_k_experts", "moe_topk", "moe_top_k"),
    "n_shared_experts": ("num_shared_experts", "moe_num_shared_experts"),
    "num_nextn_predict_layers": ("mtp_num_hidden_layers",),
    "sliding_window_pattern": ("_sliding_window_pattern",),
}


class Config:
    """The keys of the language model, which multimodal files nest; `notes` gathers what was derived."""

    def __init__(self, name: str, data: dict[str, Any]) -> None:
        self.name = name
        self.outer = data
        nested = next((key for key in NESTED if isinstance(data.get(key), dict)), None)
        inner = cast(dict[str, Any], data[nested]) if nested else data
        if nested and isinstance(inner.get("text_config"), dict):
            inner = cast(dict[str, Any], inner["text_config"])
        self.inner, self.place = inner, f"{nested}." if nested else ""
        self.model_type = plain(inner.get("model_type") or data.get("model_type") or "")
        self.defaults = CLASS_DEFAULTS.get(self.model_type, {})
        self.notes: list[str] = []

    def find(self, key: str) -> Any:
        """A key or one of its other names, inner file first, then the class's own default; null counts as missing."""
        for name in (key, *ALIASES.get(key, ())):
            for layer in (self.inner, self.outer):
                if layer.get(name) is not None:
                    return layer[name]
        if key in self.defaults:
            self._note(f"`{key}` is missing: {self.defaults[key]} as in the class {self.model_type}")
        return self.defaults.get(key)

    def has(self, *keys: str) -> bool:
        """Whether any of the keys stands there with a value that says yes."""
        return any(self.find(key) not in (None, False, 0, []) for key in keys)

    def count(self, key: str, example: int) -> int:
        """A whole positive number that must be there."""
        found = self.optional(key)
        if not found:
            also = "".join(f" or `{name}`" for name in ALIASES.get(key, ()))
            known = [name for name in self.inner if name not in (key, *ALIASES.get(key, ()))]
            hint = did_you_mean(key, known) if found is None else ""
            said = "is 0" if found == 0 else "is missing"
            self.refuse(f'`{self.place}{key}`{also} {said}{hint}; add it, such as `"{key}": {example}`')
        return found

    def optional(self, key: str) -> int | None:
        """A whole number of 0 or more, or None when the key is missing."""
        found = self.find(key)
        if found is None:
            return None
        whole = isinstance(found, int) and not isinstance(found, bool)
        if not whole or not 0 <= found <= LARGEST_COUNT:
            self.refuse(f"`{self.place}{key}` is {plain(found, 40)}; wanted a whole number up to {LARGEST_COUNT:,}")
        return found

    def flag(self, key: str, default: bool = False) -> bool:
        """A yes or no."""
        found = self.find(key)
        if found is not None and not isinstance(found, bool):
            self.refuse(f"`{self.place}{key}` is {plain(found, 40)}; wanted true or false")
        return default if found is None else found

    def items(self, key: str, length: int) -> list[Any] | None:
        """A list with one value a layer, or None."""
        found = self.find(key)
        if found is None:
            return None
        if not isinstance(found, list) or len(cast(list[Any], found)) < length:
            size = f"{len(cast(list[Any], found))} values" if isinstance(found, list) else plain(found, 40)
            self.refuse(f"`{self.place}{key}` is {size}; wanted a list of {length}, one value a layer")
        return cast(list[Any], found)[:length]

    def refuse(self, sentence: str) -> NoReturn:
        """Stop with a sentence about this file."""
        refuse(self.name, sentence)

    def note(self, sentence: str) -> None:
        """Remember something a reader of the figures should know."""
        self._note(sentence)

    def _note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)


def read_config(path: Path, read_on: str | None = None) -> tuple[Config, Source]:
    """The config of a model that writes text. Raises ImportRefused."""
    text, content = read_text(path, LARGEST_CONFIG)
    name = plain(path.name)
    data = parse_json(name, text)
    if not isinstance(data, dict):
        refuse(name, "is not an object of keys: give the `config.json` of a model")
    config = Config(name, cast(dict[str, Any], data))
    _writes_text(config)
    return config, source_of(path, content, read_on)


WRITERS = ("ForCausalLM", "ForConditionalGeneration", "LMHeadModel", "ForImageTextToText")


def _writes_text(config: Config) -> None:
    named = config.outer.get("architectures")
    classes = [plain(one) for one in cast(list[Any], named)] if isinstance(named, list) else []
    if config.outer.get("is_encoder_decoder") is True:
        config.refuse("`is_encoder_decoder` is true; wanted a decoder, which alone keeps a cache: enter it by hand")
    if classes and not any(word in one for one in classes for word in WRITERS):
        config.refuse(f"`architectures` is {', '.join(classes)}; wanted a model that writes text (…ForCausalLM)")
