"""From a result to the page: gather the sections, fill the templates."""

from __future__ import annotations

import functools
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from tco import pages
from tco.palette import stylesheet
from tco.report import (
    answer,
    approvals,
    breakeven,
    cash,
    charts,
    choices,
    curve,
    drivers,
    footprint,
    money,
    options,
    pareto,
    quotes,
    records,
    risks,
)
from tco.report.cautions import cautions
from tco.report.checks import Check, check_table, checks
from tco.report.facts import KINDS, WHOLE, Facts, duration
from tco.report.glossary import glossary
from tco.report.leftout import omitted
from tco.report.sliders import ends
from tco.report.speed import certainty
from tco.report.sweeps import shown
from tco.report.tables import cells
from tco.report.whatif import panel
from tco.result import Result
from tco.wording import counted, css_string, shortened


def render(result: Result) -> str:
    """The report as one HTML document. Same result, same bytes."""
    facts = Facts(result)
    return environment().get_template("report.html.j2").render(_context(facts)) + "\n"


@functools.cache
def environment() -> Environment:
    """The templates, with what they may call."""
    return pages.environment(cells=cells, ends=ends)


def _context(facts: Facts) -> dict[str, Any]:
    found = checks(facts)
    parts = (_front(facts, found), _options(facts), _costs(facts), _moves(facts), _records(facts, found))
    return {
        "facts": facts,
        "style": styled(facts.result.scenario),
        **{name: part for found in parts for name, part in found.items()},
    }


def styled(scenario: dict[str, str]) -> Markup:
    """The stylesheet with what stands in the margins of printed pages."""
    title, digest = shortened(scenario["title"], 80), scenario["sha256"][:12]
    places = {"top-left": title, "bottom-left": f"scenario {digest}"}
    margins = "".join(f"@{place}{{content:{css_string(text)}}}" for place, text in places.items())
    return Markup(f"{stylesheet()}{pages.template('style.css')}@page{{{margins}}}")


def _front(facts: Facts, found: list[Check]) -> dict[str, Any]:
    failed = [check for check in found if check.failed]
    fleets = facts.result.fleets
    kind = KINDS.get(facts.kind, facts.kind)
    state = f"{counted(len(failed), 'check')} failed: do not use" if failed else f"all {len(found)} checks pass"
    return {
        "title": facts.result.scenario["title"],
        "short_title": shortened(facts.result.scenario["title"], 120),
        "status": f"Draft, not yet approved; {state}",
        "subtitle": f"{kind}, {counted(len(fleets), 'fleet')} compared over {duration(facts.years)}",
        "validity": _validity(facts),
        "decision": answer.decision(facts),
        "cautions": cautions(facts),
        "certainty": certainty(facts),
        "key_figures": options.key_figures(facts),
    }


def _moves(facts: Facts) -> dict[str, Any]:
    found = curve.curve(facts)
    return {
        "tornado": drivers.tornado(facts),
        "drivers": drivers.table_of_drivers(facts),
        "curve": curve.chart(facts, found) if found else None,
        "curve_numbers": curve.numbers(facts, found) if found else None,
        "flips": answer.flips(facts),
        "crossings": breakeven.crossings(facts),
        "risks": risks.risks(facts),
        "decided": _decided(facts),
        "sweeps": shown(facts),
        "drawn": _drawn(facts),
    }


def _decided(facts: Facts) -> dict[str, Any] | None:
    """Answers of `analysis`; what finds them is imported where there is one."""
    if facts.result.session is None:
        return None
    from tco.report.decided import decided

    return decided(facts)


def _drawn(facts: Facts) -> Any:
    """What the ranges may do, imported only where it is asked for."""
    if facts.result.uncertainty is None:
        return None
    from tco.report.draws import drawn

    return drawn(facts)


def _validity(facts: Facts) -> str:
    figures = [figure for fleet in facts.result.fleets for figure in fleet.inputs.values()]
    dates = sorted({figure.valid_until for figure in figures if figure.valid_until})
    return f"the first quote ends on {dates[0]}" if dates else "no price states until when it holds"


def _options(facts: Facts) -> dict[str, Any]:
    whatif = panel(facts)
    return {
        "compared": options.compared(facts),
        "lost": answer.lost(facts) if len(facts.result.fleets) > 1 or facts.best is None else None,
        "bars": charts.bars(facts),
        "pareto": pareto.chart(facts),
        "pareto_numbers": pareto.numbers(facts),
        "chosen": choices.chosen(facts),
        "front": choices.front(facts),
        "unit_costs": money.unit_costs(facts),
        "suitability": options.suitability(facts),
        "whole": WHOLE.get(facts.measure, ""),
        "whatif": whatif,
        "script": Markup(whatif.script) if whatif else "",  # escaped where it is made
    }


def _costs(facts: Facts) -> dict[str, Any]:
    return {
        "annual": money.annual(facts, facts.best) if facts.best else None,
        "by_fleet": money.by_fleet(facts),
        "lines": cash.lines(facts),
        "cumulative": money.cumulative(facts),
        "against": money.against(facts),
        "site": options.site(facts),
        "footprint": footprint.chart(facts),
        "footprint_numbers": footprint.numbers(facts),
        "quotes": quotes.quoted(facts),
    }


def _records(facts: Facts, found: list[Check]) -> dict[str, Any]:
    notes = records.Notes()
    return {
        "inputs": records.inputs(facts, notes),
        "notes": list(notes.texts),
        "method": records.method(facts),
        "checks": check_table(found),
        "provenance": records.provenance(facts),
        "glossary": glossary(facts),
        "warnings": facts.warnings,
        "left_out": omitted(facts.result.left_out),
        "resale": records.resale(facts),
        "signers": approvals.signers(facts),
        "signed_how": approvals.signed_how(facts),
    }
