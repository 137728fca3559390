"""What the parts of a workbook hold, seen by a parser that keeps nothing but counts.

Readers of workbooks make a cell for every place up to the last one, so the last place and the areas of merged cells and
links count, not what `<dimension>` claims.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn
from xml.parsers import expat

MOST_CELLS = 800_000
MOST_PLACES = 4_000_000
MOST_ROW_MARKS = 400_000
MOST_ROWS, MOST_COLUMNS = 400_000, 2_000
MOST_SHEETS = 250
DEEPEST = 60
MOST_NAMES = 4_000
LONGEST_MARK = 1_000_000
PLAIN_WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
HYPERLINK = "/relationships/hyperlink"
_ACTIVE = {
    "vbaproject": "macros (VBA)",
    "macroenabled": "macros",
    "macrosheet": "macros (Excel 4)",
    "dialogsheet": "dialog sheets",
    "activex": "ActiveX controls",
    "/control": "controls",
    "controlproperties": "form controls",
    "oleobject": "embedded objects",
    "relationships/package": "embedded files",
    "externallink": "links to other workbooks",
    "sheet.binary": "binary sheets (.xlsb)",
}
_NAMESPACES = (
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "http://purl.oclc.org/ooxml/spreadsheetml/main",
)
_ENCODINGS = ("utf-8", "utf-16", "us-ascii")
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})(?::\$?([A-Z]{1,3})\$?([0-9]{1,7}))?")
_MARKS = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\0<")


class Unsafe(Exception):
    """One sentence on why a workbook is not read."""


class Parts:
    """All parts of one workbook, fed in turn."""

    def __init__(self) -> None:
        self.cells = self.row_marks = self.sheets = self.main = 0
        self.extents: list[tuple[int, int]] = []
        self.noted = (0, 0)
        self.area = 0
        self.columns: dict[str, int] = {}
        self.kinds: dict[str, str] = {}
        self.looks: dict[str, Callable[[dict[str, str]], None]] = {
            "row": self._row, "mergeCell": self._area, "hyperlink": self._area, "comment": self._comment,
            "sheet": self._sheet, "Override": self._content, "Default": self._content, "Relationship": self._relation,
        }  # fmt: skip

    def begin(self, name: str) -> None:
        """A part of this name follows."""
        self.name, self.parser, self.fed, self.depth = name, None, 0, 0
        self.row = self.column = self.last_row = self.last_column = 0
        self.in_rows = self.rooted = False
        self.row_text = ""

    def feed(self, piece: bytes) -> None:
        """The next bytes of the part. Raises Unsafe."""
        if not self.fed and piece and self._is_xml(piece):
            self.parser = self._parser()
        self.fed += len(piece)
        if self.parser is None:
            return
        self._parse(piece, final=False)
        if self.parser and self.fed - self.parser.CurrentByteIndex > LONGEST_MARK:
            self._refuse("a mark that does not end")
        if self.parser and len(self.parser.intern) > MOST_NAMES:
            self._refuse("too many kinds of elements")

    def end(self) -> None:
        """The part is over. Raises Unsafe."""
        if self.parser is not None:
            self._parse(b"", final=True)
        elif self.name.lower().endswith((".xml", ".rels")):
            self._refuse("no XML")
        self.extents.append((self.last_row, self.last_column))

    def check_together(self) -> None:
        """What only the whole workbook shows. Raises Unsafe."""
        if self.main != 1 or not self.sheets:
            raise Unsafe("is not a plain workbook (.xlsx): it must hold one list of sheets, in xl/workbook.xml")
        noted_row, noted_column = self.noted
        places = sum(max(row, noted_row) * max(column, noted_column) for row, column in self.extents if row)
        if places + self.area > MOST_PLACES:
            raise Unsafe(f"spreads over more than {MOST_PLACES:,} cells, filled or not; tco writes no such workbook")

    def _is_xml(self, piece: bytes) -> bool:
        """By its name, or by how it begins: what a reader takes for a sheet may have any name."""
        return self.name.lower().endswith((".xml", ".rels", ".vml")) or piece.lstrip().startswith(_MARKS)

    def _parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate()
        parser.ordered_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._stop
        parser.StartDoctypeDeclHandler = self._doctype
        parser.XmlDeclHandler = self._declared
        return parser

    def _parse(self, piece: bytes, final: bool) -> None:
        assert self.parser
        try:
            self.parser.Parse(piece, final)
        except expat.ExpatError:
            if not self.name.lower().endswith(".vml"):
                self._refuse("broken XML")
            self.parser = None

    def _refuse(self, what: str) -> NoReturn:
        raise Unsafe(f"holds {what} in {self.name[:80]!r}; it is not read")

    def _doctype(self, *_: object) -> None:
        self._refuse("a document type (<!DOCTYPE>), which workbooks do not use,")

    def _declared(self, _version: str, encoding: str | None, _alone: int) -> None:
        if (encoding or "utf-8").lower() not in _ENCODINGS:
            self._refuse("text in an encoding that workbooks do not use")

    def _stop(self, _name: str) -> None:
        self.depth -= 1

    def _start(self, name: str, attributes: list[str]) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            self._refuse(f"elements more than {DEEPEST} deep")
        kind = self.kinds.get(name)
        if kind is None:
            kind = self.kinds[name] = name.rpartition(":")[2]
        if not self.rooted:
            self.rooted = True
            self._root(kind, attributes)
        if kind == "c":
            if self.in_rows:
                self._cell(attributes)
        elif kind == "v" or kind == "f":
            return
        elif (look := self.looks.get(kind)) is not None:
            look(dict(zip(attributes[::2], attributes[1::2], strict=True)))

    def _root(self, kind: str, attributes: list[str]) -> None:
        if self.name == "xl/workbook.xml" and (kind != "workbook" or not set(attributes) & set(_NAMESPACES)):
            raise Unsafe("is not a workbook (an .xlsx file): xl/workbook.xml holds something else")

    # --- cells ---

    def _cell(self, attributes: list[str]) -> None:
        self.cells += 1
        if self.cells > MOST_CELLS:
            raise Unsafe(f"holds more than {MOST_CELLS:,} cells; tco writes no such workbook")
        place = attributes[attributes.index("r") + 1] if "r" in attributes[::2] else ""
        letters = place.rstrip("0123456789")
        if place and place[len(letters) :] != self.row_text:
            self.row_text = place[len(letters) :]
            if not 0 < len(self.row_text) <= 7:
                self._refuse(f"a cell at {place[:20]!r}")
            self.row = int(self.row_text)
        column = self._column(letters) if place else self.column + 1
        self.column = column
        if column > self.last_column or self.row > self.last_row:
            self._reach(self.row, column)

    def _column(self, letters: str) -> int:
        column = self.columns.get(letters)
        if column is None:
            if not re.fullmatch("[A-Z]{1,3}", letters):
                self._refuse(f"a cell in column {letters[:20]!r}")
            column = 0
            for letter in letters:
                column = column * 26 + ord(letter) - 64
            self.columns[letters] = column
        return column

    def _reach(self, row: int, column: int) -> None:
        self.last_row, self.last_column = max(row, self.last_row), max(column, self.last_column)
        if row > MOST_ROWS or column > MOST_COLUMNS or self.last_row * self.last_column > MOST_PLACES:
            self._refuse(f"a cell in row {row:,} and column {column:,}, far beyond any sheet of tco,")

    def _row(self, attributes: dict[str, str]) -> None:
        """An empty row costs its mark only, wherever it says it stands."""
        self.in_rows = True
        self.row_marks += 1
        if self.row_marks > MOST_ROW_MARKS:
            raise Unsafe(f"holds more than {MOST_ROW_MARKS:,} rows; tco writes no such workbook")
        text = attributes.get("r") or str(self.row + 1)
        if len(text) > 7 or not text.isdecimal():
            self._refuse(f"a row {text[:20]!r}")
        self.row, self.row_text, self.column = int(text), text, 0

    def _area(self, attributes: dict[str, str]) -> None:
        """Merged cells and links: a reader visits every cell of them."""
        row, column, size = self._reference(attributes.get("ref", ""))
        self.area += size
        self._reach(row, column)
        if self.area > MOST_PLACES:
            self._refuse("merged cells or links over a huge area")

    def _comment(self, attributes: dict[str, str]) -> None:
        row, column, _ = self._reference(attributes.get("ref", ""))
        self._reach(row, column)
        self.noted = (max(row, self.noted[0]), max(column, self.noted[1]))

    def _reference(self, text: str) -> tuple[int, int, int]:
        """The last row and column of a reference, and its number of cells."""
        found = _REFERENCE.fullmatch(text)
        if found is None:
            self._refuse(f"a reference {text[:20]!r}")
        left, top, right, bottom = found.groups()
        columns = [self._column(left), self._column(right or left)]
        rows = [int(top), int(bottom or top)]
        return max(rows), max(columns), (abs(rows[1] - rows[0]) + 1) * (abs(columns[1] - columns[0]) + 1)

    # --- what the parts are to each other ---

    def _sheet(self, _attributes: dict[str, str]) -> None:
        self.sheets += self.name == "xl/workbook.xml"
        if self.sheets > MOST_SHEETS:
            raise Unsafe(f"holds more than {MOST_SHEETS} sheets; tco writes no such workbook")

    def _content(self, attributes: dict[str, str]) -> None:
        kind = attributes.get("ContentType", "")
        self._active(kind)
        if ".main+xml" in kind and "spreadsheetml" in kind:
            self.main += 1 if (kind, attributes.get("PartName")) == (PLAIN_WORKBOOK, "/xl/workbook.xml") else 2

    def _relation(self, attributes: dict[str, str]) -> None:
        kind = attributes.get("Type", "")
        self._active(kind)
        if attributes.get("TargetMode", "Internal") != "Internal" and not kind.endswith(HYPERLINK):
            self._refuse("a link to something outside the file")

    def _active(self, kind: str) -> None:
        for word, what in _ACTIVE.items():
            if word in kind.lower():
                raise Unsafe(f"holds {what} (named in {self.name[:80]!r}); save a copy without them")
