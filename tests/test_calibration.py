"""What the calibration stores: bands, coverage, and what the product takes of them."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest

from calibration import bands, publish, tables
from tco.catalogue import catalogue
from tco.session import loads

ENDS = [entry for entry in catalogue().entries("efficiency") if entry.id.startswith("band-")]
SCENARIO = """
format: 1
title: A part that was measured, and one that was not
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 1 yr, step: year}
workload:
  {kind: inference, model: llama-3.1-70b, requests: 1e6 request/month, input: 1000 token/request,
   output: 500 token/request, peak_to_mean: 2}
finance: {discount_rate: 6 %}
fleets:
  - {id: unknown, rent: {gpu: gaudi3, gpus: 8, price: 2.5 USD/gpu/h, term: 3 yr}, precision: fp8}
  - {id: known, rent: {gpu: h100-sxm, gpus: 8, price: 3 USD/gpu/h, term: 3 yr}, precision: fp8}
"""
STEMS = {"system_output": "system_output_rate", "per_token_time": "per_token_time"}
STEMS |= {"first_token_time": "first_token_time", "prefill_time": "prefill_time"}


def ends(entry: str) -> dict[str, tuple[float, float]]:
    """Low and high of every quantity of a band."""
    figures = catalogue().find("efficiency", entry).figures
    quantities = {name.rsplit("_error_", 1)[0] for name in figures}
    return {
        name: (figures[f"{name}_error_low"].number, figures[f"{name}_error_high"].number) for name in sorted(quantities)
    }


@pytest.mark.parametrize("entry", [entry.id for entry in ENDS])
def test_bands_are_in_order_around_the_estimate(entry: str) -> None:
    assert ends(entry)
    assert all(0 < low < 1 < high for low, high in ends(entry).values())


def test_what_was_never_measured_is_not_surer_than_what_was() -> None:
    widest, seen = ends("band-uncalibrated"), set[str]()
    for entry in ENDS:
        for name, (low, high) in ends(entry.id).items():
            assert widest[name][0] <= low < high <= widest[name][1], (entry.id, name)
            seen.add(name)
    assert seen == set(widest)
    assert len(seen) == 6


def table_of(kind: int) -> pd.DataFrame:
    return publish.left_out()[kind]


@pytest.mark.parametrize(
    ("kind", "group", "quantity"),
    [
        (0, "prompt", "prefill rate"),
        (0, "datacentre mixture serving", "throughput"),
        (1, "mixture training", "training rate"),
    ],
)
def test_errors_and_coverage_follow_from_the_stored_rows(kind: int, group: str, quantity: str) -> None:
    rows, stored = table_of(kind), publish.errors()
    line = stored[(stored.group == group) & (stored.quantity == quantity)].iloc[0]
    same = (bands.quantity_of(rows) == quantity).to_numpy() & ~rows.group.str.startswith(tables.EXPERIMENTAL).to_numpy()
    mine = same & (rows.group == group).to_numpy()
    error = np.abs(rows.without_family / rows.value - 1)[mine]
    speed = bands.speed_ratio(rows, rows.without_family.to_numpy(float))
    found = bands.coverage(speed, rows.family.to_numpy(), rows.fold.to_numpy(), mine, same)
    assert int(mine.sum()) == line.rows
    assert float(np.median(error)) == pytest.approx(line["median"], abs=2e-3)
    assert float(np.quantile(error, 0.9)) == pytest.approx(line.p90, abs=2e-3)
    assert found == pytest.approx(line.coverage_80, abs=0.02)


def test_families_stay_whole() -> None:
    for kind in (0, 1):
        assert (table_of(kind).groupby("family").fold.nunique() == 1).all()


def test_groups_of_enough_families_are_covered() -> None:
    stored = publish.errors()
    plain = ~stored.group.str.contains("unstated|class left out|experimental") & (stored.quantity != "all")
    enough = stored[plain & (stored.families >= bands.FEWEST)]
    assert len(enough) >= 15
    beyond = (enough.coverage_80 < 0.7) | (enough.coverage_80 > 0.9)
    assert list(enough["group"][beyond]) == []


def test_the_catalogue_and_the_picture_are_those_of_the_calibration() -> None:
    assert publish.CATALOGUE.read_text(encoding="utf-8") == publish.catalogue_text()
    drawn = publish.PICTURE.read_text(encoding="utf-8")
    assert drawn == publish.picture()
    assert len(drawn) < 60_000
    assert len(ET.fromstring(drawn).findall("{*}g")) == len(publish.PANELS)


def test_every_estimate_shows_its_band_and_an_unmeasured_part_the_widest() -> None:
    result = loads(SCENARIO).run()
    width: dict[str, dict[str, float]] = {}
    for fleet in result.fleets:
        for stem, name in STEMS.items():
            low, value, high = (fleet.raw(line) for line in (f"{stem}_low", name, f"{stem}_high"))
            assert low is not None
            assert value is not None
            assert high is not None
            assert float(np.max(low)) < float(np.max(value)) < float(np.max(high))
            width.setdefault(fleet.id, {})[stem] = float(np.max(high)) / float(np.max(low))
    assert all(width["unknown"][stem] > width["known"][stem] for stem in STEMS)
    told = [(alert.fleet, alert.text) for alert in result.warnings if alert.code == "uncalibrated"]
    assert [fleet for fleet, _ in told] == ["unknown"]
    assert "estimated, uncalibrated" in told[0][1]
