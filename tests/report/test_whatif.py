"""The what-if panel: the page's own numbers are the engine's, at any setting, in Node.js and in Chromium."""

# pyright: basic
from __future__ import annotations

import base64
import copy
import hashlib
import json
import random
import re
import subprocess
from collections.abc import Callable, Mapping
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tco.report import render
from tco.report.facts import Facts
from tco.report.sliders import Slider, sliders
from tco.report.whatif import Panel, measured, panel
from tco.result import NULLING, VERDICTS, Result
from tests.report.pages import HOSTILE, Page
from tests.workbook.edits import engine_values

SETTINGS, RELATIVE, LARGEST = 50, 1e-9, 60_000
ASK = """const told = (r) => [r.id, r.verdict, r.values, r.cost];
console.log(JSON.stringify(SETTINGS.map((at) => whatif.every(at).map(told))));"""


def made(result: Result) -> Panel:
    """The panel of a result that has one."""
    found = panel(Facts(result))
    assert found
    return found


def drawn(found: list[Slider], generator: random.Random) -> dict[str, float]:
    """Each slider somewhere between its ends; one in four where it was."""
    return {
        slider.key: generator.choice([slider.base, *(generator.uniform(slider.low, slider.high) for _ in range(3))])
        for slider in found
    }


def frozen(result: Result, at: Mapping[str, float]) -> dict[str, tuple[str, list[float]]]:
    """Verdict and values as the engine computes them with the choices of the result."""
    changes: dict[tuple[str, str], Any] = {}
    for slider in sliders(result):
        for fleet, names in slider.inputs.items():
            for name in names:
                one = result.by_id[fleet]
                owner = "" if name in one.shared else fleet
                moved = slider.value(at[slider.key], one.inputs[name].value)
                changes[(owner, name)] = tuple(moved) if isinstance(moved, list) else moved
    found, values = {}, engine_values(result, changes)
    for fleet in result.fleets:
        of = values[fleet.id]
        verdict = next((word for flag, word in VERDICTS if flag in of and not of[flag].reshape(-1)[0]), "ok")
        names = measured(fleet, Facts(result).measure)
        found[fleet.id] = verdict, [float(of[name].reshape(-1)[0]) for name in names]
    return found


