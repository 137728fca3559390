"""The optimum against every possibility: through the engine where systems come as needed, else by linear programs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from tco.mix import plan
from tco.mix.columns import Columns, Rows
from tco.mix.solving import solve
from tco.session import loads
from tests.mix.conftest import changed, with_mix

YEARLY = ("horizon: 3 yr, step: quarter", "horizon: 2 yr, step: year")


@pytest.mark.parametrize("requests", ["6 Mrequest/month"])
def test_every_assignment_run_through_the_engine(requests: str) -> None:
    """Three fleets, two classes, two years, classes whole: 81 scenarios; the engine itself adds systems as needed."""
    names = ("pro", "cloud", "api")
    pairs = (YEARLY, ("6 Mrequest/month", requests))
    found = plan(loads(with_mix("{split: false, fleets: [pro, cloud, api]}", *pairs)), worth=False)
    text = changed(*pairs)
    head, fleets = text.split("fleets:\n")
    lines = {line.split("id: ")[1].split(",")[0]: line for line in fleets.splitlines()}
    costs = []
    for choice in itertools.product(names, repeat=4):
        served = [
            f"{lines[name][:-1]}, serves: {{chat: [{part(choice[0:2], name)}], code: [{part(choice[2:4], name)}]}}}}"
            for name in names
            if name in choice
        ]
        result = loads(f"{head}fleets:\n" + "\n".join(served) + "\n").run()
        assert all(fleet.verdict == "ok" for fleet in result.fleets)
        costs.append(sum(float(fleet.raw("present_cost")) for fleet in result.fleets))  # type: ignore[arg-type]
    assert len(found.plan.parts) == 2
    assert found.plan.engine_cost == pytest.approx(min(costs), rel=1e-9)


def part(chosen: tuple[str, ...], name: str) -> str:
    return ", ".join("100 %" if one == name else "0 %" for one in chosen)


@pytest.mark.parametrize("seed", range(12))
def test_every_number_of_systems(seed: int) -> None:
    """Two or three kinds, two classes, two years, split: every count up to three, the shares by a linear program."""
    random = np.random.default_rng(seed)
    kinds, classes, years = 2 + seed % 2, 2, 2
    columns, rows = Columns(), Rows()
    whole = [(kind, year) for kind in range(kinds) for year in range(years)]
    for kind, year in whole:
        columns.add(("systems", kind, year), cost=float(random.uniform(50, 150) * (1 - 0.4 * year)), high=3, whole=True)
    parts = list(itertools.product(range(kinds), range(classes), range(years)))
    for key in parts:
        columns.add(("share", *key), cost=float(random.uniform(0, 40)), high=1)
    shares = {key: columns.places["share", *key] for key in parts}
    for name, year in itertools.product(range(classes), range(years)):
        rows.add({shares[kind, name, year]: 1.0 for kind in range(kinds)}, 1.0, 1.0)
    for kind, year in whole:
        terms = {shares[kind, name, year]: float(random.uniform(0.2, 1.9)) for name in range(classes)}
        terms |= {columns.places["systems", kind, begun]: -1.0 for begun in range(year + 1)}
        rows.add(terms, -np.inf, 0.0, where=f"capacity {kind}")
    for year in range(years):
        power = {
            columns.places["systems", kind, begun]: 2.0 + kind for kind in range(kinds) for begun in range(year + 1)
        }
        rows.add(power, -np.inf, 9.0, "power", 9.0)
    found = solve(columns, rows, 30)
    best = by_hand(columns, rows, len(whole))
    if np.isinf(best):
        assert found is None
    else:
        assert found is not None
        assert found.proven
        assert found.cost == pytest.approx(best, rel=1e-9)


def by_hand(columns: Columns, rows: Rows, count: int) -> float:
    matrix, low, high = rows.matrix(len(columns))
    dense, cost = matrix.toarray(), np.array(columns.cost)
    equal, best = low == high, np.inf
    for numbers in itertools.product(range(4), repeat=count):
        fixed = dense[:, :count] @ numbers
        if cost[:count] @ numbers >= best:
            continue
        solved = linprog(
            cost[count:], A_ub=dense[~equal, count:], b_ub=(high - fixed)[~equal], A_eq=dense[equal, count:],
            b_eq=high[equal], bounds=(0, 1),
        )  # fmt: skip
        if solved.status == 0:
            best = min(best, float(cost[:count] @ numbers + solved.fun))
    return best
