"""What XlsxWriter does not do by itself: named cell styles ("tco input", "tco link" …) and many cells in little time.

This reaches into its inner methods; tests read styles and formulas back, so a release that moves them is noticed.
"""

# pyright: basic
from __future__ import annotations

import functools
from typing import Any

from xlsxwriter.packager import Packager
from xlsxwriter.sharedstrings import SharedStrings
from xlsxwriter.styles import Styles, XFormatType
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import (
    CellBlankTuple,
    CellFormulaTuple,
    CellNumberTuple,
    CellStringTuple,
    Worksheet,
)

ERRORS = ("#DIV/0!", "#NUM!", "#VALUE!", "#N/A", "#REF!", "#NAME?", "#NULL!")


class Page(Worksheet):
    """A worksheet whose cells are put and written without the steps that ours do not need: half the time of a workbook.

    Rows and columns count from 0. Formulas are taken as they are: ours use only functions of 2007, which need no
    prefix. Rows and columns have no format, and texts are cut to what a cell holds.
    """

    str_table: Any

    def put_text(self, row: int, column: int, text: str, style: Any) -> None:
        """Put a text."""
        self.table[row][column] = CellStringTuple(self.str_table._get_shared_string_index(text), style)

    def put_number(self, row: int, column: int, number: float, style: Any) -> None:
        """Put a number."""
        self.table[row][column] = CellNumberTuple(number, style)

    def put_formula(self, row: int, column: int, formula: str, value: float | str, style: Any) -> None:
        """Put a formula and the value that it gives."""
        self.table[row][column] = CellFormulaTuple(formula, style, value)

    def put_blank(self, row: int, column: int, style: Any) -> None:
        """Put a look."""
        self.table[row][column] = CellBlankTuple(style)

    def fits(self) -> bool:
        """Take note of the corners of what was put; whether a sheet reaches that far."""
        rows = [row for row, cells in self.table.items() if cells]
        columns = {column for row in rows for column in self.table[row]}
        corners = [(min(rows), min(columns)), (max(rows), max(columns))] if rows else []
        return not any(self._check_dimensions(*corner) for corner in corners)

    def _write_rows(self) -> None:
        self._calculate_spans()
        write, looks = self.fh.write, {None: ""}
        for row in sorted({*self.row_info, *(row for row, cells in self.table.items() if cells)}):
            cells, look = self.table.get(row) or {}, self.row_info.get(row)
            self._write_row(row, self.row_spans.get(row // 16), look, empty_row=not cells)
            for column in sorted(cells):
                cell = cells[column]
                if cell.format not in looks:
                    looks[cell.format] = f' s="{cell.format._get_xf_index()}"'
                write(f'<c r="{_letters(column)}{row + 1}"{looks[cell.format]}{_content(cell)}')
            if cells:
                write("</row>")

    def _calculate_spans(self) -> None:
        found: dict[int, set[int]] = {}
        for row, cells in self.table.items():
            found.setdefault(row // 16, set()).update(cells)
        self.row_spans = {part: f"{min(columns) + 1}:{max(columns) + 1}" for part, columns in found.items() if columns}


_letters = functools.cache(xl_col_to_name)


def _content(cell: Any) -> str:
    """What follows the place and the look of a cell, the same as XlsxWriter writes it."""
    kind = cell.__class__
    if kind is CellStringTuple:
        return f' t="s"><v>{cell.string}</v></c>'
    if kind is CellFormulaTuple:
        value = cell.value
        if isinstance(value, str):
            stands = ' t="e"' if value in ERRORS else ' t="str"' if value else ""
            return f"{stands}><f>{_escaped(cell.formula)}</f><v>{_escaped(value)}</v></c>"
        return f"><f>{_escaped(cell.formula)}</f><v>{value}</v></c>"
    return f"><v>{cell.number:.16G}</v></c>" if kind is CellNumberTuple else "/>"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class StyledWorkbook(Workbook):
    """A workbook whose formats belong to named styles."""

    def __init__(self, *arguments: Any) -> None:
        self.style_of: dict[int, str] = {}
        super().__init__(*arguments)

    def named_format(self, style: str, look: dict[str, Any]) -> Any:
        """A format that is shown under the style's name."""
        made = self.add_format(look)
        self.style_of[id(made)] = style
        return made

    def _get_packager(self) -> Packager:
        return _StyledPackager()


class _StyledPackager(Packager):
    def _write_styles_file(self) -> None:
        book: Any = self.workbook
        styles = _NamedStyles(book.style_of)
        styles._set_style_properties(
            [
                book.xf_formats, book.palette, book.font_count, book.num_formats, book.border_count, book.fill_count,
                book.custom_colors, book.dxf_formats, book.has_comments,
            ]
        )  # fmt: skip
        styles._set_xml_writer(self._filename("xl/styles.xml"))
        styles._assemble_xml_file()

    def _write_shared_strings_file(self) -> None:
        book: Any = self.workbook
        texts = _Texts()
        texts.string_table = book.str_table
        texts._set_xml_writer(self._filename("xl/sharedStrings.xml"))
        texts._assemble_xml_file()


class _Texts(SharedStrings):
    """Every text stands for itself; XlsxWriter takes one from `<r>` to `</r>` for its own XML."""

    fh: Any

    def _write_si(self, string: str) -> None:
        plain = string.isprintable() and "_x" not in string
        text = _escaped(string if plain else self._escape_control_characters(string))
        space = ' xml:space="preserve"' if string != string.strip() else ""
        self.fh.write(f"<si><t{space}>{text}</t></si>")


class _NamedStyles(Styles):
    """The styles part with one style a role; the first format of a role lends it its look."""

    def __init__(self, style_of: dict[int, str]) -> None:
        super().__init__()
        self.style_of = style_of
        self.leaders: dict[str, Any] = {}

    def _assemble_xml_file(self) -> None:
        first = 2 if self.has_hyperlink else 1
        for made in self.xf_formats:
            name = self.style_of.get(id(made))
            if name and name not in self.leaders:
                self.leaders[name] = made
        places = {name: first + index for index, name in enumerate(self.leaders)}
        for made in self.xf_formats:
            if not made.hyperlink:
                made.xf_id = places.get(self.style_of.get(id(made), ""), 0)
        super()._assemble_xml_file()

    def _write_cell_style_xfs(self) -> None:
        self._xml_start_tag("cellStyleXfs", [("count", len(self.leaders) + (2 if self.has_hyperlink else 1))])
        self._write_xf(self.xf_formats[0], XFormatType.STYLE)
        if self.has_hyperlink:
            self._write_style_xf(True, self.hyperlink_font_id)
        for made in self.leaders.values():
            self._xml_empty_tag(
                "xf",
                [
                    ("numFmtId", 0),
                    ("fontId", made.font_index),
                    ("fillId", made.fill_index),
                    ("borderId", made.border_index),
                ],
            )
        self._xml_end_tag("cellStyleXfs")

    def _write_cell_styles(self) -> None:
        first = 2 if self.has_hyperlink else 1
        self._xml_start_tag("cellStyles", [("count", len(self.leaders) + first)])
        if self.has_hyperlink:
            self._write_cell_style("Hyperlink", 1, 8)
        self._write_cell_style()
        for index, name in enumerate(self.leaders):
            self._xml_empty_tag("cellStyle", [("name", name), ("xfId", first + index)])
        self._xml_end_tag("cellStyles")
