"""Worked cases of finance, whose numbers come from libraries and spreadsheets that no one here wrote.

Flows are said as `costs:`; one that is to have an output has 1 Mtoken a year, so that its cost per million is the
equal amount a year. Demand that grows is here what it is at the start, there that of the first
year: `half` undoes it.
"""

# pyright: basic
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tco.result import FleetResult, Result
from tco.session import loads

HEAD = """\
format: 1
title: Flows
as_of: 2026-01-01
currency: USD
timeline: {{start: 2026-01, horizon: {years} yr, step: {step}}}
workload: {{kind: inference, requests: {requests} request/month, peak_to_mean: 1, input: 1 token/request,
           output: 1000 token/request{growth}}}
electricity: {{price: 0.10 USD/kWh{escalation}}}
cooling: {{kind: air, pue: 1.3}}
finance: {{discount_rate: {rate} %, discounting: {timing}{more}}}
"""
BARE = "  - {id: none, api: {input: 1 USD/Mtoken, output: 1 USD/Mtoken}, inputs: {context: 128000 token}}\n"
MEGATOKEN = 1000 / 12
"""Requests a month of 1,000 tokens: 1 Mtoken a year."""


@dataclass(frozen=True)
class Finance:
    """Case, what the tools say, and what the engine says."""

    case: str
    tools: str
    printed: tuple[float, ...]
    ours: Callable[[], Sequence[float]]
    near: float = 1e-9


def head(
    rate: float, years: float = 5, step: str = "year", timing: str = "end", requests: float = MEGATOKEN,
    growth: float = 0.0, escalation: float = 0.0, more: str = "",
) -> str:  # fmt: skip
    """The scenario without fleets."""
    return HEAD.format(
        rate=repr(rate * 100), years=years, step=step, timing=timing, requests=repr(requests), more=more,
        growth=f", growth: {growth * 100!r} %/yr" if growth else "",
        escalation=f", escalation: {escalation * 100!r} %/yr" if escalation else "",
    )  # fmt: skip


def flows(text: str, *, once: Sequence[float] = (), yearly: float = 0.0, growth: float = 0.0) -> Result:
    """A fleet that pays amounts as years open, and an amount a year through time, beside one that pays nothing."""
    costs = [
        f"{{name: Flow {year}, amount: {amount!r} USD, part_of: api_cost, month: {2026 + year}-01}}"
        for year, amount in enumerate(once)
        if amount
    ]
    grows = f", growth: {growth * 100!r} %/yr" if growth else ""
    if yearly:
        costs.append(f"{{name: Yearly, amount: {yearly / 12!r} USD/month, part_of: api_cost{grows}}}")
    fleet = BARE.replace("none", "flows").replace("}}\n", f"}}, costs: [{', '.join(costs)}]}}\n")
    nothing = "{new_output_cost: 0 USD, new_input_cost: 0 USD, cached_input_cost: 0 USD}"
    pins = f"pin: {{none: {nothing}, flows: {nothing}}}\n"
    return loads(f"{text}fleets:\n{BARE}{fleet}{pins}").run()


def owned(text: str, price: float, *, loan: str = "", resale: float = 0.0, yearly: float = 0.0) -> FleetResult:
    """A machine, its loan, its resale, and what it costs a year."""
    terms = f", loan: {{{loan}}}" if loan else ""
    sold = f", resale: {resale!r} USD/system" if resale else ""
    costs = f", costs: [{{name: Yearly, amount: {yearly / 12!r} USD/month, part_of: site_cost}}]" if yearly else ""
    buy = f"{{system: srv-4xl4, price: {price!r} USD/system{terms}{sold}}}"
    fleet = f"fleets:\n  - {{id: machine, buy: {buy}, precision: fp8, count: 1{costs}}}\n"
    text = text.replace("kind: inference,", "kind: inference, model: llama-3.1-8b,")
    return loads(f"{text}{fleet}pin: {{machine: {{electricity_cost: 0 USD}}}}\n").run().fleets[0]


def one(fleet: FleetResult, name: str) -> float:
    """A single number."""
    value = fleet.raw(name)
    assert isinstance(value, float)
    return value


