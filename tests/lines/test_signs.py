"""Signs of effect: whole fleets with plausible inputs; each is changed alone and the cost must answer as expected."""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from ruamel.yaml import YAML

from tco.declare import Shape
from tco.evaluate import program
from tco.lines.library import Kind, Payment, all_names, chapters
from tco.model import Model, build
from tco.result import CATEGORIES, HEADLINES
from tco.scenario.schedules import QUARTERS, declining_shares, macrs_table, quarter_flags
from tco.timeline import MONTHS, Step, Timeline
from tests.lines.examples import FOLDER

CHOSEN = {"gpus_per_replica": 4.0, "concurrency": 32.0, "shard_gpus": 64.0}
"""Deployment that the engine searches: the best lies between too little and too much."""


OPTIONAL = (
    "loan", "agreed payment", "loan fee", "loan's exit fee", "resale price", "interim rent", "buy-out",
    "resale after buy-out", "finance lease", "purchase by lease", "income", "expensing", "bonus",
    "mid-quarter convention",
)  # fmt: skip
"""Scopes that only those fleets take which name them."""

OF_TAX = ("regular_depreciation", "half_year_basis", "mid_quarter", "deducted_rent", "tax_cost")
"""Lines that are there only after tax."""


@dataclass(frozen=True)
class Fleet:
    """What is built, inputs it does without, optional scopes it takes, and effects (of an input, or on one line) unlike
    the table's."""

    kind: Kind
    payment: Payment
    ways: dict[str, str]
    without: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    effects: dict[str, str] = field(default_factory=dict[str, str])


FLEETS = {
    name: Fleet(**row) for name, row in YAML(typ="safe").load((FOLDER / "fleets.yaml").read_text("utf-8")).items()
}
OWNED = [name for name, fleet in FLEETS.items() if fleet.payment == "buy"]
POWERED = [name for name, fleet in FLEETS.items() if fleet.payment in ("buy", "lease")]
SERVING = [name for name, fleet in FLEETS.items() if fleet.kind == "inference"]


