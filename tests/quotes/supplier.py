"""Quote files as suppliers send them, made anew for each test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl

HEADS = ["Pos", "Description", "Part no.", "Qty", "Unit price", "Amount"]
ITEMS: list[list[Any]] = [
    [1, "GPU server, 8 x H200", "NR-8H200", 4, 265450, 1061800],
    [2, "Switch 400G", "SW-64", 2, 38900.5, 77801],
    [3, "Installation", None, 1, 12500, 12500],
]
ABOVE: list[list[Any]] = [
    ["Quotation no.", "N-118"],
    ["Date", "2026-11-16"],
    ["Valid until", "2026-12-31"],
    ["Currency", "EUR"],
]
FIRST = len(ABOVE) + 3
"""The row of the first item; the heads stand above it."""


def workbook(folder: Path, change: Callable[[Any], object] | None = None, items: list[list[Any]] | None = None) -> Path:
    """An offer of three lines and a total, changed before it is saved."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Offer"
    for row in [*ABOVE, [], HEADS, *(ITEMS if items is None else items)]:
        sheet.append(row)
    if change:
        change(sheet)
    path = folder / "offer.xlsx"
    book.save(path)
    return path


def german(folder: Path) -> Path:
    """The case im04 of users: Windows-1252, semicolons, decimal commas, thousands without decimals, expired."""
    text = """Angebot Nr.;A-2026-118;;;;
Datum;16.11.2026;;gültig bis;30.11.2026;
Währung;EUR;;Preise netto zzgl. USt;;
;;;;;
Pos;Artikel;Menge;Einzelpreis;Gesamtpreis;USt
1;"GPU-Server 8-fach; 8 HE, inkl. 3 Jahre Wartung";2;265.450,00;530.900,00;19 %
2;"Switch 400G, 64 Ports";2;38.900,5;77.801,00;19 %
3;Transceiver OSFP 400G;24;1.120;26.880;19 %
4;Montage und Inbetriebnahme;1;12.500,00 €;12.500,00 €;19 %
5;Projektrabatt;1;-3.000;-3.000;19 %
;;;Summe netto;645.081,00;
;;;USt 19 %;122.565,39;
;;;Summe brutto;767.646,39;
;2 % Skonto bei Zahlung binnen 10 Tagen;;;;
"""
    path = folder / "angebot_gpu_cluster.csv"
    path.write_bytes(text.replace("\n", "\r\n").encode("cp1252"))
    return path
