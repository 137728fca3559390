"""Reading: what plain words mean, where things stand, and what is refused."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.errors import ScenarioError, TcoError
from tco.scenario.reading import Document, read, read_text

TRAPS = """\
# every line is legal YAML; each holds one trap
title: Oslo pilot
region: NO
billing_window: 08:30
share: 5e-1
tokens: 1e9 token/month
on_site: yes
code: 0777
price: 0.12 USD/kWh
price: 0.14 USD/kWh
"""


def refusal(text: str) -> str:
    with pytest.raises(ScenarioError) as caught:
        read_text(text, "s.yaml")
    return str(caught.value)


def test_the_duplicate_key_of_the_traps_is_named_with_both_lines():
    assert refusal(TRAPS) == "s.yaml:10:1: `price` is given twice, at line 9 and at line 10; remove one"


def test_the_other_traps_mean_what_is_written():
    data = read_text(TRAPS.rsplit("price", 1)[0]).data
    assert data == {
        "title": "Oslo pilot", "region": "NO", "billing_window": "08:30", "share": 0.5, "tokens": "1e9 token/month",
        "on_site": "yes", "code": "0777", "price": "0.12 USD/kWh",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("1", 1), ("-3", -3), ("1e9", 1e9), ("0.30", 0.3), (".5", 0.5), ("1.", 1.0), ("+5", 5.0), ("0", 0),
        ("true", True), ("False", False), ("null", None), ("~", None), ("", None),
        ("yes", "yes"), ("on", "on"), ("No", "No"), ("0777", "0777"), ("0x1F", "0x1F"), ("0o17", "0o17"),
        ("1_000", "1_000"), ("08:30", "08:30"), ("12:30:00", "12:30:00"), ("2027-01", "2027-01"),
        ("2026-11-01", "2026-11-01"), (".nan", ".nan"), (".inf", ".inf"), ("1e999", "1e999"),
        ("9" * 40, float("9" * 40)),
        ('"12"', "12"), ("'true'", "true"), ('""', ""), ("=", "="),
    ],
)  # fmt: skip
def test_plain_words(word: str, value: object):
    read_value = read_text(f"a: {word}").data["a"]
    assert read_value == value
    assert isinstance(read_value, type(value))


def test_the_text_of_every_value_stays_available():
    document = read_text("a: 0.30 # note\nb: {c: [1e9, 'x']}\n")
    assert document.written(("a",)) == "0.30"
    assert document.written(("b", "c", 0)) == "1e9"
    assert document.written(("b", "c", 1)) == "'x'"
    assert document.written(("nothing",)) == ""
    assert document.data["a"].written == "0.30"


def test_places_of_values_keys_and_of_what_is_missing():
    document = read_text("a: 1\nb:\n  c: {d: 2}\n  e:\n    - x\n    - {f: 3}\n")
    assert document.place(("b", "c", "d")) == (3, 10)
    assert document.place(("b", "c", "d"), key=True) == (3, 7)
    assert document.place(("b", "e", 1, "f")) == (6, 11)
    assert document.place(("b", "e", 1), key=True) == (6, 7)
    assert document.place(("b", "c", "missing")) == (3, 3)
    assert document.place(("b", "e", 7, "f")) == (4, 3)
    assert document.place(("nowhere",)) == (1, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "s.yaml: is empty; `tco new` writes a scenario to start from"),
        ("# only a remark\n", "s.yaml: is empty"),
        ("null", "s.yaml: is empty"),
        ("- 1\n", "s.yaml:1:1: read a list; wanted a mapping"),
        ("words", "s.yaml:1:1: read one word or text; wanted a mapping"),
        ("a: &x 1\n", "s.yaml:1:4: `&x` names a part to repeat"),
        ("a: 1\nb: *a\n", "s.yaml:2:4: `*a` repeats another part"),
        ("a: !!int 3", "s.yaml:1:4: a tag"),
        ("a: !x {b: 1}", "s.yaml:1:4: a tag"),
        ("<<: {a: 1}", "s.yaml:1:1: `<<` merges"),
        ("%YAML 1.1\n---\na: 1", "s.yaml:2:1: a directive"),
        ("a: 1\n---\nb: 2", "s.yaml:2:1: a second document starts here"),
        ("{1:2}", "s.yaml:1:2: `1:2` has no space after `:`"),
        ("[a, b]: 1", "s.yaml:1:1: a list or mapping stands as a key"),
        ("? {a: 1}\n: 2", "s.yaml:1:3: a list or mapping stands as a key"),
        ("? \n: 1", "s.yaml:1:2: a value without a key"),
        ("{a: 1, a: 2}", "s.yaml:1:8: `a` is given twice, in this line"),
        ("a:\n\tb: 1", "s.yaml:2:1: a tab stands where only spaces may"),
        ("a: b: c", "s.yaml:1:5: a `:` stands where no key can"),
        ("price:0.12\nb: 1", "(`price:` lacks a space after the colon)"),
        ("a: 'x\nb: 1", "the quote of line 1 is never closed"),
        ("a: 1\nb: {c: 1", "the `{` of line 2 is never closed"),
        ("a: [1, 2", "the `[` of line 1 is never closed"),
        ("a: @x", "s.yaml:1:4: a value cannot start with this character"),
        ("a: %5", "s.yaml:1:4: a value cannot start with `%`"),
        ("a:\n  b: 1\n c: 2", "s.yaml:3:2: this does not line up"),
        ('a: "\\q"', "a backslash with a letter that means nothing"),
        ('a: "\\ud800"', "s.yaml:1:4: the text holds the unprintable character U+D800"),
        ('a: "\\U00110000"', "this is not YAML"),
        ("a: \x1b[2J", "s.yaml:1:4: the unprintable character U+001B stands here"),
        ("a: 1\nb: \u202e", "s.yaml:2:4: the unprintable character U+202E"),
        ("a: \ud800", "s.yaml:1:4: the unprintable character U+D800"),
        ("[" * 1000, "s.yaml:1:41: more than 40 levels of nesting"),
        ("{a: " * 1000, "more than 40 levels"),
        ("- " * 1000, "more than 40 levels"),
        ("a: " + "x" * 10_001, "a text of 10001 characters; at most 10000 are read"),
        ("a: " + "x " * 1_000_001, "s.yaml: is larger than 2 MB"),
    ],
)  # fmt: skip
def test_refused_texts_are_told_in_one_sentence(text: str, told: str):
    message = refusal(text)
    assert told in message
    assert "\n" not in message


def test_an_alias_bomb_is_refused_at_once():
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    start = time.process_time()
    assert "`*a0` repeats another part" in refusal("\n".join(lines))
    assert time.process_time() - start < 1


def test_all_duplicates_are_told():
    assert refusal("a: 1\na: 2\nb: {c: 1, c: 2}\n").count("given twice") == 2


def test_too_many_values_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tco.scenario.tree.MAXIMUM_NODES", 100)
    assert "more than 100 values" in refusal("a: [" + "1, " * 200 + "1]")


def test_a_file_with_byte_order_mark_and_windows_line_ends(tmp_path: Path):
    file = tmp_path / "s.yaml"
    raw = b"\xef\xbb\xbfa: 1\r\nb: {c: x}\r\n"
    file.write_bytes(raw)
    document = read(file)
    assert document.data == {"a": 1, "b": {"c": "x"}}
    assert document.place(("b", "c")) == (2, 8)
    assert document.sha256 == hashlib.sha256(raw).hexdigest()
    assert document.file == str(file)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"a: 1\nb: caf\xe9\n", ":2:7: byte 0xE9 is not UTF-8; save the file as UTF-8"),
        (b"a: \x00", "holds binary data"),
        (b"PK\x03\x04rest", "is a workbook or archive"),
        ("a: 1".encode("utf-16"), "is UTF-16 text"),
        (b"", "is empty"),
    ],
)
def test_bytes_that_are_no_text(tmp_path: Path, raw: bytes, told: str):
    file = tmp_path / "s.yaml"
    file.write_bytes(raw)
    with pytest.raises(ScenarioError) as caught:
        read(file)
    assert told in str(caught.value)
    assert str(caught.value).startswith(str(file))


def test_files_that_are_missing_or_not_files(tmp_path: Path):
    for path, told in ((tmp_path / "none.yaml", "there is no such file"), (tmp_path, "is a folder"),
                       ("a\0b", "is not a file name"), (tmp_path / ("x" * 300), "cannot be read")):  # fmt: skip
        with pytest.raises(ScenarioError, match=told):
            read(path)


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "s.yaml"
    file.write_text("a: 1")
    file.chmod(0)
    if os.access(file, os.R_OK):  # root reads everything

        def denied(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("builtins.open", denied)
    with pytest.raises(ScenarioError, match="permission denied"):
        read(file)


@given(st.one_of(st.text(max_size=80), st.text(alphabet="ab:-[]{}&*!|>'\"%@#,? \n\t\\0123456789.~<", max_size=80)))
def test_any_text_gives_a_document_or_an_error(text: str):
    try:
        document = read_text(text)
    except TcoError:
        return
    assert isinstance(document, Document)
    for path in document.nodes:
        line, column = document.place(path)
        assert line >= 1
        assert column >= 1


_KEYS = st.text(alphabet="abcxyz_", min_size=1, max_size=5)
_VALUES = st.recursive(
    st.one_of(st.integers(-1000, 1000), st.booleans(), st.text(alphabet="ab 1.:#-'\"{}é", max_size=12)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_KEYS, inner, max_size=3)),
    max_leaves=12,
)


@given(st.dictionaries(_KEYS, _VALUES, min_size=1, max_size=4))
def test_what_json_writes_is_read_back(data: dict[str, object]):
    import json

    assert read_text(json.dumps(data, ensure_ascii=False)).data == data
