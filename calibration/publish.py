"""What the product and its readers take of the calibration, made from the stored tables without a fit.

`python -m calibration.publish` writes `tco/catalogue/efficiency.csv` and `docs/speed.svg`; the tables of
`docs/speed.md` are blocks of `python -m tests.docs.generate`.
"""

# pyright: basic, reportArgumentType=false, reportReturnType=false, reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from calibration import bands, data, tables
from tco.lines.library import all_names

ROOT = Path(__file__).parents[1]
CATALOGUE = ROOT / "tco" / "catalogue" / "efficiency.csv"
PICTURE = ROOT / "docs" / "speed.svg"
RENAMED = {"training_efficiency": "training_matrix_efficiency"}  # what the lines call it
OF_MEASUREMENTS = ("resident_output_share", "runtime_reserve")
"""Constants that tell how the measurements were made; a fleet states its own."""

UNDER_TARGETS = ("target_share", "target_output_share")
"""Constants of fleets whose targets are 99th percentiles: an entry of their own, not of every fleet."""

LIMITS = {
    "apple 16-bit single stream": (10, 35), "apple 4-bit single stream": (15, 65), "consumer single stream": (10, 35),
    "workstation single stream": (10, 35), "datacentre single stream": (20, 60), "prompt": (20, 60),
    "workstation prompt": (35, 60), "datacentre dense fp8/fp4 serving": (15, 35),
    "datacentre dense 16-bit serving": (20, 50), "datacentre mixture serving": (25, 60),
    "hopper mixture serving at greatest load": (25, 95), "consumer and workstation serving": (30, 70),
    "dense first token under load": (50, 90), "mixture first token under load": (50, 90), "dense training": (12, 25),
    "dense training, framework unstated": (25, 60), "mixture training": (25, 55), "fine-tuning": (20, 30),
    "fine-tuning over pcie": (20, 75), "all datacentre dense serving": (15, None),
}  # fmt: skip
"""Median and P90 (%) that the project set itself."""


def for_catalogue(constants: pd.DataFrame) -> pd.DataFrame:
    """The figures that the lines take, by their name, and the bands."""
    renamed = constants.assign(figure=constants.figure.replace(RENAMED))
    known = renamed[renamed.figure.isin(all_names() - set(OF_MEASUREMENTS))]
    common = known[~known.figure.isin(UNDER_TARGETS)]
    targets = known[known.figure.isin(UNDER_TARGETS) & (known.id == "base")].assign(id="percentile-99")
    return pd.concat([common, renamed[renamed.id.str.startswith("band-")], targets])


def catalogue_text() -> str:
    constants = pd.read_csv(tables.HERE / "efficiency.csv", dtype=str, keep_default_na=False)
    return for_catalogue(constants).to_csv(index=False)


def errors() -> pd.DataFrame:
    return pd.read_csv(tables.HERE / "errors.csv")


def left_out() -> list[pd.DataFrame]:
    """Inference and training: the measured rows, their group, and how they are predicted without their family."""
    stored = pd.read_csv(tables.HERE / "left_out.csv").set_index("row")
    kinds = ((data.inference(), tables.inference_groups), (data.training(), tables.training_groups))
    return [rows.assign(group=groups(rows)).join(stored, on="row") for rows, groups in kinds]


def percent(share: float) -> str:
    return "" if np.isnan(share) else f"{100 * share:.0f} %"


def limit_of(item: Any) -> tuple[Any, ...]:
    """The limits of median and P90; a group of several quantities is held to them as a whole."""
    if item.group in AS_A_WHOLE and item.quantity != "all":
        return None, None
    return LIMITS.get(item.group, (None, None))


def error_row(item: Any) -> list[str]:
    """A group's figures; what misses its limit is marked, and where families are few."""
    found, limits = (item.median, item.p90), limit_of(item)
    missed = [bool(top) and round(100 * error, 1) > top for error, top in zip(found, limits, strict=True)]
    told = [percent(error) + (" (missed)" if beyond else "") for error, beyond in zip(found, missed, strict=True)]
    few = " (few)" if item.families < bands.FEWEST else ""
    wanted = " / ".join(f"{top} %" for top in limits if top)
    families = f"{item.families}{few}"
    return [item.group, item.quantity, str(item.rows), families, *told, wanted, percent(item.coverage_80)]


HEADS = ["group", "quantity", "rows", "families", "median error", "P90", "limit", "inside the band"]


