"""Figures that follow from how electricity is billed: a tariff, and what a ratchet remembers."""

from __future__ import annotations

import calendar
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path as FilePath

from tco.errors import Problem, ScenarioError
from tco.figures import Figure
from tco.result import Alert
from tco.scenario.gather import derived
from tco.scenario.paths import Path
from tco.scenario.plan import Context, Plan
from tco.scenario.problems import validate
from tco.scenario.reading import Document, read
from tco.scenario.schema import Electricity, Fleet
from tco.scenario.tariff_schema import Tariff as Stated
from tco.scenario.tariffs import ratchet_of, written
from tco.tariff.meter import Meter, read_meter
from tco.tariff.rates import Asked, Charge, Ratchet, Tariff
from tco.tariff.urdb import read_urdb

PRICES = ("price", "rate", "demand_charge", "fixed_charge", "minimum_charge", "contracted_power", "ratchet")
"""Keys that a tariff holds itself."""

FED = ("electricity_price", "demand_charge", "fixed_charge", "minimum_charge", "minimum_demand")
"""What they feed."""


@dataclass(frozen=True)
class _Chosen:
    """A section on electricity, and where it stands."""

    section: Electricity
    path: Path

    @property
    def prices(self) -> list[str]:
        """Keys that say what a tariff would say."""
        return [key for key in PRICES if getattr(self.section, key) is not None]

    def tell(self, code: str, text: str, plan: Plan) -> None:
        """An alert of the fleet, or of all fleets where they share the section."""
        plan.alerts.append(Alert(code, plan.id if self.path[0] == "fleets" else "", text))


def electricity(context: Context, fleet: Fleet, plan: Plan) -> None:
    """Add what the tariff says, or what the ratchet remembers."""
    sections = list(_sections(context, fleet, plan))
    for one in sections:
        for key in one.prices if one.section.tariff else ():
            told = f"`{key}` and `tariff` say the same; keep one (a tariff may hold it itself)"
            context.problems.add((*one.path, key), told, key=True)
    holder = next((one for one in sections if one.section.tariff or one.section.price or one.section.rate), None)
    peaks = next((one for one in sections if one.section.earlier_peaks), None)
    earlier = peaks.section.earlier_peaks.to("kW").series if peaks and peaks.section.earlier_peaks else ()
    if holder is None or holder.section.tariff is None:
        ratchet = next((one for one in sections if one.section.ratchet), None)
        if ratchet:
            _remembered(context, plan, ratchet, earlier)
        elif peaks:
            told = "peaks before the start count with a `ratchet` only; state it, or leave them out"
            context.problems.add((*peaks.path, "earlier_peaks"), told)
        _floors_count(context, plan, sections)
        for one in sections:
            if one.section.meter:
                told = "`meter` is for the bill of a `tariff`, and prices stand here; write them as a tariff"
                context.problems.add((*one.path, "meter"), told, key=True)
        return
    for one in sections[: sections.index(holder)]:
        for key in one.prices:
            told = f"`{key}` cannot count beside the tariff of all fleets; state a `price` or a `tariff` here too"
            context.problems.add((*one.path, key), told, key=True)
    plan.found.drop(*FED)
    tariff = _read(context, holder)
    if tariff:
        _dates(context, plan, holder, tariff)
        _bill(context, plan, holder, tariff, earlier)


def _sections(context: Context, fleet: Fleet, plan: Plan) -> Iterator[_Chosen]:
    """The fleet's own section before that of all fleets."""
    if fleet.electricity:
        yield _Chosen(fleet.electricity, (*plan.path, "electricity"))
    if context.scenario.electricity:
        yield _Chosen(context.scenario.electricity, ("electricity",))


# --- a tariff ---


def _read(context: Context, holder: _Chosen) -> Tariff | None:
    """The tariff of a file or of the scenario itself; None with problems."""
    stated, place = holder.section.tariff, (*holder.path, "tariff")
    assert stated is not None
    if stated.file is None:
        return _written(context, stated, place)
    beside = sorted(stated.model_fields_set - {"file", "leave_out"})
    for key in beside:
        context.problems.add((*place, key), f"`{key}` and `file` say the same; keep one", key=True)
    file = FilePath(context.problems.document.file).parent / stated.file
    try:
        if file.suffix.lower() == ".json":
            return read_urdb(file, stated.leave_out)
        document = read(file)
        inside = validate(document, Stated)
        if inside.file or stated.leave_out:
            told = "a tariff that is written out names no other file, and nothing is left out of it"
            context.problems.add(place, told)
            return None
        return _of_document(context, document, inside, place)
    except ScenarioError as error:
        context.problems.take(place, error.problems)
        return None


