"""Models: every mistake is reported at once, and the rules that need the whole model."""

from __future__ import annotations

import pytest

from tco.errors import ModelError
from tco.printers.javascript import RUNTIME
from tco.scope import WORDS_OF_PRINTERS
from tests.spine.small import mistakes, model

MISTAKEN = """
power = given("kW", "Power", shape="series")
price = given("money/kWh", "Price")
gpus = given("gpu", "GPUs")
life = given("yr", "Life")
strange = given("kilowatt", "A unit that is none")

@line("money")
def bill(power, price):
    return power * price

@line("system")
def systems(gpus):
    return gpus / 8

@line("money")
def hardware_cost(systems, price, power):
    return price * power * power / power

@line("money")
def maintenance(maintenence_rate, bill):
    return bill * maintenence_rate

@line("1/yr")
def maintenance_rate(life):
    return 1 / life

@line("kW")
def one_way(other_way):
    return other_way

@line("kW")
def other_way(one_way, power):
    return one_way + power

@line("kW")
def lowest(power):
    return power if power > 0 else -power

@line("kW")
def flagged(power):
    return power > 0

@line("kW")
def stolen(power, opened, price):
    return lag(opened, opening=power)

@line("kW")
def opened(opened, power):
    return lag(opened) + power

@line("kW", part_of="bil")
def again(opened):
    return opened

@line("sytem")
def racks(gpus):
    return gpus

@line("kW")
def nothing(power):
    return None

@line("kW")
def broken(power):
    return power.shape[1 / 0]

@line("kW")
def late(strange, racks):
    return strange + racks

@line("kW")
def opened(opened, power):
    return lag(opened) - power
"""


def test_all_mistakes_are_reported_at_once_by_file_and_line_with_expression_units_and_way_out() -> None:
    assert mistakes(MISTAKEN) == [
        "small.py:5  strange: `kilowatt` is not a unit",
        "small.py:7  bill: `power * price` is in kW*money/kWh, which cannot become money",
        "small.py:11  systems: the number 8 stands in a formula: make it an input with a source, or a unit's business",
        "small.py:15  hardware_cost: asks for systems but never uses it",
        "small.py:19  maintenance: asks for `maintenence_rate`, which is neither a line nor an input; "
        "did you mean `maintenance_rate`?",
        "small.py:27  one_way: circular: one_way -> other_way -> one_way",
        "small.py:35  lowest: `if`, `and`, `or`, `not`, `max()` and `min()` need a value that `power > 0` has not: "
        "use where, both, either, maximum, minimum",
        "small.py:39  flagged: `power > 0` is a condition; a line holds a number: where(power > 0, 1, 0)",
        "small.py:43  stolen: the opening value `power` must be one number, not a series",
        "small.py:51  again: part_of `bil`, which is not a line; did you mean `bill`?",
        "small.py:55  racks: `sytem` is not a unit; did you mean `system`?",
        "small.py:59  nothing: returns None: a line returns an expression of its parents",
        "small.py:63  broken: 'Expr' object has no attribute 'shape' (AttributeError); use only the vocabulary",
        "small.py:71  opened: this name is taken already at small.py:47; names are unique in the whole model",
    ]


def test_the_error_counts_its_mistakes_and_shows_one_a_line() -> None:
    with pytest.raises(ModelError) as caught:
        model(MISTAKEN)
    first, *rest = str(caught.value).split("\n")
    assert first == f"{len(rest)} mistakes in the model"
    assert all(text.startswith("  small.py:") for text in rest)


