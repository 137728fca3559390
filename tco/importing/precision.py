"""The number format of a checkpoint, from the config and the file of the quantiser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tco.importing.config import Config
from tco.importing.parameters import Parts
from tco.importing.source import MEGABYTE, parse_json, plain, read_text

TYPES = {"bfloat16": ("bf16", 16), "float16": ("fp16", 16), "float32": ("fp32", 32)}
MODELOPT = {"FP8": ("fp8", 8), "NVFP4": ("fp4", 4), "W4A8_AWQ": ("int4", 4), "INT4_AWQ": ("int4", 4)}


@dataclass(frozen=True)
class Format:
    """Word, bits of a quantised weight (scales included), which parts are quantised, bits of the rest."""

    word: str
    bits: float
    packed_bits: int
    rest_bits: int
    quantised: str = ""
    known: bool = True


def format_of(config: Config, path: Path) -> Format | None:
    """The format, or None when the config does not say; a quantiser that is not known is kept by name."""
    stated: Any = config.find("dtype") or config.find("torch_dtype")
    if stated is not None and not (isinstance(stated, str) and stated in TYPES):
        config.refuse(f"`torch_dtype` is {plain(stated, 40)}; wanted {', '.join(TYPES)}")
    word, rest = TYPES[stated] if stated else ("", 16)
    quantised: Any = config.find("quantization_config")
    if isinstance(quantised, dict) and quantised:
        return _quantised(config, cast(dict[str, Any], quantised), rest)
    beside = path.parent / "hf_quant_config.json"
    if beside.is_file():
        return _by_modelopt(config, beside, rest)
    return Format(word, rest, 0, rest) if word else None


def _quantised(config: Config, found: dict[str, Any], rest: int) -> Format:
    method, bits = found.get("quant_method"), found.get("bits", found.get("w_bit"))
    if method == "fp8":
        listed: Any = found.get("weight_block_size")
        block = cast(list[Any], listed) if isinstance(listed, list) else []
        area = block[0] * block[1] if len(block) == 2 and all(map(_positive, block)) else 0
        return Format("fp8", 8 + (32 / area if area else 0.0), 0, rest, "all")
    if method == "mxfp4":
        return Format("mxfp4 experts", 4 + 8 / 32, 4, rest, "experts")
    if method in ("awq", "gptq") and bits in (4, 8):
        group = found.get("group_size", found.get("q_group_size", 128))
        scale = (16 + bits) / group if _positive(group) else 0.0
        return Format(f"int{bits}", bits + scale, bits, rest, "all")
    name = plain(method or "an unnamed quantiser", 40)
    config.note(f"quantised by {name}: its bytes are not computed, so the size is not checked")
    return Format(name, rest, bits if bits in (4, 8) else 0, rest, "all", known=False)


def _positive(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number > 0


def _by_modelopt(config: Config, path: Path, rest: int) -> Format:
    text, _ = read_text(path, MEGABYTE)
    data: Any = parse_json(path.name, text)
    told: Any = cast(dict[str, Any], data).get("quantization") if isinstance(data, dict) else None
    name: Any = cast(dict[str, Any], told).get("quant_algo") if isinstance(told, dict) else None
    word, bits = MODELOPT.get(str(name), (plain(name or "an unnamed quantiser", 40), 0))
    config.note(f"quantised as {plain(name, 40)} ({path.name}): the modules left out vary, so the size is not checked")
    return Format(word, rest, bits, rest, "all", known=False)


def bytes_of(form: Format, parts: Parts, drafts: int, draft_rest: int) -> float:
    """Bytes on disk: matrices at the format's bits, embeddings and norms as they are."""
    quantised = {"": 0, "experts": parts.experts, "all": parts.attention + parts.dense + parts.experts + drafts}
    packed = quantised[form.quantised]
    rest = parts.total + drafts + draft_rest - packed
    return (packed * form.bits + rest * form.rest_bits) / 8
