"""Workbooks that nobody should open: a small honest one, and what is done to it.

`corpus(folder)` writes all of them: name, file, and a word of the sentence that must refuse it (empty: it is honest).
"""

# pyright: basic
from __future__ import annotations

import io
import os
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET = "xl/worksheets/sheet1.xml"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"

Parts = dict[str, bytes]


def sheet(rows: str, more: str = "", head: str = HEAD) -> bytes:
    return f'{head}<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData>{more}</worksheet>'.encode()


def relations(*rows: str) -> bytes:
    return f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{"".join(rows)}</Relationships>'.encode()


def relation(number: int, kind: str, target: str, mode: str = "") -> str:
    outside = f' TargetMode="{mode}"' if mode else ""
    return f'<Relationship Id="rId{number}" Type="{OFFICE}/{kind}" Target="{target}"{outside}/>'


def content_types(*rows: str) -> bytes:
    fixed = (
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/{SHEET}" ContentType="{KIND}.worksheet+xml"/>'
    )
    return f'{HEAD}<Types xmlns="{PACKAGE}/content-types">{fixed}{"".join(rows)}</Types>'.encode()


BOOK = f'<Override PartName="/xl/workbook.xml" ContentType="{KIND}.sheet.main+xml"/>'
WORKBOOK = (
    f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets>'
    "</workbook>"
)
ROW = '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>A1*2</f><v>4</v></c></row>'