def test_readers_of_a_mistaken_line_are_not_blamed() -> None:
    found = mistakes("""
        power = given("kW", "Power", shape="series")
        @line("kW")
        def wrong(power):
            return power * 3
        @line("kW")
        def reader(wrong):
            return total(wrong)
        @line("kW")
        def again(reader, wrong):
            return lag(wrong) - reader
    """)
    assert [text.split(":")[1] for text in found] == ["2  wrong"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        # rule 1: the opening value belongs to the line
        ("lag(stock, opening=first)", "states the opening value of stock; only stock itself may"),
        # rule 6: tiered and by_age are a whole line
        ("by_age(stock, kept, number) * share", "`by_age(stock, kept, number)` stands inside a larger expression"),
        (
            "-tiered(stock, prices)",
            "`tiered(stock, prices)` stands inside a larger expression: give it a line of its own",
        ),
        # rule 5: a line holds a number
        ("stock > first", "`stock > first` is a condition; a line holds a number: where(stock > first, 1, 0)"),
        ("kept", "`kept` is a table: read it with tiered() or by_age()"),
        ("stock & share", "`&`, `|`, `^` and `~` are not in the vocabulary: use both() or either() on `stock`"),
        ("stock + missing", "name 'missing' is not defined (NameError); use only the vocabulary"),
        ("[stock][1]", "list index out of range (IndexError); use only the vocabulary"),
        ("ceil(stock, 'sytem')", "`sytem` is not a unit; did you mean `system`?"),
    ],
)
def test_rules_of_a_line(body: str, message: str) -> None:
    found = mistakes(f"""
        first = given("system", "First")
        share = given("", "Share", shape="series")
        number = given("period", "Number", shape="series")
        kept = given("", "Kept", shape="table", from_unit="period")
        prices = given("", "Prices", shape="table", from_unit="system")
        @line("system")
        def stock(stock, first, share):
            return lag(stock, opening=first) * share
        @line("system")
        def reader(stock, first, share, number, kept, prices):
            return {body}
    """)
    assert len(found) == 1
    assert found[0].startswith("small.py:9  reader: ")
    assert message in found[0]


RECURRENCE = '''
bought = given("system", "Bought", shape="series")
life = given("period", "Life")
number = given("period", "Number", shape="series")
kept = given("", "Kept", shape="table", from_unit="period")
@line("system")
def stock(stock, gone, bought):
    """Each needs the other's past."""
    return lag(stock) + bought - gone
@line("system")
def gone(stock, life, number, kept):
    return {body}
'''


def test_lines_that_read_each_others_past_are_one_group() -> None:
    text = RECURRENCE.replace("number, kept", "")
    made = model(text.format(body="minimum(lag(stock, by=life), lag(stock))"))
    assert made.groups == [("gone", "stock")]
    assert made.looks_back(made.groups[0])
    assert all(item.series for item in made.lines.values())


@pytest.mark.parametrize(
    ("body", "word", "unused"),
    [
        ("cumulative(stock)", "cumulative", "life, number, kept"),
        ("cumulative(stock, within=number)", "cumulative", "life, kept"),
        ("total(stock, last=life)", "total", "number, kept"),
        ("highest(stock, last=life)", "highest", "number, kept"),
        ("by_age(stock, kept, number)", "by_age", "life"),
    ],
)
def test_a_wide_word_inside_a_recurrence_is_refused(body: str, word: str, unused: str) -> None:
    """Rule 2: inside a group only lag may look back; read in the same period it is even a circle."""
    text = RECURRENCE.format(body=body)
    for name in unused.split(", "):
        text = text.replace(f", {name}", "")
    now = mistakes(text)
    assert "circular: " in now[0]
    later = mistakes(text.replace("bought - gone", "bought - lag(gone)"))
    assert later == [f"small.py:9  gone: {word}() inside a recurrence (stock, gone); only lag() may look back there"]


def test_a_chain_of_a_thousand_lines_is_traced() -> None:
    lines = ["power = given('kW', 'Power', shape='series')"]
    for index in range(1000):
        lines += [
            "@line('kW')",
            f"def line_{index}(line_{index + 1}):",
            f"    return line_{index + 1} + line_{index + 1}",
        ]
    lines += ["@line('kW')", "def line_1000(power):", "    return power"]
    made = model("\n".join(lines))
    assert next(iter(made.lines)) == "line_1000"
    assert all(item.series for item in made.lines.values())


def test_names_of_printed_functions_are_refused() -> None:
    assert mistakes("""
        last = given("kW", "Last", shape="series")
        @line("kW")
        def periods(last):
            return last
        choice = given("kW", "Choice")
    """) == [
        "small.py:1  last: this name has a meaning in printed lines; choose another",
        "small.py:2  periods: this name has a meaning in printed lines; choose another",
        "small.py:5  choice: this name has a meaning in printed lines; choose another",
    ]


def test_every_name_of_the_printed_sources_is_taken() -> None:
    from tco import evaluate

    of_python = {"np", "almost_one", "inputs", "periods", "t", *evaluate._HELPERS}  # pyright: ignore[reportPrivateUsage]
    of_javascript = {text.split()[1] for text in RUNTIME.splitlines() if text.startswith("const ")}
    assert (of_python | of_javascript) <= WORDS_OF_PRINTERS
