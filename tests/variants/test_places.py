"""Dotted text names a place, or says what is near."""

from pathlib import Path

import pytest

from tco.scenario.schema import Scenario as Schema
from tco.session import load
from tco.variants.places import Unplaced, place_of

DATA = load(Path(__file__).parents[2] / "scenarios/quickstart.yaml").document.data


@pytest.mark.parametrize(
    ("text", "path", "unit"),
    [
        ("electricity.price", ("electricity", "price"), "money/kWh"),
        ("finance.discount_rate", ("finance", "discount_rate"), "1/yr"),
        ("inputs.gpu_power", ("inputs", "gpu_power"), None),
    ],
)
def test_a_text_names_a_leaf(text, path, unit):
    place = place_of(Schema, DATA, text)
    assert place.path == path
    assert place.leaf is not None
    assert place.leaf.unit == unit
    assert place.text(DATA) == text


def test_an_item_is_named_by_its_id_or_its_number():
    fleet = DATA["fleets"][1]["id"]
    assert place_of(Schema, DATA, f"fleets.{fleet}.buy.price").path == ("fleets", 1, "buy", "price")
    assert place_of(Schema, DATA, "fleets.2.buy.price").path == ("fleets", 1, "buy", "price")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("electricity.prize", "there is no `prize` in `electricity`; did you mean `price`?"),
        ("electrcity.price", "there is no `electrcity`; did you mean `electricity`?"),
        ("fleets.nobody.buy.price", "there is no `nobody` in `fleets`"),
        ("electricity", "holds several values"),
        ("electricity.price.cents", "is one value and holds no `cents`"),
        ("", "no path"),
        ("...", "no path"),
    ],
)
def test_a_text_that_names_nothing_is_refused(text, told):
    with pytest.raises(Unplaced) as error:
        place_of(Schema, DATA, text)
    assert told in str(error.value)
