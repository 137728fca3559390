"""Validation: every problem at once, each with its place; and the walks over schema and scenario."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.errors import Problem, ScenarioError
from tco.figures import Figure
from tco.scenario.paths import path_text
from tco.scenario.problems import Problems, validate
from tco.scenario.reading import read_text
from tco.scenario.walk import all_leaves, leaves, schema_leaves
from tests.scenario.toy import HEAD, Scenario


def told(text: str) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        validate(read_text(text, "s.yaml"), Scenario)
    return [str(problem) for problem in caught.value.problems]


GOOD = (
    HEAD
    + """\
start: 2027-01
utilization: 0.7
residual: {after: [1 yr, 2 yr], share: [70 %, 50 %], source: brokers}
electricity: {price: {value: 0.12 USD/kWh, low: 0.1, status: quote}, escalation: 2 %}
cooling: air
fleets:
  - {id: a, buy: hgx-h200-srv, active: false}
  - {id: b, rent: {offer: aws-p5en-1yr, gpus: 4}, cooling: {kind: liquid, pue: 1.2}}
pin: {a: {availability: {value: 99.5 %, source: operations}}}
"""
)

WRONG = """\
format: 2
titel: x
as_of: 2026-02-30
start: 2027
utilization: 70
electricity: {price: 0.12, utill: 3, monthly: 5-10%}
cooling: {kind: watr}
fleets:
  - {id: A b, buy: {price: -5 USD/system, system: x}}
  - {id: b, rent: {offer: x}, buy: y, active: yes}
  - {id: c}
  - nope
  -
  - {id: , buy: z}
