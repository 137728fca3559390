"""What a precision means: bytes a weight, and the rate at which a part computes with it."""

from __future__ import annotations

from tco.figures import Figure

_SIZES: dict[str, tuple[float, str]] = {
    "fp32": (4.0, "32 bit"),
    "bf16": (2.0, "16 bit"),
    "fp16": (2.0, "16 bit"),
    "fp8": (1.0, "8 bit, scales negligible"),
    "int8": (1.0, "8 bit, scales negligible"),
    "fp4": (0.5625, "NVFP4: 4 bit and an 8-bit scale for 16 weights"),
    "int4": (0.5625, "4 bit and a 16-bit scale for 32 weights (GGUF Q4_0)"),
}

RATES = {
    "fp32": "rate_fp32",
    "bf16": "rate_bf16",
    "fp16": "rate_bf16",
    "fp8": "rate_fp8",
    "int8": "rate_int8",
    "fp4": "rate_fp4",
    "int4": "rate_bf16",
}
"""int4 holds weights only; the part computes in 16 bit."""


def bytes_per_parameter(precision: str) -> Figure:
    """Bytes a weight, scales included."""
    size, note = _SIZES[precision]
    return Figure(
        size,
        "byte/parameter",
        source="definition of the format",
        status="derived",
        note=note,
        origin=f"precision {precision}",
    )