def _written(context: Context, stated: Stated, place: Path) -> Tariff | None:
    for key in ("leave_out",) if stated.leave_out else ():
        context.problems.add((*place, key), "`leave_out` belongs to a `file`; leave the price out instead", key=True)
    made = written(
        stated,
        lambda path, text: context.problems.add((*place, *path), text),
        context.scenario.currency,
        "tariff of the scenario",
    )
    return None if context.problems.below(place) else made


def _of_document(context: Context, document: Document, stated: Stated, place: Path) -> Tariff | None:
    said = list[Problem]()
    made = written(
        stated,
        lambda path, text: said.append(document.problem(path, text)),
        context.scenario.currency,
        FilePath(document.file).stem,
    )
    context.problems.take(place, said)
    return None if said else made


def _dates(context: Context, plan: Plan, holder: _Chosen, tariff: Tariff) -> None:
    """A tariff holds from a day and until a day."""
    today, timeline = context.scenario.as_of, context.timeline
    first, last = f"{timeline.months[0][0]}-{timeline.months[0][1]:02d}-01", timeline.ends[-1]
    if tariff.expires and tariff.expires < today:
        told = f"{tariff.name} expired on {tariff.expires}; its prices are used as if it went on"
        holder.tell("tariff-expired", told, plan)
    elif tariff.expires and tariff.expires < last:
        told = f"{tariff.name} expires on {tariff.expires}, the timeline ends on {last}; its prices are used to the end"
        holder.tell("tariff-ends-early", told, plan)
    if tariff.effective > first:
        told = f"{tariff.name} takes effect on {tariff.effective}, the timeline starts on {first}"
        holder.tell("tariff-not-yet", f"{told}; its prices are used before", plan)


def _bill(context: Context, plan: Plan, holder: _Chosen, tariff: Tariff, earlier: tuple[float, ...]) -> None:
    """What lines can bill becomes their inputs; the rest is billed hour by hour when the load is known."""
    place, stated = (*holder.path, "tariff"), holder.section.tariff
    if stated and stated.leave_out:
        told = f"{tariff.name}: {', '.join(stated.leave_out)} of its file is left out of the bill"
        holder.tell("tariff-left-out", told, plan)
    if tariff.ratchet and not _by_month(context, place):
        return
    if tariff.ratchet and not earlier:
        _without_history(plan, holder)
    names = dict[str, tuple[float, str]]()
    meter = _meter(context, plan, holder)
    if tariff.is_simple and meter is None:
        names |= dict(_simple(tariff))
        if tariff.ratchet:
            _ratchet(context, plan, tariff.ratchet, earlier, place)
    else:
        profile = context.scenario.workload.profile
        plan.asked = Asked(tariff, profile.series if profile else (), earlier, meter)
        names |= {name: (0.0, unit) for name, unit in _wanted(tariff)}
    for name, (value, unit) in names.items():
        plan.found.put(name, _figure(context, tariff, value, unit, billed=plan.asked is not None), place)


def _figure(context: Context, tariff: Tariff, value: float, unit: str, *, billed: bool) -> Figure:
    source = f"{tariff.name}; {tariff.source}".rstrip("; ")
    dated = tariff.effective or context.scenario.as_of
    figure = Figure(value, unit.replace("money", tariff.currency), as_of=dated, source=source, status="list")
    if not billed:
        return replace(figure, origin="scenario tariff")
    row = (value,) * context.timeline.periods
    return replace(figure, value=row, status="derived", origin="choice", as_of=context.scenario.as_of)