@functools.cache
def effects() -> tuple[dict[str, str], ...]:
    """Rows of `effects.csv`: an input, a plausible value, another, the line that answers and how."""
    with (FOLDER / "effects.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


@functools.cache
def plausible() -> dict[str, float]:
    """One value of each input that is a number."""
    return {row["input"]: float(row["value"]) for row in effects()} | CHOSEN


def tables(timeline: Timeline) -> dict[str, tuple[list[float], list[float]]]:
    """Resale by age in periods, over a life of two years; MACRS of five years by tax year."""
    months = timeline.months_per_period
    ages = [float(age) for age in range(timeline.periods)]
    left = [max(24 - (age + 1) * months, 0.0) for age in ages]
    return {
        "resale_share": (ages, [0.02 + 0.6 * still / 24 for still in left]),
        "retired_share": ([24.0 // months - 1, 24.0 // months], [0.1, 0.0]),
        "ramp_share": ([0.0, 1.0], [0.6, 1.0]),
        "bought_out_share": (ages, [0.3 if (age + 1) * months >= 24 else 0.0 for age in ages]),
        "write_off_share": macrs("half-year"),
        "declining_share": (
            [float(age) for age in range(12 * 5 // months + 1)],
            [share * months / 12 for share in declining_shares(5, 2, True) for _ in range(12 // months)] + [0.0],
        ),
        **{f"{name}_quarter_share": macrs(name) for name in QUARTERS},
    }


def macrs(convention: str) -> tuple[list[float], list[float]]:
    """Of five years, by tax year."""
    shares = [*macrs_table(5, convention), 0.0]
    return [float(age) for age in range(len(shares))], shares


def quarters(timeline: Timeline) -> dict[str, tuple[float, ...]]:
    """Flags of the quarters of the tax year."""
    return {f"in_{name}_quarter": flags.series for name, flags in quarter_flags(timeline).items()}


@functools.cache
def built(name: str, taxed: bool = True) -> Model:
    """The fleet with everything in scope but what only others take."""
    fleet = FLEETS[name]
    parts = chapters(fleet.kind, fleet.payment, taxed=taxed)
    available: dict[str, Shape] = {
        key: given.shape
        for part in parts
        for key, given in part.givens.items()
        if key not in fleet.without and (given.scope not in OPTIONAL or given.scope in fleet.within)
    }
    ways = {line: way for line, way in fleet.ways.items() if taxed or line not in OF_TAX}
    return build(parts, available, choices=ways, elsewhere=all_names())


def run(name: str, *, step: Step = "quarter", start: int = 1, taxed: bool = True, **changes: Any) -> dict[str, Any]:
    """Every line of the fleet over four years; a number for one number, an array for a series."""
    model, timeline = built(name, taxed), Timeline((2027, start), 48 // MONTHS[step], step)
    given = {**plausible(), **tables(timeline), **quarters(timeline), **timeline.frame(), **changes}
    values = program(model)({key: given[key] for key in model.inputs}, timeline.periods)
    return {key: value if model.lines[key].series else float(value.reshape(-1)[0]) for key, value in values.items()}


def measured_by(name: str, line: str) -> str:
    """The line behind `unit_cost`."""
    headline = "cost_per_million_useful_tokens" if name in SERVING else "cost_per_useful_training_step"
    return headline if line == "unit_cost" else line


def measure(name: str, line: str, values: dict[str, Any]) -> float:
    """The headline, or a line by its name (a series is added up)."""
    return float(np.sum(values[measured_by(name, line)]))


@functools.cache
def reached(name: str, line: str) -> frozenset[str]:
    """Inputs from which the line is computed."""
    model = built(name)
    lines = model.needed_for([measured_by(name, line)])
    return frozenset(parent for needed in lines for parent in model.lines[needed].parents if parent in model.inputs)


def apply_to(name: str) -> list[dict[str, str]]:
    """Rows whose input moves their line in this fleet."""
    return [row for row in effects() if row["input"] in reached(name, row["line"])]


def wrong_sign(name: str, row: dict[str, str], before: dict[str, Any]) -> str:
    """What is wrong with the effect of one input, or nothing."""
    key, line = row["input"], row["line"]
    others = FLEETS[name].effects
    sign = others.get(f"{key}, {line}", others.get(key, row["sign"]))
    change: dict[str, Any] = {key: float(row["changed"])}
    old, new = measure(name, line, before), measure(name, line, run(name, **change))
    moved = "0" if abs(new - old) <= 1e-12 * abs(old) else ("+" if new > old else "-")
    return "" if moved == sign else f"{key}: {line} goes from {old:.8g} to {new:.8g}, expected {sign}"


@pytest.mark.parametrize("name", FLEETS)
def test_every_input_moves_the_cost_in_the_expected_direction(name: str) -> None:
    before = run(name)
    wrong = [text for row in apply_to(name) if (text := wrong_sign(name, row, before))]
    assert not wrong, "\n".join(wrong)


def test_every_input_has_an_effect_that_is_checked() -> None:
    """A new input gets a row in `effects.csv`."""
    checked = {row["input"] for name in FLEETS for row in apply_to(name)}
    apart = {*CHOSEN, *tables(Timeline((2027, 1), 16, "quarter")), *quarters(Timeline((2027, 1), 16, "quarter"))}
    inputs = {key for name in FLEETS for key, given in built(name).inputs.items() if not given.frame}
    assert sorted(inputs - checked - apart) == []
    assert sorted({row["input"] for row in effects()} - checked) == []
    assert not {key: lines for name in FLEETS for key, lines in built(name).missing.items()}
    assert {scope for fleet in FLEETS.values() for scope in fleet.within} == set(OPTIONAL)


@pytest.mark.parametrize("name", FLEETS)
def test_every_price_in_scope_reaches_the_cost(name: str) -> None:
    prices = {key for key, given in built(name).inputs.items() if "money" in given.unit}
    limits = {"budget"}
    assert sorted(prices - limits - reached(name, "present_cost")) == []


@pytest.mark.parametrize("name", OWNED)
def test_a_higher_resale_value_lowers_the_cost(name: str) -> None:
    ages, shares = tables(Timeline((2027, 1), 16, "quarter"))["resale_share"]
    higher = run(name, resale_share=(ages, [share * 1.2 for share in shares]))
    assert measure(name, "unit_cost", higher) < measure(name, "unit_cost", run(name))


@pytest.mark.parametrize("name", ["inference, lease", "inference, rent, drafts"])
def test_a_commitment_beyond_the_horizon_is_paid(name: str) -> None:
    """Contracts of three years in a horizon of four: the second runs two years longer, and is owed."""
    even, longer = run(name, service_life=2.0), run(name, service_life=3.0)
    assert float(np.sum(longer["settlement_cost"])) > float(np.sum(even["settlement_cost"]))
    assert measure(name, "unit_cost", longer) > measure(name, "unit_cost", even)


def test_an_earlier_write_off_lowers_the_cost() -> None:
    name = "training, buy"
    at_once = run(name, write_off_share=([0, 1], [1, 0]))
    assert measure(name, "unit_cost", at_once) < measure(name, "unit_cost", run(name))


@pytest.mark.parametrize("name", OWNED)
def test_discounting_makes_early_capital_dearer_a_unit(name: str) -> None:
    later, before = (run(name, discount_rate=rate, loan_share=0.0) for rate in (0.12, 0.08))
    assert measure(name, "unit_cost", later) > measure(name, "unit_cost", before)


# --- what must hold whatever the inputs ---


@pytest.mark.parametrize("name", FLEETS)
def test_categories_and_moments_add_up_to_the_cash(name: str) -> None:
    found = run(name)
    assert sum(found[key] for key in CATEGORIES if key in found) == pytest.approx(found["cash_cost"], rel=1e-12)
    moments = ("paid_at_start", "paid_through", "paid_at_end")
    assert sum(found[key] for key in moments if key in found) == pytest.approx(found["cash_cost"], rel=1e-12)
    assert float(np.sum(found["cash_cost"])) == pytest.approx(found["total_cost"], rel=1e-12)


@pytest.mark.parametrize("name", FLEETS)
def test_without_discounting_present_cost_is_total_cost(name: str) -> None:
    found = run(name, discount_rate=0.0)
    assert found["present_cost"] == pytest.approx(found["total_cost"], rel=1e-12)
    assert run(name)["present_cost"] < found["present_cost"]


@pytest.mark.parametrize("name", SERVING)
def test_input_and_output_cost_add_up_to_the_bill(name: str) -> None:
    found = run(name)
    assert found["input_cost"] + found["output_cost"] == pytest.approx(found["present_cost"], rel=1e-12)
    assert 0 < found["input_cost"] < found["present_cost"]
    assert found["cost_per_million_total_tokens"] < found["cost_per_million_useful_tokens"]


@pytest.mark.parametrize("name", FLEETS)
def test_twice_the_prices_are_twice_the_cost(name: str) -> None:
    model = built(name)
    twice: dict[str, Any] = {key: plausible()[key] * 2 for key, given in model.inputs.items() if "money" in given.unit}
    before, after = run(name), run(name, **twice)
    assert twice
    assert after["present_cost"] == pytest.approx(2 * before["present_cost"], rel=1e-12)
    assert after["total_cost"] == pytest.approx(2 * before["total_cost"], rel=1e-12)


@pytest.mark.parametrize("name", FLEETS)
def test_a_tax_of_nothing_changes_nothing(name: str) -> None:
    assert run(name, tax_rate=0.0)["present_cost"] == pytest.approx(run(name, taxed=False)["present_cost"], rel=1e-12)


@pytest.mark.parametrize("name", FLEETS)
def test_over_the_whole_horizon_every_cost_gets_its_shield(name: str) -> None:
    """What is written off and deducted in the end is what was paid, less what came back."""
    found, before_tax = run(name), run(name, taxed=False)
    carried = found["loss_pool"][-1] if FLEETS[name].ways["tax_cost"] == "tax_with_losses_carried" else 0.0
    shield = 0.25 * (before_tax["total_cost"] - carried)
    assert found["total_cost"] == pytest.approx(before_tax["total_cost"] - shield, rel=1e-12)


@pytest.mark.parametrize("name", OWNED)
@pytest.mark.parametrize(("step", "start"), [("month", 7), ("quarter", 1), ("year", 4)])
def test_depreciation_is_the_basis_less_the_book_value(name: str, step: Step, start: int) -> None:
    found = run(name, step=step, start=start)
    written = np.cumsum(found["tax_basis"] - found["depreciation"], -1)
    assert found["tax_book_value"] == pytest.approx(written, rel=1e-9, abs=1e-3)
    assert np.all(found["tax_book_value"] > -1e-3)


@pytest.mark.parametrize("name", POWERED)
def test_energy_is_power_times_hours_and_pue_counts_once(name: str) -> None:
    bare, found, more = (run(name, pue=pue) for pue in (1.0, 1.3, 1.6))
    assert found["energy"] == pytest.approx(found["facility_power"] * 8760 / 4, rel=1e-12)
    fixed = plausible()["fixed_overhead_share"] if FLEETS[name].ways["load_pue"] == "pue_beside_fixed" else 0
    for power, facility in (("it_power", "facility_power"), ("peak_it_power", "peak_facility_power")):
        overhead = 0.3 * (fixed * found["nameplate_it_power"] + (1 - fixed) * found[power])
        assert found[facility] == pytest.approx(found[power] + overhead, rel=1e-12)
        assert bare[facility] == pytest.approx(found[power], rel=1e-12)
    given = () if FLEETS[name].ways["design_pue"] == "design_pue_of_worst_hour" else ("nameplate_power",)
    for key in ("energy", "electricity_cost", "carbon", "peak_facility_power", "demand_cost", *given):
        assert np.all((found[key] > bare[key]) | (found["systems"] <= 0))
        assert more[key] - found[key] == pytest.approx(found[key] - bare[key], rel=1e-9), key
    for key in ("it_power", "peak_it_power", "water", "fixed_electricity_cost", "colocation_cost"):
        assert more[key] == pytest.approx(found[key], rel=1e-12), key


@pytest.mark.parametrize("name", POWERED)
def test_power_lies_between_idle_and_nameplate(name: str) -> None:
    found = run(name)
    assert np.all(found["it_power"] <= found["peak_it_power"] * (1 + 1e-12))
    assert np.all(found["systems_power"] <= found["systems"] * 10.2 * (1 + 1e-12))
    assert np.all(found["gpu_draw"] >= 70)


STEADY: dict[str, Any] = {
    key: 0.0 for key in plausible() if key.endswith(("_growth", "_escalation", "_trend", "inflation", "discount_rate"))
} | {"loan_rate": 0.0, "lease_rate": 0.0}


@pytest.mark.parametrize("name", FLEETS)
def test_months_quarters_and_years_agree_while_nothing_changes(name: str) -> None:
    steps: tuple[Step, ...] = ("month", "quarter", "year")
    alike: dict[str, Any] = {"resale_share": ([0.0], [0.3]), "ramp_share": ([0.0], [0.9]), "warranty": 1.0}
    runs = [run(name, step=step, lead_time=1.0, **alike, **STEADY) for step in steps]
    lines = {*CATEGORIES, *HEADLINES, "energy", "carbon", "water", "present_gpu_hours"}.intersection(runs[0])
    assert len(lines) > len(CATEGORIES) // 2
    noise = 1e-6 + 1e-14 * runs[0]["total_cost"]
    for key in sorted(lines):
        months, quarters, years = (float(np.sum(found[key])) for found in runs)
        assert months == pytest.approx(quarters, rel=1e-9, abs=noise), key
        assert months == pytest.approx(years, rel=1e-9, abs=noise), key


def test_paying_upfront_moves_cash_and_adds_none() -> None:
    """Contracts that outlast the horizon are settled; what was paid upfront is not owed again."""
    given: dict[str, Any] = {"window_share": 1.0, "exit_share": 1.0}
    bills = [run("inference, rent, drafts", upfront_share=share, **given, taxed=False) for share in (0.0, 0.4, 1.0)]
    assert bills[1]["total_cost"] == pytest.approx(bills[0]["total_cost"], rel=1e-12)
    assert bills[2]["total_cost"] == pytest.approx(bills[0]["total_cost"], rel=1e-12)


def test_advance_and_arrears_are_the_same_cash() -> None:
    advance, arrears = (run("inference, lease", lease_in_advance=flag) for flag in (1.0, 0.0))
    assert advance["total_cost"] == pytest.approx(arrears["total_cost"], rel=1e-12)
    assert advance["present_cost"] > arrears["present_cost"]


def test_an_api_bills_the_mean_and_not_the_peak() -> None:
    name = "inference, api"
    assert "peak_load" not in built(name).needed_for(["present_cost"])
    assert run(name)["total_cost"] == run(name, peak_to_mean=9.0)["total_cost"]


def test_an_idle_cluster_is_not_free() -> None:
    name = "inference, buy, fixed count, measured"
    idle = run(name, utilization_target=1e-9)
    assert idle["present_cost"] > 0.8 * run(name)["present_cost"]
    assert measure(name, "unit_cost", idle) > 1000 * measure(name, "unit_cost", run(name))
