"""What is wrong with a request before anything is computed: money that no rate converts, steps that repeat."""

from __future__ import annotations

from tco.figures import Figure
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.scenario.schema import Scenario
from tco.scenario.walk import leaves
from tco.units import currencies_in

MOST_APPROVERS = 8


def check_request(scenario: Scenario, problems: Problems) -> None:
    """Note every contradiction."""
    if scenario.request is None:
        return
    for inside, _, figure in leaves(scenario.request):
        _check_money(scenario, ("request", *inside), figure, problems)
    many = len(scenario.request.approvers)
    if many > MOST_APPROVERS:
        told = f"{many} approvers; the one page of the cover has lines for {MOST_APPROVERS}"
        problems.add(("request", "approvers"), f"{told}: leave out those above the last who may sign")
    seen: set[tuple[float, str]] = set()
    for index, step in enumerate(scenario.request.quote_rule):
        key = (step.starts.number, step.starts.unit)
        if key in seen:
            told = f"a rule from {step.starts.number:,.2f} {step.starts.unit} stands above already; keep one"
            problems.add(("request", "quote_rule", index, "from"), told)
        seen.add(key)


def _check_money(scenario: Scenario, path: Path, figure: Figure, problems: Problems) -> None:
    for code in currencies_in(figure.unit):
        if code != scenario.currency and code not in scenario.fx:
            wanted = f"state `fx: {{{code}: … {scenario.currency}/{code}}}`"
            problems.add(path, f"is in {code}, the scenario in {scenario.currency}; {wanted}")
