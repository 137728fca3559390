"""Text that wants to be more than text stays text, and the layout stays whole."""

# pyright: basic
from __future__ import annotations

import copy
import functools
import re
from collections.abc import Callable

import pytest

from tco.errors import ScenarioError
from tco.report import render
from tco.result import Result
from tco.session import loads
from tco.wording import clean, coded, css_string, even, money, percent, plain, significant
from tests.report.pages import HOSTILE, Page, defaced, poisoned


@pytest.fixture
def plainly(cut: Callable[..., Result]) -> Result:
    return cut("workstation", "api", "one-card", reference="api")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_shown_as_text(plainly: Result, text: str) -> None:
    harmless = Page(render(poisoned(copy.deepcopy(plainly), "harmless words")))
    page = Page(render(poisoned(copy.deepcopy(plainly), text)))
    assert not page.strays
    assert [name for name, _ in page.elements if name != "li"] == [
        name for name, _ in harmless.elements if name != "li"
    ]
    assert [sorted(found) for name, found in page.elements if name != "li"] == [
        sorted(found) for name, found in harmless.elements if name != "li"
    ]
    assert page.text("h1") == [" ".join(str(clean(text)).split())]
    page.source.encode()


@functools.cache
def defaced_page(text: str) -> Page:
    return Page(render(loads(defaced(text)).run()))


PRINTABLE = {name: text for name, text in HOSTILE.items() if name not in ("direction", "controls")}


@pytest.mark.parametrize("text", PRINTABLE.values(), ids=PRINTABLE.keys())
def test_hostile_text_of_a_file_is_shown_as_text(text: str) -> None:
    harmless, page = defaced_page("harmless words"), defaced_page(text)
    assert not page.strays
    kept = [[(name, sorted(found)) for name, found in one.elements if name != "li"] for one in (page, harmless)]
    assert kept[0] == kept[1]


@pytest.mark.parametrize("name", ["direction", "controls"])
def test_unprintable_text_of_a_file_is_refused(name: str) -> None:
    with pytest.raises(ScenarioError, match="unprintable"):
        loads(defaced(HOSTILE[name]))


@pytest.mark.parametrize("name", ["direction", "controls"])
def test_controls_and_directions_are_gone(plainly: Result, name: str) -> None:
    page = render(poisoned(plainly, HOSTILE[name]))
    unseen = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff]"
    assert not re.search(unseen, page)


def test_a_long_title_is_cut_in_margins_and_tab_only(plainly: Result) -> None:
    page = Page(render(poisoned(plainly, HOSTILE["long"])))
    assert len(page.text("title")[0]) == 120
    assert len(page.text("h1")[0]) == 10_000


def test_css_strings_hold_letters_and_escapes_only() -> None:
    for text in HOSTILE.values():
        assert re.fullmatch(r'"(?:[A-Za-z0-9]|\\[0-9a-f]{6})*"', css_string(str(clean(text))))


@pytest.mark.parametrize(
    ("form", "value", "text"),
    [
        (significant, 3.43165, "3.432"),
        (significant, 9.9996, "10.00"),
        (significant, 66.488, "66.49"),
        (significant, 1234567.8, "1,234,568"),
        (significant, 0.012345, "0.01235"),
        (significant, 0.0, "0.00"),
        (significant, 1e-12, "1.000e−12"),
        (plain, 4.0, "4"),
        (plain, 0.12, "0.12"),
        (plain, 1500.0, "1,500"),
        (money, -0.4, "0"),
        (money, -1234.5, "−1,234"),
        (percent, 0.0155, "1.6 %"),
        (percent, 0.78, "78 %"),
        (percent, 0.0, "0 %"),
    ],
)
def test_numbers_are_rounded_in_one_way(form: Callable[[float], str], value: float, text: str) -> None:
    assert form(value) == text


def test_words_between_backticks_become_code_and_nothing_else() -> None:
    assert str(coded("state `a: <b>` & go")) == "state <code>a: &lt;b&gt;</code> &amp; go"
    assert coded("no code <b>") == "no code <b>"
    assert str(coded("one ` alone <i>")) == "one ` alone &lt;i&gt;"


def test_numbers_side_by_side_have_equal_decimals() -> None:
    form = even([2.679, 261.9841, None])
    assert [form(2.679), form(261.9841)] == ["2.679", "261.984"]
    assert even([0.0001234, 351.0])(0.0001234) == "0.0001"
    assert even([])(1.5) == "1.500"
