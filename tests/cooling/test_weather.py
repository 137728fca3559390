"""A file of weather in a scenario: what is read, what follows, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tco.errors import ScenarioError
from tco.result import Result
from tco.session import load
from tco.weather.epw import read_epw
from tests.cli.conftest import changed
from tests.cooling.weather import rows, write

PLAIN = "cooling: {kind: air, pue: 1.4}"
Cells = list[list[str]]


@pytest.fixture(scope="module")
def cells() -> Cells:
    return rows(12, 12, 6, 60)


@pytest.fixture
def run(tmp_path: Path, cells: Cells) -> Callable[..., Result]:
    write(tmp_path / "lakeside.epw", cells)

    def call(cooling: str, *more: tuple[str, str]) -> Result:
        path = tmp_path / "a.yaml"
        path.write_text(changed((PLAIN, f"cooling: {cooling}"), *more), encoding="utf-8")
        return load(path).run()

    return call


def refused(run: Callable[..., Result], cooling: str, *more: tuple[str, str]) -> str:
    with pytest.raises(ScenarioError) as caught:
        run(cooling, *more)
    return str(caught.value)


def test_pue_and_water_follow_with_their_story(run: Callable[..., Result]) -> None:
    result = run("{kind: air, weather: lakeside.epw, plant: waterside_economiser, water_price: 3 USD/m3}")
    own = result.by_id["own"]
    pue, worst, water = (own.inputs[name] for name in ("pue", "worst_pue", "water_use"))
    assert 1.1 < pue.number < worst.number < 1.5
    assert pue.status == water.status == "derived"
    assert pue.source == "waterside economiser in the weather of Lakeside, IL, USA (lakeside.epw, made up 000000): " + (
        "mean of 8,760 hours at steady load"
    )
    power, nameplate = np.asarray(own.raw("facility_power")), np.asarray(own.raw("nameplate_power"))
    assert power == pytest.approx(np.asarray(own.raw("it_power")) * pue.number)
    assert nameplate == pytest.approx(np.asarray(own.raw("nameplate_it_power")) * worst.number)
    assert np.all(np.asarray(own.raw("water_cost")) > 0)
    (told,) = (one for one in result.warnings if one.code == "pue-from-weather")
    assert not told.fleet
    assert f"PUE {pue.number:.3f}, in its worst hour {worst.number:.3f}; {water.number:.2f} l/kWh" in told.text
    assert "usual figures, not this plant's: power_losses 0.08, fan_power 0.05" in told.text


def test_what_is_stated_of_the_plant_counts_and_is_no_longer_called_usual(run: Callable[..., Result]) -> None:
    plain = run("{kind: air, weather: lakeside.epw, plant: air_cooled_chiller}")
    better = run(
        "{kind: air, weather: lakeside.epw, plant: {type: air_cooled_chiller, chiller_cop: 5, power_losses: 4 %}}"
    )
    assert better.by_id["own"].inputs["pue"].number < plain.by_id["own"].inputs["pue"].number - 0.05
    assert "chiller_cop" not in next(one.text for one in better.warnings if one.code == "pue-from-weather")


def test_a_fleets_own_pue_wins_over_the_sites_weather(run: Callable[..., Result]) -> None:
    own = ("precision: fp8}\n  - {id: cloud", "precision: fp8, cooling: {pue: 1.07}}\n  - {id: cloud")
    found = run("{kind: air, weather: lakeside.epw, plant: air_cooled_chiller}", own).by_id["own"]
    assert found.inputs["pue"].number == 1.07
    assert "worst_pue" not in found.inputs


@pytest.mark.parametrize(
    ("cooling", "told"),
    [
        ("{weather: lakeside.epw}", "state `plant`, such as `plant: waterside_economiser`"),
        ("{pue: 1.2, weather: lakeside.epw, plant: dry_cooler}", "`pue` and `weather` say the same; keep one"),
        ("{water_use: 1 l/kWh, weather: lakeside.epw, plant: air_cooled_chiller}", "`water_use` and `weather` say"),
        ("{pue: 1.2, plant: dry_cooler}", "a plant counts with `weather` only"),
        ("{kind: air, weather: lakeside.epw, plant: dry_cooler}", "takes liquid from the machines, and `kind` is air"),
        ("{kind: liquid, weather: lakeside.epw, plant: airside_economiser}", "outdoor air cools no liquid"),
        ("{weather: lakeside.epw, plant: {type: air_cooled_chiller, cycles: 4}}", "`cycles` means nothing to"),
        ("{kind: none, weather: lakeside.epw, plant: air_cooled_chiller}", "`kind: none` is a machine beside a desk"),
        ("{weather: none.epw, plant: air_cooled_chiller}", "none.epw: there is no such file"),
        ("{weather: lakeside.epw, plant: {type: air_cooled_chiller, fan_power: 5 K}}", "wanted a share"),
        ("{weather: lakeside.epw, plant: {type: waterside_economiser, supply_water: 293 K}}", "degC"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(run: Callable[..., Result], cooling: str, told: str) -> None:
    text = refused(run, cooling)
    assert told in text
    assert "a.yaml:" in text or "none.epw" in text


def test_latin_1_is_read(tmp_path: Path, cells: Cells) -> None:
    found = read_epw(write(tmp_path / "z.epw", cells, place="Zürich", encoding="latin-1"))
    assert found.place.startswith("Zürich")
    assert len(found.dry_bulb) == 8760


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda rows: rows[:-1], "has 8,759 hours after 8 lines of header; wanted 8,760"),
        (lambda rows: [*rows, *rows[:24]], "wanted 8,760; leave 29 February out"),
        (lambda rows: [rows[1], rows[0], *rows[2:]], ":9:1: is month, day, hour 1, 1, 2; wanted 1, 1, 1"),
        (lambda rows: [[*rows[0][:6], "99.9", *rows[0][7:]], *rows[1:]], ":9:1: column 7, dry bulb in degrees"),
        (lambda rows: [*rows[:5], [*rows[5][:8], "999", *rows[5][9:]], *rows[6:]], ":14:1: column 9, relative"),
        (lambda rows: [[*rows[0][:9], "x", *rows[0][10:]], *rows[1:]], ":9:1: column 10, pressure in Pa, is `x`"),
        (lambda rows: [row[:6] for row in rows], "has 26,275 more of these"),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_is_refused_by_line(
    tmp_path: Path, cells: Cells, change: Callable[[Cells], Cells], told: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_epw(write(tmp_path / "w.epw", change(cells)))
    assert told in str(caught.value)


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.epw"
    path.write_text("time,power\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match="begins with `time,power`; wanted `LOCATION"):
        read_epw(path)
