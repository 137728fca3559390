"""Headers of safetensors files: every tensor's name, type and shape, without reading a weight."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tco.importing.source import Source, parse_json, plain, refuse, source_of

LARGEST_HEADER = 100_000_000
BITS = {
    "F64": 64, "I64": 64, "U64": 64, "F32": 32, "I32": 32, "U32": 32, "BF16": 16, "F16": 16, "I16": 16, "U16": 16,
    "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "I8": 8, "U8": 8, "BOOL": 8, "F4": 4,
}  # fmt: skip


@dataclass(frozen=True)
class Tensor:
    """One tensor of a file."""

    name: str
    dtype: str
    elements: int
    size: int


def read_header(path: Path, read_on: str | None = None) -> tuple[list[Tensor], Source]:
    """The tensors of a file; its length must be what the header says. Raises ImportRefused."""
    name = plain(path.name)
    try:
        length = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(8)
            size = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
            if not 2 <= size <= min(LARGEST_HEADER, length - 8):
                refuse(name, "is not a safetensors file (its first 8 bytes give no header length): fetch it again")
            content = file.read(size)
    except OSError as error:
        refuse(name, f"cannot be read: {(error.strerror or str(error)).lower()}; check its name and rights")
    try:
        data = parse_json(name, content.decode("utf-8"))
    except UnicodeDecodeError:
        refuse(name, "has a header that is not UTF-8: fetch it again")
    if not isinstance(data, dict):
        refuse(name, "has a header that is no object: fetch it again")
    tensors = [_tensor(name, key, value) for key, value in cast(dict[str, Any], data).items() if key != "__metadata__"]
    return tensors, source_of(path, content, read_on, part="header ")


def _tensor(file: str, key: str, value: Any) -> Tensor:
    told = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    dtype, shape, offsets = told.get("dtype"), _whole(told.get("shape")), _whole(told.get("data_offsets"))
    if not isinstance(dtype, str) or dtype not in BITS or shape is None or offsets is None or len(offsets) != 2:
        known = ", ".join(BITS)
        refuse(file, f"tensor `{plain(key)}` has no dtype ({known}), shape and data_offsets that can be read")
    elements, size = math.prod(shape), offsets[1] - offsets[0]
    if size * 8 != elements * BITS[dtype]:
        refuse(
            file, f"tensor `{plain(key)}` holds {size:,} bytes, not {elements:,} x {BITS[dtype]} bits: fetch it again"
        )
    return Tensor(plain(key, 300), dtype, elements, size)


def _whole(numbers: Any) -> list[int] | None:
    if not isinstance(numbers, list) or len(cast(list[Any], numbers)) > 16:
        return None
    found = [number for number in cast(list[Any], numbers) if isinstance(number, int) and 0 <= number < 2**50]
    return found if len(found) == len(cast(list[Any], numbers)) else None
