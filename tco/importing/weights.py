"""Weights beside a config: what the index or the headers of the files say they hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tco.importing.headers import Tensor, read_header
from tco.importing.source import MEGABYTE, Source, parse_json, plain, read_text, refuse, source_of

INDEX, SINGLE = "model.safetensors.index.json", "model.safetensors"
LARGEST_INDEX = 100 * MEGABYTE
MOST_FILES = 2_000
OTHER_TOWERS = re.compile(r"(^|\.)(vision|visual|audio|vision_tower|vision_model|multi_modal_projector|mm_projector|"
                          r"embed_vision|embed_audio)")  # fmt: skip
SCALES = re.compile(r"(scale|scales|scale_inv|qzeros|zero_point|g_idx|weight_shape|absmax|quant_map|input_scale)$")
LAYER = re.compile(r"\blayers\.(\d+)\.")


@dataclass(frozen=True)
class Weights:
    """Names of tensors with the bytes of all, or, from the headers, every tensor."""

    sources: tuple[Source, ...]
    names: frozenset[str]
    size: int
    tensors: tuple[Tensor, ...] = ()

    def has_head(self) -> bool:
        """Whether the output matrix stands apart from the embedding."""
        return any(name.endswith(("lm_head.weight", "output.weight", "embed_out.weight")) for name in self.names)

    def drafts(self, layers: int) -> frozenset[str]:
        """Tensors of layers that only draft tokens."""
        return frozenset(name for name in self.names if is_draft(name, layers))


def is_draft(name: str, layers: int) -> bool:
    """Whether a tensor belongs to a layer beyond the model's own."""
    found = LAYER.search(name)
    return bool(re.search(r"(^|\.)mtp\b", name)) or (found is not None and int(found[1]) >= layers)


def weights_beside(config: Path, read_on: str | None = None) -> Weights | None:
    """Headers when every file is there, else the index, else nothing. Raises ImportRefused."""
    folder = config.parent
    if (folder / INDEX).is_file():
        index, files = _index(folder / INDEX, read_on)
        if files and all((folder / file).is_file() for file in files):
            return _headers([folder / file for file in files], read_on, index)
        return index
    return _headers([folder / SINGLE], read_on, None) if (folder / SINGLE).is_file() else None


def _index(path: Path, read_on: str | None) -> tuple[Weights, list[str]]:
    text, content = read_text(path, LARGEST_INDEX)
    data: Any = parse_json(path.name, text)
    metadata: Any = cast(dict[str, Any], data).get("metadata") if isinstance(data, dict) else None
    size: Any = cast(dict[str, Any], metadata).get("total_size") if isinstance(metadata, dict) else None
    if not isinstance(size, int | float) or isinstance(size, bool) or not 0 < size < 1e15 or size != int(size):
        refuse(path.name, "`metadata.total_size` is missing or no number of bytes; fetch the file again or remove it")
    named: Any = cast(dict[str, Any], data).get("weight_map")
    if not isinstance(named, dict) or not all(isinstance(file, str) for file in cast(dict[str, Any], named).values()):
        refuse(path.name, "`weight_map` is missing or does not map tensors to files; fetch the file again or remove it")
    weight_map = cast(dict[str, str], named)
    files = sorted(set(weight_map.values()))
    outside = [file for file in files if Path(file).name != file or not file.endswith(".safetensors")]
    if outside or len(files) > MOST_FILES:
        wrong = f"names `{plain(outside[0])}`" if outside else f"names {len(files):,} files"
        refuse(path.name, f"{wrong}; wanted up to {MOST_FILES:,} .safetensors files of the same folder")
    return Weights((source_of(path, content, read_on),), frozenset(weight_map), int(size)), files


def _headers(files: list[Path], read_on: str | None, index: Weights | None) -> Weights:
    tensors: list[Tensor] = []
    sources = list(index.sources) if index else []
    for file in files:
        found, source = read_header(file, read_on)
        tensors += found
        sources.append(source)
    names = frozenset(tensor.name for tensor in tensors)
    if len(names) < len(tensors):
        refuse(files[0].name, "and its sister files hold a tensor twice: keep the files of one model in the folder")
    shown = (*sources[:1], *sources[-1:]) if len(sources) > 2 else tuple(sources)
    return Weights(shown, names, sum(tensor.size for tensor in tensors), tuple(tensors))


def parameters_in(tensors: tuple[Tensor, ...], layers: int, bits: int) -> int:
    """Parameters of the language model that the headers hold: packed ones unpacked, scales and drafts left out."""
    return sum(
        _parameters(tensor, bits)
        for tensor in tensors
        if not (SCALES.search(tensor.name) or OTHER_TOWERS.search(tensor.name) or is_draft(tensor.name, layers))
        and tensor.dtype not in ("I64", "U64", "BOOL")
    )


def _parameters(tensor: Tensor, bits: int) -> int:
    packed = {"I32": 32, "U32": 32, "U8": 8}.get(tensor.dtype)
    return tensor.elements * packed // bits if packed and 0 < bits <= packed else tensor.elements
