"""Units and terms of the page."""

from __future__ import annotations

import re

from tco.export import shown_unit
from tco.report.facts import Facts
from tco.report.tables import Cell, Table, head, table

UNITS = {
    "Mtoken": "a million tokens",
    "Gtoken": "a billion tokens",
    "token": "a piece of text as the model reads and writes it, about three quarters of a word",
    "step": "one update of the weights in training",
    "run": "one training run",
    "gpu": "one accelerator of any maker",
    "system": "the unit one buys or rents: desktop, server, instance or rack-scale machine",
    "replica": "one copy of the model, over one or several GPUs",
    "request": "one question and its answer",
    "Mrequest": "a million requests",
    "rack": "a cabinet",
    "person": "one full-time post",
    "kW": "a thousand watts",
    "kWh": "a kilowatt for an hour",
    "MWh": "a thousand kilowatt-hours",
    "GiB": "1,073,741,824 bytes (GB: a billion bytes)",
    "GB": "a billion bytes",
    "TFLOP": "a million million floating-point operations",
    "yr": "8,760 hours",
    "month": "a twelfth of a year",
    "tCO2e": "a tonne of carbon dioxide or its equivalent",
    "gCO2e": "a gram of carbon dioxide or its equivalent",
    "Gparameter": "a billion weights of the model",
    "U": "a height unit in a rack, 44.45 mm",
    "m3": "a cubic metre",
    "element": "one number of a vector or cache",
}

TERMS = {
    "fleet": "one option under comparison",
    "tier": "the class of the hardware, or cloud or API by the way it is paid",
    "useful token": "an output token of a request that succeeded and that somebody waited for",
    "useful training step": "a step that counts towards a finished run; repeated and lost work does not",
    "present cost": "all payments, each worth less the later it falls, at the start of the first period",
    "total cost": "all payments as they fall due, resale deducted",
    "levelised": "present cost over output discounted at the same rate",
    "residual": "what the hardware still fetches at the end; a receipt, so negative",
    "payback": "the time after which the money spent more than with the reference is back, and stays back",
    "rate of return": "the discount rate at which the difference to the reference is worth nothing",
    "recalled": "from general knowledge, not yet verified against a source",
    "stale": "a price older than the scenario's limit on the day prices are judged",
    "convention": "an accepted value taken because the scenario states none",
    "does not fit": "weights and cache need more memory than the GPUs offer",
    "too slow": "a target of the service is missed",
    "too small": "the fixed number of systems cannot carry the load",
    "not supported": "the part, software or offer does not run this work",
    "limit exceeded": "more than the site, the budget or the market allows",
}


def glossary(facts: Facts) -> Table:
    """The units that appear on the page, then its terms."""
    texts = {
        shown_unit(item.unit_text, facts.currency)
        for fleet in facts.result.fleets
        for item in fleet.model.lines.values()
    }
    texts |= {
        shown_unit(figure.unit, facts.currency) for fleet in facts.result.fleets for figure in fleet.inputs.values()
    }
    used = {word for text in texts for word in re.findall(r"[A-Za-z][A-Za-z0-9]*", text)}
    rows = [[head(facts.currency), Cell("currency of the scenario; whole units, nominal")]]
    rows += [[head(unit), Cell(meaning)] for unit, meaning in UNITS.items() if unit in used or unit == "MWh"]
    rows += [[head(term), Cell(meaning)] for term, meaning in TERMS.items()]
    return table("Units and terms", ("Word", "Meaning"), rows, style="prose")
