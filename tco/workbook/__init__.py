"""The Excel workbook of a result: live formulas with the engine's value cached beside each."""

from __future__ import annotations

from tco.workbook.writer import build, write

__all__ = ["build", "write"]
