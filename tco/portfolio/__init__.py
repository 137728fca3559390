"""Several workloads in one scenario: fleets of their own or shared ones, and who bears which part of the bill."""

from __future__ import annotations

from tco.portfolio.run import load, loads, opened
from tco.portfolio.state import PortfolioResult

__all__ = ["PortfolioResult", "load", "loads", "opened"]