pin: 3
"""


def test_a_scenario_without_problems():
    scenario = validate(read_text(GOOD), Scenario)
    assert scenario.cooling is not None
    assert scenario.cooling.kind == "air"
    assert scenario.fleets[0].buy is not None
    assert scenario.fleets[0].buy.system == "hgx-h200-srv"
    assert scenario.fleets[0].active is False
    assert scenario.start == "2027-01"


def test_every_problem_at_once_in_the_order_of_the_file():
    assert told(WRONG) == [
        "s.yaml:1:1: title: is missing",
        "s.yaml:1:9: format: read `2`; wanted `1`",
        "s.yaml:2:1: titel: `titel` is not known here; did you mean `title`?",
        "s.yaml:3:8: as_of: `2026-02-30` is not a date; wanted a date such as 2026-11-01, 2026-11 or 2026",
        "s.yaml:4:8: start: `2027` is not a date; wanted a month such as 2027-01",
        "s.yaml:5:14: utilization: `70` is above 1; did you mean `70 %`?",
        "s.yaml:6:22: electricity.price: `0.12` has no unit; wanted money/kWh, such as `0.12 USD/kWh`",
        "s.yaml:6:28: electricity.utill: `utill` is not known here; known are `price`, `escalation` and `monthly`",
        "s.yaml:6:47: electricity.monthly: `5-10%` is a range; write `5 % to 10 %`, "
        "or {value: …, low: 5 %, high: 10 %}",
        "s.yaml:7:17: cooling.kind: read `watr`; wanted `air` or `liquid`",
        "s.yaml:9:10: fleets.A b.id: read `A b`; "
        "wanted an id of small letters, digits, `-` and `_`, such as `hgx-h200`",
        "s.yaml:9:28: fleets.A b.buy.price: `-5 USD/system` is below 0",
        "s.yaml:10:31: fleets.b.buy: read `rent` and `buy`; wanted exactly one of `buy` and `rent`",
        "s.yaml:10:47: fleets.b.active: read `yes`; wanted `true` or `false`",
        "s.yaml:11:5: fleets.c: wanted exactly one of `buy` and `rent`, none is given",
        "s.yaml:12:5: fleets.4: read `nope`; wanted a mapping with keys such as `id`, `buy` and `rent`",
        "s.yaml:13:4: fleets.5: has no value; give one or remove the item",
        "s.yaml:14:6: fleets.6.id: has no value; give one or remove the line",
        "s.yaml:15:6: pin: read `3`; wanted a mapping",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("electricity: {}\n", "s.yaml:4:1: electricity.price: is missing; give the tariff"),
        ("electricity: x\n", "s.yaml:4:14: electricity: read `x`; wanted a mapping with keys such as `price`"),
        ("fleets: {a: 1}\n", "s.yaml:4:9: fleets: read a mapping; wanted a list"),
        ("electricity: {price: {value: 1 USD/kWh, sorce: x}}\n", "s.yaml:4:41: electricity.price.sorce: `sorce`"),
        ("until: 2027-01\n", "s.yaml:4:8: until: `2027-01` is not a date; wanted a day such as 2026-11-01"),
        ("pin: {a: {b: {value: 1, low: 2}}}\n", "s.yaml:4:30: pin.a.b.low: `2` is above the value `1`"),
        ("residual: {after: [1 yr, x], share: [1 %, 2 %]}\n", "s.yaml:4:26: residual.after.2: `x`"),
        ("tower: {kind: wet}\n", "s.yaml:4:1: tower.water: is missing"),
        ("tower: {kind: wt}\n", "s.yaml:4:8: tower: read `wt`; wanted `dry` or `wet`; did you mean `wet`?"),
        ("tower: {water: 1}\n", "s.yaml:4:8: tower: `kind` is missing"),
        ("tower: 1\n", "s.yaml:4:8: tower: read `1`; wanted a mapping"),
        ("either: {kind: wet, water: 1}\n", "s.yaml:4:28: either.water: `1` has no unit"),
        ("fleets: [{id: a, rent: {offer: x}, active: false}]\n", "s.yaml:4:10: fleets.a: is rented and not active"),
        ("ramp: 5 %\n", "s.yaml:4:7: ramp: read `5 %`; wanted a list, one value a period"),
    ],
)  # fmt: skip
def test_one_problem(text: str, message: str):
    (problem,) = told(HEAD + text)
    assert problem.startswith(message)


def test_texts_keep_what_was_written():
    scenario = validate(read_text("format: 1\ntitle: 0.30\nas_of: 2026\n"), Scenario)
    assert (scenario.title, scenario.as_of) == ("0.30", "2026")
    (problem,) = told("format: 1\ntitle: true\nas_of: 2026\n")
    assert problem == 's.yaml:2:8: title: read `true`; wanted text; write "true" in quotes'


def test_shorthand_may_be_written_out_before_validation():
    def normalise(data: Any) -> Any:
        return {"format": 1, **data}

    assert validate(read_text("title: T\nas_of: 2026\n"), Scenario, normalise).format == 1


def test_own_problems_with_a_path():
    document = read_text(GOOD, "s.yaml")
    problems = Problems(document)
    problems.stop()
    problems.add(("fleets", 1, "rent", "offer"), "is not in the catalogue")
    problems.add(("fleets", 0, "buy"), "has no price", key=True)
    assert problems
    with pytest.raises(ScenarioError) as caught:
        problems.stop()
    assert str(caught.value) == (
        "s.yaml:10:13: fleets.a.buy: has no price\ns.yaml:11:27: fleets.b.rent.offer: is not in the catalogue"
    )


def test_the_leaves_a_scenario_gives():
    found = {path: (leaf.feeds, value.value) for path, leaf, value in leaves(validate(read_text(GOOD), Scenario))}
    assert found == {
        ("utilization",): ("utilization", 0.7),
        ("residual",): ("residual", ((1, 70), (2, 50))),
        ("electricity", "price"): ("electricity_price", 0.12),
        ("electricity", "escalation"): ("electricity_escalation", 2),
        ("fleets", 1, "rent", "gpus"): ("gpus", 4),
        ("fleets", 1, "cooling", "pue"): ("pue", 1.2),
        ("pin", "a", "availability"): (None, 99.5),
    }


def test_where_each_input_is_given():
    places = schema_leaves(Scenario)
    assert places["electricity_price"] == "electricity.price"
    assert places["pue"] == "cooling.pue"
    assert places["gpus"] == "fleets[].rent.gpus"
    assert ("pin", None) in [(path, leaf.feeds) for path, leaf in all_leaves(Scenario)]


def test_sections_do_not_change():
    scenario = validate(read_text(GOOD), Scenario)
    with pytest.raises(Exception, match="frozen"):
        scenario.utilization = Figure(1, "")


def test_paths_as_people_write_them():
    data = read_text(GOOD).data
    path = ("fleets", 1, "rent", "gpus")
    assert path_text(path, data) == "fleets.b.rent.gpus"


_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 99), st.text("ab1% /", max_size=6), st.just("1 USD/kWh")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["id", "buy", "rent", "price", "value", "low", "system", "kind", "after", "x"]), inner
        ),
    ),
    max_leaves=10,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from([*Scenario.model_fields, "x"]), _VALUES, min_size=1))
def test_any_data_gives_a_scenario_or_placed_problems(data: dict[str, Any]):
    import json

    problems: list[Problem] = []
    try:
        validate(read_text(json.dumps(data)), Scenario)
    except ScenarioError as error:
        problems = error.problems
    assert all(problem.line and problem.text for problem in problems)


def test_reading_and_validating_150_lines_is_fast():
    fleets = "".join(
        f"  - {{id: f{n}, rent: {{offer: x, gpus: {n + 1}}}, cooling: {{pue: 1.2}}}}\n" for n in range(140)
    )
    text = GOOD.split("fleets:")[0] + "fleets:\n" + fleets
    validate(read_text(text), Scenario)
    start = time.process_time()
    validate(read_text(text), Scenario)
    assert time.process_time() - start < 0.3


def test_an_id_that_is_only_too_long_is_told_its_length():
    wrong = WRONG.replace("{id: A b,", f"{{id: {'a' * 25},")
    assert any(
        "has 25 characters; wanted an id of small letters" in line and "at most 24" in line for line in told(wrong)
    )
