"""A model of the catalogue from its Hugging Face `config.json` and the weights that lie beside it."""

from __future__ import annotations

import re
from pathlib import Path

from tco.catalogue.rows import Row
from tco.catalogue.schema import FIGURES
from tco.importing.architecture import architecture_of
from tco.importing.config import Config, read_config
from tco.importing.crosscheck import check_size, tied_embeddings
from tco.importing.parameters import Parts, cache_of, parts_of, state_of
from tco.importing.precision import Format, format_of
from tco.importing.shapes import Architecture
from tco.importing.source import plain, today
from tco.importing.weights import weights_beside

LATENT_SHARDS = 1024
GIGA = 10**9
IDENTITY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,79}")


def model_from_config(path: str | Path, identity: str | None = None, read_on: str | None = None) -> list[Row]:
    """Rows of one `models` entry: texts first, then every figure, each `derived` with file, sha256 and day.

    `identity` is the id; without it the model's own name in the file, else that of its folder. An index or
    safetensors files in the same folder are used to check the size within 2 %. Raises ImportRefused.
    """
    path, read_on = Path(path), read_on or today()
    config, source = read_config(path, read_on)
    shape = architecture_of(config)
    weights = weights_beside(path, read_on)
    tied = tied_embeddings(config, weights)
    parts = parts_of(config, shape, tied)
    form = format_of(config, path)
    checked = check_size(config, shape, parts, form, weights)
    name = _identity(config, path, identity)
    told = "; ".join(map(str, (source, *(weights.sources if weights else ()))))
    texts, figures = _texts(config, shape, form, name), _figures(shape, parts, checked, tied)
    return [
        *(Row(name, key, value, "", "", "", "", "", "", note) for key, (value, note) in texts.items()),
        *(_figure(name, key, value, note, told, read_on) for key, (value, note) in figures.items()),
    ]


def _figure(name: str, key: str, value: float, note: str, source: str, read_on: str) -> Row:
    number = f"{value:.12g}" if isinstance(value, float) else str(value)
    return Row(name, key, number, "", "", FIGURES["models"][key], read_on, source, "derived", note)


def _identity(config: Config, path: Path, identity: str | None) -> str:
    named = config.outer.get("_name_or_path")
    found = identity or (named if isinstance(named, str) else "") or path.resolve().parent.name
    short = (
        found if identity else re.sub(r"[^a-z0-9._+-]+", "-", found.rstrip("/").rsplit("/", 1)[-1].lower()).strip("-.")
    )
    if not IDENTITY.fullmatch(short):
        config.refuse(
            f"no id can be made of `{plain(found)}`; give one of letters, digits and . _ + -, such as `my-8b`"
        )
    return short


def _texts(config: Config, shape: Architecture, form: Format | None, name: str) -> dict[str, tuple[str, str]]:
    named = config.outer.get("_name_or_path")
    developer = plain(named.split("/")[0]) if isinstance(named, str) and named.count("/") == 1 else ""
    texts = {
        "name": (name, "; ".join(config.notes)),
        "developer": (developer, ""),
        "attention": (_attention(shape), "the format of the cache is a choice of serving, not of the file"),
        "dtype": (form.word if form else "", ""),
        "moe": ("yes" if shape.feed_forward.expert_layers else "no", ""),
    }
    return {key: told for key, told in texts.items() if told[0]}


def _attention(shape: Architecture) -> str:
    if "linear" in shape.kinds:
        return "hybrid"
    if shape.latent:
        return "mla"
    if shape.heads.pairs == 1:
        return "mqa"
    return "mha" if shape.heads.pairs == shape.heads.queries else "gqa"


def _figures(shape: Architecture, parts: Parts, checked: str, tied: bool) -> dict[str, tuple[float, str]]:
    heads, forward = shape.heads, shape.feed_forward
    total, active = parts.total / GIGA, parts.active / GIGA
    embedded = f"{(parts.active - parts.embedding) / GIGA:.4g} without the embedding table"
    figures: dict[str, tuple[float, str]] = {
        "parameters": (total, f"{_drafted(parts)}{checked}"),
        "active_parameters": (active, embedded if forward.expert_layers else "dense"),
        "layers": (shape.layers, ""),
        "hidden_size": (shape.hidden, ""),
        "heads": (heads.queries, ""),
        "kv_heads": (heads.pairs, ""),
        "head_dim": (heads.key_width, "without and with position" if shape.latent else ""),
        **_cache(shape),
        "kv_shards": (LATENT_SHARDS, "latent cache, served with data-parallel attention: each gpu holds its requests")
        if shape.latent
        else (shape.full_heads.pairs, "KV heads"),
        "context": (shape.context, ""),
        "experts": (forward.experts, _shared(shape)),
        "experts_per_token": (forward.chosen, "" if forward.expert_layers else "dense"),
        "vocabulary": (shape.vocabulary, ""),
        "embedding_tables": (1, "tied") if tied else (2, "not tied"),
        "feed_forward_width": _width(shape),
    }
    return figures


def _width(shape: Architecture) -> tuple[float, str]:
    """Of what a token passes through in a layer, on average over the layers."""
    forward = shape.feed_forward
    chosen = forward.chosen * forward.expert_width + forward.shared_width
    if not forward.expert_layers:
        return forward.dense_width, ""
    mean = (forward.dense_layers * forward.dense_width + forward.expert_layers * chosen) / shape.layers
    told = f"{forward.chosen} experts of a token, {forward.expert_width} wide each"
    return mean, told + (f", and {forward.dense_layers} dense layers" if forward.dense_layers else "")


def _cache(shape: Architecture) -> dict[str, tuple[float, str]]:
    full, window = cache_of(shape)
    state = state_of(shape)
    held = f"; the linear-attention layers keep {state:,} elements a request, not counted" if state else ""
    figures: dict[str, tuple[float, str]] = {"kv_elements": (full, f"{shape.kinds.count('full')} layers{held}")}
    if window:
        figures["window_elements"] = (window, f"{shape.kinds.count('window')} layers")
        figures["attention_window"] = (shape.window, "")
    return figures


def _drafted(parts: Parts) -> str:
    return f"{parts.drafts / GIGA:.3g} Gparameter of drafting layers not counted; " if parts.drafts else ""


def _shared(shape: Architecture) -> str:
    forward = shape.feed_forward
    if not forward.expert_layers:
        return "dense"
    return f"and a shared part {forward.shared_width} wide" if forward.shared_width else ""
