"""Request classes and hourly profiles: what they say in place of one number."""

from __future__ import annotations

from pathlib import Path

import pytest

from tco.errors import ScenarioError
from tco.session import loads

SCENARIO = (Path(__file__).resolve().parents[2] / "scenarios" / "local_assistant.yaml").read_text()
LENGTHS = "  input: 2000 token/request\n  output: 500 token/request\n"
PEAK = "  peak_to_mean: 6\n"
CLASSES = """  classes:
    - {share: 75 %, input: 1000 token/request, output: 200 token/request}
    - {share: 25 %, input: 5000 token/request, output: 1400 token/request}
"""


def value(text: str, name: str) -> float:
    return loads(text).run().by_id["api"].inputs[name].number


def test_classes_give_the_mean_lengths() -> None:
    text = SCENARIO.replace(LENGTHS, CLASSES)
    assert value(text, "input_tokens") == pytest.approx(2000)  # 0.75 x 1000 + 0.25 x 5000
    assert value(text, "output_tokens") == pytest.approx(500)  # 0.75 x 200 + 0.25 x 1400


def test_a_profile_gives_the_peak_over_the_mean() -> None:
    hours = ", ".join(["0"] * 12 + ["1"] * 6 + ["3"] * 6)  # mean 24 / 24 = 1, peak 3
    assert value(SCENARIO.replace(PEAK, f"  profile: [{hours}]\n"), "peak_to_mean") == pytest.approx(3)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (SCENARIO.replace(LENGTHS, CLASSES.replace("75 %", "60 %")), "the shares add up to"),
        (SCENARIO.replace(LENGTHS, LENGTHS + CLASSES), "say the same; keep one"),
        (SCENARIO.replace(PEAK, "  profile: [1, 2, 3]\n"), "wanted 24"),
        (SCENARIO.replace(PEAK, PEAK + f"  profile: [{', '.join(['1'] * 24)}]\n"), "say the same; keep one"),
        (SCENARIO.replace(PEAK, f"  profile: [{', '.join(['0'] * 24)}]\n"), "not all of them 0"),
    ],
)
def test_what_does_not_add_up_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ScenarioError, match=sentence):
        loads(text).run()