def row(fleet: FleetResult, name: str) -> list[float]:
    """A number a period."""
    return list(fleet.raw(name))  # type: ignore[arg-type]


def worth(result: Result) -> float:
    """What the flow costs, at the start."""
    return one(result.by_id["flows"], "present_cost")


def each(result: Result) -> float:
    """Equal amount a year, or cost of a unit of output."""
    return one(result.by_id["flows"], "cost_per_million_useful_tokens")


def rate(text: str, *, once: Sequence[float] = (), yearly: float = 0.0) -> float:
    """The internal rate of the flow."""
    return flows(text.replace("discounting", "reference: none, discounting"), once=once, yearly=yearly).comparison[
        "flows"
    ]["irr"]["value"]


def quarterly(interest: float, years: float) -> float:
    """Four level payments a year on one dollar, each with its interest to the year's end."""
    loan = f"share: 100 %, rate: {interest * 100!r} %, term: {years} yr"
    paid = row(owned(head(0.08, years, "quarter"), 1e6, loan=loan), "loan_payment")[:4]
    return sum(amount * (1 + interest) ** (quarters / 4) for quarters, amount in enumerate(reversed(paid))) / 1e6


def modified() -> float:
    """The modified rate of a flow that 10 % and 20 % both solve: the last year's 132 runs from the start."""
    rates = head(0.1, 2, more=", reinvestment_rate: 12 %, reference: none")
    return flows(rates, once=[100, -230 - 132], yearly=132).comparison["flows"]["mirr"]["value"]


def annuity(interest: float, years: int) -> float:
    """The level payment on one dollar."""
    loan = f"share: 100 %, rate: {interest * 100!r} %, term: {years} yr"
    return row(owned(head(0.08, years), 1e6, loan=loan), "loan_payment")[0] / 1e6


def payments(monthly: float) -> float:
    """Payments on 100,000 at 1 % a month."""
    loan = f"share: 100 %, rate: 12 %, compounding: monthly, payment: {monthly!r} USD/month"
    return row(owned(head(0.08, 3, "month"), 1e5, loan=loan), "payments_left")[0]


def escalated(yearly: float) -> list[float]:
    """A bill of 670,839.24 in the first year, in later years: its price rises, the load does not."""
    text = head(0.08, 4, escalation=yearly).replace("kind: inference,", "kind: inference, model: llama-3.1-8b,")
    fleet = "fleets:\n  - {id: machine, buy: {system: srv-4xl4, price: 1 USD/system}, precision: fp8, count: 1}\n"
    bill = row(loads(text + fleet).run().fleets[0], "electricity_cost")
    return [670839.24 * amount / bill[0] for amount in bill]


def dropped() -> list[float]:
    """A taxed project with debt and rising costs, without the sixth year of MACRS: deducted here, dropped there."""
    text = head(1.107 - 1, more=", basis: after_tax, tax_rate: 25 %, depreciation: {method: macrs, life: 5 yr}") + (
        "costs: [{name: Revenue, amount: -25000 USD/month, part_of: site_cost},"
        f" {{name: Running, amount: {100000 / 12!r} USD/month, part_of: site_cost, growth: 2.5 %/yr}}]\n"
    )
    project = owned(text, 1e6, loan="share: 60 %, rate: 6 %, term: 5 yr")
    return [-one(project, "present_cost") - 0.25 * row(project, "disposal_write_off")[-1] / 1.107**5]


def foreign() -> list[float]:
    """100 EUR, and 0.11 EUR/kWh as USD/MWh, at 1.0352."""
    text = head(0.0, 1).replace("0.10 USD/kWh", "0.11 EUR/kWh") + "fx: {EUR: 1.0352 USD/EUR}\n"
    text += "costs: [{name: Fee, amount: 100 EUR, part_of: site_cost}]\n"
    machine = owned(text, 1.0)
    return [row(machine, "site_cost")[0], one(machine, "electricity_price") * 1000]


