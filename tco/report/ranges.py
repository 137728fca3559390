"""The error band of an estimated speed, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tco.report.tables import Cell
from tco.result import FleetResult
from tco.wording import NOTHING, listed, plain

ESTIMATED = {
    "system_output_rate": ("system_output", "a system gives {} tokens/s"),
    "per_token_time": ("per_token_time", "a further token takes {} ms"),
    "first_token_time": ("first_token_time", "the first token comes after {} s"),
    "prefill_time": ("prefill_time", "an undisturbed prompt takes {} ms"),
}
"""Line, stem of the lines of its ends, words."""
OF_OUTPUT = ("system_output_rate", "per_token_time")
"""What a measurement replaces."""


def ends(fleet: FleetResult, name: str) -> tuple[float, float] | None:
    """Where eight in ten measurements lie, at the largest load; None if it is measured, pinned or not known."""
    stem, _ = ESTIMATED.get(name, ("", ""))
    low, high, value = (fleet.raw(line) for line in (f"{stem}_low", f"{stem}_high", name))
    measured = name in OF_OUTPUT and "measured_output" in fleet.inputs
    if low is None or high is None or value is None or measured:
        return None
    first, last = float(np.max(low)), float(np.max(high))
    return (first, last) if first <= float(np.max(value)) <= last else None


def with_band(cell: Cell, fleet: FleetResult, name: str) -> Cell:
    """The band in small letters below the number."""
    found = ends(fleet, name) if cell.text != NOTHING else None
    return replace(cell, small=f"{plain(found[0])} to {plain(found[1])}") if found else cell


def bands_told(fleet: FleetResult) -> Iterator[str]:
    """One sentence of all speeds with their bands."""
    told: list[str] = []
    for name, (_, words) in ESTIMATED.items():
        value, found = fleet.raw(name), ends(fleet, name)
        if value is not None and found:
            number = plain(float(np.max(value)))
            told.append(f"{words.format(number)} ({plain(found[0])} to {plain(found[1])})")
    if told:
        sentence = listed(told)
        yield f"{sentence[0].upper()}{sentence[1:]}; in brackets where eight in ten measurements of such fleets lie."
