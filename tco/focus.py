"""The plan in the shape of a bill (FOCUS, the FinOps Open Cost and Usage Specification) and of a price list (OpenCost).

A row is one leaf of the cost tree in one period. What is paid at once for later periods (capital, upfront rent) is a
purchase with no effective cost, and is spread evenly over the periods it serves, so both sums are the total cost.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.export import harmless
from tco.result import CATEGORIES, FleetResult, Result

COLUMNS = (
    "BillingAccountId", "BillingAccountName", "SubAccountId", "SubAccountName", "BillingPeriodStart",
    "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory", "ChargeClass", "ChargeFrequency",
    "ChargeDescription", "BilledCost", "EffectiveCost", "ListCost", "ContractedCost", "BillingCurrency",
    "ConsumedQuantity", "ConsumedUnit", "PricingQuantity", "PricingUnit", "ServiceCategory", "ServiceName", "SkuId",
    "ProviderName", "PublisherName", "InvoiceIssuerName", "Tags", "x_Line", "x_Category", "x_Payment", "x_Recommended",
)  # fmt: skip
PREPAID = {"upfront_rent"}
"""Lines beside capital that are paid at once for later periods."""
CHARGES = {
    "capital_cost": ("Purchase", "One-Time"), "energy_cost": ("Usage", "Usage-Based"),
    "api_cost": ("Usage", "Usage-Based"), "residual_cost": ("Adjustment", "One-Time"),
    "finance_cost": ("Adjustment", "Recurring"), "tax_cost": ("Tax", "Recurring"),
}  # fmt: skip
LINES = {
    "sales_tax_cost": ("Tax", "One-Time"), "duty_cost": ("Tax", "One-Time"), "property_tax_cost": ("Tax", "Recurring"),
    "upfront_rent": ("Purchase", "One-Time"), "settlement_cost": ("Adjustment", "One-Time"),
    "return_cost": ("Adjustment", "One-Time"), "buyout_cost": ("Purchase", "One-Time"),
    "egress_cost": ("Usage", "Usage-Based"),
}  # fmt: skip
OTHERS = ("Usage", "Recurring")
SERVICES = {"api_cost": "AI and Machine Learning", "finance_cost": "Other", "tax_cost": "Other"}
OF_LINES = {"rented_storage_cost": "Storage", "egress_cost": "Networking"}
QUANTITIES = {"electricity_cost": "energy"}
"""The quantity behind a cost, where one line holds it."""
OWN = "own operation"
"""Who provides what is neither rented nor an API."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Leaf:
    """A line of which nothing is part, with its category and its amounts by period."""

    name: str
    category: str
    amounts: Array


