"""The page of a run, `reports/benchmarks.md`: what was measured, and the machine it was measured on."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from tco.files import write_atomically

PAGE = Path(__file__).resolve().parents[1] / "reports" / "benchmarks.md"
LIBRARIES = ("numpy", "pint", "pydantic", "ruamel.yaml", "XlsxWriter")
HEAD = """# Benchmarks

Written by `make bench`; all figures are of one run on one machine, so read the ratios. CPU is user and system together.

"""


def machine() -> list[tuple[str, str]]:
    """The machine without its name: processor, cores, memory, load, Python, libraries."""
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return [
        ("processor", f"{_stated('/proc/cpuinfo', 'model name') or platform.processor() or 'not told'}"),
        ("cores", str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())),
        ("memory", f"{_gibibytes():.0f} GiB"),
        ("load when it ended", f"{os.getloadavg()[0]:.1f} (one minute)" if hasattr(os, "getloadavg") else "not told"),
        ("system", system),
        ("libraries", ", ".join(f"{name} {version(name)}" for name in LIBRARIES)),
        ("date", f"{datetime.now(UTC):%Y-%m-%d}"),
    ]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of a page."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def write(parts: Sequence[tuple[str, str]]) -> None:
    """Write the page: the machine, then each part below its title."""
    told = [("Machine", table(("what", "is"), machine())), *parts]
    text = HEAD + "\n".join(f"## {title}\n\n{body}" for title, body in told)
    write_atomically(PAGE, text.encode())


def _stated(file: str, key: str) -> str:
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(key)), "")


def _gibibytes() -> float:
    words = _stated("/proc/meminfo", "MemTotal").split()
    return float(words[0]) / 2**20 if words else float("nan")