def honest() -> Parts:
    """Two cells, one a formula."""
    return {
        "[Content_Types].xml": content_types(BOOK),
        "_rels/.rels": relations(relation(1, "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": WORKBOOK.encode(),
        "xl/_rels/workbook.xml.rels": relations(relation(1, "worksheet", "worksheets/sheet1.xml")),
        SHEET: sheet(ROW),
    }


def packed(parts: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as book:
        for name, content in parts.items():
            book.writestr(name, content)
    return stream.getvalue()


def with_parts(**changed: bytes) -> bytes:
    return packed({**honest(), **{name.replace("__", "/"): content for name, content in changed.items()}})


def plus(parts: Mapping[str, bytes]) -> bytes:
    return packed({**honest(), **parts})


def changed_sheet(rows: str, more: str = "", head: str = HEAD, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    return packed({**honest(), SHEET: sheet(rows, more, head)}, method)


def kinds(*rows: str) -> bytes:
    return plus({"[Content_Types].xml": content_types(*rows)})


def linked(part: str, *rows: str) -> bytes:
    return plus({part: relations(*rows)})


def patched(content: bytes, name: str, offset: int, fields: str, *values: int, local: bool = False) -> bytes:
    """A header of a part overwritten at an offset, in the directory or before the part."""
    mark = b"PK\x03\x04" if local else b"PK\x01\x02"
    length = 30 if local else 46
    start = content.find(mark)
    while content[start + length : start + length + len(name)] != name.encode():
        start = content.find(mark, start + 4)
    at = start + offset
    return content[:at] + struct.pack(fields, *values) + content[at + struct.calcsize(fields) :]


def lying(size: int, told: int) -> bytes:
    """A part of blanks that unpacks to `size` but says `told`, in both headers."""
    content = plus({SHEET: sheet(ROW, " " * size)})
    return patched(patched(content, SHEET, 24, "<L", told), SHEET, 22, "<L", told, local=True)


def overlapping() -> bytes:
    """The second part of the directory stands inside the first."""
    return patched(packed(honest()), "_rels/.rels", 42, "<L", 0)


def renamed() -> bytes:
    """The directory says one name, the part's own header another."""
    content = packed(honest())
    return content.replace(b"xl/worksheets/sheet1.xml", b"xl/worksheets/sheet7.xml", 1)


def twice(first: str, second: str) -> bytes:
    """Two parts whose names differ by one letter, or not at all."""
    content = plus({first: b"<a/>", "xl/placeholder.xml".ljust(len(second), "x")[: len(second)]: b"<a/>"})
    return content.replace("xl/placeholder.xml".ljust(len(second), "x")[: len(second)].encode(), second.encode())


def utf16(text: str, order: str, mark: bytes = b"") -> bytes:
    return mark + text.replace("UTF-8", "UTF-16").encode(order)


BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]>'
DOCUMENT = f'<worksheet xmlns="{MAIN}"><sheetData>{ROW}</sheetData></worksheet>'
FAR = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'


def zips() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """What is wrong with the file or its directory."""
    good = packed(honest())
    yield "empty", "not a workbook", lambda: b""
    yield "text", "not a workbook", lambda: b"no workbook at all"
    yield "broken zip", "not a workbook", lambda: b"PK\x03\x04broken"
    yield "cut", "not a workbook", lambda: good[:-30]
    yield "old or encrypted", "encrypted or an old .xls", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    yield "bytes before", "damaged", lambda: b"#!/bin/sh\n" + good
    yield "bytes behind", "damaged", lambda: good + b"more"
    yield "encrypted part", "encrypted part", lambda: patched(good, SHEET, 8, "<H", 1)
    yield "bzip2", "packed in a way", lambda: packed(honest(), zipfile.ZIP_BZIP2)
    yield "another method inside", "damaged", lambda: patched(good, SHEET, 8, "<H", 0, local=True)
    yield "two names", "in two ways", renamed
    yield "overlapping", "damaged", overlapping
    yield "lying small", "one size", lambda: lying(50_000_000, 400)
    yield "lying large", "one size", lambda: lying(1000, 900_000)
    yield "lying packed size", "damaged", lambda: patched(good, SHEET, 20, "<L", 40_000_000)
    yield "wrong sum", "damaged", lambda: patched(good, SHEET, 16, "<L", 1)
    yield "ratio", "times its size", lambda: plus({"xl/a.xml": b"<a>" + bytes([32]) * 40_000_000 + b"</a>"})
    yield "total", "unpacks to more", lambda: plus({f"xl/{i}.xml": bytes(1_000_000) for i in range(130)})
    yield "stated part", "more than 80 MB", lambda: patched(good, SHEET, 24, "<L", 90_000_000)
    yield "stated total", "unpacks to more", lambda: patched(good, SHEET, 24, "<L", 4_000_000_000)
    yield "parts", "parts", lambda: plus({f"xl/{i}.xml": b"<a/>" for i in range(2_001)})
    yield "long directory", "parts", lambda: plus({f"xl/{i}{'x' * 60_000}.xml": b"<a/>" for i in range(20)})
    yield "same name", "two parts of one name", lambda: twice("xl/theme/theme1.xml", "xl/theme/theme1.xml")
    yield "same name but for case", "two parts of one name", lambda: twice("xl/theme/theme1.xml", "xl/THEME/theme1.xml")
    yield "dots", "unsafe name", lambda: plus({"xl/../../evil.xml": b"<a/>"})
    yield "root", "unsafe name", lambda: plus({"/etc/evil.xml": b"<a/>"})
    yield "backslash", "unsafe name", lambda: plus({"xl\\..\\evil.xml": b"<a/>"})
    yield "drive", "unsafe name", lambda: plus({"C:/evil.xml": b"<a/>"})


def active() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """What would do something, or is not a plain workbook."""
    empty = "<a/>"
    yield "vba", "macros (VBA)", lambda: plus({"xl/vbaProject.bin": bytes(9)})
    yield "vba by kind", "macros (VBA)", lambda: kinds(
        BOOK, '<Override PartName="/xl/innocent.bin" ContentType="application/vnd.ms-office.vbaProject"/>'
    )  # fmt: skip
    yield (
        "macro-enabled",
        "macros",
        lambda: kinds(BOOK.replace(f"{KIND}.sheet.main+xml", "application/vnd.ms-excel.sheet.macroEnabled.main+xml")),
    )
    yield "excel 4", "macros (Excel 4)", lambda: plus({"xl/macrosheets/sheet1.xml": empty.encode()})
    yield "activex", "ActiveX", lambda: plus({"xl/activeX/activeX1.xml": empty.encode()})
    yield "ole", "embedded files", lambda: plus({"xl/embeddings/oleObject1.bin": bytes(9)})
    yield (
        "ole by relation",
        "embedded objects",
        lambda: linked("xl/worksheets/_rels/sheet1.xml.rels", relation(1, "oleObject", "../media/image1.png")),
    )
    yield "external link", "links to other workbooks", lambda: plus({"xl/externalLinks/externalLink1.xml": b"<a/>"})
    yield (
        "external by relation",
        "links to other workbooks",
        lambda: linked("xl/_rels/workbook.xml.rels", relation(1, "externalLink", "innocent.xml")),
    )
    yield (
        "outside image",
        "something outside",
        lambda: linked(
            "xl/worksheets/_rels/sheet1.xml.rels", relation(1, "image", "http://example.org/a.png", "External")
        ),
    )
    yield "binary workbook", "binary sheets", lambda: kinds(
        BOOK.replace(f"{KIND}.sheet.main+xml", "application/vnd.ms-excel.sheet.binary.macroEnabled.main")
        .replace("macroEnabled.", "")
    )  # fmt: skip
    yield "template", "not a plain workbook", lambda: kinds(BOOK.replace("sheet.main", "template.main"))
    yield "two books", "not a plain workbook", lambda: kinds(BOOK, BOOK.replace("workbook.xml", "other.xml"))
    yield "no book kind", "not a plain workbook", lambda: kinds()
    yield (
        "no workbook",
        "holds no xl/workbook.xml",
        lambda: packed({name: content for name, content in honest().items() if name != "xl/workbook.xml"}),
    )
    yield "no sheets", "not a plain workbook", lambda: plus({"xl/workbook.xml": f'<workbook xmlns="{MAIN}"/>'.encode()})
    yield "a page as workbook", "holds something else", lambda: plus({"xl/workbook.xml": b"<html/>"})
    yield "no XML as workbook", "broken XML", lambda: plus({"xl/workbook.xml": b"sheets"})
    yield "no list of kinds", "holds no [Content_Types].xml", lambda: packed({"xl/workbook.xml": b"<a/>"})
    many = "".join(f'<sheet name="{i}" sheetId="{i}" xmlns:r="{OFFICE}" r:id="rId1"/>' for i in range(1, 300))
    yield (
        "sheets",
        "sheets",
        lambda: plus({"xl/workbook.xml": WORKBOOK.replace("</sheets>", f"{many}</sheets>").encode()}),
    )


def documents() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """What hides in the XML."""
    typed = "document type"
    yield "entities", typed, lambda: changed_sheet("<row>&c;</row>", head=HEAD + BOMB)
    yield "late type", typed, lambda: changed_sheet(ROW, head=f"{HEAD}<!--{'x' * 9000}-->{BOMB}")
    yield "strings", typed, lambda: plus({"xl/sharedStrings.xml": f"{HEAD}{BOMB}<sst/>".encode()})
    yield (
        "outside entity",
        typed,
        lambda: plus({"docProps/core.xml": b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'}),
    )
    for order, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
        text = HEAD + BOMB + DOCUMENT
        yield f"{order} type", typed, lambda o=order, m=mark, t=text: plus({SHEET: utf16(t, o, m)})
        yield f"{order} far cell", "far beyond", lambda o=order, m=mark: plus({SHEET: utf16(sheet(FAR).decode(), o, m)})
    yield "unmarked utf-16", typed, lambda: plus({SHEET: utf16(BOMB + DOCUMENT, "utf-16-le")})
    yield (
        "ebcdic",
        "encoding",
        lambda: plus({SHEET: b'<?xml version="1.0" encoding="cp037"?>' + DOCUMENT.encode("cp037")}),
    )
    yield "a sheet named as a picture", typed, lambda: plus({"xl/media/image1.png": (BOMB + DOCUMENT).encode()})
    yield "broken", "broken XML", lambda: plus({SHEET: b"<worksheet><sheetData>"})
    yield "deep", "deep", lambda: changed_sheet("<a>" * 5_000_000, method=zipfile.ZIP_STORED)
    yield "names", "kinds of elements", lambda: changed_sheet("".join(f"<n{i}/>" for i in range(300_000)))
    yield "endless attribute", "does not end", lambda: changed_sheet(f'<row r="{noise(4_000_000)}"/>')
    yield "endless comment", "does not end", lambda: changed_sheet(f"<!--{noise(4_000_000)}-->")


def noise(length: int) -> str:
    """Text that hardly packs, so that the ratio does not refuse it first."""
    return os.urandom(length // 2).hex()


def extents() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """What a reader would spread over millions of cells."""
    yield "far cell", "far beyond", lambda: changed_sheet(FAR)
    yield "far row", "far beyond", lambda: changed_sheet('<row r="1048576"><c r="A1048576"><v>1</v></c></row>')
    yield "far column", "far beyond", lambda: changed_sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>')
    yield "unnumbered far row", "far beyond", lambda: changed_sheet('<row r="1048575"/><row><c><v>1</v></c></row>')
    yield (
        "written otherwise",
        "far beyond",
        lambda: changed_sheet("<row\n r = '1'><c x='>' r=\"&#88;FD1048576\"><v>1</v></c></row>"),
    )
    prefixed = sheet(FAR).decode().replace("<", "<x:").replace("<x:/", "</x:").replace("<x:?", "<?")
    yield "prefixed", "far beyond", lambda: plus({SHEET: prefixed.replace("xmlns=", "xmlns:x=").encode()})
    yield "no address", "a cell", lambda: changed_sheet('<row r="1"><c r="1A"><v>1</v></c></row>')
    yield "huge address", "a cell", lambda: changed_sheet(f'<row r="1"><c r="A{"9" * 5000}"><v>1</v></c></row>')
    yield (
        "wide and high",
        "far beyond",
        lambda: changed_sheet(
            '<row r="1"><c r="BXX1"><v>1</v></c></row><row r="399999"><c r="A399999"><v>1</v></c></row>'
        ),
    )
    merged = '<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    yield "merged", "far beyond", lambda: changed_sheet(ROW, merged)
    small = "".join('<mergeCell ref="A1:ZZ5000"/>' for _ in range(9))
    yield "merged often", "huge area", lambda: changed_sheet(ROW, f"<mergeCells>{small}</mergeCells>")
    yield (
        "link",
        "far beyond",
        lambda: changed_sheet(ROW, '<hyperlinks><hyperlink ref="A1:XFD1048576" location="A1"/></hyperlinks>'),
    )
    comment = f'<comments xmlns="{MAIN}"><commentList><comment ref="XFD1048576"/></commentList></comments>'
    yield "comment", "far beyond", lambda: plus({"xl/comments1.xml": comment.encode()})
    wide = f'<comments xmlns="{MAIN}"><commentList><comment ref="BXX1"/></commentList></comments>'
    yield (
        "comment beside a high sheet",
        "spreads over",
        lambda: plus(
            {SHEET: sheet('<row r="399999"><c r="A399999"><v>1</v></c></row>'), "xl/comments1.xml": wide.encode()}
        ),
    )
    yield "empty rows", "rows", lambda: changed_sheet("".join(f'<row r="{i}"/>' for i in range(1, 420_000)))
    yield (
        "cells",
        "cells",
        lambda: changed_sheet('<row r="1">' + '<c r="A1"/>' * 810_000 + "</row>", method=zipfile.ZIP_STORED),
    )


def harmless() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """What looks odd and is not."""
    yield "honest", "", lambda: packed(honest())
    yield "stored", "", lambda: packed(honest(), zipfile.ZIP_STORED)
    yield "claims the whole grid", "", lambda: changed_sheet(ROW, '<dimension ref="A1:XFD1048576"/>')
    yield "an empty last row", "", lambda: changed_sheet(ROW + '<row r="1048576" ht="12.8"/>')
    yield (
        "a link to a page",
        "",
        lambda: linked(
            "xl/worksheets/_rels/sheet1.xml.rels", relation(1, "hyperlink", "https://example.org/", "External")
        ),
    )
    yield "utf-16", "", lambda: plus({SHEET: utf16(HEAD + DOCUMENT, "utf-16-le", b"\xff\xfe")})
    yield "sloppy drawing of a note", "", lambda: plus({"xl/drawings/vmlDrawing1.vml": b"<xml><br></xml>"})
    yield (
        "long text",
        "",
        lambda: plus(
            {"xl/sharedStrings.xml": f'<sst xmlns="{MAIN}"><si><t>{noise(3_000_000)}</t></si></sst>'.encode()}
        ),
    )


def corpus(folder: Path) -> list[tuple[str, Path, str]]:
    """All of them, written."""
    found = []
    for group in (zips, active, documents, extents, harmless):
        for name, word, make in group():
            path = folder / f"{name.replace(' ', '_')}.xlsx"
            path.write_bytes(make())
            found.append((name, path, word))
    return found
