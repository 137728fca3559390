"""Which lines take part: absence, missing inputs, pins, choices, generated lines."""

from __future__ import annotations

import numpy as np
import pytest

from tco.declare import line
from tco.errors import ModelError
from tco.evaluate import program
from tco.model import build, describe
from tests.spine.small import mistakes, model, module, shapes

STAND = """
power = given("kW", "Power", shape="series")
price = given("money/kWh", "Price")
hours = given("h", "Hours")
tariff = given("money/kW", "Demand charge", scope="demand charge")
rent = given("money", "Rent", shape="series", scope="rent")
@line("kWh")
def energy(power, hours):
    return power * hours
@line("money", part_of="cost")
def energy_cost(energy, price):
    return energy * price
@line("money", part_of="cost")
def demand_cost(power, tariff):
    return power * tariff
@line("money")
def demand_cost_so_far(demand_cost):
    return cumulative(demand_cost)
@line("money", part_of="cost")
def rent_cost(rent):
    return rent
@line("money")
def cost(parts):
    return parts
@line("money")
def total_cost(cost):
    return total(cost)
"""


def test_what_is_not_given_is_absent_with_a_reason_and_what_hangs_on_it_too() -> None:
    made = model(STAND)
    assert made.absent == {
        "demand_cost": "no demand charge is given",
        "demand_cost_so_far": "no demand charge is given (needs demand_cost)",
        "rent_cost": "no rent is given",
    }
    assert describe(made.lines["cost"]) == "cost [money] = energy_cost"
    assert set(made.inputs) == {"power", "hours", "price"}
    assert made.missing == {}


def test_parts_are_added_in_reading_order_in_the_units_of_the_subtotal() -> None:
    text = STAND.replace('@line("money", part_of="cost")\ndef rent', '@line("kmoney", part_of="cost")\ndef rent')
    made = model(text, available={**shapes(module(text)), "tariff": "one", "rent": "series"})
    assert describe(made.lines["cost"]) == "cost [money] = energy_cost + demand_cost + rent_cost * thousand"
    assert made.readers("rent_cost") == ["cost"]


def test_missing_inputs_come_with_the_lines_that_ask() -> None:
    made = model(STAND, available={"power": "series"}, results=["total_cost"])
    assert made.missing == {"price": ["energy_cost"], "hours": ["energy"]}
    assert made.absent["cost"] == "nothing belongs to it here"
    assert made.absent["energy"] == "`hours` is not given"
    assert made.absent["energy_cost"] == "`hours` is not given (needs energy)"


def test_an_input_that_no_result_needs_is_not_missing() -> None:
    made = model(STAND, available={"power": "series", "hours": "one"}, results=["energy"])
    assert made.missing == {}
    assert list(made.lines) == ["energy"]


def test_a_line_of_another_fleet_is_absent_and_not_mistaken() -> None:
    text = STAND + '@line("money", part_of="cost")\ndef lease_cost(lease):\n    return lease\n'
    assert model(text, elsewhere=["lease"]).absent["lease_cost"] == "`lease` is not part of this fleet"
    (text,) = mistakes(text)
    assert text.startswith("small.py:27  lease_cost: asks for `lease`, which is neither a line nor an input")


def test_a_part_of_a_line_elsewhere_is_no_mistake() -> None:
    text = STAND.replace('"money", part_of="cost")\ndef energy', '"money", part_of=("cost", "site_cost"))\ndef energy')
    (found,) = mistakes(text)
    assert found.startswith("small.py:9  energy_cost: part_of `site_cost`, which is not a line")
    assert model(text, elsewhere=["site_cost"]).lines["energy_cost"].part_of == ("cost", "site_cost")


def test_a_part_must_be_read_by_its_subtotal() -> None:
    text = STAND.replace('@line("kWh")', '@line("kWh", part_of="total_cost")')
    assert mistakes(text) == ["small.py:6  energy: part_of `total_cost`, which does not ask for `parts`"]


# --- pins ---


def test_one_number_pinned_on_a_series_is_spread() -> None:
    made = model(STAND, pins={"energy": "one"}, results=["total_cost"])
    pinned = made.lines["energy"]
    assert (pinned.pinned, pinned.series, pinned.expression.series, pinned.parents) == (
        True, True, False, ("energy_pinned",)
    )  # fmt: skip
    assert made.inputs["energy_pinned"].unit == "kWh"
    values = program(made)({"energy_pinned": 10.0, "price": 2.0}, 3)
    assert values["energy"].tolist() == [10, 10, 10]
    assert values["total_cost"].tolist() == [60]


def test_a_series_may_be_pinned() -> None:
    made = model(STAND, pins={"energy": "series"}, results=["total_cost"])
    values = program(made)({"energy_pinned": np.array([1.0, 2.0]), "price": 2.0}, 2)
    assert values["cost"].tolist() == [2, 4]


def test_a_pin_keeps_part_of_and_what_only_it_needed_is_no_longer_asked_for() -> None:
    made = model(STAND, pins={"rent_cost": "one", "energy_cost": "series"}, available={}, results=["total_cost"])
    assert describe(made.lines["cost"]) == "cost [money] = energy_cost + rent_cost"
    assert made.lines["energy_cost"].part_of == ("cost",)
    assert made.missing == {}
    assert set(made.inputs) == {"energy_cost_pinned", "rent_cost_pinned"}


def test_parents_that_a_pin_cuts_off_are_greyed() -> None:
    made = model(STAND, pins={"energy_cost": "series"}, results=["total_cost"])
    assert made.greyed == {"energy"}
    assert "energy" in made.lines
    assert model(STAND, pins={"energy_cost": "series"}, results=["total_cost", "energy"]).greyed == set()
    assert model(STAND, results=["total_cost"]).greyed == set()


