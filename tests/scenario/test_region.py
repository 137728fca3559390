"""Price and carbon of a region from the catalogue, by id."""

import pytest

from tco.catalogue import catalogue
from tco.errors import ScenarioError
from tco.session import loads
from tests.scenario.test_cross_rates import PRICE, changed


def problems(electricity: str) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        loads(changed((PRICE, f"electricity: {electricity}"))).run()
    return [f"{problem.path}: {problem.text}" for problem in caught.value.problems]


def test_the_figures_are_those_of_the_catalogue_with_their_story():
    fleet = loads(changed((PRICE, "electricity: {rate: E131, grid: E304}"))).run().by_id["own"]
    for name, identity in (("electricity_price", "E131"), ("carbon_intensity", "E304")):
        known = catalogue().find("electricity", identity).figures["value"]
        figure = fleet.inputs[name]
        assert (figure.as_of, figure.source, figure.status) == (known.as_of, known.source, known.status)
        assert figure.origin == f"catalogue electricity/{identity}"
    assert fleet.inputs["electricity_price"].number == 0.1452
    assert fleet.inputs["carbon_intensity"].number == 415.8
    assert "US-Indiana, commercial" in fleet.inputs["electricity_price"].note
    by_hand = loads(changed((PRICE, "electricity: {price: 0.1452 USD/kWh, carbon_intensity: 415.8 gCO2e/kWh}"))).run()
    assert fleet.shown("total_cost") == by_hand.by_id["own"].shown("total_cost")


def test_a_fleet_of_its_own_region_and_one_with_a_price_by_hand():
    shared = changed((PRICE, "electricity: {rate: E131}"))
    other = shared.replace("id: own,", "id: own, electricity: {rate: E170},")
    hand = shared.replace("id: own,", "id: own, electricity: {price: 0.5 USD/kWh},")
    assert [loads(text).run().by_id["own"].inputs["electricity_price"].number for text in (shared, other, hand)] == [
        0.1452, 0.2946, 0.5,
    ]  # fmt: skip


def test_what_is_stated_wins_over_the_catalogue():
    """As everywhere: so that a price can be swept, solved for and typed into a workbook."""
    text = changed((PRICE, "electricity: {rate: E131, price: 0.3 USD/kWh, grid: E304, carbon_intensity: 5 gCO2e/kWh}"))
    inputs = loads(text).run().by_id["own"].inputs
    assert (inputs["electricity_price"].number, inputs["carbon_intensity"].number) == (0.3, 5)
    assert inputs["electricity_price"].origin == "scenario"


@pytest.mark.parametrize("home", ["", "id: own, inputs: {electricity_price: 0.7 USD/kWh}, electricity"])
def test_a_value_typed_into_a_workbook_wins_too(home: str):
    """Readback writes it under `inputs`, of the scenario or of the fleet."""
    text = changed((PRICE, "electricity: {rate: E131}\ninputs: {electricity_price: 0.7 USD/kWh}"))
    if "own" in home:
        text = changed((PRICE, "electricity: {rate: E131}")).replace("id: own,", f"{home}: {{rate: E170}},")
    assert loads(text).run().by_id["own"].inputs["electricity_price"].number == 0.7


@pytest.mark.parametrize(
    ("electricity", "told"),
    [
        (
            "{grid: E131, rate: E304}",
            [
                "electricity.grid: `E131` is of the kind price (US-Indiana, commercial); wanted the kind carbon",
                "electricity.rate: `E304` is of the kind carbon (US NERC SERC, grid average); wanted the kind price",
            ],
        ),
        ("{rate: E999}", ["electricity.rate: `E999` is not among the"]),
        (
            "{rate: E131, tariff: {name: a, source: b, effective: 2026-01-01, energy: [{price: 0.1 USD/kWh}]}}",
            ["electricity.rate: `rate` and `tariff` say the same"],
        ),
    ],
)
def test_what_cannot_be_is_told(electricity: str, told: list[str]):
    found = problems(electricity)
    assert len(found) == len(told)
    for problem, words in zip(found, told, strict=True):
        assert problem.startswith(words)
