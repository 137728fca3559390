"""A sweep as a page of its own: heat map or lines, where the answer flips, the numbers."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from tco.pages import template
from tco.palette import stylesheet
from tco.report.facts import Facts
from tco.report.page import environment
from tco.report.sweeps import shown_one
from tco.result import Result
from tco.sweep.outcome import Outcome
from tco.wording import counted, shortened

CHOICES = {
    "stale": "Deployments are searched again where a value changes that speed or fit rest on; else they are kept.",
    "search": "Deployments are searched for every variant.",
    "keep": "All variants keep the deployments of the scenario as it stands.",
}


def render(found: Outcome, base: Result) -> str:
    """The page as one HTML document; `base` is the scenario's own run. Same sweep, same bytes."""
    return environment().get_template("sweep.html.j2").render(_context(found, base)) + "\n"


def _context(found: Outcome, base: Result) -> dict[str, Any]:
    facts, document = Facts(base), found.sweep.base.document
    return {
        "style": Markup(f"{stylesheet()}{template('style.css')}"),
        "title": base.scenario["title"],
        "short_title": shortened(base.scenario["title"], 80),
        "variants": counted(len(found.best), "variant"),
        "unit": facts.unit,
        "basis": facts.basis,
        "facts": [
            ("Prices as of", base.scenario["as_of"]),
            ("Fleets", shortened(", ".join(found.fleets), 160)),
            ("Recommended as it stands", base.recommended or "none"),
        ],
        "sweeps": [shown_one(facts, found)],
        "choices": CHOICES[found.sweep.choices],
        "engine": base.engine,
        "digest": document.sha256[:12],
    }
