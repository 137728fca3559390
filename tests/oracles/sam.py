"""What SAM says: a bill by `Utilityrate5`, a project by `Singleowner`. Nothing of tco is used here."""

# pyright: basic
from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

HOURS = 8760


def executed(module: str, groups: dict[str, dict[str, Any]]) -> Any:
    """The module after its run. Keep it as long as its `Outputs` are read: they point into it."""
    made = importlib.import_module(f"PySAM.{module}").new()
    made.assign(groups)
    made.execute(0)
    return made


# --- bills ---


@dataclass(frozen=True)
class SamBill:
    """Amounts of each month."""

    energy: list[float]
    demand: list[float]
    fixed: list[float]
    minimum: list[float]
    total: list[float]


def bill_of(rate: dict[str, Any], load: Sequence[float], earlier: Sequence[float] = (), least: float = 0.0) -> SamBill:
    """The bill of 8,760 hours from a Monday on; `earlier` are peaks of the year before, `least` kW always billed.

    SAM's own converter reads the file, whose schedules it changes, in rows that are one list several times over. Its
    rows of the ratchet are replaced: twelve times one shared list, in which a month's own peak does not count.
    """
    converter = importlib.import_module("PySAM.UtilityRateTools")
    rates = converter.URDBv8_to_ElectricityRates(json.loads(json.dumps(rate)))
    if "lookbackpercent" in rate:
        share, counted = 100 * rate["lookbackpercent"], rate["lookbackmonths"]
        rates |= {
            "ur_billing_demand_lookback_percentages": [[share if counts else 0, 1] for counts in counted],
            "ur_yearzero_usage_peaks": list(earlier), "ur_billing_demand_minimum": least,
        }  # fmt: skip
    ran = executed("Utilityrate5", {
        "ElectricityRates": rates,
        "Lifetime": {"analysis_period": 1, "inflation_rate": 0, "system_use_lifetime_output": 0},
        "Load": {"load": list(load)}, "SystemOutput": {"gen": [0] * HOURS, "degradation": [0]},
    })  # fmt: skip
    told = ran.Outputs
    flat, used = told.year1_monthly_dc_fixed_without_system, told.year1_monthly_dc_tou_without_system
    return SamBill(
        list(told.year1_monthly_ec_charge_without_system), [sum(pair) for pair in zip(flat, used, strict=True)],
        list(told.year1_monthly_fixed_without_system), list(told.year1_monthly_minimum_without_system),
        list(told.year1_monthly_utility_bill_wo_sys),
    )  # fmt: skip


# --- projects ---

NONE = (
    "cost_debt_closing", "cost_debt_fee", "cost_other_financing", "construction_financing_cost", "dscr_reserve_months",
    "months_working_reserve", "months_receivables_reserve", "equip1_reserve_cost", "equip2_reserve_cost",
    "equip3_reserve_cost", "reserves_interest", "insurance_rate", "property_tax_rate", "loan_moratorium", "debt_option",
)  # fmt: skip
"""Fees, reserves and what else SAM would add by itself; a `debt_option` of 0 states the debt as a share."""

WRITTEN_OFF = ("custom", "macrs_15", "macrs_5", "sl_15", "sl_20", "sl_39", "sl_5")


@dataclass(frozen=True)
class Project:
    """A purchase, what it puts out, earns and costs; rates and shares in per cent, money in USD, output in units."""

    years: int
    price: float
    units: float
    unit_price: float
    yearly: float
    unit_cost: float
    inflation: float
    real_rate: float
    tax: float
    write_off: str = "macrs_5"
    schedule: tuple[float, ...] = ()
    bonus: float = 0.0
    debt: float = 0.0
    debt_rate: float = 5.0
    term: int = 5
    equal_repayment: bool = False
    salvage: float = 0.0
    decline: float = 0.0
    rise: float = 0.0
    """Of the price of a unit, a year."""


@dataclass(frozen=True)
class SamProject:
    """Rows begin with year 0; `unit_cost` is levelised, USD a unit, and holds the tax on the revenue."""

    npv: float
    rate: float
    unit_cost: float
    flows: list[float] = field(repr=False)
    interest: list[float] = field(repr=False)
    repayment: list[float] = field(repr=False)
    written_off: list[float] = field(repr=False)
    tax: list[float] = field(repr=False)


def project_of(one: Project) -> SamProject:
    """SAM's `Singleowner`, where a kWh stands for a unit: prices go in as USD, levelised cost comes out in cents.

    `om_production` is a thousand units' cost. Inflation raises costs by itself, so no escalation is added.
    """
    always = [[1] * 24] * 12
    told = executed("Singleowner", {
        "FinancialParameters": dict.fromkeys(NONE, 0) | {
            "analysis_period": one.years, "inflation_rate": one.inflation, "real_discount_rate": one.real_rate,
            "federal_tax_rate": [one.tax], "state_tax_rate": [0], "system_capacity": 1, "debt_percent": one.debt,
            "term_int_rate": one.debt_rate, "term_tenor": one.term, "payment_option": int(one.equal_repayment),
            "salvage_percentage": one.salvage,
        },
        "Depreciation": {f"depr_alloc_{name}_percent": 100 * (name == one.write_off) for name in WRITTEN_OFF} | {
            "depr_custom_schedule": list(one.schedule) or [0], "depr_bonus_sta": 0, "depr_bonus_fed": one.bonus,
            f"depr_bonus_fed_{one.write_off}": 1,
        },
        "SystemCosts": {
            "total_installed_cost": one.price, "om_fixed": [one.yearly], "om_fixed_escal": 0,
            "om_production": [1000 * one.unit_cost], "om_production_escal": 0, "om_capacity": [0],
        },
        "Revenue": {
            "ppa_soln_mode": 1, "ppa_price_input": [one.unit_price], "ppa_escalation": one.rise,
            "flip_target_percent": 10, "flip_target_year": one.years, "dispatch_tod_factors": [1] * 9,
            "dispatch_sched_weekday": always, "dispatch_sched_weekend": always,
        },
        "SystemOutput": {"gen": [one.units / HOURS] * HOURS, "degradation": [one.decline], "system_capacity": 1},
        "Lifetime": {"system_use_lifetime_output": 0},
        "CapacityPayments": {
            "cp_capacity_payment_type": 0, "cp_capacity_payment_amount": [0], "cp_capacity_credit_percent": [0],
            "cp_capacity_payment_esc": 0, "cp_system_nameplate": 0, "cp_battery_nameplate": 0,
        },
    })  # fmt: skip
    out = told.Outputs
    return SamProject(
        out.project_return_aftertax_npv, out.project_return_aftertax_irr / 100, out.lcoe_nom / 100,
        list(out.cf_project_return_aftertax), list(out.cf_debt_payment_interest), list(out.cf_debt_payment_principal),
        list(out.cf_feddepr_total), list(out.cf_fedtax),
    )  # fmt: skip