def markdown(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"


def groups_block(_: str) -> str:
    """Every group with engine and framework stated."""
    known = errors()[lambda table: ~table.group.str.contains("unstated|hardware class")]
    return markdown(HEADS, [error_row(item) for item in known.itertuples()])


def unstated_block(_: str) -> str:
    """The same where the engine or framework is not known."""
    known = errors()[lambda table: table.group.str.contains("unstated")]
    return markdown(HEADS, [error_row(item) for item in known.itertuples()])


def classes_block(_: str) -> str:
    """Parts without measured relatives."""
    known = errors()[lambda table: table.group == "hardware class left out"]
    rows = [error_row(item)[1:] for item in known.itertuples()]
    return markdown([name.replace("families", "classes") for name in HEADS[1:]], rows)


def bands_block(_: str) -> str:
    """Both ends of every band."""
    table = pd.read_csv(tables.HERE / "efficiency.csv")
    table = table[table.id.str.startswith("band-")]
    quantity, end = table.figure.str.rsplit("_error_", n=1).str[0], table.figure.str.rsplit("_", n=1).str[1]
    table = table.assign(quantity=quantity, end=end)
    rows: list[list[str]] = []
    for (name, kind), part in table.groupby(["id", "quantity"], sort=True):
        ends = dict(zip(part.end, part.value, strict=True))
        words = [f"`{name}`", kind.replace("_", " ")]
        rows.append([*words, f"{ends['low']:.2f}", f"{ends['high']:.2f}", part.note.iloc[0].split("; ")[1]])
    return markdown(["band", "quantity", "low", "high", "from"], rows)


BLOCKS = {
    "errors of speed": groups_block, "errors of speed, engine unstated": unstated_block,
    "errors of classes": classes_block, "bands of speed": bands_block,
}  # fmt: skip
AS_A_WHOLE = (
    "consumer and workstation serving", "datacentre mixture serving", "datacentre dense fp8/fp4 serving",
    "datacentre dense 16-bit serving",
)  # fmt: skip
"""Groups of several quantities, whose limit is one for all of them."""


# --- the picture ---

SIDE, GAP, TOP = 300, 60, 34
PANELS = ("throughput", "time per token", "first token time", "prefill rate", "decode rate", "training rate")
UNITS = {"throughput": "token/s", "time per token": "ms", "first token time": "ms", "prefill rate": "token/s"}
UNITS |= {"decode rate": "token/s", "training rate": "token/s a GPU"}
COLOURS = {"dense": "#0b6ea8", "mixture": "#d1600a"}


def picture() -> str:
    """Predicted against measured of every row, its family left out of the fit; both axes logarithmic."""
    width, height = 3 * (SIDE + GAP) + 10, 2 * (SIDE + GAP + TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        ' font-family="sans-serif" font-size="13">',
        "<title>Predicted against measured speed, each row's family left out of the fit</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    inference, training = left_out()
    for index, kind in enumerate(PANELS):
        rows = training if kind == "training rate" else inference[bands.quantity_of(inference) == kind]
        rows = rows[~rows.group.str.startswith(tables.EXPERIMENTAL)]
        value = rows.without_family.to_numpy(float), rows.value.to_numpy(float)
        left, top = GAP + (index % 3) * (SIDE + GAP), TOP + (index // 3) * (SIDE + GAP + TOP)
        parts += [f'<g transform="translate({left},{top})">', *panel(kind, rows, *value), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


def panel(kind: str, rows: pd.DataFrame, predicted: Any, measured: Any) -> list[str]:
    """Frame, decades, the line of equality with those of half and double, and a dot a row."""
    low, high = np.floor(np.log10(measured.min())), np.ceil(np.log10(measured.max()))
    scale = SIDE / (high - low)
    across, down = ((np.log10(values) - low) * scale for values in (measured, predicted))
    shift = np.log10(2) * scale
    lines = [f'<text x="0" y="-10">{kind} predicted, {UNITS[kind]}</text>']
    lines += [f'<path d="M0 0V{SIDE}H{SIDE}V0Z" fill="none" stroke="#999"/>']
    for decade in range(int(low), int(high) + 1):
        place = round((decade - low) * scale)
        text = f"{10.0**decade:g}" if decade < 6 else f"1e{decade}"
        lines.append(f'<text x="{place}" y="{SIDE + 16}" text-anchor="middle" fill="#555">{text}</text>')
        lines.append(f'<text x="-5" y="{SIDE - place + 4}" text-anchor="end" fill="#555">{text}</text>')
    lines.append(f'<text x="{SIDE / 2:g}" y="{SIDE + 32}" text-anchor="middle" fill="#555">measured</text>')
    lines.append(f'<path d="M0 {SIDE}L{SIDE} 0" stroke="#333"/>')
    near = f"M0 {SIDE - shift:.0f}L{SIDE - shift:.0f} 0M{shift:.0f} {SIDE}L{SIDE} {shift:.0f}"
    lines.append(f'<path d="{near}" stroke="#999" stroke-dasharray="4 4"/>')
    for name, colour in COLOURS.items():
        chosen = (rows.kind == name).to_numpy()
        places = zip(across[chosen], SIDE - down[chosen], strict=True)
        dots = {(round(x), round(min(max(y, 0), SIDE))) for x, y in places}
        drawn = "".join(f"M{x} {y}h0" for x, y in sorted(dots))
        lines.append(
            f'<path d="{drawn}" stroke="{colour}" stroke-opacity=".45" stroke-width="4" stroke-linecap="round"/>'
        )
    return lines


def main() -> None:
    CATALOGUE.write_text(catalogue_text(), encoding="utf-8")
    PICTURE.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
