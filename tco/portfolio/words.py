"""What a portfolio's reader is told: why one way is recommended, and what to know of the numbers."""

from __future__ import annotations

from tco.portfolio.sharing import Work
from tco.portfolio.state import Option, PortfolioResult, Way
from tco.result import Alert, Result
from tco.wording import fixed, percent


def advice(result: PortfolioResult) -> str:
    """Which way costs least, and what sharing saves or costs against it."""
    if result.recommended is None:
        alone = [work for work, one in result.single.items() if not _able(one)]
        lacking = f"; no fleet does {' and '.join(alone)} as asked" if alone else ""
        return f"no way does all the work{lacking}"
    best = result.by_id[result.recommended]
    currency, cost = result.scenario["currency"], best.present_cost or 0.0
    told = f"{described(best)} costs least: {fixed(cost, 0)} {currency} in present value"
    shares = any(len(one.works) > 1 for one in best.options)
    other = next((way for way in ranked_ways(result) if _shares(way) != shares), None)
    if other is None or other.present_cost is None:
        return f"{told}; no way {'apart' if shares else 'together'} does all the work"
    more = other.present_cost - cost
    if more <= SAME * other.present_cost:
        return f"{told}, as much as {described(other)}"
    saved = f"{fixed(more, 0)} {currency} ({percent(more / other.present_cost, 1)})"
    return f"{told}. {'Sharing' if shares else 'Not sharing'} saves {saved} against {described(other)}"


def _able(one: Result) -> bool:
    return any(fleet.verdict == "ok" and not fleet.unit_cost_only for fleet in one.fleets)


SAME = 0.0005
"""Shares below it are shown as none."""


def ranked_ways(result: PortfolioResult) -> list[Way]:
    """Those that do all the work, cheapest first."""
    return [result.by_id[name] for name in result.ranking]


def _shares(way: Way) -> bool:
    return any(len(one.works) > 1 for one in way.options)


def described(way: Way) -> str:
    """Fleets with their workloads and systems."""
    return ", ".join(map(_one, way.options))


def _one(option: Option) -> str:
    works = " and ".join(option.works)
    if option.systems is None:
        return f"{works} on {option.fleet}"
    return f"{works} on {option.fleet} ({option.systems:g} system{'s' if option.systems != 1 else ''})"


FIXED = ("security", "fixed_charge", "minimum_charge")


def warnings(work: Work, result: PortfolioResult) -> list[Alert]:
    """Those of the workloads' runs once, and what portfolios have of their own."""
    found = [alert for one in result.single.values() for alert in one.warnings if alert.code != "recalled-or-stale"]
    told = list(dict.fromkeys(found))
    if any(_shares(way) for way in result.ways):
        text = "peaks of workloads are added as if they came together; no run is moved to quiet hours"
        told.append(Alert("peaks-added", "", text))
    repeated = _repeated(work)
    if repeated:
        text = f"{', '.join(repeated)}: counts in full for each fleet of its own, and once for a shared one"
        told.append(Alert("borne-by-each", "", text))
    return told


def beside(result: PortfolioResult) -> Alert:
    """What a reader of the shared fleets alone must know: other ways, and that needs are fixed."""
    text = (
        f"all ways: {result.reason}; systems and their use are pinned to what the workloads need: another demand needs "
        "another run"
    )
    return Alert("part-of-portfolio", "", text)


def _repeated(work: Work) -> list[str]:
    """Costs of the whole scenario that do not grow with a fleet, and that fleets apart pay each."""
    scenario = work.content
    held = (scenario.pricing, scenario.electricity)
    found = [name for name in FIXED for one in held if one is not None and getattr(one, name, None) is not None]
    depreciation = scenario.finance.depreciation
    found += ["expensing"] if depreciation and depreciation.expensing else []
    return found + [cost.name for cost in scenario.costs]


METHOD = (
    "Each workload is run alone on every fleet that does it: GPUs needed, busy GPUs, output and verdict by period.",
    "A shared fleet has the whole systems that hold all needs: replicas and runs are placed whole, the largest first, "
    "each in one system; never more systems than fleets of their own.",
    "Where the deployment is searched, those of 1, 2, 4 and 8 GPUs that do the work are tried for each workload; those "
    "that together take fewest systems are kept, or those of each alone where that is cheaper.",
    "The shared fleet is run once with these systems (`systems_needed`) and with busy GPUs over the GPUs there "
    "(`utilization`, and at the peak), so that energy, demand charges, people and tax follow. Peaks are added.",
    "What each bears: GPU-hours over the horizon, one share for every period, for total and for present cost.",
    "Ways are ranked by present cost. Fleets of one way that exceed a limit of the site together are no way.",
)
