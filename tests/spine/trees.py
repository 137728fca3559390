"""Random lines over every word of the vocabulary, with units that fit, as source text."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tco.declare import Chapter
from tests.spine.small import module

INPUTS = """
period_number = given("period", "Number", shape="series")
fiscal_year = given("yr", "Year", shape="series")
period = given("yr", "Length", shape="series")
life = given("period", "Life")
window = given("period", "Window")
rate = given("1/yr", "Rate")
exponent = given("", "Exponent", shape="series")
share = given("", "Share")
shares = given("", "Shares", shape="series")
flat_power = given("kW", "Power")
power = given("kW", "Power", shape="series")
watts = given("W", "Power in watts", shape="series")
hours = given("h", "Hours", shape="series")
day = given("day", "A day")
energy = given("MWh", "Energy", shape="series")
price = given("money/kWh", "Price", shape="series")
fee = given("money", "Fee")
cost = given("money", "Cost", shape="series")
big_cost = given("kmoney", "Cost", shape="series")
kept = given("", "Kept", shape="table", from_unit="period")
tariff = given("money/kWh", "Tariff", shape="table", from_unit="MWh")
"""

ROWS = {
    "": ["shares"],
    "kW": ["power", "watts"],
    "kWh": ["energy"],
    "money": ["cost", "big_cost"],
}
LEAVES = {
    "": ["share", "shares", "half", "rate * period", "share", "life / window"],
    "kW": ["power", "watts", "flat_power"],
    "kWh": ["energy", "power * hours", "flat_power * day", "watts * day"],
    "money": ["cost", "big_cost", "fee", "price * energy", "one('money')"],
}
UNITS = list(LEAVES)


class Forest:
    """A generator of lines; each may read inputs and the lines before it."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.rows = {of: list(names) for of, names in ROWS.items()}
        self.text: list[str] = []

    def chapter(self, lines: int) -> Chapter:
        """Inputs and `lines` random lines."""
        for index in range(lines):
            of, name = self.dice.choice(UNITS), f"line_{index}"
            body = self._body(name, of)
            shown = self.dice.choice(
                {"kW": ["kW", "W", "MW"], "kWh": ["kWh", "GJ"], "money": ["money", "kmoney"]}.get(of, [of])
            )
            words = (
                body.replace("(", " ").replace(")", " ").replace(",", " ").replace("-", " ").replace("=", " ").split()
            )
            known = [*INPUT_NAMES, *(f"line_{i}" for i in range(index + 1))]
            parameters = ", ".join(word for word in known if word in words)
            self.text.append(f'@line("{shown}")\ndef {name}({parameters}):\n    return {body}\n')
            if self._series(body):
                self.rows[of].append(name)
        return module(INPUTS + "\n".join(self.text), name="forest")

    def _series(self, body: str) -> bool:
        """Only bodies that hold a row for certain may be read as one."""
        return not body.startswith(("total(", "highest(")) and "shares" in body.replace("(", " ").split()

    def _body(self, name: str, of: str) -> str:
        pick = self.dice.random()
        if pick < 0.08 and of == "money":
            return f"by_age({self._row('money')}, kept, period_number)"
        if pick < 0.12 and of == "money":
            return "tiered(energy, tariff)"
        if pick < 0.2:
            opening = self.dice.choice({"": ["share"], "kW": ["flat_power"], "money": ["fee"]}.get(of, ["0"]))
            return f"lag({name}, opening={opening}) * share + {self._make(of, 2)}"
        if pick < 0.25:
            return f"minimum(lag({name}, by=life) + {self._row(of)}, {self._make(of, 1)})"
        return self._make(of, self.dice.randint(1, 4)) + self.dice.choice(
            ["", " * shares", " - shares * " + self._row(of)]
        )

    def _row(self, of: str) -> str:
        return self.dice.choice(self.rows[of])

    def _make(self, of: str, depth: int, may_branch: bool = True) -> str:
        """An expression of a unit."""
        if depth == 0:
            return self.dice.choice(LEAVES[of])
        make = lambda unit=of: self._make(unit, depth - 1, may_branch)  # noqa: E731
        rules = [
            lambda: f"({make()} + {make()})",
            lambda: f"({make()} - {make()})",
            lambda: f"({make()} - ({make()} - {make()}))",
            lambda: f"{make()} * ({make('')})",
            lambda: f"({make()}) / (share + maximum({make('')}, 0))",
            lambda: f"{make()} / share / share",
            lambda: f"-({make()})",
            lambda: f"(0 - (-({make()})))",
            lambda: f"maximum({make()}, {make()}, {self._row(of)})",
            lambda: f"minimum({make()}, {make()})",
            lambda: f"maximum(0, {make()})",
            lambda: "square_root(({0}) * ({0}))".format(make()),
            lambda: f"lag({self._row(of)})",
            lambda: f"lag({self._row(of)}, by={self.dice.choice(['life', 'window'])})",
            lambda: f"cumulative({self._row(of)})",
            lambda: f"cumulative({self._row(of)}, within=fiscal_year)",
            lambda: f"total({self._row(of)})",
            lambda: f"total({self._row(of)} * {self._row('')})",
            lambda: f"total({self._row(of)}, last={self.dice.choice(['life', 'window'])})",
            lambda: f"highest({self._row(of)})",
            lambda: f"highest({self.dice.choice(ROWS[of])}, last={self.dice.choice(['life', 'window'])})",
        ]
        if of == "":
            rules += [
                lambda: f"compound(rate, period * {self.dice.choice(['shares', 'exponent', 'half'])})",
                lambda: f"(share + maximum({make()}, 0)) ** exponent",
                lambda: "-((share + shares) ** share)",
                lambda: "erlang(rate * period, life / window)",
                lambda: f"(1 / (share + maximum({make()}, 0)))",
                lambda: f"({make('kW')}) / flat_power",
                lambda: f"({make('kWh')}) / (flat_power * day)",
                lambda: f"({make()} * -1)",
                lambda: f"{self.dice.choice(['ceil', 'floor'])}(maximum({make()}, 0), '')",
                lambda: f"logarithm(1 + maximum({make()}, 0))",
            ]
        if of == "kW":
            rules.append(
                lambda: (
                    f"{self.dice.choice(['ceil', 'floor'])}(maximum({make()}, 0), '{self.dice.choice(['W', 'MW'])}')"
                )
            )
        if may_branch:
            quiet = lambda unit=of: self._make(unit, depth - 1, False)  # noqa: E731
            rules += [lambda: f"where({self._condition(depth - 1)}, {quiet()}, {quiet()})"] * 3
        return self.dice.choice(rules)()

    def _condition(self, depth: int) -> str:
        kind = self.dice.choice(UNITS)
        sign = self.dice.choice(["<", "<=", ">", ">="])
        one = f"{self._make(kind, depth, False)} {sign} {self._make(kind, depth, False)}"
        if depth > 0 and self.dice.random() < 0.4:
            return f"{self.dice.choice(['both', 'either'])}({one}, {self._condition(depth - 1)})"
        return self.dice.choice([one, one, "period_number > window"])


