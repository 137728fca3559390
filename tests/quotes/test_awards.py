"""Awarded offers are the prices of the model, to the cent; what does not hold is told."""

from __future__ import annotations

import numpy as np
import pytest

from tco.errors import ScenarioError
from tco.result import Result
from tests.quotes.shop import changed, ran

AWARD = "award: {own: N-118}"
SPLIT = (AWARD, "award: {own: {split: {N-118: 3 system, M-7: 1 system}, reason: two sources}}")
IN_DOLLARS = ("350000 USD", "350000 EUR"), ("60000 USD", "60000 EUR")
FIRST = "fleet: own\n      items:\n        - {item: GPU"
BUYS = "buy: {system: hgx-h200-srv"


def paid(result: Result, line: str, fleet: str = "own") -> float:
    """A line of cost, all periods."""
    return float(np.sum(np.asarray(result.by_id[fleet].values[line])))


def told(result: Result, code: str) -> list[str]:
    return [alert.text for alert in result.warnings if alert.code == code]


def refused(*pairs: tuple[str, str]) -> str:
    with pytest.raises(ScenarioError) as caught:
        ran(*pairs)
    return str(caught.value)


def test_capital_lines_are_the_bill_of_materials_to_the_cent() -> None:
    result = ran()
    assert paid(result, "hardware_cost") == pytest.approx((4 * 265450 - 3000) * 1.09, abs=0.005)
    assert paid(result, "network_cost") == pytest.approx((2 * 38900.5 + 24 * 1120) * 1.09, abs=0.005)
    assert paid(result, "quoted_installation_cost") == pytest.approx(12500 * 1.09, abs=0.005)
    assert paid(result, "capital_cost") == pytest.approx(
        1175981 * 1.09, abs=0.005
    )  # 4 x 265450 - 3000 + 104681 + 12500
    assert paid(result, "support_cost") == pytest.approx(4 * 9600 / 3 * 2 * 1.09, abs=0.005)  # two of three years
    assert not told(result, "quote-quantity")


def test_prices_tell_who_quoted_them_and_when() -> None:
    figure = ran().by_id["own"].inputs["system_price_quoted"]
    assert figure.source == "quote N-118 of Nordrack, 2026-11-16"
    assert (figure.status, figure.as_of, figure.valid_until) == ("quote", "2026-11-16", "2026-12-31")
    assert (figure.number, figure.unit) == ((4 * 265450 - 3000) / 4, "EUR/system")


def test_the_share_for_all_fleets_gives_way_and_is_not_called_left_out() -> None:
    fleet = ran().by_id["own"]
    assert "installation_cost" not in fleet.values
    assert "Installation" not in fleet.left_out


def test_a_split_pays_what_both_ask() -> None:
    result = ran(SPLIT, *IN_DOLLARS)
    wanted = 3 / 4 * (4 * 265450 - 3000) + 350000
    assert paid(result, "hardware_cost") == pytest.approx(wanted * 1.09, abs=0.005)
    assert paid(result, "network_cost") == pytest.approx((3 / 4 * 104681 + 15000) * 1.09, abs=0.005)
    assert paid(result, "quoted_installation_cost") == pytest.approx(3 / 4 * 12500 * 1.09, abs=0.005)
    source = result.by_id["own"].inputs["system_price_quoted"].source
    assert source == "quote N-118 of Nordrack, 2026-11-16 and quote M-7 of Meridian, 2026-11-20"


def test_two_offers_that_carry_different_prices_are_both_taken() -> None:
    bare = ("        - {item: HGX H200, quantity: 4, price: 350000 USD, carries: system}\n", "")
    only = (
        "fleet: own\n      items:\n        - {item: Network",
        "fleet: own\n      systems: 4\n      items:\n        - {item: Network",
    )
    lean = (
        "carries: network}\n        - {item: Transceiver, part: OSFP, quantity: 24, price: 1120 EUR, carries: network}",
        "carries: management}",
    )
    result = ran(bare, only, lean, (AWARD, "award: {own: {to: [N-118, M-7]}}"))
    assert paid(result, "network_cost") == pytest.approx(60000, abs=0.005)
    assert paid(result, "management_cost") == pytest.approx(77801 * 1.09, abs=0.005)


def test_without_an_award_no_offer_counts_and_that_is_told() -> None:
    result = ran(("  award: {own: N-118}\n", ""))
    assert result.by_id["own"].inputs["system_price"].origin.startswith("catalogue")
    assert told(result, "quote-not-awarded") == ["no offer is awarded, so that none counts (N-118, M-7)"]


@pytest.mark.parametrize(
    ("pairs", "code", "text"),
    [
        (
            [("valid_until: 2026-12-31", "valid_until: 2026-11-30")],
            "quote-expired",
            "quote N-118 of Nordrack was valid until 2026-11-30, 5 days before 2026-12-05",
        ),
        (
            [],
            "quote-ends-early",
            "quote N-118 of Nordrack is valid until 2026-12-31; for 2027-04 it is ordered by 2027-04-01",
        ),
        ([("count: 4", "count: 6")], "quote-quantity", "too few: quoted for 4 systems"),
        ([("count: 4", "count: 2")], "quote-quantity", "too many: quoted for 4 systems"),
        (
            [(FIRST, FIRST.replace("own", "own\n      lead_time: 20 week"))],
            "quote-terms",
            "systems come on 2027-04-24, after the start in 2027-04",
        ),
        (
            [(FIRST, FIRST.replace("own", "own\n      warranty: 5 yr"))],
            "quote-terms",
            "offers a warranty of 5 yr, the model counts 3 yr",
        ),
    ],
)
def test_what_does_not_hold_is_told(pairs: list[tuple[str, str]], code: str, text: str) -> None:
    found = told(ran(*pairs), code)
    assert len(found) == 1
    assert text in found[0]


