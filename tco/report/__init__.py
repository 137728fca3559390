"""The HTML report of a run: one file, complete offline, that a buyer attaches and a CFO reads."""

from tco.report.page import render

__all__ = ["render"]
