"""The size that an architecture implies against the size that the weights have."""

from __future__ import annotations

from typing import Any, cast

from tco.importing.config import Config
from tco.importing.parameters import GATED_ACTIVATIONS, UNGATED, Parts
from tco.importing.precision import Format, bytes_of
from tco.importing.shapes import Architecture
from tco.importing.weights import Weights, parameters_in

NEAR = 0.02


def tied_embeddings(config: Config, weights: Weights | None) -> bool:
    """Whether the output uses the embedding table: as the file says, else as the tensors show, else refused."""
    stated: Any = config.inner.get("tie_word_embeddings", config.outer.get("tie_word_embeddings"))
    if stated is None and weights and weights.names:
        tied = not weights.has_head()
        config.note(f"`tie_word_embeddings` is missing: {str(tied).lower()}, as the names of the tensors show")
        return tied
    if stated is None and config.find("tie_word_embeddings") is None:
        config.refuse('`tie_word_embeddings` is missing; add `"tie_word_embeddings": true` or false')
    return config.flag("tie_word_embeddings")


def check_size(config: Config, shape: Architecture, parts: Parts, form: Format | None, weights: Weights | None) -> str:
    """How the parameters were checked, as a note. Raises ImportRefused beyond 2 %."""
    if weights is None:
        _known_family(config)
        return f"computed from {config.name}, not checked against weights"
    if weights.tensors:
        found = parameters_in(weights.tensors, shape.layers, form.packed_bits if form else 0)
        _near(config, parts.total, found, "parameters in the headers of the safetensors files")
        return f"the headers of the safetensors files hold {found / 1e9:.6g}"
    expected = _expected_bytes(config, shape, parts, form, weights)
    if expected is None:
        _known_family(config)
        return f"computed from {config.name}, not checked against the index of {weights.size / 1e9:.6g} GB"
    _near(config, expected, weights.size, "bytes in the index")
    return f"the index says {weights.size / 1e9:.6g} GB, these make {expected / 1e9:.6g} GB"


def _near(config: Config, expected: float, found: int, what: str) -> None:
    if abs(expected - found) > NEAR * found:
        config.refuse(
            f"describes {expected:,.0f} where there are {found:,} {what} ({expected / found - 1:+.1%}, more than "
            f"{NEAR:.0%}); put the config and the weights of the same model together, or enter the figures by hand"
        )


def _known_family(config: Config) -> None:
    """An unknown activation without weights to check against could hide a third of the parameters."""
    activation = config.find("hidden_activation") or config.find("hidden_act") or config.find("activation_function")
    if activation in GATED_ACTIVATIONS or config.model_type in UNGATED:
        return
    if activation is None and config.defaults:
        return
    config.refuse(
        f"`hidden_act` is {activation or 'missing'} in a family that is not known (`{config.model_type}`), so two or "
        "three matrices cannot be told apart; put model.safetensors.index.json beside it to check the size"
    )


def _expected_bytes(
    config: Config, shape: Architecture, parts: Parts, form: Format | None, weights: Weights
) -> float | None:
    if form is None:
        config.note("`torch_dtype` is missing: the size is not checked")
        return None
    towers = _towers(config)
    if not form.known or towers is None:
        return None
    names = weights.drafts(shape.layers)
    repeated = sum(name.endswith(("embed_tokens.weight", "head.weight")) for name in names)
    drafts = parts.drafts if names else 0
    rest = repeated * shape.vocabulary * shape.hidden
    return bytes_of(form, parts, drafts, rest) + towers * form.rest_bits / 8


def _towers(config: Config) -> int | None:
    """Parameters of an image encoder, roughly; None when there is an encoder whose size is not clear."""
    if config.outer.get("audio_config"):
        config.note("an audio part lies in the same files: the size is not checked")
        return None
    vision: Any = config.outer.get("vision_config")
    if not isinstance(vision, dict) or not vision:
        return 0
    told = cast(dict[str, Any], vision)
    width, inner = told.get("hidden_size"), told.get("intermediate_size")
    depth = told.get("num_hidden_layers", told.get("depth"))
    if not all(isinstance(number, int) and 0 < number < 10**6 for number in (width, inner, depth)):
        config.note("an image part of unknown size lies in the same files: the size is not checked")
        return None
    return cast(int, depth) * (4 * cast(int, width) ** 2 + 2 * cast(int, width) * cast(int, inner))
