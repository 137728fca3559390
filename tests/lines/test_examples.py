"""Every line has a worked example, and every printer gives what the example says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tco.evaluate import program
from tco.expression import Expr
from tco.printers.text import sentence, source_text
from tco.units import CONSTANTS
from tests.lines.examples import cases, every_line, examples, run
from tests.lines.printed import Cases, formualizer_results, ironcalc_results, javascript_results, workbook

CODE = re.compile(r"[_{}\[\]`*;]|(?<![<>])=|\bnp\.|\bdef\b")


@pytest.fixture(name="cases", scope="module")
def cases_() -> Cases:
    """The examples that fit their line."""
    return cases()[0]


def wrong(cases: Cases, results: Sequence[object]) -> str:
    """What differs, a line each."""
    assert len(results) == len(cases)
    found = [example.differs(result) for (example, _), result in zip(cases, results, strict=True)]
    return "\n".join(text for text in found if text)


def test_every_line_has_an_example_and_every_example_a_line() -> None:
    lines = {(item.chapter, item.name) for item in every_line()}
    shown = {(example.chapter, example.line) for example in examples()}
    assert sorted(lines - shown) == []
    assert sorted(shown - lines) == []


def test_every_example_fits_its_line() -> None:
    assert not (misfits := cases()[1]), "\n".join(misfits)


def test_the_examples_of_a_line_have_different_titles() -> None:
    titles = [str(example) for example in examples()]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


def test_numpy(cases: Cases) -> None:
    results = [run(example, program(model, [example.line]), model) for example, model in cases]
    assert not (text := wrong(cases, results)), text


def test_numpy_on_a_batch(cases: Cases) -> None:
    results = [run(example, program(model, [example.line]), model, batch=3) for example, model in cases]
    assert all(len(samples) == 3 for samples in results)
    for sample in range(3):
        assert not (text := wrong(cases, [samples[sample] for samples in results])), text


def test_javascript(cases: Cases, node: Path, tmp_path: Path) -> None:
    assert not (text := wrong(cases, javascript_results(cases, node, tmp_path))), text


def test_workbook(cases: Cases, tmp_path: Path) -> None:
    cells = workbook(cases, tmp_path / "examples.xlsx")
    for recalculate in (formualizer_results, ironcalc_results):
        text = wrong(cases, list(recalculate(tmp_path / "examples.xlsx", cells)))
        assert not text, f"{recalculate.__name__}\n{text}"


def test_words(cases: Cases) -> None:
    for example, model in cases:
        labels = {name: given.label for name, given in model.inputs.items()}
        labels |= {name: item.label for name, item in model.lines.items()}
        item = model.lines[example.line]
        text = sentence(item.expression, labels.__getitem__)
        words = without_constants(sentence(item.expression, lambda _: "words"))
        assert words.strip(), example
        assert not CODE.search(words), f"{example}: {words}"
        assert all(labels[name] in text for name in parents(item.expression)), f"{example}: {text}"
        assert source_text(item.expression), example


def parents(value: Expr) -> set[str]:
    """Names that the expression reads."""
    here = {value.name} if value.op in ("name", "table") else set[str]()
    return here.union(*(parents(arg) for arg in value.args))


def without_constants(text: str) -> str:
    """Constants keep their names in words."""
    for name in CONSTANTS:
        text = text.replace(name, "1")
    return text
