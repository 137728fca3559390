"""The workbook of a portfolio: shared fleets, who bears what in live formulas, and all ways as issued."""

from __future__ import annotations

import io

from tco.portfolio.allocation_sheet import Allocations
from tco.portfolio.state import PortfolioResult
from tco.portfolio.ways_sheet import write_ways
from tco.workbook.book import Book
from tco.workbook.furniture import PASS
from tco.workbook.plan import Plan
from tco.workbook.rows import Row
from tco.workbook.writer import build as build_run


def build(result: PortfolioResult) -> bytes:
    """The workbook as bytes: the same for the same result."""
    if result.together is None:
        return _ways_alone(result)
    return build_run(result.together, more=_More(result))


class _More:
    def __init__(self, result: PortfolioResult) -> None:
        self.result, self.held = result, Allocations(result)

    def ties(self, plan: Plan) -> list[Row]:
        """Both bases add up to the bill."""
        return self.held.ties(plan)

    def write(self, book: Book, plan: Plan) -> None:
        """Who bears what, then all ways."""
        self.held.write(book, plan)
        write_ways(book, self.result, plan)


def _ways_alone(result: PortfolioResult) -> bytes:
    """No fleet does all workloads: the ways as issued; each workload's workbook stands in the portfolio's folder."""
    book = Book(PASS)
    assert isinstance(book.stream, io.BytesIO)
    write_ways(book, result, None)
    return book.content()
