"""Two scenarios, workbooks or results compared: what changed, and why the headline moved."""

from __future__ import annotations

import os
from pathlib import Path

from tco.diff.compared import Comparison, compare
from tco.diff.sides import opened

__all__ = ["Comparison", "compare", "diff", "opened"]


def diff(old: str | os.PathLike[str], new: str | os.PathLike[str], line: str | None = None) -> Comparison:
    """Compare two files by the headline or another line. Raises ScenarioError."""
    return compare(opened(Path(old)), opened(Path(new)), line)
