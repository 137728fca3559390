"""A GPU power log: watts of each device, with missing readings named and never taken as zero."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tco.importing.measurement import day_of
from tco.importing.numbers import Record, as_number
from tco.importing.rows import csv_records
from tco.importing.source import Source, plain, refuse

DRAW, LOAD, DEVICE = (
    ("power.draw", "power.draw.average", "power"),
    ("utilization.gpu",),
    ("index", "gpu", "uuid", "device"),
)
WATTS = {"w": 1.0, "mw": 1e-3, "kw": 1e3}
ABSENT = re.compile(r"\[.*\]|n/?a|err!?|unknown.*|not supported|none|nan|-|", re.IGNORECASE)
IDLE, BUSY = 5.0, 50.0
MOST_WATTS = 5000.0


@dataclass(frozen=True)
class Device:
    """Readings of one GPU: mean watts of all, and of those at rest and at work."""

    name: str
    readings: int
    missing: int
    mean: float | None
    idle: float | None
    busy: float | None


@dataclass(frozen=True)
class PowerLog:
    """All devices; fleet figures are means of the devices that have readings."""

    devices: tuple[Device, ...]
    notes: tuple[str, ...]
    as_of: str
    source: Source

    @property
    def mean(self) -> float:
        """Mean watts of a known device."""
        return _mean([device.mean for device in self.devices]) or 0.0

    @property
    def idle(self) -> float | None:
        """Mean watts of a known device at rest."""
        return _mean([device.idle for device in self.devices])

    @property
    def busy(self) -> float | None:
        """Mean watts of a known device at work."""
        return _mean([device.busy for device in self.devices])

    @property
    def yaml(self) -> str:
        """To paste under a fleet."""
        known = sum(device.mean is not None for device in self.devices)
        story = json.dumps(
            f"power log, {known} of {len(self.devices)} devices known; {self.source}", ensure_ascii=False
        )
        dated = f", as_of: {self.as_of}" if self.as_of else ""
        lines = [f"# {note}" for note in self.notes] + ["inputs:"]
        for key, watts in (("gpu_power", self.busy), ("gpu_idle_power", self.idle)):
            if watts is not None:
                lines.append(f"  {key}: {{value: {watts:.6g} W/gpu{dated}, source: {story}, status: estimate}}")
        return "\n".join(lines) + "\n"


def power_from_log(path: str | Path, idle: float = IDLE, busy: float = BUSY, read_on: str | None = None) -> PowerLog:
    """Idle and busy watts from a CSV of `nvidia-smi --query-gpu`; idle is at most, busy at least that % of load.

    Units stand in the cells or the header. Raises ImportRefused.
    """
    records, source = csv_records(Path(path), read_on)
    columns = {_bare(key): key for key in records[0].values}
    draw, device = _column(records[0], columns, DRAW), _column(records[0], columns, DEVICE)
    load = next((columns[name] for name in LOAD if name in columns), None)
    found: dict[str, list[tuple[float | None, float | None]]] = {}
    for row in records:
        reading = _watts(row, draw), _share(row, load)
        found.setdefault(row.word(device) or "unnamed", []).append(reading)
    if len(found) > 100_000 or not any(watts for readings in found.values() for watts, _ in readings):
        refuse(source.name, f"`{draw}` holds no reading at all; log again with rights to read power")
    devices = tuple(_device(name, readings, idle, busy) for name, readings in found.items())
    day = day_of(records[0].word("timestamp", "time", "date"))
    return PowerLog(devices, tuple(_notes(devices, idle, busy)), day, source)


def _device(name: str, readings: Sequence[tuple[float | None, float | None]], idle: float, busy: float) -> Device:
    watts = [power for power, _ in readings if power is not None]
    resting = [power for power, load in readings if power is not None and load is not None and load <= idle]
    working = [power for power, load in readings if power is not None and load is not None and load >= busy]
    return Device(name, len(watts), len(readings) - len(watts), _mean(watts), _mean(resting), _mean(working))


def _notes(devices: Sequence[Device], idle: float, busy: float) -> list[str]:
    silent = [device.name for device in devices if device.mean is None]
    notes = [f"device {device.name}: {device.missing} reading(s) missing, skipped" for device in devices
             if device.missing and device.mean is not None]  # fmt: skip
    if silent:
        known = len(devices) - len(silent)
        notes.append(f"device {', '.join(silent)}: no reading, so unknown and not 0 W; fleet figures are an estimate "
                     f"from {known} of {len(devices)} devices")  # fmt: skip
    if all(device.idle is None for device in devices):
        notes.append(f"no reading at {idle:g} % load or less: idle power is not known from this log")
    if all(device.busy is None for device in devices):
        notes.append(f"no reading at {busy:g} % load or more: busy power is not known from this log")
    return notes


def _bare(column: str) -> str:
    return re.sub(r"\s*\[.*\]$", "", column.strip().lower())


def _column(first: Record, columns: dict[str, str], names: Sequence[str]) -> str:
    found = next((columns[name] for name in names if name in columns), None)
    if found is None:
        there = ", ".join(plain(key, 40) for key in first.values)
        refuse(
            first.file, f"has no column `{names[0]}`; there are {there}; log it with nvidia-smi --query-gpu={names[0]}"
        )
    return found


def _watts(row: Record, column: str) -> float | None:
    """Watts, or None for a reading that is not there."""
    text = str(row.values.get(column, "")).strip()
    if ABSENT.fullmatch(text):
        return None
    number, unit = _split(text)
    unit = unit or _unit_of(column)
    if number is None or unit.lower() not in WATTS:
        refuse(row.file, f"{row.place}`{column}` is {plain(text, 40)}; wanted watts, such as `412.30 W`")
    watts = number * (1e-3 if unit == "mW" else 1e6 if unit == "MW" else WATTS[unit.lower()])
    if not 0 < watts <= MOST_WATTS:
        refuse(row.file, f"{row.place}`{column}` of {watts:g} W is not the power of one GPU; remove the row or correct "
                         "its unit")  # fmt: skip
    return watts


def _share(row: Record, column: str | None) -> float | None:
    text = str(row.values.get(column, "")).strip() if column else ""
    if ABSENT.fullmatch(text):
        return None
    number, unit = _split(text)
    if number is None or (unit or _unit_of(column or "")) not in ("%", "") or not 0 <= number <= 100:
        refuse(row.file, f"{row.place}`{column}` is {plain(text, 40)}; wanted 0 to 100 %")
    return number


def _split(text: str) -> tuple[float | None, str]:
    found = re.fullmatch(r"([-+0-9.eE]+)\s*([A-Za-z%]*)", text)
    return (as_number(found[1]), found[2]) if found else (None, "")


def _unit_of(column: str) -> str:
    found = re.search(r"\[(.*)\]$", column.strip())
    return found[1].strip() if found else ""


def _mean(numbers: Sequence[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None
