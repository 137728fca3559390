"""The schema that editors read."""

from __future__ import annotations

import json
import re

from tco.scenario.json_schema import json_schema
from tests.scenario.toy import Scenario


def test_leaves_are_text_number_or_a_mapping_with_a_story():
    schema = json_schema(Scenario)
    price = schema["$defs"]["Electricity"]["properties"]["price"]
    assert price == {
        "description": "the tariff. Wanted: money/kWh, such as `0.12 USD/kWh`.",
        "examples": ["0.12 USD/kWh"],
        "anyOf": [{"$ref": f"#/$defs/quantity{form}"} for form in ("", "_with_story", "_spread")],
    }
    assert schema["$defs"]["quantity"] == {"type": "string"}
    assert schema["$defs"]["number"] == {"type": ["string", "number"]}
    assert set(schema["$defs"]["quantity_with_story"]["properties"]) >= {"value", "low", "high", "source", "status"}
    assert schema["properties"]["residual"]["anyOf"] == [{"$ref": "#/$defs/number_after_share"}]


def test_choices_and_shorthand_are_told():
    schema = json_schema(Scenario)
    assert schema["$defs"]["Fleet"]["oneOf"] == [{"required": ["buy"]}, {"required": ["rent"]}]
    assert schema["$defs"]["Buy"]["anyOf"][0] == {"type": "string"}
    assert schema["$defs"]["Buy"]["anyOf"][1]["additionalProperties"] is False


def test_every_reference_leads_somewhere_and_nothing_leaks():
    text = json.dumps(json_schema(Scenario))
    schema = json.loads(text)
    for name in re.findall(r"#/\$defs/(\w+)", text):
        assert name in schema["$defs"]
    assert "null" not in text
    assert "pydantic" not in text.lower()
    assert '"forms"' not in text
