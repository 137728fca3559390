"""A value changed at a place is what a file with that value says; what it reaches is told exactly."""

from pathlib import Path

import pytest

from tco.errors import ScenarioError
from tco.scenario.schema import Scenario as Schema
from tco.scenario.writing import with_values
from tco.session import load, loads
from tco.variants.patch import blamed, patched
from tco.variants.places import place_of
from tco.variants.reach import built, reach

SCENARIOS = Path(__file__).parents[2] / "scenarios"
FILE = SCENARIOS / "quickstart.yaml"


@pytest.fixture(scope="module")
def base():
    return load(FILE)


def at(scenario, text):
    return place_of(Schema, scenario.document.data, text).path


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("electricity.price", "0.3 USD/kWh"),
        ("workload.requests", "2 Mrequest/month"),
        ("fleets.hgx-h200.buy.system", "mi300x-srv"),
        ("fleets.nvl72.lease.rent", "80000 USD/system/month"),
    ],
)
def test_a_patch_is_the_file_with_that_value(base, text, value):
    path = at(base, text)
    written = loads(with_values(base.document, {path: value}).text, str(FILE)).run()
    run = patched(base, {path: value}).run()
    headline = "cost_per_million_useful_tokens"
    assert run[headline] == written[headline]


def test_a_range_does_not_survive_the_value_it_was_of():
    text = FILE.read_text().replace(
        "price: 0.12 USD/kWh", "price: {value: 0.12 USD/kWh, low: 0.1, high: 0.2, source: bill}"
    )
    base = loads(text, str(FILE))
    moved = patched(base, {at(base, "electricity.price"): "0.5 USD/kWh"})
    assert moved.content.electricity is not None
    price = moved.content.electricity.price
    assert price is not None
    assert (price.number, price.low, price.high, price.source) == (0.5, None, None, "bill")


def test_a_word_that_stands_for_a_section_is_written_out():
    text = FILE.read_text().replace("buy: {system: ws-4x5090}", "buy: ws-4x5090")
    base = loads(text, str(FILE))
    moved = patched(base, {at(base, "fleets.consumer.buy.price"): "9000 USD/system"})
    bought = moved.content.fleets[0].buy
    assert bought is not None
    assert bought.price is not None
    assert (bought.system, bought.price.number) == ("ws-4x5090", 9000)


def test_a_value_that_does_not_fit_is_told_at_its_place(base):
    path = at(base, "electricity.price")
    with pytest.raises(ScenarioError) as error:
        patched(base, {path: "0.3 USD"})
    told = blamed(error.value, {path: "0.3 USD"}, base.document.data)
    assert "wanted" in told[path][0].text


@pytest.mark.parametrize(
    ("text", "value", "direct", "rebuilt"),
    [
        ("electricity.price", "0.3 USD/kWh", True, False),
        ("finance.discount_rate", "12 %", True, False),
        ("fleets.nvl72.lease.rent", "80000 USD/system/month", True, False),
        ("finance.discounting", "end", False, False),
        ("fleets.hgx-h200.buy.price", "300000 USD/system", True, False),
        ("timeline.horizon", "5 yr", False, True),
        ("fleets.hgx-h200.precision", "bf16", False, True),
    ],
)
def test_what_a_change_reaches(base, text, value, direct, rebuilt):
    path, before = at(base, text), built(base)
    found = reach(before, built(patched(base, {path: value})), path)
    assert (found.direct, found.rebuilt) == (direct, rebuilt)
    if direct:
        assert found.inputs


def test_a_direct_change_is_the_figure_of_the_file(base):
    path, before = at(base, "electricity.price"), built(base)
    found = reach(before, built(patched(base, {path: "0.3 USD/kWh"})), path)
    figures = {name: figure.number for inputs in found.inputs.values() for name, figure in inputs.items()}
    assert figures == {"electricity_price": 0.3}