def test_a_framework_for_later_orders_is_not_too_many() -> None:
    assert not told(ran(("count: 4}", "count: {after: [0 yr, 1 yr], count: [2, 4]}}")), "quote-quantity")


def test_the_clock_is_never_asked() -> None:
    """The day is the scenario's: an offer of another century holds when the scenario's day is of that time."""
    old = [("2026-", "1999-"), ("2027-04", "2000-04")]
    assert not told(ran(*old), "quote-expired")


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        (
            [(BUYS, f"{BUYS}, price: 300000 USD/system")],
            "fleets.own.buy.price: is stated here and by an awarded offer (quotes.offers.1.items.1.price, line 22)",
        ),
        (
            [("count: 4}", "count: 4, pricing: {network: 900 USD/gpu}}")],
            "fleets.own.pricing.network: is stated here and by",
        ),
        ([("count: 4}", "count: 4, pricing: {installation: 2 %}}")], "own.pricing.installation: is stated here"),
        (
            [("count: 4}", "count: 4, inputs: {support_price: 90 USD/gpu/yr}}")],
            "is stated here and by an awarded offer",
        ),
        (
            [("fleets:\n", "pin: {own: {hardware_cost: 1000 USD}}\nfleets:\n")],
            "pin.own.hardware_cost: is stated here and by",
        ),
        ([("warranty: 3 yr}", "sunk: paid}")], "fleets.own.buy.sunk: is stated here and by"),
        ([(AWARD, "award: {own: M-7}")], "M-7 asks 365,000.00 USD a system, N-118 330,918.82: say why in `reason`"),
        ([(AWARD, "award: {own: N-119}")], "`N-119` is not the number of an offer for own; there are N-118, M-7"),
        ([(AWARD, "award: {cloud: N-118}")], "there is no offer for `cloud`; there are offers for own"),
        (
            [(AWARD, "award: {own: {to: [N-118, M-7], reason: both}}")],
            "N-118 and M-7 both carry `system_price`; share the systems with `split",
        ),
        ([SPLIT], "N-118 and M-7 carry `system_price` in EUR and USD, which is not one price"),
        ([(AWARD, "award: {own: {split: {N-118: 9 system}}}")], "9 systems are more than the 4 of offer N-118"),
        ([(AWARD, "award: {own: {reason: none}}")], "nobody gets the order; state `to` or `split`"),
        ([("number: M-7", "number: N-118")], "`N-118` is the number of offer 1 too"),
        (
            [("valid_until: 2026-12-15", "valid_until: 2026-11-15")],
            "2026-11-15 lies before the offer's `date`, 2026-11-20",
        ),
        ([("price: 1120 EUR", "price: 1120 USD")], "prices are in EUR and USD; an offer is in one currency"),
        ([("60000 USD", "60000 GBP"), ("350000 USD", "350000 GBP")], "state `fx: {GBP: … USD/GBP}`"),
        ([("price: 1120 EUR", "price: 1120")], "`1120` has no unit; wanted"),
        ([("carries: support, term: 3 yr", "carries: support")], "`support` is paid for a time; state `term`"),
        (
            [("carries: installation", "carries: installation, term: 3 yr")],
            "`installation` is paid once; leave `term` out",
        ),
        ([(", note: a gift", "")], "a line that carries no price needs a `note` that says why"),
        ([("-3000 EUR", "-3000000 EUR")], "a price is above zero: let a discount carry what it lowers"),
        ([("fleet: own", "fleet: owns")], "`owns` is not a fleet; did you mean `own`?"),
        ([("fleet: own", "fleet: cloud")], "`cloud` is not bought"),
        ([("      fleet: own\n", "")], "no fleet is named; state `fleet` here or for the whole offer"),
        (
            [("carries: system}", "carries: component}")],
            "for how many systems of own this is, is not known; state `systems`",
        ),
        (
            [
                ("carries: system}\n        - {item: Network", "carries: nothing, note: a}\n        - {item: Network"),
                ("60000 USD, carries: network", "60000 USD, carries: nothing, note: b"),
            ],
            "no line carries a price of own; let one carry what it is, or leave this offer out",
        ),
        ([("quantity: 24", "quantity: 0")], "`0` is not above 0"),
        ([("carries: network", "carries: switches")], "switches"),
        ([("price: 1120 EUR", "price: {value: 1120 EUR, note: cheap}")], "state the amount alone"),
    ],
)
def test_what_contradicts_is_refused_by_name(pairs: list[tuple[str, str]], text: str) -> None:
    assert text in refused(*pairs)


def test_a_price_for_all_fleets_serves_those_without_an_offer() -> None:
    general = ("pricing: {installation: 3 %}", "pricing: {installation: 3 %, network: 900 USD/gpu}")
    more = ("  - {id: cloud", "  - {id: other, buy: hgx-h200-srv, precision: fp8, count: 1}\n  - {id: cloud")
    result = ran(general, more)
    assert paid(result, "network_cost") == pytest.approx(104681 * 1.09, abs=0.005)
    assert paid(result, "network_cost", "other") == pytest.approx(8 * 900)
    assert paid(result, "installation_cost", "other") > 0


def test_a_price_that_the_catalogue_system_holds_already_is_refused() -> None:
    """A rack-scale system's own price holds its network; an offer for the network alone would count it twice."""
    lean = changed(
        ("system: hgx-h200-srv", "system: gb300-nvl72"),
        ("carries: system", "carries: racks"),
        ("price: -3000", "price: -1"),
        ("      fleet: own\n", "      fleet: own\n      systems: 4\n"),
    )
    from tco.session import loads

    with pytest.raises(ScenarioError, match=r"holds its .* already; leave this out"):
        loads(lean).run()
