"""A simulation says what runs of the drawn values say, on any number of workers; what cannot be drawn is refused."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

from tco.analysis.fleet import engine_inputs
from tco.cli import main
from tco.errors import ScenarioError
from tco.export import to_json
from tco.session import loads
from tco.uncertainty.as_json import plain
from tco.uncertainty.chunks import numbers_of
from tco.uncertainty.common import Fleets
from tco.uncertainty.engine import engine
from tco.uncertainty.many import reached_of
from tco.uncertainty.simulate import prepared, simulate
from tco.wording import significant
from tests.uncertainty.shop import scenario, text

UNITS: dict[str, str] = dict.fromkeys(("cost_per_million_useful_tokens", "total_cost", "present_cost"), "USD")
NORMAL = "{distribution: normal, mean: 300000 USD/system, deviation: 20000 USD/system}"
FOUR = {
    "requests": "0.5 to 4 Mrequest/month",
    "power": "{low: 0.1 USD/kWh, typ: 0.12 USD/kWh, high: 0.2 USD/kWh}",
    "price": "280000 to 350000 USD/system",
    "analysis": "{seed: 3, uncertainty: {ranges: {finance.discount_rate: 6 to 11 %, pricing.staff.systems_per_person: "
    "{distribution: discrete, values: [20, 40, 80 system/person]}, workload.target.per_token: 20 to 80 ms/token}}}",
}


def cost(result, fleet) -> Any:
    one = result.by_id[fleet]
    return one.shown("cost_per_million_useful_tokens") if one.verdict == "ok" else np.nan


def raw(result, name, fleet="own") -> Any:
    return result.by_id[fleet].raw(name)


def test_every_draw_is_what_a_run_of_it_says():
    """Engine, prelude and straight lines against the whole way through the scenario, the choices kept."""
    setup = prepared(scenario(**FOUR))
    assert not setup.response.runs
    fleets = Fleets.of({one.id: reached_of(setup, one) for one in setup.result.fleets}, 3)
    assert fleets.common
    points = next(setup.draws.points(16))
    values: Any = setup.draws.values(points)
    ((_, lines),) = fleets.blocks(list(fleets.engines), values, 16)
    unable = 0
    for at in range(len(points)):
        drawn = [(driver, float(column[at])) for driver, column in zip(setup.drivers, values, strict=True)]
        run = setup.case.at(drawn).run(setup.frozen)
        for fleet in setup.result.fleets:
            found = numbers_of(lines[fleet.id], run.headline or "")
            headline = found[0][at if found.shape[1] > 1 else 0]
            wanted = cost(run, fleet.id)
            unable += bool(np.isnan(wanted))
            assert np.isnan(headline) == np.isnan(wanted)
            assert np.isnan(wanted) or headline == pytest.approx(wanted, rel=1e-12)
    assert 0 < unable < 48


def test_a_cost_that_is_linear_in_a_normal_price_is_normal():
    base = scenario(price=NORMAL)
    found = simulate(base, samples=65_536, jobs=1).by_id["own"].lines["total_cost"]
    low, high = (raw(scenario(price=f"{price} USD/system").run(), "total_cost") for price in (280e3, 320e3))
    exact = stats.norm((low + high) / 2, (high - low) / 2)
    assert found.mean == pytest.approx(exact.mean(), rel=1e-6)
    assert (found.p5, found.p50, found.p95) == pytest.approx(exact.ppf((0.05, 0.5, 0.95)), rel=1e-4)


def test_the_same_seed_gives_the_same_digits_on_any_number_of_workers():
    base = scenario(**FOUR)
    result = base.run()
    told = [plain(simulate(base, result, samples=32_768, jobs=jobs), UNITS) for jobs in (1, 2, 3)]
    assert told[0] == told[1] == told[2]
    other = plain(simulate(base, result, samples=32_768, jobs=1, seed=4), UNITS)
    assert other["seed"] == 4
    assert other["fleets"] != told[0]["fleets"]


def test_ties_are_shared_and_chances_add_up():
    found = simulate(scenario(analysis="{uncertainty: {ranges: {electricity.price: 0.1 to 0.2 USD/kWh}}}"), samples=64)
    assert found.by_id["own"].cheapest == found.by_id["twin"].cheapest
    assert sum(one.cheapest for one in found.fleets) + found.nobody == pytest.approx(1)


def test_what_one_of_two_reads_makes_the_difference():
    found = simulate(scenario(price="{distribution: normal, mean: 310000 USD/system, deviation: 9000 USD/system}"))
    own, twin = found.by_id["own"].lines, found.by_id["twin"].lines
    assert twin["total_cost"].p5 == twin["total_cost"].p95
    assert own["total_cost"].p50 == pytest.approx(twin["total_cost"].p50, rel=1e-4)


def test_a_draw_in_which_a_fleet_cannot_do_the_work_has_no_cost_and_is_counted():
    base = scenario(target="{distribution: uniform, low: 10 ms/token, high: 90 ms/token}")
    run = base.run()
    found = simulate(base, run, samples=4096, jobs=1)
    pace = raw(run, "per_token_time")
    assert found.by_id["own"].able == pytest.approx((90 - pace) / 80, abs=2e-3)
    assert "own" in {*found.without_indices, *found.indices}
    for fleet, why in found.without_indices.items():
        unable = found.by_id[fleet].able < 1
        spread = found.by_id[fleet].lines[found.headline]
        assert unable or spread.p5 == spread.p95
        assert ("cannot do the work in some of the draws" if unable else "nothing that is drawn moves") in why


def test_the_catalogue_is_drawn_when_asked_and_shared_by_those_that_read_it():
    plainly = scenario(analysis="{uncertainty: catalogue}", price="310000 USD/system")
    found = simulate(plainly, samples=1024, jobs=1)
    names = [one.name for one in found.drivers]
    assert len(set(names)) == len(names)
    price = next(one for one in found.drivers if one.name.endswith("gpu_hour_price"))
    assert (price.p5, price.p50, price.p95) == pytest.approx((2.39, 2.73, 3.07))
    assert found.by_id["own"].lines == found.by_id["twin"].lines


def test_bands_scale_speed_as_the_calibration_says():
    found = simulate(scenario(analysis="{uncertainty: bands}", requests="90 Mrequest/month"), samples=4096, jobs=1)
    assert {one.name.split()[0] for one in found.drivers} == {"speed"}
    own, twin, cloud = (found.by_id[name] for name in ("own", "twin", "cloud"))
    assert own.lines == twin.lines
    assert own.lines["total_cost"].p5 < own.lines["total_cost"].p95
    assert 0 < cloud.able < 1


def test_a_band_is_a_factor_of_the_line_that_it_is_of():
    setup = prepared(scenario(analysis="{uncertainty: bands}"))
    fleet, periods = setup.result.by_id["own"], setup.result.timeline.periods
    inputs = engine_inputs(fleet.inputs, setup.result.timeline)
    factors = {"system_output_estimated": 0, "per_token_time_estimated": 1}
    made = engine(fleet.model, inputs, periods, ["system_output_rate", "per_token_time"], {}, factors)
    found = made([np.array([0.5, 2.0]), np.array([1.0, 3.0])])
    for name, wanted in (("system_output_rate", [0.5, 2.0]), ("per_token_time", [1.0, 3.0])):
        assert found[name].reshape(-1) / raw(setup.result, name) == pytest.approx(wanted)
    errors = setup.response.errors["own"]
    assert set(errors) == {"system_output_estimated", "per_token_time_estimated", "first_token_time"}
    output, pace = (setup.draws.columns[errors[f"{name}_estimated"]] for name in ("system_output", "per_token_time"))
    assert output.dimension == pace.dimension
    assert (output.against, pace.against) == (False, True)
    low, high = (fleet.inputs[f"output_error_{end}"].number for end in ("low", "high"))
    assert output.spread.at(np.array([0.1, 0.9])) == pytest.approx([low, high])


def test_a_list_or_table_is_scaled_as_a_whole():
    ranges = "{uncertainty: {ranges: {pricing.residual: 80 to 120 %}}}"
    base = scenario(analysis=ranges)
    found = simulate(base, samples=65_536, jobs=1).by_id["own"].lines["total_cost"]
    run = base.run()
    sold = float(np.sum(raw(run, "residual_cost")))
    assert sold < 0
    ends = [raw(run, "total_cost") + (factor - 1) * sold for factor in (1.2, 0.8)]
    assert (found.p5, found.p95) == pytest.approx(ends, rel=5e-3)


def test_choices_are_searched_again_for_each_draw_when_asked():
    analysis = "{uncertainty: {choices: search, samples: 64}}"
    base = scenario(analysis=analysis, requests="1 to 60 Mrequest/month")
    found = simulate(base, jobs=1)
    setup = prepared(base)
    values: Any = setup.draws.values(np.concatenate(list(setup.draws.points(64))))
    runs = [scenario(requests=f"{float(one)!r} Mrequest/month").run() for one in values[0][:3]]
    assert found.samples == 64
    assert all(f"{fleet}" for fleet in found.without_indices)
    costs = sorted(cost(run, "cloud") for run in runs)
    line = found.by_id["cloud"].lines["cost_per_million_useful_tokens"]
    assert line.p5 <= costs[1] * 2
    assert not any("stays as the run" in note for note in found.notes)


def test_what_changes_the_lines_is_run_draw_by_draw():
    ranges = "{timeline.horizon: {distribution: discrete, values: [2 yr, 4 yr]}}"
    found = simulate(scenario(analysis=f"{{uncertainty: {{ranges: {ranges}, samples: 64}}}}"), jobs=1)
    ends = [scenario().document.text.replace("horizon: 3 yr", f"horizon: {years} yr") for years in (2, 4)]

    wanted = sorted(raw(loads(one).run(), "total_cost") for one in ends)
    line = found.by_id["own"].lines["total_cost"]
    assert (line.p5, line.p95) == pytest.approx(wanted, rel=1e-9)
    assert any("each draw is a run of its own" in note for note in found.notes)


@pytest.mark.parametrize(
    ("analysis", "parts", "told"),
    [
        ("", {}, "nothing is uncertain; write a value as a range"),
        ("{uncertainty: {ranges: {electricity.prise: 1 to 2}}}", {}, "s.yaml:20:35: analysis.uncertainty.ranges.elec"),
        ("{uncertainty: {ranges: {electricity.prise: 1 to 2}}}", {}, "did you mean `price`?"),
        ("{uncertainty: {ranges: {electricity.price: 1 to 2}}}", {}, "`2` has no unit; wanted money/kWh"),
        ("{uncertainty: {ranges: {electricity.price: 1 USD/kWh}}}", {}, "is one value; wanted a range"),
        ("{uncertainty: {ranges: {workload.model: 1 to 2}}}", {}, "a word stands there, not a number"),
        ("{uncertainty: {ranges: {pricing.residual: 1 to 2 USD}}}", {}, "of a factor, since a list or table stands"),
        (
            "{uncertainty: {ranges: {electricity.price: 0.1 to 0.2 USD/kWh}}}", {"power": "0.1 to 0.2 USD/kWh"},
            "is a range at its own place and once more here",
        ),
        ("{uncertainty: {correlations: [{between: [electricity.price, a], rank: 0.5}]}}", {}, "`a` is not drawn"),
        ("{uncertainty: {correlations: [{between: [electricity.price], rank: 0.5}]}}", {}, "wanted two ranges"),
        ("{uncertainty: {correlations: [{between: [a, b], rank: 1.5}]}}", {}, "rank: `1.5` is above 0.99"),
        ("{uncertainty: {choices: search, samples: 10000}}", {}, "take --samples 4096 or fewer"),
        ("{uncertainty: {figures: bands, choices: search}}", {}, "leave it out, or `choices: keep`"),
        ("{uncertainty: {figures: catalog}}", {}, "wanted `stated`, `catalogue`, `bands` or `all`"),
        ("{uncertainty: {samples: 3}}", {}, "samples"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_told_with_its_place(analysis, parts, told):
    power = (
        {}
        if ("electricity.pri" in analysis and "ranges" in analysis) or not analysis
        else {"power": "0.1 to 0.2 USD/kWh"}
    )
    with pytest.raises(ScenarioError) as error:
        simulate(scenario(analysis=analysis, **{**power, **parts}))
    assert told in str(error.value)


def test_correlations_that_cannot_be_name_the_pair():
    pairs = "[{between: [a, b], rank: 0.9}, {between: [b, c], rank: 0.9}]"
    names = {"a": "electricity.price", "b": "workload.requests", "c": "fleets.own.buy.price"}
    for short, name in names.items():
        pairs = pairs.replace(f"[{short},", f"[{name},").replace(f" {short}]", f" {name}]")
    parts = {**FOUR, "analysis": f"{{uncertainty: {{correlations: {pairs}}}}}"}
    with pytest.raises(ScenarioError, match=r"correlations.2.rank: workload.requests and fleets.own.buy.price cannot"):
        simulate(scenario(**parts))


def test_a_run_uses_the_median_and_says_so():
    result = scenario(power="0.1 to 0.2 USD/kWh").run()
    figure = result.by_id["own"].inputs["electricity_price"]
    assert figure.number == pytest.approx(0.02**0.5)
    assert figure.note == "90 % interval 0.1 to 0.2 USD/kWh, lognormal; computed with the median"
    (told,) = [alert.text for alert in result.warnings if alert.code == "ranges-at-median"]
    assert "`electricity.price`" in told
    assert result.uncertainty is None
    assert "uncertainty" not in json.loads(to_json(result))


def test_a_run_of_a_scenario_that_asks_holds_the_answer():
    analysis = "{seed: 5, uncertainty: {samples: 1000}}"
    result = scenario(analysis=analysis, power="0.1 to 0.2 USD/kWh").run()
    told = json.loads(to_json(result))["uncertainty"]
    assert (told["samples"], told["seed"], told["choices"]) == (1024, 5, "keep")
    assert [one["id"] for one in told["fleets"]] == ["own", "twin", "cloud", "api"]
    assert told["fleets"][0]["lines"]["total_cost"]["unit"] == "USD"


def test_the_command_prints_and_writes(tmp_path):
    file = tmp_path / "s.yaml"
    file.write_text(text(power="0.1 to 0.2 USD/kWh"))
    done = CliRunner().invoke(main, ["simulate", str(file), "--samples", "100", "--jobs", "2", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    found = json.loads((tmp_path / "s.json").read_text())["uncertainty"]
    assert found["samples"] == 128
    own = next(one for one in found["fleets"] if one["id"] == "own")["lines"]["cost_per_million_useful_tokens"]
    assert significant(own["p95"]) in done.stdout
    assert "128 draws of 1 values, seed 1" in done.stdout
    assert done.stderr == ""
    shown = CliRunner().invoke(main, ["simulate", str(file), "--samples", "100", "--json"])
    assert json.loads(shown.stdout) == found


def test_an_interruption_leaves_whole_files_and_one_sentence(tmp_path, monkeypatch):
    file = tmp_path / "s.yaml"
    file.write_text(text(power="0.1 to 0.2 USD/kWh"))

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("tco.uncertainty.many.quantiles", interrupted)
    done = CliRunner().invoke(main, ["simulate", str(file), "--jobs", "2", "--out", str(tmp_path)])
    assert done.exit_code == 130
    assert done.stderr == "interrupted; files already written are whole\n"
    assert [one.name for one in tmp_path.iterdir()] == ["s.yaml"]


def test_check_finds_wrong_ranges_and_a_run_prints_what_was_found(tmp_path):
    file = tmp_path / "s.yaml"
    file.write_text(text("{uncertainty: {ranges: {electricity.prise: 1 to 2}}}"))
    done = CliRunner().invoke(main, ["check", str(file)])
    assert done.exit_code == 1
    assert ":20:35: analysis.uncertainty.ranges.electricity.prise: there is no `prise`" in done.stderr
    file.write_text(text("{uncertainty: {samples: 64}}", power="0.1 to 0.2 USD/kWh"))
    done = CliRunner().invoke(main, ["run", str(file), "--out", str(tmp_path), "--only", "json"])
    assert done.exit_code == 0
    assert "ranges: api is cheapest in 100 % of the draws" in done.stdout


def test_runs_of_their_own_do_not_depend_on_workers(tmp_path):
    """In processes of their own, as the command starts them."""
    file = tmp_path / "s.yaml"
    file.write_text(text("{uncertainty: {choices: search, samples: 64}}", power="0.1 to 0.2 USD/kWh"))
    told = [
        subprocess.run(
            [sys.executable, "-m", "tco", "simulate", str(file), "--json", "--jobs", jobs],
            capture_output=True, text=True, check=True,
        ).stdout
        for jobs in ("1", "2")
    ]  # fmt: skip
    assert told[0] == told[1]
    assert json.loads(told[0])["choices"] == "search"


def test_an_hourly_tariff_stays_billed_as_in_the_run_and_that_is_told():
    tariff = "electricity:\n  tariff:\n    periods: [{name: peak, hours: 16-21}]\n    energy: [{price: 0.08 USD/kWh}, "
    tariff += "{during: peak, price: 0.1 USD/kWh}]\n    demand: [{price: 12 USD/kW/month}]"
    told = text(price="280000 to 350000 USD/system").replace("step: year", "step: month")
    base = loads(told.replace("electricity: {price: 0.12 USD/kWh}", tariff), "s.yaml")
    found = simulate(base, samples=64)
    own = found.by_id["own"].lines["total_cost"]
    assert own.p5 < own.p95
    assert any(note.startswith("hourly tariffs stay billed as in the run: own") for note in found.notes)
