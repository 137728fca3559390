"""Cooling and losses of which a part never falls."""

from __future__ import annotations

import numpy as np
import pytest

from tco.session import loads
from tests.cli.conftest import BASE, changed

PART = ("pue: 1.4}", "pue: 1.4, fixed_share: 40 %}")


def test_a_fixed_part_is_paid_at_every_load_and_the_resulting_pue_is_told() -> None:
    plain, part = (loads(text).run().by_id["own"] for text in (BASE, changed(PART)))
    power, nameplate = (np.asarray(plain.raw(name)) for name in ("it_power", "nameplate_it_power"))
    wanted = power + 0.4 * (0.4 * nameplate + 0.6 * power)
    assert part.raw("facility_power") == pytest.approx(wanted)
    assert part.raw("resulting_pue") == pytest.approx(wanted / power)
    assert part.raw("nameplate_power") == pytest.approx(plain.raw("nameplate_power"))
    assert plain.raw("resulting_pue") is None


def test_the_alert_names_both_figures() -> None:
    result = loads(changed(PART, ("peak_to_mean: 4", "peak_to_mean: 4\n  growth: 9000 %/yr"))).run()
    found = np.asarray(result.by_id["own"].raw("resulting_pue"))
    told = [(one.fleet, one.text) for one in result.warnings if one.code == "pue-at-part-load"]
    low, high = found.min(), found.max()
    assert high - low > 0.01
    assert told == [("own", f"at its load the PUE is {low:.3f} to {high:.3f}; the PUE at full load is 1.4")]


def test_a_machine_beside_a_desk_has_no_fixed_part() -> None:
    result = loads(changed(("pue: 1.4}", "kind: none, fixed_share: 40 %}"), ("kind: air, ", ""))).run()
    assert result.by_id["own"].raw("fixed_overhead") is None