def _simple(tariff: Tariff) -> Iterator[tuple[str, tuple[float, str]]]:
    """Inputs of lines; prices of several charges add up."""

    def price(charges: tuple[Charge, ...]) -> float:
        return math.fsum(one.periods[int(one.schedule[0, 0, 0])][0].price for one in charges)

    yield "electricity_price", (price(tariff.energy), "money/kWh")
    if tariff.demand:
        yield "demand_charge", (price(tariff.demand), "money/kW/month")
    if tariff.fixed_monthly:
        yield "fixed_charge", (tariff.fixed_monthly, "money/month")
    if tariff.minimum_monthly:
        yield "minimum_charge", (tariff.minimum_monthly, "money/month")
    if tariff.minimum_demand:
        yield "minimum_demand", (tariff.minimum_demand, "kW")


def _wanted(tariff: Tariff) -> Iterator[tuple[str, str]]:
    """Inputs that the bill fills, one value a period."""
    yield "electricity_price", "money/kWh"
    powered = bool(tariff.demand) or any(band.demand for band in tariff.bands)
    if powered:
        yield "demand_charge", "money/kW/month"
    least = tariff.minimum_monthly or tariff.minimum_yearly
    if powered or least or tariff.fixed_monthly or tariff.fixed_daily:
        yield "fixed_charge", "money/month"


def _meter(context: Context, plan: Plan, holder: _Chosen) -> Meter | None:
    """The site's own load, of every month of the timeline."""
    stated, place = holder.section.meter, (*holder.path, "meter")
    if stated is None:
        return None
    try:
        meter = read_meter(FilePath(context.problems.document.file).parent / stated.file, stated.stamps, stated.gaps)
    except ScenarioError as error:
        context.problems.take(place, error.problems)
        return None
    wanted = {month for _, month in context.timeline.months}
    missing = [calendar.month_name[month] for month in sorted(wanted - set(meter.months))]
    if missing:
        told = f"{stated.file} holds no whole {', no whole '.join(missing)}, which the timeline has"
        context.problems.add(place, f"{told}; give a meter file of a year")
        return None
    holder.tell("meter-read", f"{meter.notes}; months are billed on the days of the meter's own calendar", plan)
    return meter


# --- a ratchet ---


def _remembered(context: Context, plan: Plan, holder: _Chosen, earlier: tuple[float, ...]) -> None:
    stated, place = holder.section.ratchet, (*holder.path, "ratchet")
    assert stated is not None
    if stated.counted:
        told = "only a `tariff` looks at some months of the year; leave it out, or write the tariff out"
        context.problems.add((*place, "counted"), told)
        return
    ratchet = ratchet_of(stated, lambda path, text: context.problems.add((*place, *path), text))
    if ratchet and _by_month(context, place):
        if not earlier:
            _without_history(plan, holder)
        _ratchet(context, plan, ratchet, earlier, place)


def _by_month(context: Context, place: Path) -> bool:
    if context.timeline.step == "month":
        return True
    context.problems.add(place, "a ratchet looks at each month's peak; state `step: month` in the timeline")
    return False


def _without_history(plan: Plan, holder: _Chosen) -> None:
    told = "the ratchet knows no peaks before the start and begins with the first month"
    holder.tell("ratchet-without-history", f"{told}; state `earlier_peaks` if the site drew power before", plan)


def _ratchet(context: Context, plan: Plan, ratchet: Ratchet, earlier: tuple[float, ...], place: Path) -> None:
    """The window of the lines counts the present month too, whose own peak is billed in full anyway."""
    as_of, told = context.scenario.as_of, f"ratchet over {ratchet.months} months before"
    plan.found.put("ratchet_share", derived(ratchet.share, "", told, as_of), place)
    plan.found.put("ratchet_periods", derived(ratchet.months + 1, "period", f"{told}, and this one", as_of), place)
    if earlier:
        count, months = len(earlier), ratchet.months
        left = tuple(max(earlier[max(count - months + t, 0) :], default=0.0) for t in range(context.timeline.periods))
        known = Figure(left, "kW", as_of=as_of, source=f"peaks of {count} months before the start", status="derived")
        plan.found.put("earlier_peak", replace(known, origin="derived"), place)


def _floors_count(context: Context, plan: Plan, sections: list[_Chosen]) -> None:
    """A floor of billed demand needs a price of demand."""
    if "demand_charge" in plan.found.figures:
        return
    for one in sections:
        for key in ("ratchet", "contracted_power"):
            if getattr(one.section, key) is not None:
                told = f"`{key}` sets the billed demand, which has no price; state `demand_charge`, or leave it out"
                context.problems.add((*one.path, key), told, key=True)