def crossed() -> list[float]:
    """A fee of 1 EUR in JPY, where the euro is priced in USD."""
    text = head(0.0, 1).replace("currency: USD", "currency: JPY").replace("USD/kWh", "JPY/kWh")
    text += f"fx: {{USD: {1 / 0.006415!r} JPY/USD, EUR: 1.0352 USD/EUR}}\n"
    fleet = BARE.replace("}}\n", "}, costs: [{name: Fee, amount: 1 EUR, part_of: api_cost, month: 2026-01}]}\n")
    return [row(loads(f"{text}fleets:\n{fleet}").run().fleets[0], "fee_cost")[0]]


def half(amount: float, growth: float) -> float:
    """The demand at the start that is `amount` in the middle of the first year."""
    return amount / (1 + growth) ** 0.5


def inflated(base: float, rates: Sequence[float]) -> float:
    """What is paid once, after years of inflation that each have their own rate."""
    years = ", ".join(f"{one * 100!r} %" for one in [*rates, 0.0])
    costs = f"costs: [{{name: Later, amount: {base!r} USD, part_of: api_cost, month: {2026 + len(rates)}-01}}]"
    fleet = BARE.replace("}}\n", f"}}, {costs}}}\n")
    text = f"{head(0.08, len(rates) + 1)}pricing: {{inflation: [{years}]}}\nfleets:\n{fleet}"
    return sum(row(loads(text).run().fleets[0], "later_cost"))


def declined(life: int, factor: int, more: str = "") -> list[float]:
    """What a declining balance of 100 that never turns writes off, year by year."""
    method = f"{{method: declining_balance, life: {life} yr, factor: {factor}, to_straight_line: false{more}}}"
    taxed = f", basis: after_tax, tax_rate: 25 %, depreciation: {method}"
    return row(owned(head(0.08, life, more=taxed), 100.0), "depreciation")


def levelised() -> float:
    """Tokens that differ by year; what is paid as a year closes is paid as the next one opens."""
    tokens = (8e12, 9e12, 9e12, 7e12, 0.0)
    ramp = f", ramp: [{', '.join(f'{one / 9e12 * 100!r} %' for one in tokens)}]"
    text = head(0.08, requests=9e12 / 12 / 1000).replace("1000 token/request", f"1000 token/request{ramp}")
    return each(flows(text, once=[1e6, 200000, 210000, 220000, 230000]))


def dated(yearly: float, opening: dict[str, float], closing: dict[str, float], months: int) -> Result:
    """Amounts on first and on last days of months from January 2024, in days over 365; received ones negative."""
    more = ", day_count: act365f, reference: none"
    text = head(yearly, months / 12, "month", more=more).replace("start: 2026-01", "start: 2024-01")
    costs = [
        f"{{name: Flow {month}, amount: {amount!r} USD, part_of: api_cost, month: {month}}}"
        for month, amount in opening.items()
    ]
    fleet = BARE.replace("none", "flows").replace("}}\n", f"}}, costs: [{', '.join(costs)}]}}\n")
    labels = [f"{2024 + index // 12}-{index % 12 + 1:02d}" for index in range(months)]
    ends = ", ".join(f"{closing.get(label, 0.0)!r} USD" for label in labels)
    nothing = "new_input_cost: 0 USD, cached_input_cost: 0 USD"
    pins = f"pin: {{none: {{new_output_cost: 0 USD, {nothing}}}, flows: {{new_output_cost: [{ends}], {nothing}}}}}\n"
    return loads(f"{text}fleets:\n{BARE}{fleet}{pins}").run()


FIVE_DATES = (
    {"2024-01": 1000.0, "2024-07": -200.0, "2025-01": -300.0}, {"2026-02": -400.0, "2028-02": -450.0}, 50,
)  # fmt: skip
"""On 1 January and 1 July 2024, 1 January 2025, 28 February 2026 and 29 February 2028."""

NPF, PYXIRR, SAM = "numpy-financial 1.0.0", "pyxirr 0.10.8", "NREL-PySAM 7.1.1.post1"
CALC = "LibreOffice Calc 7.4.7.2"
NOMINAL = (1 + 0.1 / 12) ** 12 - 1
MONTHLY = "share: 100 %, rate: {} %, term: {} yr{}"

