"""Fills the generated parts of the documents. Write them: python -m tests.docs.generate

A part stands between `<!-- generated: NAME -->` and `<!-- end -->`; what is around it is written by hand.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path

from calibration import publish
from tco.lines.library import ALL
from tests.docs import line_tables, memory_tables, plant_tables, printed, result_tables, scenario_tables

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md", "docs/scenario.md", "docs/results.md", "docs/vocabulary.md", "docs/model.md", "docs/speed.md",
    "docs/mix.md",
)  # fmt: skip
MARKED = re.compile(r"(<!-- generated: ([^\n]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
SCENARIO = re.compile(r"```yaml\n(format: 1\n.*?)```", re.DOTALL)


def quickstart_table(_: str) -> str:
    """What `make demo` prints, without what was left out."""
    from tco.console import comparison

    return _terminal(comparison(result_tables.example("quickstart")))


def output_of_example(before: str) -> str:
    """What the last whole scenario above prints."""
    from tco.console import comparison
    from tco.session import loads

    return _terminal(comparison(loads(SCENARIO.findall(before)[-1]).run()))


def mix_of_example(_: str) -> str:
    """What `tco mix scenarios/mix.yaml` prints."""
    from tco.mix import plan
    from tco.mix.words import text_of
    from tco.session import load

    return _terminal(text_of(plan(load(ROOT / "scenarios" / "mix.yaml"))))


def _terminal(text: str) -> str:
    lines = [line for line in text.rstrip().split("\n") if not line.startswith("left out")]
    return "\n".join(["", "```text", *lines, "```", ""])


BLOCKS: dict[str, Callable[[str], str]] = {
    "quickstart table": quickstart_table,
    "output": output_of_example,
    "mix of the example": mix_of_example,
    "keys of the scenario": scenario_tables.keys_of_scenario,
    "other inputs": scenario_tables.other_inputs,
    "fleet overrides": scenario_tables.fleet_overrides,
    "units": scenario_tables.units,
    "headline lines": result_tables.headlines,
    "category lines": result_tables.categories,
    "period lines": result_tables.per_period,
    "usual figures of plants": plant_tables.usual_figures,
    "verdicts": result_tables.verdicts,
    "words": printed.side_by_side,
    "rows of the example": printed.rows_of_example,
    "constants": printed.constants,
    "errors of memory": memory_tables.errors_of_memory,
    **publish.BLOCKS,
    **{f"chapter {part}": line_tables.chapter_of(part) for part in ALL},
}


def filled(text: str) -> str:
    """The document with every generated part made anew; a part may read what stands above it."""

    def made(match: re.Match[str]) -> str:
        return f"{match[1]}{BLOCKS[match[2]](text[: match.start()])}\n{match[4]}"

    return MARKED.sub(made, text)


@functools.cache
def marks(page: str) -> tuple[str, ...]:
    """The names of a document's generated parts."""
    return tuple(match[2] for match in MARKED.finditer((ROOT / page).read_text(encoding="utf-8")))


if __name__ == "__main__":
    for page in PAGES:
        path = ROOT / page
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
