"""The plan of a mix as a page of its own."""

from __future__ import annotations

import functools
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from tco.analysis.run import engine_version
from tco.mix.candidates import Question
from tco.mix.found import Mixed
from tco.mix.words import cautions, headline, limits_told, standing_told, than_told
from tco.pages import environment, template
from tco.palette import stylesheet
from tco.report.tables import Cell, Table, cells, head, number, table
from tco.wording import NOTHING, counted, money, percent, shortened


def render(found: Mixed) -> str:
    """The page as one HTML document. Same plan, same bytes."""
    return _environment().get_template("mix.html.j2").render(_context(found)) + "\n"


@functools.cache
def _environment() -> Environment:
    return environment(cells=cells)


def _context(found: Mixed) -> dict[str, Any]:
    asked = found.plan.asked
    scenario, digest = asked.scenario, asked.loaded.document.sha256[:12]
    return {
        "style": Markup(f"{stylesheet()}{template('style.css')}"),
        "title": scenario.title,
        "short_title": shortened(scenario.title, 100),
        "candidates": counted(len(asked.candidates), "fleet"),
        "classes": f"{len(asked.classes)} class{'es' if len(asked.classes) > 1 else ''} of requests",
        "facts": _facts(asked, digest),
        "headline": f"{headline(found)[0].upper()}{headline(found)[1:]}.",
        "basis": "Present costs by the engine, for the plan as a scenario; they equal the optimiser's.",
        "systems": _systems(found),
        "shares": _shares(found),
        "alone": _alone(found),
        "limits": limits_told(found),
        "warnings": cautions(found),
        "engine": {"version": engine_version(), "catalogue": asked.loaded.catalogue.version},
        "digest": digest,
    }


def _facts(asked: Question, digest: str) -> list[tuple[str, str]]:
    labels = asked.timeline.labels
    return [
        ("Prices as of", asked.scenario.as_of),
        ("Horizon", f"{labels[0]} to {labels[-1]}, decided by {asked.mix.decide}"),
        ("Classes may be split", "yes" if asked.mix.split else "no"),
        ("Scenario", digest),
    ]


def _systems(found: Mixed) -> Table:
    asked = found.plan.asked
    rows = [
        [
            head(part.id, shortened(part.name, 60)),
            *(Cell(standing_told(part, one.first, one.end), "n") for one in asked.moments),
            number(part.cost, money, raw=True),
        ]
        for part in found.plan.parts
    ]
    rows.append([head("All"), *(Cell("") for _ in asked.moments), number(found.plan.engine_cost, money, raw=True)])
    heads = ["Fleet", *(one.label for one in asked.moments), f"Present cost, {asked.scenario.currency}"]
    return table("Systems that stand, and what each fleet costs", heads, rows, total=True)


def _shares(found: Mixed) -> Table:
    asked = found.plan.asked
    rows = [
        [
            head(name),
            Cell(part.id),
            *(Cell(percent(share) if share else NOTHING, "n") for share in part.shares[name]),
        ]
        for name in asked.classes
        for part in found.plan.parts
        if any(part.shares[name])
    ]
    heads = ["Class", "Served by", *(one.label for one in asked.moments)]
    return table("Who serves which share of the requests", heads, rows, point=False)


def _alone(found: Mixed) -> Table:
    whole = found.plan.cost
    rows = [
        [
            head(one.fleet),
            number(one.cost, money, reason=one.reason, raw=True),
            Cell(than_told(one, whole)),
        ]
        for one in found.alone
    ]
    heads = ["Fleet", f"Present cost, {found.plan.asked.scenario.currency}", "Than the mix"]
    return table("The cheapest plan with one fleet, within the same limits", heads, rows)