def test_a_pinned_subtotal_needs_no_parts() -> None:
    made = model(STAND, pins={"cost": "series"}, available={}, results=["total_cost"])
    assert list(made.lines) == ["cost", "total_cost"]
    assert made.missing == {}


def test_a_pin_of_an_unknown_line_is_a_mistake() -> None:
    assert mistakes(STAND, pins={"energy_cots": "one"}) == [
        "pin  energy_cots: this is not a line of the fleet; did you mean `energy_cost`?"
    ]


# --- choices ---

CHOICE = """
measured = given("", "Measured", scope="measured PUE")
design = given("", "Design")
@line("")
def pue(choice):
    return choice
@line("", choice_of="pue")
def pue_as_designed(design):
    return design
@line("", choice_of="pue")
def pue_as_measured(measured):
    return measured
@line("")
def reader(pue_as_measured):
    return pue_as_measured
"""


def test_the_only_way_in_scope_is_taken() -> None:
    made = model(CHOICE)
    assert describe(made.lines["pue"]) == "pue [a plain number] = pue_as_designed"
    assert made.lines["pue_as_designed"].choice_of == "pue"


def test_two_ways_in_scope_are_a_mistake_until_one_is_chosen() -> None:
    given = {"measured": "one", "design": "one"}
    assert mistakes(CHOICE, available=given) == [
        "small.py:3  pue: more than one way is in scope: pue_as_designed, pue_as_measured; choose one"
    ]
    made = model(CHOICE, available=given, choices={"pue": "pue_as_measured"})
    assert made.lines["pue"].parents == ("pue_as_measured",)
    assert made.absent == {"pue_as_designed": "pue_as_measured is chosen instead"}


def test_a_reader_of_a_way_that_is_not_chosen_is_absent() -> None:
    made = model(CHOICE, available={"measured": "one", "design": "one"}, choices={"pue": "pue_as_designed"})
    assert made.absent["reader"] == "pue_as_designed is chosen instead (needs pue_as_measured)"


def test_no_way_in_scope_leaves_the_line_out() -> None:
    made = model(CHOICE, available={}, choices={"pue": "pue_as_measured"})
    assert made.absent["pue"] == "no way to compute it is in scope"


def test_a_choice_that_is_no_way_is_a_mistake() -> None:
    assert mistakes(CHOICE, choices={"pue": "pue_as_mesured"})[0] == (
        "choice  pue: `pue_as_mesured` is not a way to compute it; did you mean `pue_as_measured`?; "
        "its ways are pue_as_designed, pue_as_measured"
    )


def test_a_way_of_no_line_is_a_mistake() -> None:
    text = CHOICE.replace('choice_of="pue")\ndef pue_as_d', 'choice_of="puee")\ndef pue_as_d')
    assert (
        mistakes(text)[0] == "small.py:6  pue_as_designed: choice_of `puee`, which is not a line; did you mean `pue`?"
    )


# --- generated lines ---


def test_a_generated_line_takes_the_place_of_an_input() -> None:
    def price(price_quoted, rate):
        """The quoted price in the scenario's currency."""
        return price_quoted * rate

    foreign = module(
        """
        price_quoted = given("EUR/kWh", "Price as quoted")
        rate = given("money/EUR", "Rate", shape="series")
    """,
        name="rates",
    )
    chapters = [module(STAND), foreign]
    made = build(chapters, shapes(*chapters), extra=[line("money/kWh", "Price")(price)], results=["total_cost"])
    assert describe(made.lines["price"]) == "price [money/kWh] = price_quoted * rate"
    assert "price" not in made.inputs
    assert made.lines["price"].series
    assert made.chapters == {"small": "The chapter small", "rates": "The chapter rates"}


def test_names_are_unique_over_chapters() -> None:
    twice = [module(STAND), module("""
        price = given("money", "Another price")
        @line("kW")
        def energy(price):
            return price
    """, name="other")]  # fmt: skip
    with pytest.raises(ModelError) as caught:
        build(twice, shapes(*twice))
    assert caught.value.mistakes == [
        "other.py:1  price: this name is taken already; names are unique in the whole model",
        "other.py:2  energy: this name is taken already; names are unique in the whole model",
    ]


def test_a_forgotten_conversion_is_refused() -> None:
    (found,) = mistakes(STAND.replace('"money/kWh"', '"EUR/kWh"'))
    assert found == "small.py:9  energy_cost: `energy * price` is in EUR, which cannot become money"


def test_an_input_that_is_a_series_makes_its_readers_series() -> None:
    made = model(STAND, available={"power": "series", "price": "series", "hours": "one"})
    assert made.inputs["price"].shape == "series"
    made = model(
        STAND.replace(', shape="series"', "", 1), available={"power": "one", "price": "series", "hours": "one"}
    )
    assert (made.lines["energy"].series, made.lines["energy_cost"].series) == (False, True)


def test_one_number_for_an_input_that_is_a_series_is_spread() -> None:
    made = model(STAND, available={"power": "one", "price": "one", "hours": "one"})
    assert made.inputs["power"].shape == "series"
    assert program(made)({"power": 5.0, "price": 2.0, "hours": 1.0}, 3)["total_cost"].tolist() == [30]


def test_a_circle_is_told_as_each_line_reads_the_next() -> None:
    (found,) = mistakes("""
        @line("kW")
        def a(c, d):
            return c + d
        @line("kW")
        def b(a):
            return a
        @line("kW")
        def c(b):
            return b
        @line("kW")
        def d(c):
            return c
    """)
    assert found == "small.py:1  a: circular: a -> c -> b -> a"
