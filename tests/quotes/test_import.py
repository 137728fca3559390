"""Suppliers' files: read to the cent, or refused by name with the address of the cell."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tco.errors import ScenarioError
from tco.importing import ImportRefused
from tco.importing.quotes import Asked, ReadOffer, add_offer, offer_from_file
from tco.scenario.reading import read_text
from tco.session import loads
from tests.quotes.shop import TEXT, changed
from tests.quotes.supplier import FIRST, ITEMS, german, workbook

SUPPLIER = {"supplier": "Nordrack"}


def asked(**more: Any) -> Asked:
    return Asked(told={**SUPPLIER, **more.pop("told", {})}, **more)


def read_as(path: Path, **more: Any) -> ReadOffer:
    return offer_from_file(path, asked(**more))


def refused(path: Path, **more: Any) -> str:
    with pytest.raises(ImportRefused) as caught:
        read_as(path, **more)
    return str(caught.value)


def cell(place: str, value: Any) -> Callable[[Any], None]:
    def change(sheet: Any) -> None:
        sheet[place] = value

    return change


# --- the case of a user: German, expired ---


def test_a_german_quotation_is_read_to_the_cent_and_its_choices_are_told(tmp_path: Path) -> None:
    offer = read_as(german(tmp_path))
    assert (offer.net, offer.currency) == (Decimal("645081.000"), "EUR")
    assert [(item["quantity"], item["price"]) for item in offer.items] == [
        ("2", "265450 EUR"), ("2", "38900.5 EUR"), ("24", "1120 EUR"), ("1", "12500 EUR"), ("1", "-3000 EUR"),
    ]  # fmt: skip
    assert offer.items[0]["item"] == '"GPU-Server 8-fach; 8 HE, inkl. 3 Jahre Wartung"'
    assert offer.fields == {
        "supplier": "Nordrack", "number": "A-2026-118", "date": "2026-11-16", "valid_until": "2026-11-30",
        "terms": "2 % Skonto bei Zahlung binnen 10 Tagen",
    }  # fmt: skip
    told = "\n".join(offer.notes)
    assert "read as Windows-1252" in told
    assert "columns are separated by semicolons" in told
    assert "the decimal mark is the comma, as in D6 `265.450,00`; it settles 1.120, 26.880, -3.000" in told
    assert "VAT of 122565.39 is recoverable and not taken over" in told
    assert "E13: `Summe brutto` 767646.39 ties" in told
    assert "B14: words only, not counted: `2 % Skonto bei Zahlung binnen 10 Tagen`" in told


def test_its_net_enters_the_model_and_its_end_is_told(tmp_path: Path) -> None:
    offer = read_as(german(tmp_path), told={"fleet": "own"})
    text = add_offer(read_text(changed(("award: {own: N-118}", "award: {own: {to: A-2026-118, reason: im04}}"))), offer)
    result = loads(text.replace("count: 4}", "count: 2}")).run()
    capital: Any = result.by_id["own"].values["capital_cost"]
    assert float(capital.sum()) == pytest.approx(703138.29, abs=0.005)  # 645,081 EUR x 1.09
    expired = [alert.text for alert in result.warnings if alert.code == "quote-expired"]
    assert expired == ["quote A-2026-118 of Nordrack was valid until 2026-11-30, 5 days before 2026-12-05"]


# --- workbooks ---


def test_a_workbook_is_read_and_its_heads_are_told(tmp_path: Path) -> None:
    offer = read_as(workbook(tmp_path))
    assert offer.fields["number"] == "N-118"
    assert [item["carries"] for item in offer.items] == ["system", "network", "installation"]
    assert offer.items[0]["part"] == '"NR-8H200"'
    assert any(note.startswith("columns of row 6: item = B `Description`, part = C `Part no.`") for note in offer.notes)


def hide_row(sheet: Any) -> None:
    sheet.row_dimensions[FIRST + 1].hidden = True


def hide_column(sheet: Any) -> None:
    sheet.column_dimensions["E"].hidden = True


def merge(area: str) -> Callable[[Any], None]:
    return lambda sheet: sheet.merge_cells(area)


def total(label: str, amount: float) -> Callable[[Any], None]:
    return lambda sheet: sheet.append([None, None, None, None, label, amount])


REFUSED: list[tuple[Callable[[Any], None], str]] = [
    (hide_row, "Offer!8:8: the row is hidden; show it in the file, or state `--hidden read` or `skip`"),
    (hide_column, "Offer!E6: the column of the price is hidden"),
    (merge("B7:B8"), "Offer!B7:B8: cells are merged over item; unmerge and fill"),
    (merge("D7:E7"), "Offer!E7: the price is missing (D7:E7 is merged)"),
    (cell("F8", "=D8*E8"), "Offer!F8: holds a formula whose value is not stored"),
    (cell("E8", "#N/A"), "Offer!E8: holds the error #N/A"),
    (cell("E8", "1.234"), "Offer!E8: `1.234` may be 1234 or 1.234; state `--decimal .` or `--decimal ,`"),
    (cell("E8", "on request"), "Offer!E8: `on request` is no price; wanted a number for `Switch 400G`"),
    (cell("D8", None), "Offer!D8: the quantity is missing; wanted a number for `Switch 400G`"),
    (cell("D8", -2), "Offer!D8: the quantity is -2; wanted one above 0"),
    (cell("B8", None), "Offer!B8: the item is missing"),
    (cell("F8", 77800), "Offer!F8: 77800 is not 2 x 38900.5 = 77801.0; correct the file, or state net"),
    (cell("C9", "SW-64"), "Offer!B9: part `SW-64` stands at Offer!B8 too; remove one, or state `--keep-"),
    (cell("B8", "Blue box"), "Offer!B8: which price `Blue box` carries is not clear; state `--carries"),
    (cell("B8", "Support"), "Offer!B8: for how long `Support` is paid is not told; state `--term"),
    (total("Subtotal", 99), "Offer!F10: `Subtotal` is 99, the lines above give 1152101"),
    (total("Total", 1152100), "Offer!F10: `Total` is 1152100, the lines above give 1152101"),
    (cell("B3", "31/02/2026"), "Offer!B3: `31/02/2026` is no day of the calendar"),
    (cell("B2", "03/04/2026"), "Offer!B2: `03/04/2026` may be day or month first; state `--date-order dmy`"),
    (cell("B2", 46342), "Offer!B2: 46342 is a number and no date"),
    (cell("B4", "XYZ"), "`XYZ` is not a currency known here"),
    (cell("E8", "38900.50 USD"), "prices are in EUR (stated) and USD (Offer!E8); an offer is in one currency"),
    (cell("B1", None), "the number of the offer is not told by the file; state `--number NUMBER`"),
    (cell("E6", "Price of one"), "no row has heads for price; row 6 has `Pos`, `Description`"),
    (cell("F6", "Price"), "E `Unit price` and F `Price` may be the price; state `--map price=HEAD`"),
]


@pytest.mark.parametrize(("change", "text"), REFUSED, ids=[text for _, text in REFUSED])
def test_what_cannot_be_relied_on_is_refused_with_its_cell(change: Any, text: str, tmp_path: Path) -> None:
    assert text in refused(workbook(tmp_path, change))


def test_a_sign_beside_a_price_and_a_title_over_columns_are_read(tmp_path: Path) -> None:
    def change(sheet: Any) -> None:
        sheet["E8"] = "38900.50 $"
        sheet.append([None, "Total net", None, None, None, 1152101])
        sheet.merge_cells("B10:E10")

    assert read_as(workbook(tmp_path, change)).items[1]["price"] == "38900.5 EUR"


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    def change(sheet: Any) -> None:
        sheet["D7"], sheet["E8"], sheet["F9"] = None, "#REF!", 1

    told = refused(workbook(tmp_path, change))
    assert all(f"Offer!{place}: " in told for place in ("D7", "E8", "F9"))
    assert all(line.startswith("offer.xlsx: ") for line in told.splitlines())


@pytest.mark.parametrize(("hidden", "count"), [("read", 3), ("skip", 2)])
def test_hidden_rows_are_read_or_skipped_as_stated(hidden: str, count: int, tmp_path: Path) -> None:
    path = workbook(tmp_path, lambda sheet: setattr(sheet.row_dimensions[FIRST + 1], "hidden", True))
    assert len(read_as(path, hidden=hidden).items) == count


def test_hidden_sheets_are_told_and_never_read(tmp_path: Path) -> None:
    def change(sheet: Any) -> None:
        other = sheet.parent.create_sheet("Margins")
        other["A1"], other.sheet_state = "secret", "veryHidden"

    path = workbook(tmp_path, change)
    assert "hidden and not read: sheet `Margins`" in read_as(path).notes
    assert "the sheet `Margins` is hidden" in refused(path, sheet="Margins")


def test_of_several_sheets_one_is_stated(tmp_path: Path) -> None:
    path = workbook(tmp_path, lambda sheet: sheet.parent.create_sheet("Terms").append(["x"]))
    assert "has 2 sheets with content (`Offer`, `Terms`); state `--sheet`" in refused(path)
    assert len(read_as(path, sheet="Offer").items) == 3


def test_numbers_stored_as_text_are_read_and_told(tmp_path: Path) -> None:
    path = workbook(tmp_path, lambda sheet: [sheet.__setitem__("E7", "265,450.00"), sheet.__setitem__("D8", "2")])
    offer = read_as(path)
    assert offer.items[0]["price"] == "265450 EUR"
    assert any(note.startswith("numbers stored as text") for note in offer.notes)
    assert any(note.startswith("the decimal mark is the point, as in Offer!E7") for note in offer.notes)


@pytest.mark.parametrize(
    ("text", "mark", "number"),
    [
        ("1.234", ".", "1.234"), ("1.234", ",", "1234"), ("1'234.50", "", "1234.5"), ("1 234,50 €", "", "1234.5"),
        ("(1,234.50)", "", "-1234.5"), ("1.234.567", "", "1234567"), ("EUR 12,5", "", "12.5"),
        ("1.234,50-", "", "-1234.5"), ("0.125", "", "0.125"), ("1.234,-", ",", "1234"),
    ],
)  # fmt: skip
def test_numbers_as_suppliers_write_them(text: str, mark: str, number: str, tmp_path: Path) -> None:
    items = [*ITEMS, [4, "Discount", None, 1, text, None], [5, "Server", None, 1, 9e6, None]]
    assert read_as(workbook(tmp_path, items=items), decimal=mark).items[3]["price"] == f"{number} EUR"


def test_two_decimal_marks_in_one_file_are_refused(tmp_path: Path) -> None:
    path = workbook(
        tmp_path, lambda sheet: [sheet.__setitem__("E7", "265.450,00"), sheet.__setitem__("E8", "38,900.50")]
    )
    assert "Offer!E8: `38,900.50` has a decimal point and Offer!E7 `265.450,00` a decimal comma" in refused(path)


def test_dates_of_a_mac_count_from_1904(tmp_path: Path) -> None:
    from openpyxl.utils.datetime import CALENDAR_MAC_1904

    def change(sheet: Any) -> None:
        sheet.parent.epoch = CALENDAR_MAC_1904
        sheet["B2"], sheet["B3"] = datetime.date(2026, 11, 16), datetime.date(2026, 12, 31)

    offer = read_as(workbook(tmp_path, change))
    assert (offer.fields["date"], offer.fields["valid_until"]) == ("2026-11-16", "2026-12-31")
    assert any("1904" in note for note in offer.notes)


def test_sums_tie_and_are_not_counted_twice(tmp_path: Path) -> None:
    items = [ITEMS[0], [None, None, None, None, "Subtotal", 1061800], [], *ITEMS[1:],
             ["", "Discount 1 %", None, None, None, -11521.01], [None, None, None, None, "Total net", 1140579.99],
             [None, "VAT 19 %", None, None, None, 216710.2], [None, None, None, None, "Grand total", 1357290.19],
             [None, "Payment within 30 days"], [None, "Lead time: 10 weeks"]]  # fmt: skip
    offer = read_as(workbook(tmp_path, items=items))
    assert offer.net == Decimal("1140579.99")
    assert offer.items[3]["price"] == "-11521.01 EUR"
    assert offer.fields["lead_time"] == "10 week"
    assert "Payment within 30 days" in offer.fields["terms"]
    late = [*items, [9, "Optional switch", None, 1, 5, 5]]
    assert "an item stands below the total of Offer!F13" in refused(workbook(tmp_path, items=late))


def test_what_the_caller_states_wins(tmp_path: Path) -> None:
    def change(sheet: Any) -> None:
        sheet["B8"], sheet["E6"], sheet["B9"] = "Blue box", "Ours", "Care for 36 months"

    offer = read_as(
        workbook(tmp_path, change), columns={"price": "ours"}, carries={"blue": "storage", "B9": "support"},
        told={"number": "X-1", "date": "2026-11-02", "systems": "4"},
    )  # fmt: skip
    assert [item["carries"] for item in offer.items] == ["system", "storage", "support"]
    assert offer.items[2]["term"] == "36 month"
    assert (offer.fields["number"], offer.fields["date"], offer.fields["systems"]) == ("X-1", "2026-11-02", "4")
    assert "`price` is not" not in str(offer.notes)


def test_parts_may_stand_twice_when_that_is_stated_and_gifts_carry_nothing(tmp_path: Path) -> None:
    items = [*ITEMS, [4, "Switch 400G", "SW-64", 1, 0, 0]]
    offer = read_as(workbook(tmp_path, items=items), keep_duplicates=True)
    assert (offer.items[3]["carries"], offer.items[3]["note"]) == ("nothing", '"free of charge"')


def test_a_hostile_workbook_is_refused_before_a_reader_opens_it(tmp_path: Path) -> None:
    import zipfile

    path = workbook(tmp_path)
    with zipfile.ZipFile(path, "a") as book:
        book.writestr("xl/vbaProject.bin", b"x")
    with pytest.raises(ScenarioError, match="macros"):
        read_as(path)


@pytest.mark.parametrize(
    "text", ["=1+1", "http://example.com", "<script>x</script>", '"}, {x: 1', "a: b # c", "'", "{{ 7 }}"]
)
def test_text_of_a_supplier_stays_text(text: str, tmp_path: Path) -> None:
    def change(sheet: Any) -> None:
        for place in ("B1", "B7", "C7"):
            sheet[place].value, sheet[place].data_type = text, "s"

    offer = read_as(workbook(tmp_path, change), carries={"B7": "system"}, told={"supplier": text, "terms": text})
    data: Any = read_text(offer.yaml).data["quotes"]["offers"][0]
    assert [data["supplier"], data["number"], data["terms"], data["items"][0]["item"], data["items"][0]["part"]] == [
        text
    ] * 5


# --- into a scenario ---


def test_an_offer_is_added_behind_the_others_and_comments_stay(tmp_path: Path) -> None:
    text = TEXT.replace("  award:", "  # who gets it\n  award:").replace(
        "carries: network}\n  #", "carries: network} # all\n  #"
    )
    offer = read_as(workbook(tmp_path), told={"fleet": "own", "number": "N-200"})
    new = add_offer(read_text(text), offer)
    assert new.replace(offer.block("    "), "") == text
    assert [one.number for one in loads(new).content.quotes.offers] == ["N-118", "M-7", "N-200"]  # type: ignore[union-attr]
    with pytest.raises(ScenarioError, match="an offer with the number `N-200` stands here already"):
        add_offer(read_text(new), offer)


def test_the_first_offer_brings_its_section(tmp_path: Path) -> None:
    bare = TEXT[: TEXT.index("quotes:")] + TEXT[TEXT.index("fleets:") :]
    new = add_offer(read_text(bare), read_as(workbook(tmp_path), told={"fleet": "own"}))
    assert new.startswith(bare.rstrip())
    assert len(loads(new).content.quotes.offers) == 1  # type: ignore[union-attr]


def test_offers_in_brackets_are_left_alone(tmp_path: Path) -> None:
    text = "quotes: {offers: [{supplier: a, number: b, date: 2026-01-01, items: []}]}\n"
    with pytest.raises(ScenarioError, match="paste the offer by hand"):
        add_offer(read_text(text), read_as(workbook(tmp_path)))