CASES = (
    Finance(
        "escalated_cost_variable_inflation", CALC, (111993.96,), lambda: [inflated(100000.0, [0.03, 0.025, 0.02, 0.04])]
    ),
    Finance("double_declining_no_salvage", CALC, (40, 24, 14.4, 8.64, 5.184), lambda: declined(5, 2)),
    Finance("double_declining", CALC, (40, 24, 14.4, 8.64, 2.96), lambda: declined(5, 2, ", salvage: 10 %")),
    Finance("npv_end_year", NPF, (379.07867694084473,), lambda: [worth(flows(head(0.1), yearly=100))]),
    Finance("npv_mid_year", NPF, (397.58107052819236,), lambda: [worth(flows(head(0.1, timing="middle"), yearly=100))]),
    Finance(
        "npv_begin_year", NPF, (416.98654463492926,), lambda: [worth(flows(head(0.1, timing="start"), yearly=100))]
    ),
    Finance(
        "npv_monthly_effective", NPF, (475.38500271051674,), lambda: [worth(flows(head(0.1, step="month"), yearly=120))]
    ),
    Finance(
        "npv_monthly_nominal",
        NPF,
        (470.65369023752055,),
        lambda: [worth(flows(head(NOMINAL, step="month"), yearly=120))],
    ),
    Finance(
        "npv_negative_rate",
        NPF,
        (342.1781600816447,),
        lambda: [-worth(flows(head(-0.05, 4), once=[1000, -300, -400, -500]))],
    ),
    Finance("irr_regular", NPF, (0.08896339469335035,), lambda: [rate(head(0.08, 4), once=[1000, -300, -400, -500])]),
    Finance("irr_negative", NPF, (-0.16106178263779902,), lambda: [rate(head(0.08, 4), once=[300, -50, -50, -100])]),
    Finance(
        "irr_long_monthly",
        NPF,
        (0.006456646344605854,),
        lambda: [(1 + rate(head(0.08, 10, "month"), once=[1e6], yearly=-144000)) ** (1 / 12) - 1],
    ),
    Finance("xnpv_act365f", PYXIRR, (113.0740161552821,), lambda: [-worth(dated(0.09, *FIVE_DATES))]),
    Finance(
        "xnpv_one_leap_year", PYXIRR, (99.97389103095611,), lambda: [worth(dated(0.1, {"2025-01": 110.0}, {}, 13))]
    ),
    Finance(
        "xirr_act365f",
        PYXIRR,
        (0.14689081801325912,),
        lambda: [dated(0.09, *FIVE_DATES).comparison["flows"]["irr"]["value"]],
    ),
    Finance("mirr_multiple_sign_change", NPF, (0.10995495404092881,), lambda: [modified()]),
    Finance("crf_n1_r0.1", NPF, (1.0999999999999992,), lambda: [annuity(0.1, 1)]),
    Finance("crf_n4.5_r0.1 (paid by quarter)", NPF, (0.28672008144427974,), lambda: [quarterly(0.1, 4.5)]),
    Finance("crf_n5_r0.1", NPF, (0.26379748079474524,), lambda: [annuity(0.1, 5)]),
    Finance("crf_n5_r0.0", NPF, (0.2,), lambda: [annuity(0.0, 5)]),
    Finance("crf_n30_r0.07", NPF, (0.08058640351111118,), lambda: [annuity(0.07, 30)]),
    Finance(
        "cumulative_interest_36m",
        PYXIRR,
        (32027.289152877718,),
        lambda: [
            sum(
                row(
                    owned(head(0.08, 3, "month"), 250000.0, loan=MONTHLY.format(8, 3, ", compounding: monthly")),
                    "loan_interest",
                )
            )
        ],
    ),
    Finance("nper", NPF, (22.425741878036444,), lambda: [payments(5000.0)]),
    Finance(
        "effective_from_nominal",
        "QuantLib 1.44",
        (0.08299950680750978,),
        lambda: [
            row(owned(head(0.08, 3), 1e5, loan=MONTHLY.format(8, 3, ", compounding: monthly")), "loan_period_rate")[0]
        ],
    ),
    Finance(
        "nominal_from_effective",
        "QuantLib 1.44",
        (0.09568968514684517,),
        lambda: [
            12 * row(owned(head(0.08, 3, "month"), 1e5, loan=MONTHLY.format(10, 3, "")), "loan_interest")[0] / 1e5
        ],
    ),
    Finance(
        "fisher_real_rate (nominal over real)",
        NPF,
        (1.0,),
        lambda: [
            worth(flows(head(0.09, timing="start"), yearly=100, growth=0.025))
            / worth(flows(head(0.06341463414634183, timing="start"), yearly=100))
        ],
    ),
    Finance("fx_context (from EUR)", "Pint 0.25.3", (103.52, 113.87199999999999), foreign),
    Finance("fx_context (EUR to JPY)", "Pint 0.25.3", (161.3717848791894,), crossed),
    Finance(
        "growing_annuity_pv", NPF, (755.013369114912,), lambda: [worth(flows(head(0.08, 10), yearly=100, growth=0.03))]
    ),
    Finance(
        "lcoe_fcr",
        f"{SAM} Lcoefcr",
        (0.06004950640635755,),
        lambda: [each(flows(head(0.08, 4, requests=8.5e9 / 12), once=[1e6], yearly=208500))],
    ),
    Finance("levelised_cost_per_mtok", NPF, (0.06233964090270259,), lambda: [levelised()]),
    Finance(
        "equivalent_annual_cost_unequal_lives",
        NPF,
        (206410.0542138984, 185191.71091807127),
        lambda: [
            each(flows(head(0.08, years), once=[price], yearly=amount))
            for years, price, amount in ((3, 3e5, 9e4), (5, 4.2e5, 8e4))
        ],
    ),
    Finance(
        "life_longer_than_horizon_no_residual",
        NPF,
        (90576.24133621174,),
        lambda: [one(owned(head(0.08, 4), 300000.0), "cost_per_million_useful_tokens")],
    ),
    Finance(
        "life_longer_than_horizon_residual",
        NPF,
        (68384.16089080783,),
        lambda: [one(owned(head(0.08, 4), 300000.0, resale=100000.0), "cost_per_million_useful_tokens")],
    ),
    Finance(
        "residual_value_only",
        NPF,
        (34029.15985168765,),
        lambda: [-one(owned(head(0.08, 5), 1.0, resale=50000.0), "present_at_end")],
    ),
    Finance(
        "sam_lcoe_degradation",
        f"{SAM} Singleowner",
        (3.6362958977116,),
        lambda: [each(flows(head(0.08, requests=half(1e8 / 12, -0.02), growth=-0.02), once=[1e6], yearly=1e5))],
    ),
    Finance(
        "sam_lcoe_inflation",
        f"{SAM} Singleowner, nominal",
        (3.7313317651496396,),
        lambda: [each(flows(head(1.08 * 1.025 - 1, requests=1e8 / 12), once=[1e6], yearly=1e5, growth=0.025))],
    ),
    Finance(
        "sam_salvage",
        f"{SAM} Singleowner",
        (-133399.67288116738, 333410.80911019736),
        lambda: [
            -one(owned(head(0.08), 1e6, resale=1e5, yearly=-2e5), "present_cost"),
            one(owned(head(0.08), 1e6, resale=1e5, yearly=1e5), "cost_per_million_useful_tokens"),
        ],
    ),
    Finance("sam_inflation_tax_debt (less what SAM drops)", f"{SAM} Singleowner", (-180154.27053011567,), dropped),
    Finance(
        "escalation_infl0_esc2.0",
        f"{SAM} Utilityrate5",
        (670839.24, 684256.0247999999, 697941.1452960001, 711899.96820192),
        lambda: escalated(0.02),
    ),
    Finance(
        "escalation_infl2.5_esc0",
        f"{SAM} Utilityrate5",
        (670839.24, 687610.221, 704800.4765249998, 722420.4884381249),
        lambda: escalated(0.025),
    ),
)
