"""Requests to be changed: the two offers of tests/quotes with a section `request:`."""

# pyright: basic
from __future__ import annotations

import functools

from tco.request.asked import Asked, asked
from tco.session import loads
from tests.quotes.shop import TEXT as OFFERS

REQUEST = """request:
  id: PR-7
  requester: Ann Example
  department: Research
  cost_centre: "77"
  purpose: answers for the desk
  needed_by: 2027-03-01
  budget: {amount: 2000000 USD, code: B-1}
  approvers:
    - {role: Lead, name: One, limit: 1000 USD}
    - {role: Head, name: Two}
    - {role: Director, name: Three, limit: 2 MUSD}
    - {role: Board, name: Four, limit: 9 MUSD}
  quote_rule: [{from: 1000 USD, quotes: 1}, {from: 50000 USD, quotes: 2}]
"""
LEAD = ("valid_until: 2026-12-31\n", "valid_until: 2026-12-31\n      lead_time: 8 week\n")
TEXT = OFFERS.replace("fleets:", f"{REQUEST}fleets:").replace(*LEAD)


def changed(*pairs: tuple[str, str], text: str = TEXT) -> str:
    """The text with each first part replaced by the second; every first part must be there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


@functools.cache
def request(*pairs: tuple[str, str], fleet: str | None = "own", text: str = TEXT) -> Asked:
    """The changed scenario, run and asked for; never changed, copied where something is."""
    scenario = loads(changed(*pairs, text=text))
    return asked(scenario.content, scenario.run(), fleet)