def to_focus(result: Result, name: str) -> str:
    """Rows of every fleet that can do the work, under its id as sub account: a plan is one of them, never their sum."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for fleet in result.fleets:
        if fleet.shown("total_cost") is not None:
            writer.writerows([row.get(column, "") for column in COLUMNS] for row in _rows(result, fleet, name))
    return out.getvalue()


def leaves(fleet: FleetResult) -> list[Leaf]:
    """The smallest parts that add up to every category."""
    held = {
        name: category for category in CATEGORIES if category in fleet.model.lines for name in _below(fleet, category)
    }
    return [Leaf(name, category, np.asarray(fleet.values[name], dtype=float)) for name, category in held.items()]


def _below(fleet: FleetResult, name: str) -> Iterator[str]:
    """The parts of a line, if they are the whole of it; a pinned line has none that count."""
    parts = [item.name for item in fleet.model.lines.values() if name in item.part_of]
    whole = np.asarray(fleet.values[name], dtype=float)
    added = sum((np.asarray(fleet.values[part], dtype=float) for part in parts), np.zeros(1))
    if not parts or not np.allclose(whole, added, rtol=1e-9, atol=1e-9):
        yield name
        return
    for part in parts:
        yield from _below(fleet, part)


def _rows(result: Result, fleet: FleetResult, name: str) -> Iterator[dict[str, Any]]:
    same = _of_fleet(result, fleet, name)
    for leaf in leaves(fleet):
        paid = np.broadcast_to(leaf.amounts, (result.timeline.periods,))
        about = {**same, **_of_leaf(fleet, leaf)}
        ahead = leaf.category == "capital_cost" or leaf.name in PREPAID
        quantity = fleet.shown(QUANTITIES.get(leaf.name, ""))
        for period in np.flatnonzero(paid):
            row = {**about, **_of_period(result, int(period)), **_costs(paid[period], 0.0 if ahead else paid[period])}
            if isinstance(quantity, np.ndarray):
                row |= {"ConsumedQuantity": repr(float(quantity[period])), "ConsumedUnit": "kWh"}
            yield row
        if ahead:
            used = {**about, "ChargeCategory": _used(about["ChargeCategory"]), "ChargeFrequency": "Recurring"}
            spread = spread_over(paid, _life(fleet))
            for period in np.flatnonzero(spread):
                yield {**used, **_of_period(result, int(period)), **_costs(0.0, spread[period], spread[period])}


def _used(category: str) -> str:
    """What was purchased is used; a tax on it stays a tax."""
    return "Usage" if category == "Purchase" else category


def spread_over(paid: Array, life: int | None) -> Array:
    """Each amount evenly over the periods it serves: from its own through its life, at most to the horizon."""
    found = np.zeros_like(paid)
    for period in np.flatnonzero(paid):
        end = min(period + life, paid.size) if life else paid.size
        found[period:end] += paid[period] / (end - period)
    return found


def _life(fleet: FleetResult) -> int | None:
    held = fleet.values.get("life_periods")
    return None if held is None else max(1, round(float(np.reshape(held, -1)[0])))


def _costs(billed: float, effective: float, price: float | None = None) -> dict[str, str]:
    """List and contracted cost repeat what is paid or used: a plan holds one price, that of the scenario."""
    listed = repr(float(billed if price is None else price))
    return {
        "BilledCost": repr(float(billed)), "EffectiveCost": repr(float(effective)), "ListCost": listed,
        "ContractedCost": listed,
    }  # fmt: skip


def _of_fleet(result: Result, fleet: FleetResult, name: str) -> dict[str, str]:
    tags = {"scenario": name, "fleet": fleet.id, "tier": fleet.tier, "model": fleet.model_id}
    return {
        "BillingAccountId": harmless(name), "BillingAccountName": harmless(result.scenario["title"]),
        "SubAccountId": fleet.id, "SubAccountName": harmless(fleet.name),
        "BillingCurrency": result.scenario["currency"], "Tags": json.dumps(tags, ensure_ascii=False),
        "x_Payment": fleet.payment, "x_Recommended": "true" if fleet.id == result.recommended else "false",
    }  # fmt: skip


def _of_leaf(fleet: FleetResult, leaf: Leaf) -> dict[str, str]:
    category, frequency = LINES.get(leaf.name) or CHARGES.get(leaf.category, OTHERS)
    lines = fleet.model.lines
    outside = leaf.category in ("rent_cost", "api_cost") and fleet.payment in ("rent", "api")
    provider = harmless(fleet.name) if outside else OWN
    return {
        "ChargeCategory": category, "ChargeFrequency": frequency, "ChargeDescription": lines[leaf.name].label,
        "ServiceCategory": OF_LINES.get(leaf.name) or SERVICES.get(leaf.category, "Compute"),
        "ServiceName": lines[leaf.category].label, "ProviderName": provider, "PublisherName": provider,
        "InvoiceIssuerName": provider, "x_Line": leaf.name, "x_Category": leaf.category,
    }  # fmt: skip


def _of_period(result: Result, period: int) -> dict[str, str]:
    """Start and exclusive end, as FOCUS writes moments."""
    line = result.timeline
    first = line.start[0] * 12 + line.start[1] - 1 + period * line.months_per_period
    start, end = (f"{at // 12:04d}-{at % 12 + 1:02d}-01T00:00:00Z" for at in (first, first + line.months_per_period))
    return {f"{kind}Period{edge}": moment for kind in ("Billing", "Charge")
            for edge, moment in (("Start", start), ("End", end))}  # fmt: skip


PRICES = (
    "EndTimestamp", "InstanceID", "Region", "AssetClass", "InstanceIDField", "InstanceType", "MarketPriceHourly",
    "Version",
)  # fmt: skip
FIELD = "metadata.labels.tco-fleet"
"""The label by which a node says to which fleet it belongs."""


def to_opencost(result: Result) -> str:
    """What a system of each fleet costs an hour, all costs in it, as OpenCost reads prices of nodes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(PRICES)
    writer.writerows(_prices(result))
    return out.getvalue()


def _prices(result: Result) -> Iterator[Sequence[str]]:
    for fleet in result.fleets:
        price, gpus = fleet.shown("cost_per_gpu_hour"), fleet.inputs.get("gpus_per_system")
        if isinstance(price, float) and gpus is not None:
            hourly = repr(price * gpus.number)
            yield ("", fleet.id, "", "node", FIELD, fleet.id, hourly, f"tco {result.engine['version']}")
