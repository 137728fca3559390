"""Writing back: one value is one changed line, and everything else stays."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.errors import ScenarioError
from tco.scenario.paths import Path
from tco.scenario.reading import Document, read_text
from tco.scenario.writing import text_of, with_values

TEXT = """\
# A target for the format
format: 1
title: "Chat, for staff"          # who
electricity:
  price: 0.12 USD/kWh             # or tariff: file.json
  note: |
    two
    lines

  # the end of electricity
cooling: {kind: air, pue: 1.45}   # the site's
empty:
finance:
    discount_rate: 9 %
    depreciation: {method: macrs, life: 5 yr,}
fleets:
  - {id: a,     buy: {system: ws},   precision: int4}
  - id: b
    buy: {system: hgx, price: {value: 305000 USD/system, source: "quote Q-1182", as_of: 2026-10-12}}
    tags: ['it''s', x]
# the end
"""


def written(document: Document, changes: Mapping[Path, str]) -> str:
    """The text after the changes."""
    return text_of(with_values(document, changes))


def changed(text: str, changes: dict[Path, str]) -> tuple[list[str], list[str]]:
    new = written(read_text(text, "s.yaml"), changes)
    lines = list(difflib.ndiff(text.splitlines(), new.splitlines()))
    return [one[2:] for one in lines if one[0] == "-"], [one[2:] for one in lines if one[0] == "+"]


@pytest.mark.parametrize(
    ("path", "value", "after"),
    [
        (("electricity", "price"), "0.05 USD/kWh", "  price: 0.05 USD/kWh             # or tariff: file.json"),
        (("cooling", "pue"), "1.2", "cooling: {kind: air, pue: 1.2}   # the site's"),
        (("title",), 'Say "x"', 'title: "Say \\"x\\""          # who'),
        (("finance", "discount_rate"), "7.5 %", "    discount_rate: 7.5 %"),
        (("fleets", 0, "precision"), "fp8", "  - {id: a,     buy: {system: ws},   precision: fp8}"),
        (
            ("fleets", 1, "buy", "price"),
            "290000 USD/system",
            '    buy: {system: hgx, price: {value: 290000 USD/system, source: "quote Q-1182", as_of: 2026-10-12}}',
        ),
        (("fleets", 1, "tags", 0), "that's", "    tags: ['that''s', x]"),
        (("fleets", 1, "tags", 1), "a: b, c", "    tags: ['it''s', \"a: b, c\"]"),
        (("empty",), "-15 %/yr", "empty: -15 %/yr"),
        (
            ("electricity", "price", "source"),
            "bill",
            "  price: {value: 0.12 USD/kWh, source: bill}             # or tariff: file.json",
        ),
    ],
)  # fmt: skip
def test_a_changed_value_is_one_changed_line(path: Path, value: str, after: str):
    removed, added = changed(TEXT, {path: value})
    assert added == [after]
    assert len(removed) == 1


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("electricity", "escalation"), "2 %/yr", "  escalation: 2 %/yr"),
        (("finance", "tax_rate"), "25 %", "    tax_rate: 25 %"),
        (("fleets", 1, "precision"), "fp8", "    precision: fp8"),
        (("pin", "a", "availability"), "99 %", "pin: {a: {availability: 99 %}}"),
        (("overrides", "cheap power"), "x", 'overrides: {"cheap power": x}'),
    ],
)
def test_a_new_value_is_one_new_line(path: Path, value: str, line: str):
    assert changed(TEXT, {path: value}) == ([], [line])


def test_new_keys_in_braces():
    assert changed(TEXT, {("cooling", "retrofit"): "2500 USD/kW"})[1] == [
        "cooling: {kind: air, pue: 1.45, retrofit: 2500 USD/kW}   # the site's"
    ]
    assert changed(TEXT, {("finance", "depreciation", "x"): "1"})[1] == [
        "    depreciation: {method: macrs, life: 5 yr, x: 1,}"
    ]
    assert changed("a: {}\n", {("a", "b", "c"): "1"})[1] == ["a: {b: {c: 1}}"]
    assert changed("a:\nb: 1\n", {("a", "c"): "1"})[1] == ["a: {c: 1}"]


def test_several_changes_at_once():
    removed, added = changed(
        TEXT, {("cooling", "pue"): "1.3", ("cooling", "x"): "1", ("new", "y"): "2", ("new", "z"): "3"}
    )
    assert added == ["cooling: {kind: air, pue: 1.3, x: 1}   # the site's", "new: {y: 2, z: 3}"]
    assert len(removed) == 1


def test_line_ends_and_byte_order_mark_stay():
    text = "\ufeffa:\r\n  b: 1\r\nc: 2"
    assert written(read_text(text), {("a", "b"): "3", ("a", "x"): "4", ("d",): "5"}) == (
        "\ufeffa:\r\n  b: 3\r\n  x: 4\r\nc: 2\r\nd: 5"
    )


def test_a_block_text_becomes_one_line():
    new = written(read_text(TEXT), {("electricity", "note"): "one line"})
    assert read_text(new).data["electricity"] == {"price": "0.12 USD/kWh", "note": "one line"}
    assert "# the end of electricity" in new


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("cooling",), "x", "s.yaml:11:10: cooling: holds a mapping; change one of its values"),
        (("fleets",), "x", "holds a list"),
        (("fleets", 7, "id"), "x", "is an item of a list that has no such item"),
        (("format", "x"), "1", "holds a value where a mapping is needed"),
        (("title",), "a\nb", "holds a line break"),
        (("title",), "\x1b", "unprintable"),
    ],
)
def test_what_cannot_be_written_is_refused(path: Path, value: str, message: str):
    with pytest.raises(ScenarioError) as caught:
        written(read_text(TEXT, "s.yaml"), {path: value})
    assert message in str(caught.value)


_LEAVES = [path for path, node in read_text(TEXT).nodes.items() if node.kind in ("text", "plain")]


@given(st.sampled_from(_LEAVES), st.text(alphabet="ab1.%/ :#-'\"{}[],&*!|>é", max_size=12))
def test_any_text_is_written_so_that_it_reads_back(path: Path, value: str):
    document = read_text(TEXT)
    new = read_text(written(document, {path: value}))
    here: object = new.data
    for step in path:
        here = here[step]  # type: ignore[index]
    assert str(getattr(here, "written", here)) == value
    assert len(new.nodes) == len(document.nodes)
