"""Tax as the scenario states it: how capital is written off, and when a loss saves tax."""

from __future__ import annotations

from dataclasses import replace

from tco.scenario.plan import Context, Plan
from tco.scenario.problems import Problems
from tco.scenario.schedules import by_tax_year, declining_by_period, macrs_figure, quarter_flags
from tco.scenario.schema import Depreciation, Scenario

MACRS_LIVES = (3, 5, 7, 10, 15, 20)
"""Recovery periods in years of IRS publication 946."""

BELONGS = {
    "life": ("straight_line", "declining_balance", "macrs"), "factor": ("declining_balance",),
    "to_straight_line": ("declining_balance",), "salvage": ("declining_balance",), "convention": ("macrs",),
    "shares": ("table",),
}  # fmt: skip
"""Keys of a depreciation by the methods that they belong to."""

NEEDED = {
    "straight_line": {"life": "5 yr"}, "declining_balance": {"life": "5 yr", "factor": "2"}, "macrs": {"life": "5 yr"},
    "table": {"shares": "[50 %, 30 %, 20 %]"},
}  # fmt: skip

REGULAR = {
    "straight_line": "straight_line_depreciation", "declining_balance": "declining_depreciation",
    "macrs": "yearly_depreciation", "table": "yearly_depreciation",
}  # fmt: skip


BY_TAX_YEAR = {"half_year_always", "half_year_by_rule"}
"""Lines that a method without the half-year table does without."""


def check_tax(scenario: Scenario, problems: Problems) -> None:
    """What the section `finance` says of tax must be whole and must not contradict itself."""
    finance = scenario.finance
    owns = any(fleet.buy or fleet.lease for fleet in scenario.fleets)
    if finance.depreciation:
        _check_depreciation(finance.depreciation, scenario.timeline.step, problems)
    _check_losses(scenario, problems)
    if finance.basis == "pre_tax":
        return
    if finance.tax_rate is None:
        problems.add(("finance",), "`basis: after_tax` needs `tax_rate`, such as `25 %`")
    if finance.depreciation is None and owns:
        example = "`{method: straight_line, life: 5 yr}`"
        problems.add(("finance",), f"`basis: after_tax` needs `depreciation`, such as {example}")


def _check_depreciation(stated: Depreciation, step: str, problems: Problems) -> None:
    place = ("finance", "depreciation")
    for name, example in NEEDED[stated.method].items():
        if getattr(stated, name) is None:
            problems.add(place, f"`method: {stated.method}` needs `{name}`, such as `{example}`")
    for name, methods in BELONGS.items():
        if getattr(stated, name) is not None and stated.method not in methods:
            told = f"belongs to the method {' or '.join(methods)}, not to {stated.method}; leave it out"
            problems.add((*place, name), f"`{name}` {told}", key=True)
    if stated.method == "macrs" and stated.life:
        years = stated.life.to("yr").number
        if min(abs(years - life) for life in MACRS_LIVES) > 1e-9:
            told = f"MACRS has no class of {years:g} yr; wanted {', '.join(map(str, MACRS_LIVES))} yr"
            problems.add((*place, "life"), told)
    if stated.convention == "mid_quarter" and step == "year":
        told = "a period of a year has no quarters; state `step: quarter` of the timeline, or `half_year`"
        problems.add((*place, "convention"), told)
    if stated.shares and sum(stated.shares.to("").series) > 1 + 1e-9:
        problems.add((*place, "shares"), f"add up to {sum(stated.shares.to('%').series):g} %, which is above 100 %")


def _check_losses(scenario: Scenario, problems: Problems) -> None:
    finance = scenario.finance
    carries = finance.tax_losses == "carry_forward"
    if carries and finance.basis == "pre_tax":
        told = "losses count only after tax; state `basis: after_tax`, or leave it out"
        problems.add(("finance", "tax_losses"), told)
    if carries and finance.income is None and finance.income_per_token is None:
        told = "a loss is carried until there is profit; state `income`, such as `2000000 USD/yr`, or `refund`"
        problems.add(("finance", "tax_losses"), told)
    for name in ("income", "income_per_token", "loss_limit"):
        if not carries and getattr(finance, name) is not None:
            told = f"`{name}` counts only with `tax_losses: carry_forward`; state it, or leave this out"
            problems.add(("finance", name), told, key=True)
    if finance.income_per_token and scenario.workload.kind != "inference":
        told = f"`income_per_token` has no meaning for {scenario.workload.kind}; state `income`"
        problems.add(("finance", "income_per_token"), told, key=True)


def taxation(context: Context, plan: Plan) -> None:
    """Tables of write-offs, and the ways in which depreciation and losses count."""
    finance = context.scenario.finance
    if finance.basis == "pre_tax":
        return
    carries = finance.tax_losses == "carry_forward"
    plan.ways["tax_cost"] = "tax_with_losses_carried" if carries else "tax_refunded"
    plan.ways["deducted_rent"] = "rent_deducted_as_paid"
    if finance.depreciation and plan.payment in ("buy", "lease"):
        _written_off(context, finance.depreciation, plan)


def _written_off(context: Context, stated: Depreciation, plan: Plan) -> None:
    place = ("finance", "depreciation")
    plan.ways |= {
        "regular_depreciation": REGULAR[stated.method], "half_year_basis": "half_year_always",
        "mid_quarter": "mid_quarter_by_rule",
    }  # fmt: skip
    if stated.method in ("straight_line", "declining_balance"):
        plan.without |= BY_TAX_YEAR
    if stated.method == "straight_line" and stated.life:
        plan.found.put("depreciation_life", stated.life, (*place, "life"), shared=True)
    elif stated.method == "declining_balance" and stated.life and stated.factor:
        switch = stated.to_straight_line is not False
        shares = declining_by_period(
            stated.life, stated.factor, context.timeline, switch=switch, salvage=stated.salvage
        )  # fmt: skip
        plan.found.put("declining_share", shares, shared=True)
    elif stated.method == "table" and stated.shares:
        shares = by_tax_year(stated.shares.to("").series, stated.shares.source)
        told = replace(shares, as_of=stated.shares.as_of or context.scenario.as_of, status=stated.shares.status)
        plan.found.put("write_off_share", told, shared=True)
    elif stated.method == "macrs" and stated.life:
        _macrs(context, stated, round(stated.life.to("yr").number), plan)


def _macrs(context: Context, stated: Depreciation, life: int, plan: Plan) -> None:
    """The half-year table, those of the quarters, or both where the rule decides by purchases."""
    by_quarter = stated.convention != "half_year" and context.timeline.step != "year"
    if stated.convention == "mid_quarter":
        plan.ways["mid_quarter"] = "mid_quarter_always"
        plan.without |= BY_TAX_YEAR
    else:
        plan.found.put("write_off_share", macrs_figure(life, "half-year"), shared=True)
    if by_quarter:
        plan.ways["half_year_basis"] = "half_year_by_rule"
        for name, flags in quarter_flags(context.timeline).items():
            plan.found.put(f"in_{name}_quarter", flags, shared=True)
            plan.found.put(f"{name}_quarter_share", macrs_figure(life, name), shared=True)
