"""Rules of a request: who must sign, how many quotes, budget, dates, the fleet, the checks."""

# pyright: basic
from __future__ import annotations

from dataclasses import replace

import pytest

import tco.request.rules as rules
from tco.errors import ScenarioError
from tco.report.checks import Check
from tco.request.approvals import chain
from tco.request.rules import Finding, findings, status, told
from tco.session import loads
from tests.cli.conftest import BASE
from tests.request.shop import REQUEST, changed, request


def by_rule(found: list[Finding]) -> dict[str, Finding]:
    return {one.rule: one for one in found}


def rule(name: str, *pairs: tuple[str, str], fleet: str | None = "own") -> tuple[str, str]:
    one = by_rule(findings(request(*pairs, fleet=fleet)))[name]
    return one.state, one.text


# --- approvers ---


def test_the_chain_ends_with_the_first_whose_limit_covers_the_amount() -> None:
    signers = chain(request())
    assert [(one.role, one.signs, one.covers) for one in signers] == [
        ("Lead", True, False), ("Head", True, False), ("Director", True, True), ("Board", False, True),
    ]  # fmt: skip
    state, text = rule("Approvers")
    assert (state, "3 to sign, the last is Director, Three (limit 2,000,000.00 USD)") == ("met", text)


def test_a_limit_of_exactly_the_amount_covers_it_and_a_cent_less_does_not() -> None:
    amount = request().amount.value
    for limit, state in ((amount, "met"), (amount - 0.01, "not met")):
        pairs = (("limit: 2 MUSD", f"limit: {limit:.2f} USD"), ("    - {role: Board, name: Four, limit: 9 MUSD}\n", ""))
        assert rule("Approvers", *pairs)[0] == state


def test_nobody_who_may_sign_is_said() -> None:
    state, text = rule("Approvers", ("limit: 2 MUSD", "limit: 2 USD"), ("limit: 9 MUSD", "limit: 9 USD"))
    assert (state, text) == ("not met", "nobody's limit covers the amount; the highest is 1,000.00 USD")
    assert all(
        one.signs for one in chain(request(("limit: 2 MUSD", "limit: 2 USD"), ("limit: 9 MUSD", "limit: 9 USD")))
    )


def test_a_limit_in_another_currency_is_converted() -> None:
    limits = [one.limit for one in chain(request(("limit: 2 MUSD", "limit: 1 MEUR")))]
    assert limits == [1000, None, pytest.approx(1.09e6), 9e6]


# --- quotes ---


def test_two_suppliers_meet_a_rule_of_two() -> None:
    state, text = rule("Quotes")
    assert state == "met"
    assert text == "the rule asks for 2 quotes from 50,000.00 USD; 2 valid of Nordrack and Meridian"


def test_the_highest_threshold_that_applies_counts_whatever_its_place() -> None:
    steps = "[{from: 2 MUSD, quotes: 9}, {from: 40000 EUR, quotes: 3}, {from: 1000 USD, quotes: 1}]"
    state, text = rule("Quotes", ("[{from: 1000 USD, quotes: 1}, {from: 50000 USD, quotes: 2}]", steps))
    assert state == "not met"
    assert text.startswith("the rule asks for 3 quotes from 43,600.00 USD; 2 valid")


def test_below_every_threshold_no_quote_is_asked_for() -> None:
    steps = "[{from: 1000 USD, quotes: 1}, {from: 50000 USD, quotes: 2}]"
    assert rule("Quotes", (steps, "[{from: 2 MUSD, quotes: 9}]"))[0] == "met"


@pytest.mark.parametrize(
    "pair",
    [
        ("valid_until: 2026-12-15", "valid_until: 2026-12-04"),
        ("supplier: Meridian", "supplier: '  NORDRACK '"),
        ("date: 2026-11-20", "date: 2026-12-06"),
    ],
    ids=["expired", "same supplier", "of tomorrow"],
)
def test_a_quote_that_does_not_compete_does_not_count(pair: tuple[str, str]) -> None:
    state, text = rule("Quotes", pair)
    assert state == "not met"
    assert "1 valid of" in text


def test_a_quote_holds_on_its_last_day() -> None:
    assert rule("Quotes", ("valid_until: 2026-12-15", "valid_until: 2026-12-05"))[0] == "met"


def test_an_awarded_quote_that_has_expired_is_said() -> None:
    state, text = rule("Prices", ("valid_until: 2026-12-31", "valid_until: 2026-12-01"))
    assert (state, text) == ("not met", "awarded and not valid on 2026-12-05: N-118 (until 2026-12-01)")


# --- budget, dates, fleet, checks ---