def in_node(node: Path, folder: Path, script: str, settings: list[dict[str, float]]) -> list[list[Any]]:
    """What the page's script computes at each setting."""
    path = folder / "whatif.js"
    path.write_text(f"{script}\n{ASK.replace('SETTINGS', json.dumps(settings))}", encoding="utf-8")
    done = subprocess.run([node, path], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[:2000]
    return json.loads(done.stdout)


def test_at_any_setting_the_page_computes_what_the_engine_does(node: Path, tmp_path: Path, committed: Result) -> None:
    generator = random.Random(6)
    settings = [drawn(sliders(committed), generator) for _ in range(SETTINGS)]
    for at, rows in zip(settings, in_node(node, tmp_path, made(committed).script, settings), strict=True):
        wanted = frozen(committed, at)
        assert len(rows) == len(committed.fleets)
        for name, verdict, values, cost in rows:
            assert verdict == wanted[name][0], (name, at)
            numbers = wanted[name][1][: len(values)]
            np.testing.assert_allclose([float(one) for one in values], numbers, rtol=RELATIVE, err_msg=name)
            assert cost == (None if verdict in NULLING else values[-1])


def test_as_issued_the_page_shows_the_result(node: Path, tmp_path: Path, committed: Result) -> None:
    issued = {slider.key: slider.base for slider in sliders(committed)}
    for name, verdict, _, cost in in_node(node, tmp_path, made(committed).script, [issued])[0]:
        fleet = committed.by_id[name]
        assert verdict == fleet.verdict
        assert cost == (
            pytest.approx(wanted, rel=RELATIVE) if (wanted := fleet.shown(Facts(committed).measure)) else None
        )


def test_every_slider_moves_some_fleet(node: Path, tmp_path: Path, committed: Result) -> None:
    found = sliders(committed)
    issued = {slider.key: slider.base for slider in found}
    ends = [{**issued, slider.key: slider.high} for slider in found]
    first, *others = in_node(node, tmp_path, made(committed).script, [issued, *ends])
    for slider, rows in zip(found, others, strict=True):
        moved = {row[0] for row, was in zip(rows, first, strict=True) if row[2] != was[2]}
        assert moved, slider.key
        assert moved <= set(slider.inputs)
        assert slider.low <= slider.base <= slider.high


def test_ends_are_those_stated_or_half_to_both_sides(quickstart: Result) -> None:
    found = {slider.key: slider for slider in sliders(quickstart)}
    assert set(found) == {"demand", "electricity", "discount", "purchase", "rent", "api"}
    demand, purchase = found["demand"], found["purchase"]
    assert (demand.low, demand.base, demand.high) == (450_000, 900_000, 1_350_000)
    assert "50 %" in demand.range
    prices = [quickstart.by_id[name].inputs["system_price"] for name in purchase.inputs]
    highs = [price.high / price.number for price in prices if price.high is not None]
    assert purchase.high == pytest.approx(max(highs), rel=1e-3)
    assert "stated" in purchase.range


def test_the_policy_allows_this_script_and_no_other(committed: Result) -> None:
    page = render(committed)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == page.count("<script") == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'\"" in page
    assert "</" not in scripts[0]
    assert "<!--" not in scripts[0]
    assert len(made(committed).script.encode()) <= LARGEST


def test_fleets_with_the_same_lines_share_their_text(quickstart: Result) -> None:
    script = made(quickstart).script
    printed = re.findall(r"^\(v\) => .*", script, re.MULTILINE)
    assert len(printed) == len({text.rstrip(",") for text in printed})
    data = held(made(quickstart))
    assert 2 * len(printed) < sum(sum(data["kinds"][one["kind"]]["run"][1::2]) for one in data["fleets"])


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_names_stay_text(node: Path, tmp_path: Path, cut: Callable[..., Result], text: str) -> None:
    result = copy.deepcopy(cut("workstation", "api", "one-card"))
    result.fleets[0].id = text
    result.ranking = [text, *(name for name in result.ranking if name in {fleet.id for fleet in result.fleets})]
    result.recommended = text
    page = Page(render(result))
    assert not page.strays
    assert len(page.named("script")) == 1
    script = made(result).script
    assert "</" not in script
    issued = {slider.key: slider.base for slider in sliders(result)}
    assert len(in_node(node, tmp_path, script, [issued])[0]) == len(result.fleets)


def held(found: Panel) -> dict[str, Any]:
    data = re.search(r"^const D = (.*);$", found.script, re.MULTILINE)
    assert data
    return json.loads(data[1])


def test_without_a_ranked_fleet_there_is_no_panel(quickstart: Result, cut: Callable[..., Result]) -> None:
    unable = next(fleet.id for fleet in quickstart.fleets if fleet.id not in quickstart.ranking)
    page = render(cut(unable))
    assert "<script" not in page
    assert "script-src" not in page
    assert 'href="#what-if"' not in page


# --- as Chromium shows it ---


def dumped(chromium: list[str], address: str) -> tuple[str, str]:
    """The document after its script ran, and what Chromium said."""
    command = [*chromium, "--enable-logging=stderr", "--dump-dom", address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, done.stderr


def shown(html: str) -> dict[str, str]:
    """The present cost text of each fleet in the panel."""
    body = re.search(r'<tbody id="whatif-rows">(.*?)</tbody>', html, re.DOTALL)
    assert body
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", body[1], re.DOTALL)
    rows = [re.findall(r"<t[hd].*?</t[hd]>", re.sub("<small.*?</small>", "", row)) for row in rows]
    cells = [[unescape(re.sub("<[^>]*>", "", one)) for one in row] for row in rows]
    return {row[0]: row[3] for row in cells}


def test_chromium_allows_the_script_and_it_agrees(chromium: list[str], tmp_path: Path, quickstart: Result) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(quickstart), encoding="utf-8")
    html, said = dumped(chromium, path.as_uri())
    assert "CONSOLE" not in said
    count = sum(len(fleet["issued"]) for fleet in held(made(quickstart))["fleets"])
    assert count > 4 * len(quickstart.fleets)
    assert f"Checked against the engine: {count} values agree." in html
    facts = Facts(quickstart)
    assert {name: shown(html)[name] for name in quickstart.ranking} == {
        fleet.id: facts.form(cost) for fleet in facts.ranked if (cost := facts.cost(fleet)) is not None
    }


def test_the_address_restores_the_sliders(chromium: list[str], tmp_path: Path, quickstart: Result) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(quickstart), encoding="utf-8")
    html, said = dumped(chromium, f"{path.as_uri()}#whatif=demand:1200000,purchase:1.2,discount:nonsense")
    assert "CONSOLE" not in said
    issued = {slider.key: slider.base for slider in sliders(quickstart)}
    wanted = frozen(quickstart, {**issued, "demand": 1_200_000, "purchase": 1.2})
    form = Facts(quickstart).form
    for name, text in shown(html).items():
        verdict, values = wanted[name]
        assert text == (form(values[-1]) if verdict == "ok" else text)
    assert "Moved: Demand 1,200,000 request/month (issued 900,000)" in html
    assert "Choice may be stale: cloud-ondemand, cloud-reserved." in html
    assert 'href="#whatif=demand:1200000,purchase:1.2"' in html


PROBE = """<script>
const range = document.getElementById("whatif-electricity");
range.value = range.max;
range.dispatchEvent(new Event("input"));
document.documentElement.dataset.moved = document.getElementById("whatif-rows").textContent;
document.documentElement.dataset.link = document.getElementById("whatif-link").getAttribute("href");
document.getElementById("whatif-reset").click();
document.documentElement.dataset.reset = document.getElementById("whatif-rows").textContent;
</script></body>"""


def test_a_slider_moves_the_numbers_and_reset_brings_them_back(
    chromium: list[str], tmp_path: Path, quickstart: Result
) -> None:
    path = tmp_path / "report.html"
    open_policy = re.sub(r"<meta http-equiv[^>]*>", "", render(quickstart))
    path.write_text(open_policy.replace("</body>", PROBE), encoding="utf-8")
    html, _ = dumped(chromium, path.as_uri())
    moved, reset = (re.search(rf'data-{name}="([^"]*)"', html) for name in ("moved", "reset"))
    assert moved
    assert reset
    assert 'data-link="#whatif=electricity:' in html
    assert "+" in moved[1]
    assert "+" not in reset[1]


def test_a_page_whose_numbers_differ_shows_none(chromium: list[str], tmp_path: Path, quickstart: Result) -> None:
    html = re.sub(r"<meta http-equiv[^>]*>", "", render(quickstart))
    path = tmp_path / "report.html"
    path.write_text(html.replace('"discount_rate":0.09', '"discount_rate":0.0900001', 1), encoding="utf-8")
    found, _ = dumped(chromium, path.as_uri())
    assert "no what-if is shown" in found
    assert '<div id="whatif-panel" hidden' in found
    assert not shown(found)
