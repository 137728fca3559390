"""Sweeps of a scenario in the report, the workbook and the JSON; and nothing of them where none are stated."""

import json
import re
from pathlib import Path

import openpyxl
import pytest

from tco.errors import ScenarioError
from tco.export import to_dict, to_json
from tco.report import render
from tco.session import loads
from tco.workbook import build
from tests.sweep.test_asked import BASE

SWEEPS = """analysis:
  sweeps:
    - {name: loads, axes: {workload.requests: 1 .. 200 Mrequest/month in 12 steps}, choices: search}
    - name: sites
      axes: {workload.lost.failed: [1 %, 60 %], electricity.price: [0.1 USD/kWh, 0.4 USD/kWh]}
      overrides: {here: {}, lossy: {workload.lost.aborted: 60 %}}
"""


@pytest.fixture(scope="module")
def result():
    return loads(BASE + SWEEPS, "two.yaml").run()


def test_json_lists_every_variant_with_the_keys_that_are_documented(result):
    loads_, sites = json.loads(to_json(result))["sweeps"]
    assert loads_["axes"][0]["place"] == "workload.requests"
    assert len(loads_["recommended"]) == len(loads_["headline"]) == loads_["variants"] == 12
    assert (loads_["kept"], loads_["choices"]) == (0, "search")
    plain = loads(BASE.replace("2 Mrequest/month", "200 Mrequest/month")).run()
    assert loads_["recommended"][-1] == plain.recommended
    assert loads_["headline"][-1] == plain.by_id[plain.recommended or ""].shown(plain.headline or "")
    assert sites["recommended"][6:] == [None, None]
    assert [one["values"][:2] for one in sites["refused"]] == [["lossy", "60 %"]] * 2
    assert sum(sites["recommended_in"].values()) + len(sites["refused"]) == sites["variants"] == 8
    told = (Path(__file__).parents[2] / "docs" / "sweeps.md").read_text(encoding="utf-8").split("## JSON")[1]
    assert set(re.findall(r"`([a-z_]+)`", told.split("## From")[0])) >= set(loads_)


def test_the_report_says_where_the_answer_flips(result):
    page = render(result)
    section = page[page.index('<h2 id="sweeps">') :].split("</section>")[0]
    outcome = result.sweeps[0]
    flips = list(outcome.flips())
    assert flips
    _, _, low, high, before, after = flips[0]
    assert f"from {before} to {after} between {low} and {high} of workload.requests" in section
    assert 'class="line best"' in section
    assert 'class="seg' in section
    assert "2 variants cannot be computed" in section
    assert page.count('id="sweep0-title"') == page.count('id="sweep1-title"') == 1


def test_a_sheet_holds_what_was_found_and_says_when_it_may_be_stale(result, tmp_path):
    path = tmp_path / "two.xlsx"
    path.write_bytes(build(result))
    sheet = openpyxl.load_workbook(path)["Sweeps"]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert "May be stale" in str(rows[3][0])
    assert rows[5][0] == "loads: 12 variants"
    first = rows[7]
    outcome = result.sweeps[0]
    assert first[:2] == ["1.0 Mrequest/month", outcome.fleets[outcome.best[0]]]
    assert first[2] == pytest.approx(outcome.costs[0], rel=1e-15)
    assert [row[3] for row in rows].count("none") == 2


def test_a_scenario_without_sweeps_says_nothing_of_them():
    plain = loads(BASE, "two.yaml").run()
    assert plain.sweeps == []
    assert "sweeps" not in to_dict(plain)
    assert "sweeps" not in render(plain)


def test_a_sweep_that_cannot_be_is_found_by_check():
    with pytest.raises(ScenarioError, match="there is no `prise`"):
        loads(BASE + "analysis: {sweeps: [{name: a, axes: {electricity.prise: [1 USD/kWh]}}]}\n").check()
    with pytest.raises(ScenarioError, match="varies nothing"):
        loads(BASE + "analysis: {sweeps: [{name: a}]}\n").check()
    axes = "{cooling.pue: 1 .. 2 in 999 steps, electricity.price: 0.1 .. 1 USD/kWh in 999 steps}"
    large = loads(BASE + f"analysis: {{sweeps: [{{name: a, axes: {axes}}}]}}\n").run()
    with pytest.raises(ScenarioError, match="a report holds 100,000"):
        _ = large.sweeps