def test_the_budget_is_compared_to_the_cent() -> None:
    amount = request().amount.value
    for budget, state in ((amount, "met"), (amount - 0.01, "not met")):
        assert rule("Budget", ("{amount: 2000000 USD,", f"{{amount: {budget:.2f} USD,"))[0] == state
    assert (
        "0.01 USD above the budget"
        in rule("Budget", ("{amount: 2000000 USD,", f"{{amount: {amount - 0.01:.2f} USD,"))[1]
    )


def test_what_cannot_arrive_is_said() -> None:
    assert rule("Date") == ("met", "to be ordered by 2027-01-04, 56 days of lead time before 2027-03-01; the quote ends before that, on 2026-12-31")  # fmt: skip  # noqa: E501
    state, text = rule("Date", ("needed_by: 2027-03-01", "needed_by: 2027-01-29"))
    assert (state, text) == ("not met", "ordered on 2026-12-05 it comes on 2027-01-30, 1 day after 2027-01-29 (56 days of lead time)")  # fmt: skip  # noqa: E501
    assert rule("Date", ("needed_by: 2027-03-01", "needed_by: 2027-01-30"))[0] == "met"
    assert rule("Date", ("      lead_time: 8 week\n", ""))[0] == "not stated"


def test_a_fleet_that_is_not_recommended_is_said_with_the_reason() -> None:
    result = request(fleet=None)
    other = next(name for name in result.result.ranking if name != result.result.recommended)
    found = by_rule(findings(request(fleet=other)))["Fleet"]
    assert found.state == "not met"
    assert f"{other} is not the recommended fleet:" in found.text
    assert f"dearer than {result.result.recommended}" in found.text


def test_a_fleet_beyond_a_limit_must_not_be_signed() -> None:
    found = findings(request(("finance: {", "site: {power_limit: 1 kW}\nfinance: {")))
    assert by_rule(found)["Fleet"].text.startswith("own is not ranked (limit exceeded): ")
    assert status(found) == "Do not sign: fleet"


def test_a_fleet_that_cannot_do_the_work_is_refused() -> None:
    text = BASE + "  - {id: card, buy: {system: ws-1x5090}, precision: int4, count: 1}\n"
    with pytest.raises(ScenarioError, match="card cannot be requested, it cannot do the work: does not fit"):
        request(fleet="card", text=text)
    with pytest.raises(ScenarioError, match="did you mean `cloud`"):
        request(fleet="clout", text=text)


def test_failed_checks_say_do_not_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "checks", lambda _: [Check("Sums tie", 2, ["own"], 0.1)])
    found = findings(request())
    assert status(found) == "Do not sign: checks"
    assert "Sums tie" in by_rule(found)["Checks"].text


def test_what_is_not_stated_is_told_and_never_invented() -> None:
    bare = findings(request(fleet="own", text=changed((REQUEST, ""))))
    open_rules = {one.rule for one in bare if one.state == "not stated"}
    assert open_rules == {"Budget", "Date", "Quotes", "Approvers"}
    found = request(text=changed((REQUEST, "")))
    assert {
        alert.code for alert in told(found, bare) if "not stated" in alert.text or "names nobody" in alert.text
    } == {"request-open"}


def test_alerts_are_those_of_the_rules_that_are_not_met() -> None:
    found = request(("{amount: 2000000 USD,", "{amount: 1 USD,"))
    alerts = list(told(found, [one for one in findings(found) if one.rule == "Budget"]))
    assert [(one.code, one.fleet) for one in alerts] == [("request-rule", "own")]
    assert alerts[0].text.startswith("Budget: the amount is ")


def test_ready_is_said_only_when_every_rule_is_met() -> None:
    every = [replace(one, state="met") for one in findings(request())]
    assert status(every) == "Ready to sign: every rule is met"
    assert status([*every, Finding("X", "not stated", "")]).startswith("Every rule that could be checked is met")
    assert status([*every, Finding("X", "not met", "")]) == "Not ready to sign: x"


@pytest.mark.parametrize(
    ("pair", "place"),
    [
        (
            ("limit: 2 MUSD", "limit: 2 MGBP"),
            "request.approvers.3.limit: is in GBP, the scenario in USD; state `fx: {GBP",
        ),
        (
            ("{from: 50000 USD, quotes: 2}", "{from: 1000 USD, quotes: 2}"),
            "request.quote_rule.2.from: a rule from 1,000.00",
        ),
        (("{from: 1000 USD, quotes: 1}", "{from: 1000 USD, quotes: -1}"), "request.quote_rule.1.quotes"),
        (("limit: 2 MUSD", "limit: 2 kg"), "request.approvers.3.limit"),
        (("needed_by: 2027-03-01", "needed_by: soon"), "request.needed_by"),
        (("  quote_rule", "    - {role: More}\n" * 5 + "  quote_rule"), "request.approvers: 9 approvers"),
    ],
)
def test_mistakes_have_a_place(pair: tuple[str, str], place: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        loads(changed(pair)).check()
    assert place in str(caught.value)