INPUT_NAMES = [text.split(" = ")[0] for text in INPUTS.strip().splitlines()]


def values(periods: int, seed: int) -> dict[str, Any]:
    """Random inputs of the forest: positive, so that powers and roots stay real."""
    dice = np.random.default_rng(seed)

    def row(low: float, high: float) -> Any:
        return dice.uniform(low, high, periods)

    return {
        "period_number": np.arange(1.0, periods + 1),
        "fiscal_year": np.floor(np.arange(periods) / 3) + 1,
        "period": np.full(periods, 0.25),
        "life": 3.0,
        "window": 4.0,
        "rate": 0.07,
        "exponent": row(-2, 2),
        "share": 0.37,
        "shares": row(0.2, 1.9),
        "flat_power": 12.5,
        "power": row(1, 40),
        "watts": row(900, 30000),
        "hours": row(10, 90),
        "day": 1.7,
        "energy": row(0.1, 3),
        "price": row(0.05, 0.3),
        "fee": 321.0,
        "cost": row(10, 2000),
        "big_cost": row(0.1, 3),
        "kept": (np.arange(5.0), np.array([0.9, 0.5, 0.3, 0.1, 0.0])),
        "tariff": (np.array([0.0, 0.5, 1.5]), np.array([0.1, 0.2, 0.15])),
    }
