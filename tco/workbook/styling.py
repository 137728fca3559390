"""What XlsxWriter does not do by itself: named cell styles ("tco input", "tco link" …) and formulas taken as they are.

This reaches into its inner methods; tests read styles and formulas back, so a release that moves them is noticed.
"""

# pyright: basic
from __future__ import annotations

from typing import Any

from xlsxwriter.packager import Packager
from xlsxwriter.styles import Styles, XFormatType
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet


class Page(Worksheet):
    """A worksheet that takes formulas as they are: ours use only functions of 2007, which need no prefix.

    Looking for newer functions with thirty patterns takes most of the time of a workbook of 20,000 formulas.
    """

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        return formula.removeprefix("=")


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
